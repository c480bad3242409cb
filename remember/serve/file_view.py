"""How the file-style memory tool shows folders and files."""

from __future__ import annotations

from remember.format.counts import counted
from remember.memory.filing import Found
from remember.serve.bounds import WHOLE_BYTES, WHOLE_LINES, clean, cut_lines
from remember.serve.paths import ROOT, Refused, Spot, found, located, missing, needed, readable_scopes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.memory.served import Caller
    from remember.serve.arguments import Given

__all__ = ["lines_of", "numbered_line", "shown_size", "view"]

_LINES_MOST = 999_999


def view(caller: Caller, given: Given, span: tuple[int, int] | None) -> str:
    """A folder's listing or a file's numbered lines."""
    spot = located(caller, needed(given, "view", "path"))
    if not spot.scope:
        return _listing(spot.path, 4096, _tree(caller))
    there = found(spot)
    if there is None:
        raise missing(spot)
    assert spot.files is not None
    if there.kind == "folder":
        rows = [(f"{spot.path.rstrip('/')}/{row.path[len(spot.inner) :].lstrip('/')}", row) for row in _two_levels(spot, spot.inner, 2)]
        return _listing(spot.path, there.size_bytes, rows)
    lines = lines_of(spot)
    first, last = 1, len(lines)
    if span is not None:
        first, last = max(1, span[0]), len(lines) if span[1] == -1 else min(span[1], len(lines))
    numbered = "\n".join(numbered_line(number, lines[number - 1]) for number in range(first, last + 1))
    text, left = cut_lines(str(clean(numbered)), WHOLE_BYTES - 1000, WHOLE_LINES - 4)
    if left and left == last - first + 1:
        text += f"[line {first} is cut, it is too long to be shown whole]\n"
        left -= 1
    if left:
        text += f"[{counted(left, 'more line')}; view it with view_range [{last - left + 1}, {last}]]"
    return f"Here's the content of {spot.path} with line numbers:\n{text}"


def lines_of(spot: Spot) -> list[str]:
    """A file's lines; a last empty one where it ends in a line end. Raises Refused for too many."""
    assert spot.files is not None
    lines = spot.files.text(spot.inner).split("\n")
    if len(lines) > _LINES_MOST:
        raise Refused(f"File {spot.path} exceeds maximum line limit of 999,999 lines.")
    return lines


def numbered_line(number: int, line: str) -> str:
    """A line as it is shown."""
    return f"{number:6}\t{line.removesuffix(chr(13))}"


def _tree(caller: Caller) -> list[tuple[str, Found]]:
    rows: list[tuple[str, Found]] = []
    for scope in readable_scopes(caller):
        spot = located(caller, f"{ROOT}/{scope}")
        there = found(spot)
        rows.append((spot.path, there or Found("", "folder", 4096)))
        if there is not None and spot.files is not None:
            rows += [(f"{spot.path}/{row.path}", row) for row in spot.files.children("")]
    return rows


def _two_levels(spot: Spot, folder: str, depth: int) -> list[Found]:
    assert spot.files is not None
    rows = []
    for row in spot.files.children(folder):
        rows.append(row)
        if row.kind == "folder" and depth > 1:
            rows += _two_levels(spot, row.path, depth - 1)
    return rows


def _listing(path: str, size_bytes: int, rows: list[tuple[str, Found]]) -> str:
    lines = [f"{shown_size(size_bytes)}\t{path}"]
    lines += [f"{shown_size(row.size_bytes)}\t{name}{'/' if row.kind == 'folder' else ''}" for name, row in rows]
    text, left = cut_lines("\n".join(str(clean(line)) for line in lines), 18_000, 390)
    more = f"[{left} more; view a folder below]" if left else ""
    return f"Here're the files and directories up to 2 levels deep in {path}, excluding hidden items:\n{text}{more}"


def shown_size(size_bytes: int) -> str:
    """A size as the reference prints it: `0B`, `14B`, `4K`, `1.5K`; base 1024, one decimal where it is not whole."""
    size = float(size_bytes)
    for unit in "BKMG":
        if size < 1024 or unit == "G":
            return f"{int(size)}{unit}" if size == int(size) else f"{size:.1f}{unit}"
        size /= 1024
    raise AssertionError("unreachable")
