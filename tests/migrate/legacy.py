"""Little legacy stores, one for each rule and each refusal, and how they are made and looked at."""

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


BASIC = {
    "MEMORY.md": "# Memory\n\n" + REFERENCE + FACT + "\nprose that is nobody's\n",
    "notes/2026-01-02-env.md": NOTE,
    "notes/deep/er/loose.md": "# Loose thoughts\n\ntext\n",
    "notes/2026-01-03-ready.md": header("ready", "aaaa0003") + "done already\n",
    f"recovery/{RECORD}.json": record(span(f"<!-- {STAMP} [aaaa0009] -->\n#note [[notes/gone.md]] Gone\n"), whole("notes/gone.md", NOTE)),
    f"recovery/{FOREIGN}": '{"kind": "deletion"}\n',
    "daily/2026-01-02.md": "<!-- not ours -->\n# a day\n",
}

REFUSED = {
    "malformed record": ({**BASIC, f"recovery/{RECORD}.json": '{"by": "remember", "changes": 3}'}, ["recovery/" + RECORD]),
    "record that is no JSON": ({**BASIC, f"recovery/{RECORD}.json": "{"}, ["recovery/" + RECORD]),
    "record of a later version": ({**BASIC, f"recovery/{RECORD}.json": record(version=7)}, ["version 7"]),
    "record without changes": ({**BASIC, f"recovery/{RECORD}.json": record(changes="x")}, ["changes"]),
    "dangling reference": ({"MEMORY.md": "#note [[notes/no.md]] x\n#note [[notes/nil.md]] y\n"}, ["MEMORY.md:1", "notes/nil.md"]),
    "reference out of the store": ({**BASIC, "MEMORY.md": "#note [[../x.md]] x\n"}, ["unsafe", "../x.md"]),
    "absolute reference": ({**BASIC, "MEMORY.md": "#note [[/etc/x.md]] x\n"}, ["unsafe"]),
    "reference out of notes": ({**BASIC, "MEMORY.md": "#note [[daily/2026-01-02.md]] x\n"}, ["unsafe"]),
    "hidden reference": ({**BASIC, "MEMORY.md": "#note [[notes/.x.md]] x\n"}, ["unsafe"]),
    "two references": ({**BASIC, "MEMORY.md": REFERENCE + REFERENCE.replace("aaaa0001", "aaaa0008")}, ["second reference"]),
    "one ID for fact and note": ({**BASIC, "MEMORY.md": REFERENCE + FACT.replace("aaaa0002", "aaaa0001")}, ["aaaa0001"]),
    "one ID for two facts": ({**BASIC, "MEMORY.md": FACT + FACT}, ["aaaa0002", "MEMORY.md:2"]),
    "one ID for two notes": ({**BASIC, "notes/b.md": header("other", "aaaa0003") + "x\n"}, ["aaaa0003", "notes/b.md"]),
    "another ID in the note": (
        {**BASIC, "notes/2026-01-02-env.md": NOTE.replace(STAMP, STAMP + " [bbbb0001]")},
        ["bbbb0001", "aaaa0001"],
    ),
    "another time in the note": ({**BASIC, "notes/2026-01-02-env.md": NOTE.replace("2026-01-02", "2025-01-02")}, ["2025-01-02"]),
    "another ID in the header": ({**BASIC, "notes/2026-01-02-env.md": header(memo_id="bbbb0001")}, ["bbbb0001"]),
    "another description in the header": ({**BASIC, "notes/2026-01-02-env.md": header("else")}, ["else"]),
    "broken header of a referenced note": ({**BASIC, "notes/2026-01-02-env.md": "---\nopen\n"}, ["notes/2026-01-02-env.md"]),
}


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
