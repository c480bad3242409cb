"""Notices a new text that stands for a part of the old one, which would lose the rest."""

from __future__ import annotations

from remember.errors import Conflict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Elided", "check_whole"]

_LONG_CHARS = 500
_SHARE = 5
_WORDS = (
    r"(?:the\s+)?(?:rest|remainder)\s+(?:of|is|as|remains?|stays?|unchanged|omitted|here|same)\b|existing\s+\w+|unchanged\b|omitted\b|"
    r"(?:the\s+)?(?:previous|original|prior|old|earlier|other|remaining)\s+(?:content|text|body|notes?|items?|lines?|sections?|details?|code)\b|"
    r"same\s+as\s+(?:before|above)|(?:content|text|body)\s+(?:unchanged|omitted)|keep\s+(?:the\s+)?(?:rest|existing|everything)\b|"
    r"truncated\b|snip(?:ped)?\b|no\s+changes?\b"
)
_ELLIPSIS = r"(?:\.{3,}|…)"
_SHAPES = (
    rf"[\[({{<][\s.…*_!-]*(?:{_WORDS})[^\])}}>\n]{{0,60}}[\])}}>](?![(\[])",
    rf"{_ELLIPSIS}[\s*_(\[]*(?:the\s+rest\b|rest\b|{_WORDS})[^\n.…]{{0,60}}{_ELLIPSIS}",
    rf"(?m:^[\s#/*<!-]*{_ELLIPSIS}[\s*_(\[]*(?:{_WORDS})[^\n]{{0,60}}$)",
)
_MASK = "[secret removed]"


class Elided(Conflict):
    """A new text that seems to leave out what it would replace."""

    code = "elided"

    def __init__(self, reason: str) -> None:
        super().__init__(f"the new text {reason}; nothing was changed", "send the full new text, or use memory_update with confirm: true")


def check_whole(old: str, new: str) -> None:
    """Raises Elided for a place holder that the old text has not, a masked credential, or less than a fifth of a long text."""
    if new.strip() == old.strip():
        return
    if _MASK in new and _MASK not in old:
        raise Elided(f"holds {_MASK!r}, which stands for a credential that was not shown")
    marks = [mark for mark in _marks(new) if mark not in old]
    if marks:
        raise Elided(f"holds {marks[0]!r}, which seems to stand for a part of the old one")
    if len(old) >= _LONG_CHARS and len(new.strip()) * _SHARE < len(old.strip()):
        raise Elided(f"has {len(new.strip())} characters where the old one has {len(old.strip())}")


def _marks(text: str) -> Sequence[str]:
    import re

    found = []
    for shape in _SHAPES:
        found += [match[0].strip() for match in re.finditer(shape, text, re.I)]
    return found
