"""The little legacy stores of tests/fixtures/migration, and how a store is made of them and looked at.

Each directory there has the store `before`, and `after` its migration; one that is refused has `named.txt` in place of that, a
line for each thing that the refusal has to name. Every file's mode and time are those that `make` gives it.
"""

from __future__ import annotations

import json
import os
import random

from remember.migrate.engine import migrate

STAMP = "2026-01-02T03:04:05Z"
MTIME_NS = 1_770_000_000_123_000_000  # 2026-02-02T02:40:00.123Z
MODIFIED = "2026-02-02T02:40:00.123Z"
RECORD = "20260301T101112131Z-3f9a1c2f"
FOREIGN = "pi-1700000000.json"
STORES = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "fixtures", "migration")

REFERENCE = f"<!-- {STAMP} [aaaa0001] -->\n#note [[notes/2026-01-02-env.md]] Python env\n"
FACT = f"<!-- {STAMP} [aaaa0002] -->\n#lesson keep it short\n"
NOTE = f"<!-- {STAMP} -->\n# Python env\n\nbody one\n\n# The author's heading\n"


def header(description="Python env", memo_id="aaaa0001", created="2026-01-02T03:04:05.000Z", modified=MODIFIED):
    return (
        f'---\ndescription: "{description}"\nmemory-id: "{memo_id}"\n'
        f'created-date: "{created}"\nlast-modified-date: "{modified}"\n---\n'
    )


def span(before, after="", path="MEMORY.md", memo_id=None):
    around = {"at": 0, "prev": "", "next": "", "made": False}
    return {"type": "fact", "path": path, "id": memo_id, "before": before, "after": after, **around}


def whole(path, before, after=None, mtime_ns=MTIME_NS):
    def content(text):
        return None if text is None else {"text": text, "mode": "0600", "mtime_ns": mtime_ns}

    return {"type": "file", "path": path, "before": content(before), "after": content(after)}


def record(*changes, version=None, state="done", record_id=RECORD, action="forget", **more):
    document = {"by": "remember", "id": record_id, "action": action, "created": "2026-03-01T10:11:12.131Z"}
    document |= {"summary": "forgot a note", "state": state, "turned": None, "changes": list(changes), **more}
    if version is not None:
        document["version"] = version
    return json.dumps(document)

def files(name, kind="before"):
    """The files of a store in tests/fixtures/migration by their paths, as text (bytes that are no UTF-8 escaped)."""
    top = os.path.join(STORES, name, kind)
    return {path: data.decode("utf-8", "surrogateescape") for path, (data, _) in tree(top, True).items()}


def make(top, files, marker=None):
    """A store of these files below `top`, all of one time; its path."""
    store = os.path.realpath(str(top))
    os.makedirs(store, exist_ok=True)
    for path, content in {**files, **({} if marker is None else {"pi-remember.json": marker})}.items():
        place = os.path.join(store, path)
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with open(place, "wb") as file:
            file.write(content.encode("utf-8", "surrogateescape") if isinstance(content, str) else content)
        os.chmod(place, 0o640)
        os.utime(place, ns=(MTIME_NS, MTIME_NS))
    return store


def run(store, **options):
    return migrate(store, 1_780_000_000_000, random.SystemRandom().getrandbits, **options)


def tree(store, everything=False):
    """Every file's bytes and mode by its path; without `everything` no backups and no temporary files."""
    found = {}
    for folder, folders, names in os.walk(store):
        if not everything and "migrations" in folders:
            folders.remove("migrations")
        for name in names:
            path = os.path.join(folder, name)
            if everything or not name.startswith(".remember-"):
                with open(path, "rb") as file:
                    found[os.path.relpath(path, store)] = (file.read(), os.stat(path).st_mode & 0o777)
    return found


def read(store, path):
    with open(os.path.join(store, path), encoding="utf-8", errors="surrogateescape", newline="") as file:
        return file.read()


BASIC = files("basic")
CONVERTED = sorted(name for name in os.listdir(STORES) if os.path.isdir(os.path.join(STORES, name, "after")))
REFUSED = {name: read(STORES, f"{name}/named.txt").splitlines() for name in sorted(os.listdir(STORES)) if name not in CONVERTED}
