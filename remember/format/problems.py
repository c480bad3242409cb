"""What is wrong in one file's text, as values; the codes are those of `remember check`."""

from __future__ import annotations

from remember._named import NamedTuple

__all__ = ["Problem", "conflict_lines"]


class Problem(NamedTuple):
    """A finding in a text: its code, 1-based line, and a sentence; `severity` where it is not the code's usual one."""

    code: str
    line: int
    message: str
    severity: str = ""


def conflict_lines(text: str) -> list[int]:
    """The lines of git conflict markers, where an opening, a middle and a closing one stand in order."""
    if "<<<<<<< " not in text or ">>>>>>> " not in text:
        return []
    found: list[int] = []
    opened: list[int] = []
    for number, line in enumerate(text.split("\n"), 1):
        mark = line[:7]
        if mark == "<<<<<<<" and line[7:8] == " ":
            opened = [number]
        elif mark == "=======" and opened and not line[7:].strip():
            opened.append(number)
        elif mark == ">>>>>>>" and line[7:8] == " " and len(opened) > 1:
            found += [*opened, number]
            opened = []
    return found
