"""Where pieces stand in a merge: which kept their order, and which place of the result a place of one side has become."""

from __future__ import annotations

from bisect import bisect_left

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["aligned", "kept_order", "matched"]


def kept_order(names: Sequence[str], places: Mapping[str, int]) -> list[str]:
    """The longest run of names, in the order given, whose places only grow: those that were not moved."""
    ends: list[int] = []
    last: list[str] = []
    before: dict[str, str] = {}
    for name in names:
        at = bisect_left(ends, places[name])
        if at:
            before[name] = last[at - 1]
        if at == len(ends):
            ends.append(places[name])
            last.append(name)
        else:
            ends[at], last[at] = places[name], name
    kept: list[str] = []
    name = last[-1] if last else ""
    while name:
        kept.append(name)
        name = before.get(name, "")
    return kept[::-1]


def aligned(old: Sequence[str], new: Sequence[str]) -> list[int]:
    """For each line of `old` the number of the line of `new` that it has become, -1 where it is gone."""
    if old == new:
        return list(range(len(old)))
    head = 0
    while head < min(len(old), len(new)) and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    found = [*range(head), *[-1] * (len(old) - head - tail), *range(len(new) - tail, len(new))]
    if head + tail < min(len(old), len(new)):
        from difflib import SequenceMatcher

        between = SequenceMatcher(None, old[head : len(old) - tail], new[head : len(new) - tail], autojunk=False)
        for block in between.get_matching_blocks():
            for step in range(block.size):
                found[head + block.a + step] = head + block.b + step
    return found


def matched(base: Sequence[str], changed: Sequence[str]) -> list[str]:
    """A name for each line of `changed`, given that the lines of `base` are called `~0`, `~1` …

    Equal lines are the same (moved ones too); between them a line that resembles one that is gone is that line, edited; any
    other is new and called after its text, so that two sides that add the same line add it once.
    """
    waiting: dict[str, list[int]] = {}
    for number in range(len(base) - 1, -1, -1):
        waiting.setdefault(base[number], []).append(number)
    numbers = [waiting[line].pop() if waiting.get(line) else -1 for line in changed]
    gone = sorted(number for rest in waiting.values() for number in rest)
    _pair_edits(base, changed, numbers, gone)
    names: list[str] = []
    seen: dict[str, int] = {}
    for line, number in zip(changed, numbers, strict=True):
        if number < 0:
            seen[line] = seen.get(line, 0) + 1
        names.append(f"~{number}" if number >= 0 else f"+{seen[line]} {line}")
    return names


def _pair_edits(base: Sequence[str], changed: Sequence[str], numbers: list[int], gone: Sequence[int]) -> None:
    """Give new lines the numbers of the lines that they replace: those gone from the same place that they resemble."""
    at = 0
    above = -1
    for here, number in enumerate(numbers):
        if number >= 0:
            above = max(above, number)
            continue
        below = next((n for n in numbers[here + 1 : here + 50] if n > above), len(base))
        while at < len(gone) and gone[at] <= above:
            at += 1
        if at < len(gone) and gone[at] < below and _resemble(base[gone[at]], changed[here]):
            numbers[here] = above = gone[at]
            at += 1


def _resemble(old: str, new: str) -> bool:
    from difflib import SequenceMatcher

    likeness = SequenceMatcher(None, old[:1000], new[:1000], autojunk=False)
    return likeness.real_quick_ratio() >= 0.5 and likeness.quick_ratio() >= 0.5 and likeness.ratio() >= 0.5
