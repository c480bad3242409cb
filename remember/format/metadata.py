"""The metadata comment above a fact, and what is wrong with a comment that only resembles one."""

from __future__ import annotations

from remember.format import times
from remember.format.problems import Problem
from remember.format.shapes import pattern

__all__ = ["problem_of", "stamp_of"]

_DIGITS = "0123456789abcdef"


def stamp_of(line: str) -> tuple[int, str] | None:
    """Creation time (ms) and ID where the line is a comment of ours; None for any other line, other programs' comments too."""
    if "<!--" not in line[:7]:
        return None
    found = pattern("comment").match(line)
    if found is None:
        return None
    created_ms = times.parse(found[1])
    return None if created_ms is None else (created_ms, found[2])


def problem_of(line: str, number: int) -> Problem | None:
    """The finding about a comment that is not ours but looks like ours or like another memory program's; None for others."""
    found = pattern("almost").match(line)
    if found is None:
        if pattern("further").match(line):
            return Problem("R206", number, "a metadata comment with further text in it", "info")
        return _foreign(line, number)
    when, name = found.groups()
    if len(name) == 8 and not name.strip(_DIGITS):
        if times.parse(when) is None and times.parse(when + "Z") is not None:
            return Problem("R211", number, f"the time {when!r} has no zone")
        return Problem("R206", number, f"the time {when!r} is no ISO 8601 time with a zone")
    if times.parse(when) is not None:
        return Problem("R206", number, f"{name!r} is no memo ID (eight lowercase hexadecimal digits)")
    return _foreign(line, number)


def _foreign(line: str, number: int) -> Problem | None:
    if pattern("foreign").match(line):
        return Problem("R206", number, "another program's metadata comment", "info")
    return None
