"""Numbers of things as people write them: `1 fact`, `2 facts`."""

from __future__ import annotations

__all__ = ["counted"]


def counted(number: object, noun: str) -> str:
    """The number with its noun, which is given in the singular and has a regular plural."""
    if number == 1:
        return f"1 {noun}"
    plural = noun[:-1] + "ies" if noun.endswith("y") and noun[-2:-1] not in "aeiou" else noun + "s"
    return f"{number} {plural}"
