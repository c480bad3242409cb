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
    if _JOINER in (before, here) or _extends(here) or _binds(before):
        return True
    if _regional(before) and _regional(here):
        start = at
        while start > 0 and _regional(text[start - 1]):
            start -= 1
        return (at - start) % 2 == 1
    if "\u1160" <= here <= "\u11ff":  # vowels and finals of Korean written as single letters, after a letter or a syllable
        return "\u1100" <= before <= "\u11ff" or "\uac00" <= before <= "\ud7a3"
    return False


def _extends(char: str) -> bool:
    if char in "\u200c\u0e33\u0eb3":  # the non-joiner; Thai and Lao AM, which are letters by category
        return True
    from unicodedata import category

    return category(char)[0] == "M" or "\U0001f3fb" <= char <= "\U0001f3ff" or "\U000e0020" <= char <= "\U000e007f"


def _binds(char: str) -> bool:
    """Whether an Indic virama joins what follows (rule GB9c)."""
    if char < "\u0900":
        return False
    from unicodedata import combining

    return combining(char) == 9


def _regional(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"
