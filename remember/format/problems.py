"""What is wrong in one file's text, as values; the codes are those of `remember check`."""

from __future__ import annotations

from remember._named import NamedTuple
from remember.format.fences import spans_of

__all__ = ["Problem", "conflict_lines", "conflicts"]


class Problem(NamedTuple):
    """A finding in a text: its code, 1-based line, and a sentence; `severity` where it is not the code's usual one."""

    code: str
    line: int
    message: str
    severity: str = ""


def conflicts(code: str, text: str) -> list[Problem]:
    """Conflict markers as problems; all those that stand in one closed code block are perhaps an example, so they are information."""
    numbers = conflict_lines(text)
    if not numbers:
        return []
    blocks = [range(text.count("\n", 0, start) + 1, text.count("\n", 0, end - 1) + 2) for start, end in spans_of(text)]
    found = []
    for number in numbers:
        shown = any(number in block for block in blocks)
        what = "git conflict marker in a code block: an example, or a conflict within it" if shown else "git conflict marker"
        found.append(Problem(code, number, what, "info" if shown else ""))
    return found


def conflict_lines(text: str) -> list[int]:
    """The lines of git conflict markers, where an opening, a middle and a closing one of one length stand in order.

    Markers are of seven characters or more (`conflict-marker-size` in gitattributes(5)); longer ones may stand round shorter ones.
    """
    if "<<<<<<< " not in text or ">>>>>>> " not in text:
        return []
    found: list[int] = []
    opened: dict[int, list[int]] = {}
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        if line[:7] not in ("<<<<<<<", "=======", ">>>>>>>"):
            continue
        rest = line.lstrip(line[0])
        width = len(line) - len(rest)
        so_far = opened.get(width, [])
        if line[0] == "<" and rest[:1] == " ":
            opened[width] = [number]
        elif line[0] == "=" and so_far and not rest.strip():
            so_far.append(number)
        elif line[0] == ">" and rest[:1] == " " and len(so_far) > 1:
            found += [*so_far, number]
            del opened[width]
    return sorted(found)
