"""Where a text may be cut without parting what a reader sees as one character (a small part of Unicode's UAX 29)."""

from __future__ import annotations

__all__ = ["boundary"]

_JOINER = "\u200d"


def boundary(text: str, at: int, direction: int) -> int:
    """The nearest place from `at` (downwards for -1, upwards for 1) that is not inside a grapheme cluster."""
    at = max(0, min(len(text), at))
    while 0 < at < len(text) and _inside(text, at):
        at += direction
    return at


def _inside(text: str, at: int) -> bool:
    before, here = text[at - 1], text[at]
    if before.isascii() and here.isascii():
        return before == "\r" and here == "\n"
    if _JOINER in (before, here) or _extends(here):
        return True
    if _regional(before) and _regional(here):
        start = at
        while start > 0 and _regional(text[start - 1]):
            start -= 1
        return (at - start) % 2 == 1
    return "\u1100" <= before <= "\u115f" and "\u1160" <= here <= "\u11a7"


def _extends(char: str) -> bool:
    from unicodedata import category

    return category(char)[0] == "M" or "\U0001f3fb" <= char <= "\U0001f3ff" or "\U000e0020" <= char <= "\U000e007f"


def _regional(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"
