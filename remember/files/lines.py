"""The user's own small line files (registered stores, trusted roots): read whole, replaced atomically."""

from __future__ import annotations

import os

__all__ = ["read_lines", "replace_file", "write_lines"]


def read_lines(path: str) -> list[str]:
    """The lines of a file without blank ones and `#` comments; [] where there is none. Raises OSError when it cannot be read."""
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return [line for raw in file.read().split("\n") if (line := raw.rstrip("\r")) and not line.startswith("#")]
    except (FileNotFoundError, NotADirectoryError):
        return []


def write_lines(path: str, lines: list[str]) -> None:
    """Replace the file by these lines; its directory is made. Raises OSError."""
    replace_file(path, "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape"))


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
            os.write(descriptor, data) if data else None
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        os.replace(temporary, target)
    except BaseException:
        os.unlink(temporary)
        raise
