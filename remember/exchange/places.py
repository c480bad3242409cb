"""Where other programs keep the memory of a project, as their own path rules say: worked out from strings, nothing is looked up."""

from __future__ import annotations

__all__ = ["claude_slug", "harness_name", "zcode_hash", "zcode_name", "zcode_slug"]

_CLAUDE_LONGEST = 200
_ZCODE_LONGEST = 48
_BASE36 = "0123456789abcdefghijklmnopqrstuvwxyz"


def _units(text: str) -> list[int]:
    """The UTF-16 code units of a path; bytes that are no UTF-8 count as the lone surrogates that stand for them."""
    data = text.encode("utf-16-le", "surrogatepass")
    return [data[at] | data[at + 1] << 8 for at in range(0, len(data), 2)]


def claude_slug(path: str) -> str:
    """The folder name of an absolute path below Claude Code's `projects/` (version 2.1.332).

    Each UTF-16 unit that is no ASCII letter or digit becomes a dash; of a longer result the first 200 characters are kept, and a
    hash of the path follows in base 36 (h = h * 31 + unit in 32 signed bits, without its sign).
    """
    units = _units(path)
    slug = "".join(chr(unit) if unit < 128 and chr(unit).isalnum() else "-" for unit in units)
    if len(slug) <= _CLAUDE_LONGEST:
        return slug
    value = 0
    for unit in units:
        value = (value * 31 + unit) & 0xFFFFFFFF
    value = abs(value - (1 << 32) if value >= 1 << 31 else value)
    digits = ""
    while value or not digits:
        value, digit = divmod(value, 36)
        digits = _BASE36[digit] + digits
    return f"{slug[:_CLAUDE_LONGEST]}-{digits}"


def _digest(text: str) -> str:
    from hashlib import sha256

    return sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def zcode_hash(path: str, windows: bool = False) -> str:
    """What ends ZCode's name for a workspace: 16 hex digits over the path as it is given, its letters lowered on Windows only."""
    return _digest(path.lower() if windows else path)[:16]


def zcode_slug(path: str, windows: bool = False) -> str:
    """What begins it: the last part of the path in lower case, `project` where nothing of that is left.

    Runs of characters other than `a-z0-9._-` become one dash; at most 48 characters.
    """
    base = (path.replace("\\", "/") if windows else path).rstrip("/").rpartition("/")[2].lower()
    words = "".join(char if char.isascii() and (char.isalnum() or char in "._-") else " " for char in base).split()
    return "-".join(words).strip("-")[:_ZCODE_LONGEST] or "project"


def zcode_name(path: str, windows: bool = False) -> str:
    """ZCode's folder name for a workspace, below `memories/projects/`; memory is in the folder `memory` of that."""
    return f"{zcode_slug(path, windows)}-{zcode_hash(path, windows)}"


def harness_name(path: str) -> str:
    """The folder of a workspace below `<agent-dir>/memory/` of the harness: SHA-256 of the canonical path, 64 hex digits."""
    return _digest(path)
