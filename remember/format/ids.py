"""Memo IDs: eight lowercase hexadecimal digits that name a memo, whatever its path."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["derived", "draw", "is_id", "is_prefix"]

_DIGITS = frozenset("0123456789abcdef")


def is_id(text: str) -> bool:
    """Whether the text is a memo ID."""
    return len(text) == 8 and _DIGITS.issuperset(text)


def is_prefix(text: str) -> bool:
    """Whether the text may be the beginning of an ID that commands take: four digits at least."""
    return 4 <= len(text) <= 8 and _DIGITS.issuperset(text)


def draw(taken: Callable[[str], bool], bits: Callable[[int], int]) -> str:
    """A new ID: drawn with `bits(32)` until `taken` says that no memo has it; it ends even where chance repeats itself."""
    step = 0
    while taken(new := f"{(bits(32) + step) & 0xFFFFFFFF:08x}"):
        step += 1
    return new


def derived(layout: str, path: str, text: str = "") -> str:
    """The ID of a memo whose layout gives none: the first eight digits of SHA-256 over layout, path and text, NUL between."""
    from hashlib import sha256

    return sha256("\0".join((layout, path, text)).encode("utf-8", "surrogatepass")).hexdigest()[:8]
