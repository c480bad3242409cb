"""What the bytes of a file tell before its text is read: encoding, emptiness, pointers and ciphertext."""

from __future__ import annotations

import os

from remember._named import NamedTuple

__all__ = ["TELLS_PLACEHOLDERS", "Trouble", "endings", "is_placeholder", "pointer", "unreadable_text"]

_POINTERS = (
    (b"version https://git-lfs.github.com/spec/", "a Git LFS pointer"),
    (b"/annex/objects/", "a git-annex pointer"),
    (b"\0GITCRYPT\0", "encrypted by git-crypt"),
)
_RECALLED = 0x40000000  # SF_DATALESS of macOS: reading would fetch the file
_OFFLINE = 0x00401000  # FILE_ATTRIBUTE_RECALL_ON_DATA_ACCESS and FILE_ATTRIBUTE_OFFLINE of Windows

TELLS_PLACEHOLDERS = hasattr(os.stat_result, "st_flags") or hasattr(os.stat_result, "st_file_attributes")
"""Whether a stat on this system can tell `is_placeholder` anything."""


class Trouble(NamedTuple):
    """A sentence and the line it is about."""

    line: int
    message: str


def pointer(data: bytes) -> str:
    """What stands there in place of a note; "" for a note."""
    return next((what for mark, what in _POINTERS if data.startswith(mark)), "")


def is_placeholder(stat: object) -> bool:
    """Whether a sync program keeps the content elsewhere."""
    return bool(getattr(stat, "st_flags", 0) & _RECALLED or getattr(stat, "st_file_attributes", 0) & _OFFLINE)


def unreadable_text(data: bytes) -> Trouble | None:
    """Why these bytes are no UTF-8 text, None where they are."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return Trouble(1, "is UTF-16, not UTF-8")
    at = data.find(b"\0")
    if at >= 0:
        half = data[:4096]
        return Trouble(
            data.count(b"\n", 0, at) + 1, "is UTF-16, not UTF-8" if half.count(b"\0") * 3 > len(half) else "holds a NUL character"
        )
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        return Trouble(data.count(b"\n", 0, error.start) + 1, f"is not UTF-8 (byte {data[error.start]:#04x})")
    return None


def endings(data: bytes) -> str:
    """What is unusual about BOM and line ends, as one sentence; "" for nothing."""
    found = []
    if data.startswith(b"\xef\xbb\xbf"):
        found.append("a byte order mark")
    if b"\r" in data:
        both, feeds = data.count(b"\r\n"), data.count(b"\n")
        if both and both < feeds:
            found.append("mixed line endings")
        elif both:
            found.append("CR LF line endings")
    if data and not data.endswith(b"\n"):
        found.append("no final newline")
    return "has " + ", ".join(found) if found else ""
