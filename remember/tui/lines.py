"""A body as an editor may show it, and back: a line that was not touched keeps its own bytes and line end."""

from __future__ import annotations

import re
from difflib import SequenceMatcher

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["merged", "shown"]

_ENDS = re.compile("\r\n|\n")


def _parted(text: str) -> tuple[list[str], list[str]]:
    """The lines of a text and the ends between them (one fewer); a text that ends in a line end has "" for its last line."""
    return _ENDS.split(text), _ENDS.findall(text)


def shown(text: str, safe: Callable[[str], str]) -> str:
    """The text for an editor that knows only line feeds; `safe` makes control characters visible."""
    lines, _ = _parted(text)
    return "\n".join(_line(line, safe) for line in lines)


def _line(line: str, safe: Callable[[str], str]) -> str:
    return "\t".join(safe(part) for part in line.split("\t"))


def merged(text: str, edited: str, safe: Callable[[str], str]) -> str:
    """What `text` becomes when what was shown of it was edited to `edited`; new lines end as most of the others do."""
    lines, ends = _parted(text)
    before = [_line(line, safe) for line in lines]
    after = edited.split("\n")
    usual = "\r\n" if ends.count("\r\n") * 2 > len(ends) else "\n"
    made: list[tuple[str, str]] = []
    for kind, start, stop, first, last in _opcodes(before, after):
        if kind == "equal":
            made += [(lines[at], ends[at] if at < len(ends) else usual) for at in range(start, stop)]
        else:
            made += [(line, usual) for line in after[first:last]]
    return "".join(line + end for line, end in made[:-1]) + made[-1][0]


def _opcodes(before: Sequence[str], after: Sequence[str]) -> list[tuple[str, int, int, int, int]]:
    """The difference of two lists of lines; what both begin and end with is left out of the slow search."""
    head = 0
    while head < min(len(before), len(after)) and before[head] == after[head]:
        head += 1
    tail = 0
    while tail < min(len(before), len(after)) - head and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    old, new = len(before) - tail, len(after) - tail
    found: list[tuple[str, int, int, int, int]] = [("equal", 0, head, 0, head)]
    for kind, a, b, c, d in SequenceMatcher(None, before[head:old], after[head:new], autojunk=False).get_opcodes():
        found.append((kind, a + head, b + head, c + head, d + head))
    return [*found, ("equal", old, len(before), new, len(after))]
