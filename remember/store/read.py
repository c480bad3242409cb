"""Reads memory files for the index: bounded, never through a link, never a FIFO, and never half of a save in progress."""

from __future__ import annotations

import os

from remember._named import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.layouts.layout import Rules

__all__ = ["FileBytes", "read_file"]

_FLAGS = (
    os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
)
_REGULAR, _TYPE = 0o100000, 0o170000
_CHUNK = 1 << 16
_TRIES = 5


class FileBytes(NamedTuple):
    """A file's first bytes (`data`) with the signature that belongs to them; `size_bytes` is the whole file's."""

    data: bytes
    signature: tuple[int, int, int, int]
    size_bytes: int


def read_file(store: str, path: str, rules: Rules, limit_bytes: int) -> FileBytes | None:
    """Read one file of the store, up to the layout's limit; None when it is gone or is no regular file.

    The stat before and after must agree, or it is read again (five times at most, then as it is: its signature is the
    earlier one, so the next comparison reads it anew). Raises OSError when it is there but cannot be read.
    """
    limit = rules.whole_limit if path in rules.whole else limit_bytes
    try:
        descriptor = os.open(os.path.join(store, path), _FLAGS)
    except (FileNotFoundError, NotADirectoryError):
        return None
    try:
        before = os.fstat(descriptor)
        for _ in range(_TRIES):
            if before.st_mode & _TYPE != _REGULAR:
                return None
            data = _read(descriptor, limit)
            after = os.fstat(descriptor)
            if (after.st_mtime_ns, after.st_ctime_ns, after.st_size) == (before.st_mtime_ns, before.st_ctime_ns, before.st_size):
                break
            before = after
            os.lseek(descriptor, 0, os.SEEK_SET)
    finally:
        os.close(descriptor)
    return FileBytes(data, (before.st_ino, before.st_mtime_ns, before.st_ctime_ns, before.st_size), before.st_size)


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
