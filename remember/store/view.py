"""The files of a store as they are while its lock is held: what a plan sees, and what its edits are written against."""

from __future__ import annotations

import os

from remember._named import NamedTuple
from remember.errors import IOFailure
from remember.files.atomic import LIMIT_BYTES
from remember.files.safe import Place, read_bytes
from remember.store.records import Content, FileItem

__all__ = ["FileEdit", "View", "file_item"]


class FileEdit(NamedTuple):
    """What becomes of one file: new bytes (`data`), nothing (None), or another path with the same bytes (`to`).

    `mode` and `mtime_ns` are given where a file is made or restored; None keeps the mode and takes the time as it comes.
    """

    path: str
    data: bytes | None
    mode: int | None = None
    mtime_ns: int | None = None
    to: str = ""


class View:
    """Reads each file at most once, so that what a plan saw is what its edits are compared with."""

    def __init__(self, folder: int, store: str) -> None:
        self.folder, self.store = folder, store
        self.seen: dict[str, Content | None] = {}

    def content(self, path: str) -> Content | None:
        """A file's bytes, mode and modification time; None where there is none. Raises as `files.safe` does, and TooLarge."""
        if path not in self.seen:
            try:
                with Place(self.folder, self.store, path) as spot:
                    data, found = read_bytes(spot, LIMIT_BYTES)
                self.seen[path] = Content(data, found.st_mode & 0o7777, found.st_mtime_ns)
            except FileNotFoundError:
                self.seen[path] = None
        return self.seen[path]

    def read(self, path: str) -> bytes | None:
        """A file's bytes; None where there is none."""
        content = self.content(path)
        return None if content is None else content.data

    def exists(self, path: str) -> bool:
        """Whether anything at all, readable or not, has that path."""
        try:
            with Place(self.folder, self.store, path) as spot:
                os.stat(spot.name, dir_fd=spot.folder, follow_symlinks=False)
        except FileNotFoundError:
            return False
        except OSError as error:
            raise IOFailure(f"{self.store}/{path}", error) from error
        return True


def file_item(view: View, edit: FileEdit) -> FileItem:
    """The record's item for an edit that concerns a file as a whole."""
    before = view.content(edit.path)
    if edit.data is None:
        return FileItem(edit.path, before, None)
    mode = edit.mode if edit.mode is not None else before.mode if before else 0o600
    return FileItem(edit.path, before, Content(edit.data, mode, edit.mtime_ns))
