"""How a sync program's conflict copy differs from its original, in one sentence."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["difference"]

_LIMIT_BYTES = 1 << 20
_SHOWN = 60


def difference(store: str, copy: str, original: str) -> str:
    """What a copy has that its original has not, and the other way round; "" where one of them cannot be read whole."""
    texts = []
    for path in (copy, original):
        try:
            descriptor = os.open(os.path.join(store, path), os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
        except OSError:
            return ""  # that it cannot be read is a finding of its own
        with os.fdopen(descriptor, "rb") as file:
            data = file.read(_LIMIT_BYTES + 1)
        if len(data) > _LIMIT_BYTES:
            return ""
        texts.append(data.decode("utf-8", "surrogateescape").split("\n"))
    if texts[0] == texts[1]:
        return "the two are equal"
    here, there = _missing(texts[0], texts[1]), _missing(texts[1], texts[0])
    sides = [
        f"{len(lines)} line{'s' if len(lines) > 1 else ''} only in {where}: {_first(lines)}"
        for lines, where in ((here, "the copy"), (there, "the original"))
        if lines
    ]
    return "; ".join(sides) or "the same lines in another order"


def _missing(lines: Sequence[str], others: Sequence[str]) -> list[str]:
    """The lines, blank ones left out, that stand more often among `lines` than among the others."""
    from collections import Counter

    left = Counter(lines)
    left.subtract(Counter(others))
    return [line.strip() for line in dict.fromkeys(lines) if line.strip() for _ in range(left[line])]


def _first(lines: Sequence[str]) -> str:
    first = lines[0] if len(lines[0]) <= _SHOWN else lines[0][:_SHOWN] + "…"
    return repr(first) + (" …" if len(lines) > 1 else "")
