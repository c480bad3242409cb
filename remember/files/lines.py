"""The user's own small line files (registered stores, trusted roots): read whole, replaced atomically."""

from __future__ import annotations

import os
from errno import EFBIG, EINVAL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["change_lines", "read_lines", "read_small", "replace_file"]


def read_small(path: str, limit_bytes: int = 1 << 20) -> bytes | None:
    """A regular file's bytes; None where there is none. Raises OSError for anything else, a FIFO or a larger file included."""
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
    try:
        descriptor = os.open(path, flags)
    except (FileNotFoundError, NotADirectoryError):
        return None
    try:
        found = os.fstat(descriptor)
        if found.st_mode & 0o170000 != 0o100000:
            raise OSError(EINVAL, "it is no regular file", path)
        if found.st_size > limit_bytes:
            raise OSError(EFBIG, f"it is larger than {limit_bytes} bytes", path)
        return os.read(descriptor, limit_bytes)
    finally:
        os.close(descriptor)


def read_lines(path: str) -> list[str]:
    """The lines of a file without blank ones and `#` comments; [] where there is none. Raises OSError when it cannot be read."""
    data = read_small(path) or b""
    return [line for raw in data.decode("utf-8", "surrogateescape").split("\n") if (line := raw.rstrip("\r")) and not line.startswith("#")]


def change_lines(path: str, change: Callable[[list[str]], list[str] | None]) -> None:
    """Read the lines, let `change` make new ones (None: leave it) and replace the file, one process at a time. Raises OSError."""
    folder = os.path.dirname(path)
    os.makedirs(folder, 0o700, exist_ok=True)
    descriptor = os.open(folder, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0))
    try:
        try:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX)
        except ImportError:
            pass  # no such locks here; the file is replaced whole all the same
        lines = change(read_lines(path))
        if lines is not None:
            replace_file(path, "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape"))
    finally:
        os.close(descriptor)


def replace_file(path: str, data: bytes) -> None:
    """Put a whole file in place: a temporary one beside it, synchronised, renamed; a file that is there keeps its mode."""
    folder = os.path.dirname(path)
    os.makedirs(folder, 0o700, exist_ok=True)
    target = os.path.realpath(path)
    try:
        mode = os.stat(target).st_mode & 0o7777
    except FileNotFoundError:
        mode = 0o600
    temporary = os.path.join(os.path.dirname(target), f".remember-{os.getpid()}-{os.urandom(4).hex()}.tmp")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    try:
        try:
            rest = data
            while rest:
                rest = rest[os.write(descriptor, rest) :]
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        os.replace(temporary, target)
    except BaseException:
        os.unlink(temporary)
        raise
