"""Chooses which lines of a scope a session sees: all that fit, else the first fifth of the budget and the last four fifths."""

from __future__ import annotations

from remember._named import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Chosen", "choose"]

HEAD_SHARE = 5
"""One in so many characters goes to the oldest lines."""


class Chosen(NamedTuple):
    """Which lines are shown, by position: those before the gap, and those after it; `missing` lie in the gap, in order."""

    head: tuple[int, ...]
    tail: tuple[int, ...]
    missing: tuple[int, ...]


def choose(count: int, length: Callable[[int], int], budget_chars: int) -> Chosen:
    """Positions of whole lines within a budget; a line costs its characters and a line end.

    `length` is asked only for lines that may be shown. A line that alone is larger than what is left for the end is passed
    over, so that one giant does not hide the others.
    """
    budget = left = max(0, budget_chars)
    for at in range(count):
        left -= length(at) + 1
        if left < 0:
            break
    else:
        return Chosen(tuple(range(count)), (), ())
    head: list[int] = []
    used = 0
    for at in range(count):
        used += length(at) + 1
        if used > budget // HEAD_SHARE:
            used -= length(at) + 1
            break
        head.append(at)
    left = room = budget - used
    tail: list[int] = []
    for at in range(count - 1, len(head) - 1, -1):
        cost = length(at) + 1
        if cost > room:
            continue
        if cost > left:
            break
        left -= cost
        tail.append(at)
    tail.reverse()
    shown = {*head, *tail}
    return Chosen(tuple(head), tuple(tail), tuple(at for at in range(count) if at not in shown))
