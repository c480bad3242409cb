"""Reads memory files for the index: bounded, never through a link, never a FIFO, and never half of a save in progress."""

from __future__ import annotations

import os
from errno import EFBIG, ELOOP
from operator import attrgetter

from remember._named import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.layouts.layout import Rules

__all__ = ["FileBytes", "Reader", "read_file"]

_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)
_CLOEXEC = getattr(os, "O_CLOEXEC", 0)
_FLAGS = os.O_RDONLY | _NOFOLLOW | _CLOEXEC | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_FOLDER = os.O_RDONLY | _NOFOLLOW | _CLOEXEC | getattr(os, "O_DIRECTORY", 0)
_REGULAR, _TYPE = 0o100000, 0o170000
_signature = attrgetter("st_ino", "st_mtime_ns", "st_ctime_ns", "st_size")
_CHUNK = 1 << 16
_TRIES = 5


class FileBytes(NamedTuple):
    """A file's first bytes (`data`) with the signature that belongs to them; `size_bytes` is the whole file's."""

    data: bytes
    signature: tuple[int, int, int, int]
    size_bytes: int


class Reader:
    """Reads files of one store, each folder opened once and never through a link; close it, or use it in a `with`."""

    def __init__(self, store: str, rules: Rules, limit_bytes: int) -> None:
        self.store, self.rules, self.limit = store, rules, limit_bytes
        self._prefix: str | None = None
        self._folder = -1

    def __enter__(self) -> Reader:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let the folder go."""
        if self._folder >= 0:
            os.close(self._folder)
        self._folder, self._prefix = -1, None

    def read(self, path: str) -> FileBytes | None:
        """One file, up to the layout's limit; None when it is gone or is no regular file.

        The stat before and after must agree, or it is read again (five times at most, then as it is: its signature is the
        earlier one, so the next comparison reads it anew). Raises OSError when it is there but cannot be read.
        """
        prefix, _, name = path.rpartition("/")
        try:
            if prefix != self._prefix:
                self._enter(prefix)
            descriptor = os.open(name, _FLAGS, 0, dir_fd=self._folder)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            if error.errno == ELOOP:
                return None  # a link where a file or folder was: such files are not part of the store
            raise
        try:
            read = _take(descriptor, self.rules.whole_limit if path in self.rules.whole else self.limit)
        finally:
            os.close(descriptor)
        if read is not None and 0 < self.rules.most_bytes < read.size_bytes:
            raise OSError(EFBIG, f"is larger than {self.rules.most_bytes} bytes", path)
        return read

    def read_small(self, path: str, size: int) -> bytes | None:
        """A small file that has the size which a walk found, for those who only look at it and keep no signature.

        None for any other file, of which `read` tells what it is.
        """
        cut = path.rfind("/")
        if size >= _CHUNK or size > self.limit or 0 < self.rules.most_bytes < size:
            return None
        try:
            if path[: max(cut, 0)] != self._prefix:
                self._enter(path[: max(cut, 0)])
            descriptor = os.open(path[cut + 1 :], _FLAGS, 0, dir_fd=self._folder)
        except OSError:
            return None
        try:
            data = os.read(descriptor, size + 1)
        except OSError:
            return None
        finally:
            os.close(descriptor)
        return data if len(data) == size else None

    def _enter(self, prefix: str) -> None:
        self.close()
        public = self.rules.public and prefix + "/" == self.rules.public_prefix
        folder = os.open(os.path.dirname(self.rules.public) if public else self.store, _FOLDER & ~_NOFOLLOW)
        for part in prefix.split("/") if prefix else ():
            try:
                below = os.open(part, _FOLDER, dir_fd=folder)
            finally:
                os.close(folder)
            folder = below
        self._folder, self._prefix = folder, prefix


def read_file(store: str, path: str, rules: Rules, limit_bytes: int) -> FileBytes | None:
    """Read one file of the store; see `Reader.read`."""
    with Reader(store, rules, limit_bytes) as reader:
        return reader.read(path)


def _take(descriptor: int, limit: int) -> FileBytes | None:
    found = os.fstat(descriptor)
    for _ in range(_TRIES):
        if found.st_mode & _TYPE != _REGULAR:
            return None
        before = _signature(found)
        data = _read(descriptor, limit)
        found = os.fstat(descriptor)
        if _signature(found) == before:
            break
        os.lseek(descriptor, 0, os.SEEK_SET)
    return FileBytes(data, before, before[3])


def _read(descriptor: int, limit: int) -> bytes:
    # A first buffer of 64 KiB: a larger one is mapped and shrunk anew for each file and costs more than a second call.
    data = os.read(descriptor, min(_CHUNK, limit))
    if len(data) < _CHUNK:
        return data
    parts = [data]
    size = len(data)
    while size < limit:
        more = os.read(descriptor, min(1 << 20, limit - size))
        if not more:
            break
        parts.append(more)
        size += len(more)
    return b"".join(parts)
