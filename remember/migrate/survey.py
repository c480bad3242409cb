"""Reads the input files of a migration, each once, never through a link."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from remember.errors import IOFailure
from remember.files.atomic import LIMIT_BYTES
from remember.files.safe import Place, read_bytes

if TYPE_CHECKING:
    from remember.migrate.step import File, Step

__all__ = ["has_content", "survey"]

_LIMIT = 8 * LIMIT_BYTES
_FOLDERS = ("notes", "recovery")


def survey(folder: int, store: str, step: Step) -> tuple[dict[str, File], list[str]]:
    """(input files and the marker by path, symbolic links among the inputs) of the store open at `folder`.

    Raises IOFailure, TooLarge for what cannot be read; devices, FIFOs and hidden names are no inputs.
    """
    files: dict[str, File] = {}
    links: list[str] = []
    for path, is_link in sorted(_names(store, step)):
        if is_link:
            links.append(path)
            continue
        try:
            with Place(folder, store, path) as spot:
                data, found = read_bytes(spot, _LIMIT)
        except FileNotFoundError:
            continue
        files[path] = step.File(data, found.st_mode & 0o7777, found.st_mtime_ns, found.st_nlink)
    return files, links


def _names(store: str, step: Step) -> list[tuple[str, bool]]:
    """(path, whether it is a link) of the inputs there are."""
    found = []
    pending = [""]
    while pending:
        prefix = pending.pop()
        try:
            with os.scandir(os.path.join(store, prefix)) as entries:
                for entry in entries:
                    path = prefix + entry.name
                    wanted = step.is_input(path) or path == step.MARKER[0]
                    inside = not entry.name.startswith(".") and (prefix != "" or path in _FOLDERS)
                    if entry.is_symlink():
                        if wanted or (inside and (prefix == "" or entry.is_dir())):
                            found.append((path, True))
                    elif entry.is_dir():
                        if inside:
                            pending.append(path + "/")
                    elif wanted and entry.is_file():
                        found.append((path, False))
        except OSError as error:
            raise IOFailure(os.path.join(store, prefix), error) from error
    return found


def has_content(store: str) -> bool:
    """Whether a store without a marker holds anything that makes it one of the legacy format; nothing is opened."""
    try:
        if os.stat(os.path.join(store, "MEMORY.md")).st_size:
            return True
    except OSError:
        pass  # no facts: notes alone make a store too
    for _, folders, names in os.walk(os.path.join(store, "notes")):
        folders[:] = [name for name in folders if not name.startswith(".")]
        if any(name.endswith(".md") and not name.startswith(".") for name in names):
            return True
    return False
