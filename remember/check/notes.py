"""What is wrong in one note (3xx), by its bytes and name."""

from __future__ import annotations

from remember.check.content import endings, is_placeholder, pointer, unreadable_text
from remember.format import notes as grammar
from remember.format import times
from remember.format.problems import conflict_lines
from remember.format.spans import decode
from remember.layouts.layout import FILE_LIMIT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from re import Match

    from remember.check.findings import Reporter
    from remember.check.tree import Node

__all__ = ["clean", "note"]

_compiled: list[Callable[[bytes], Match[bytes] | None]] = []


def note(report: Reporter, node: Node, data: bytes, now_ms: int, strict: bool, longest: bytes | None = None) -> None:
    """Every finding in a note's bytes; `strict` for those that should have our header, `longest` a longer copy known of it."""
    path = node.path
    what = pointer(data)
    if what or is_placeholder(node.stat):
        report.add("R318" if what else "R313", path, 0, f"is {what or 'a placeholder; its content is elsewhere'}", "unknown")
        return
    if not data.strip():
        if strict:
            report.add("R313", path, 0, "is empty")
        return
    trouble = unreadable_text(data)
    if trouble is not None:
        report.add("R312", path, trouble.line, trouble.message)
    unusual = endings(data)
    if unusual and unusual != "has no final newline":
        report.add("R312", path, 0, unusual, "info", "-")
    if node.stat.st_size > FILE_LIMIT:
        report.add("R317", path, 0, f"has {node.stat.st_size} bytes; the first {FILE_LIMIT} are searched")
    text = decode(data)
    if strict:
        _problems(report, path, text, data, now_ms, longest)
        _name(report, path, text)
    else:
        for line in conflict_lines(text):
            report.add("R311", path, line, "git conflict marker")


def clean(path: str, data: bytes, now_ms: int) -> tuple[str, str, str] | None:
    """Description, ID and body of a note exactly as the writer writes it, which needs no second thought; None for others.

    Most notes are, and this takes a quarter of the time of reading them in full.
    """
    if not _compiled:
        import re

        stamp = rb"((\d{4}-\d\d-\d\d)T\d\d:\d\d:\d\d(?:\.\d{1,6})?Z)"
        pattern = (
            rb'---\ndescription: "([^"\\\n]*[^"\\\s][^"\\\n]*)"\nmemory-id: "([0-9a-f]{8})"\n'
            rb'created-date: "' + stamp + rb'"\nlast-modified-date: "' + stamp + rb'"\n---\n'
        )
        _compiled.append(re.compile(pattern).match)
    found = _compiled[0](data)
    if found is None or b"\0" in data or b"\r" in data or b"<<<<<<<" in data or len(data) >= FILE_LIMIT:
        return None
    description, memo_id, created, day, modified, _ = found.groups()
    if data.startswith(b"---", found.end()) or not _name_fits(path, day.decode()):
        return None
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    made = times.parse(created.decode())
    changed = made if modified == created else times.parse(modified.decode())
    if made is None or changed is None or not made <= changed <= now_ms + 86_400_000:
        return None
    # The header is shorter in characters than in bytes only by what its description has beyond ASCII.
    title = description.decode()
    return title, memo_id.decode(), text[found.end() - len(description) + len(title) :]


def _problems(report: Reporter, path: str, text: str, data: bytes, now_ms: int, longest: bytes | None) -> None:
    for problem in grammar.problems(text, now_ms):
        cut = longest is not None and len(longest) > len(data) and longest.startswith(data.rstrip())
        if problem.code == "R302" and "not closed" in problem.message and cut:
            report.add("R314", path, problem.line, "ends inside its header, and a longer copy is known")
        else:
            report.add(problem.code, path, problem.line, problem.message, problem.severity)


def _name_fits(path: str, date: str) -> bool:
    name = path.rpartition("/")[2]
    return name.startswith(date + "-") and len(name) > len(date) + 4 and " " not in name


def _name(report: Reporter, path: str, text: str) -> None:
    """The name against the convention, and its date against the creation date."""
    name = path.rpartition("/")[2]
    dated = len(name) > 14 and name[4] == name[7] == name[10] == "-" and (name[:4] + name[5:7] + name[8:10]).isdigit()
    if not dated or " " in name:
        report.add("R401", path, 0, "the name is not YYYY-MM-DD-slug.md")
        return
    created = grammar.parse(text).created_ms
    if created is not None and times.date_of(created) != name[:10]:
        report.add("R401", path, 0, f"the name says {name[:10]}, the header {times.date_of(created)}")
