"""One backup set: read-only copies of files, byte for byte, and a manifest that says what they were and what they became."""

from __future__ import annotations

import json
import os
import shutil
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from remember.errors import DamagedStore, IOFailure, NotFound
from remember.files.safe import Place, Spot, open_folder, read_bytes
from remember.format.times import show

if TYPE_CHECKING:
    from remember.migrate.step import File, Plan, Step

__all__ = ["MANIFEST", "digest", "manifest_of", "names", "read", "write"]

FOLDER, MANIFEST = "migrations", "manifest.json"
_MANIFEST_LIMIT, _FILE_LIMIT = 64 << 20, 512 << 20
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)


def digest(data: bytes) -> str:
    """SHA-256 in 64 hex digits."""
    return sha256(data).hexdigest()


def manifest_of(name: str, step: Step, plan: Plan, files: dict[str, File], now_ms: int) -> dict[str, Any]:
    """The manifest of a set: every affected file as it was, what it becomes, and the rules by which values were inferred."""
    after = {edit.path: edit.data for edit in plan.edits}
    rules = {edit.path: list(edit.rules) for edit in plan.edits}
    marker, marked = step.MARKER
    entries = []
    affected = {*after, *plan.kept, *({marker} & files.keys())}
    for path in sorted(affected, key=os.fsencode):
        file = files[path]
        new = marked if path == marker else after.get(path, file.data)
        entry: dict[str, Any] = {"path": path, "backup": f"files/{path}", "sha256": digest(file.data), "size": len(file.data)}
        entry |= {"mode": f"{file.mode:04o}", "mtime": show(file.mtime_ns // 1_000_000), "mtime_ns": file.mtime_ns}
        entry |= {"rules": rules.get(path, []), "after": None if new is None else digest(new)}
        entries.append(entry)
    made = [] if marker in files else [{"path": marker, "after": digest(marked)}]
    head = {"by": "remember", "version": 1, "name": name, "from": step.FROM, "to": step.TO, "created": show(now_ms)}
    return {**head, "inference": step.RULES, "files": entries, "made": made}


def write(folder: int, store: str, manifest: dict[str, Any], files: dict[str, File]) -> None:
    """Make the set, durably; it gets its name only when it is whole, and what a killed attempt left half-made is removed.

    `folder` is a descriptor of the store. Raises IOFailure, after which no set of that name is there.
    """
    name = str(manifest["name"])
    shown = f"{store}/{FOLDER}/{name}"
    try:
        with Place(folder, store, f"{FOLDER}/{name}", make=True) as spot:
            _sweep(spot.folder)
            part = f".{name}"
            os.mkdir(part, 0o700, dir_fd=spot.folder)
            inner = os.open(part, os.O_RDONLY | os.O_DIRECTORY | getattr(os, "O_NOFOLLOW", 0), dir_fd=spot.folder)
            try:
                _fill(inner, shown, manifest, files)
            except BaseException:
                shutil.rmtree(part, ignore_errors=True, dir_fd=spot.folder)
                raise
            finally:
                os.close(inner)
            os.rename(part, name, src_dir_fd=spot.folder, dst_dir_fd=spot.folder)
            os.fsync(spot.folder)
    except OSError as error:
        raise IOFailure(shown, error) from error


def _fill(inner: int, shown: str, manifest: dict[str, Any], files: dict[str, File]) -> None:
    for entry in manifest["files"]:
        with Place(inner, shown, entry["backup"], make=True) as spot:
            _copy(spot, files[entry["path"]].data)
    for place in sorted({entry["backup"].rpartition("/")[0] for entry in manifest["files"]}):
        with Place(inner, shown, f"{place}/x") as spot:
            os.fsync(spot.folder)
    _copy(Spot(inner, MANIFEST, f"{shown}/{MANIFEST}"), (json.dumps(manifest, indent=1) + "\n").encode())
    os.fsync(inner)


def _copy(spot: Spot, data: bytes) -> None:
    descriptor = os.open(spot.name, _NEW, 0o400, dir_fd=spot.folder)
    try:
        view = memoryview(data)
        while view:
            view = view[os.write(descriptor, view) :]
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _sweep(folder: int) -> None:
    """Remove sets that never got their name: nothing was converted on their account."""
    for left in os.listdir(folder):
        if left.startswith(".v") and "-to-v" in left:
            shutil.rmtree(left, dir_fd=folder)


def names(store: str) -> list[str]:
    """The sets there are."""
    try:
        return sorted(name for name in os.listdir(os.path.join(store, FOLDER)) if name.startswith("v") and "-to-v" in name)
    except OSError:
        return []


def read(folder: int, store: str, name: str) -> tuple[dict[str, Any], dict[str, bytes]]:
    """(manifest, bytes by path) of a set, verified. Raises NotFound, DamagedStore where a copy is not what its manifest says."""
    if name not in names(store):
        raise NotFound(f"migration backup {name}", hint="sets there are: " + (", ".join(names(store)) or "none"), said="there is no ")
    inner = open_folder(os.path.join(store, FOLDER, name))
    shown = f"{store}/{FOLDER}/{name}"
    try:
        data, _ = read_bytes(Spot(inner, MANIFEST, f"{shown}/{MANIFEST}"), _MANIFEST_LIMIT)
        manifest = json.loads(data)
        copies = {}
        for entry in manifest["files"]:
            with Place(inner, shown, entry["backup"]) as spot:
                copies[entry["path"]], _ = read_bytes(spot, _FILE_LIMIT)
            if digest(copies[entry["path"]]) != entry["sha256"] or entry["backup"] != f"files/{entry['path']}":
                raise DamagedStore(f"{shown}/{entry['backup']}", "is not what the manifest says")
            int(entry["mode"], 8), int(entry["mtime_ns"])
        _ = [(made["path"], made["after"]) for made in manifest["made"]]
    except (ValueError, KeyError, TypeError) as error:
        raise DamagedStore(f"{shown}/{MANIFEST}", "is no manifest of a migration") from error
    except FileNotFoundError as error:
        raise DamagedStore(shown, f"{error.filename} is missing") from error
    finally:
        os.close(inner)
    return manifest, copies
