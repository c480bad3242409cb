"""Closed fenced code blocks, found line by line (CommonMark 0.31, section 4.5); an unclosed fence hides nothing."""

from __future__ import annotations

from bisect import bisect_right

from remember.format.shapes import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["Fences", "spans_of"]

_MANY = 64


class Fences:
    """Finds where fences end; closing lines are looked for once, so that many unclosed fences cost no more than one.

    `barred` says of a line that what stands below it (blank lines between) closes no fence.
    """

    def __init__(self, lines: Sequence[str], barred: Callable[[str], object] | None = None) -> None:
        self._lines = lines
        self._barred = barred
        self._closers: dict[str, tuple[list[int], list[int], list[int]]] = {}

    def end(self, at: int) -> int:
        """The number (from 0) of the line after the block that line `at` opens; 0 where it opens none that is closed."""
        found = pattern("fence").match(self._lines[at])
        if found is None:
            return 0
        mark = found[1]
        if mark[0] not in self._closers:
            self._closers[mark[0]] = self._find(mark[0])
        numbers, runs, longest = self._closers[mark[0]]
        here = bisect_right(numbers, at)
        if here == len(numbers) or longest[here] < len(mark):
            return 0
        while runs[here] < len(mark):
            here += 1
        return numbers[here] + 1

    def _find(self, mark: str) -> tuple[list[int], list[int], list[int]]:
        """Lines that can close a fence, the length of each, and the longest from each on."""
        numbers: list[int] = []
        runs: list[int] = []
        above = ""
        for number, line in enumerate(self._lines):
            if mark in line[:4]:
                bare = line.strip()
                closes = len(bare) > 2 and not bare.strip(mark) and line[:4].lstrip(" ")[:1] == mark
                if closes and not (self._barred and self._barred(above)):
                    numbers.append(number)
                    runs.append(len(bare))
            if line and not line.isspace():
                above = line
        longest = list(runs)
        for here in range(len(longest) - 2, -1, -1):
            longest[here] = max(longest[here], longest[here + 1])
        return numbers, runs, longest


def spans_of(text: str) -> list[tuple[int, int]]:
    """The closed fenced code blocks of a text as (start, end), fences and the last line end included.

    One expression finds the marks, since it is asked for every note of a store; where there are many, the lines are looked
    at in order, since a mark that nothing closes is compared with all that follow.
    """
    # One character is looked for ten times as fast as three.
    if not (("`" in text and "```" in text) or ("~" in text and "~~~" in text)):
        return []
    marks = [(m.start(), m.end() - 1, m[1]) for m in pattern("fence marks").finditer("\n" + text)]
    if len(marks) > _MANY:
        return _by_lines(text)
    spans: list[tuple[int, int]] = []
    number = 0
    while number < len(marks):
        start, after, mark = marks[number]
        number += 1
        if mark[0] == "`" and "`" in _rest(text, after):
            continue
        for later in range(number, len(marks)):
            _, close, closing = marks[later]
            if closing.startswith(mark) and not (rest := _rest(text, close)).strip():
                spans.append((start, min(close + len(rest) + 1, len(text))))
                number = later + 1
                break
    return spans


def _rest(text: str, at: int) -> str:
    """What stands between the offset and the end of its line."""
    end = text.find("\n", at)
    return text[at:] if end < 0 else text[at:end]


def _by_lines(text: str) -> list[tuple[int, int]]:
    lines = text.split("\n")
    fences = Fences(lines)
    spans: list[tuple[int, int]] = []
    number = at = 0
    while number < len(lines):
        end = fences.end(number) if lines[number][:4].lstrip(" ")[:1] in ("`", "~") else 0
        after = at + sum(map(len, lines[number : end or number + 1])) + (end or number + 1) - number
        if end:
            spans.append((at, min(after, len(text))))
        number, at = end or number + 1, after
    return spans
