"""Brings back the files of a backup set, where nothing has changed since."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from remember.errors import Conflict, UnsafePath
from remember.files.atomic import exchange, publish_new, remove
from remember.files.safe import Place, read_bytes
from remember.migrate import backup
from remember.migrate.exclusive import migrating
from remember.migrate.keeping import keeper
from remember.store.lock import locked

if TYPE_CHECKING:
    from collections.abc import Callable

    from remember.files.safe import Spot

__all__ = ["roll_back"]

_LIMIT = 512 << 20


def roll_back(path: str, name: str, now_ms: int, bits: Callable[[int], int], timeout_s: float = 10.0) -> tuple[str, ...]:
    """Give the store at `path` the files of the set `name` again; the paths that were written. The set stays.

    The marker goes first, so that a rollback cut short leaves a legacy store, and can be repeated. Raises NotFound, DamagedStore
    for a set that is not whole, Conflict naming every file that is neither what the migration left nor what it found, Locked.
    """
    if os.path.realpath(path) != path:
        raise UnsafePath(path, "leads through a symbolic link, and nothing is written through one")
    with locked(path, timeout_s) as folder:
        manifest, copies = backup.read(folder, path, name.rstrip("/").rpartition("/")[2])
        wanted = {entry["path"]: entry for entry in manifest["files"]}
        made = {entry["path"]: entry["after"] for entry in manifest["made"]}
        now = {p: _now(folder, path, p) for p in (*made, *wanted)}
        _check(wanted, made, now)
        with migrating(folder, path):
            return _write(folder, path, wanted, made, now, copies, keeper(folder, path, now_ms, bits))


def _now(folder: int, store: str, path: str) -> bytes | None:
    try:
        with Place(folder, store, path) as spot:
            return read_bytes(spot, _LIMIT)[0]
    except FileNotFoundError:
        return None


def _check(wanted: dict[str, Any], made: dict[str, Any], now: dict[str, bytes | None]) -> None:
    """Raises Conflict where a file is neither in the state after the migration nor in that before it."""
    changed = []
    for path, data in now.items():
        found = None if data is None else backup.digest(data)
        before, after = (wanted[path]["sha256"], wanted[path]["after"]) if path in wanted else (None, made[path])
        if found not in (before, after):
            changed.append(path)
    if changed:
        hint = "nothing was brought back; the originals stay in the backup set, from where you can copy them by hand"
        raise Conflict("changed since the migration: " + ", ".join(changed), hint)


def _write(
    folder: int,
    store: str,
    wanted: dict[str, Any],
    made: dict[str, Any],
    now: dict[str, bytes | None],
    copies: dict[str, bytes],
    keep: Callable[[str, bytes], None],
) -> tuple[str, ...]:
    """Marker first, then facts, notes and records, the reverse of the migration."""
    written = []
    order = sorted(now, key=lambda p: (p.endswith(".json") and "/" not in p, "/" not in p, p.startswith("notes/")), reverse=True)
    for path in order:
        data = now[path]

        def keep_here(foreign: bytes, path: str = path) -> None:
            keep(path, foreign)

        with Place(folder, store, path, make=path in wanted) as spot:
            if path in made:
                if data is not None:
                    remove(spot, data, keep_here)
                    written.append(path)
            elif data != copies[path]:
                _bring_back(spot, copies[path], data, wanted[path], keep_here)
                written.append(path)
    return tuple(written)


def _bring_back(spot: Spot, copy: bytes, data: bytes | None, entry: dict[str, Any], keep: Callable[[bytes], None]) -> None:
    mode, mtime_ns = int(entry["mode"], 8), int(entry["mtime_ns"])
    if data is None:
        publish_new(spot, copy, mode, mtime_ns)
    else:
        exchange(spot, copy, data, keep, mode, mtime_ns)
