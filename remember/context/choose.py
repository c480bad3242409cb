"""Chooses which lines of a scope a session sees: all that fit, else the first fifth of the budget and the last four fifths."""

from __future__ import annotations

from remember._named import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Chosen", "choose"]

HEAD_SHARE = 5
"""One in so many characters goes to the oldest lines."""


class Chosen(NamedTuple):
    """Which lines are shown, by position: those before the gap, and those after it; `missing` lie in the gap, in order."""

    head: tuple[int, ...]
    tail: tuple[int, ...]
    missing: tuple[int, ...]


def choose(lengths: Sequence[int], budget_chars: int) -> Chosen:
    """Positions of whole lines within a budget; a line costs its characters and a line end.

    A line that alone is larger than what is left for the end is passed over, so that one giant does not hide the others.
    """
    costs = [length + 1 for length in lengths]
    if sum(costs) <= budget_chars:
        return Chosen(tuple(range(len(costs))), (), ())
    head: list[int] = []
    left = max(0, budget_chars) // HEAD_SHARE
    for at, cost in enumerate(costs):
        if cost > left:
            break
        left -= cost
        head.append(at)
    left = room = max(0, budget_chars) - sum(costs[at] for at in head)
    tail: list[int] = []
    for at in range(len(costs) - 1, len(head) - 1, -1):
        if costs[at] > room:
            continue
        if costs[at] > left:
            break
        left -= costs[at]
        tail.append(at)
    tail.reverse()
    shown = {*head, *tail}
    return Chosen(tuple(head), tuple(tail), tuple(at for at in range(len(costs)) if at not in shown))
