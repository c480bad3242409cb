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

    It jumps from mark to mark, since it is asked for every note of a store; where there are many marks the lines are looked
    at in order, since jumping to a closing mark that is not there takes the whole text each time.
    """
    if text.count("```") + text.count("~~~") > _MANY:
        return _by_lines(text)
    spans: list[tuple[int, int]] = []
    at = 0
    while True:
        ticks, waves = text.find("```", at), text.find("~~~", at)
        here = waves if ticks < 0 or 0 <= waves < ticks else ticks
        if here < 0:
            return spans
        start, run, end = _fence_line(text, here)
        at = here + max(run, 3)
        if start < 0 or (text[here] == "`" and "`" in text[here + run : end]):
            continue
        close = _closing(text, end, text[here] * run)
        if close >= 0:
            spans.append((start, close))
            at = close


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


def _fence_line(text: str, here: int) -> tuple[int, int, int]:
    """A fence's line as (start, length of the fence, end); start is -1 where more than three blanks or text stand before it."""
    start = text.rfind("\n", 0, here) + 1
    end = text.find("\n", here)
    end = len(text) if end < 0 else end
    run = end - here - len(text[here:end].lstrip(text[here]))
    return (start if here - start <= 3 and not text[start:here].strip(" ") else -1), run, end


def _closing(text: str, at: int, fence: str) -> int:
    """The end of the closing fence's line, -1 where there is none."""
    while (here := text.find(fence, at)) >= 0:
        start, run, end = _fence_line(text, here)
        if start >= 0 and not text[here + run : end].strip():
            return min(end + 1, len(text))
        at = here + run
    return -1
