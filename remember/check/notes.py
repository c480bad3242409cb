"""What is wrong in one note (3xx), by its bytes and name."""

from __future__ import annotations

from remember.check.content import endings, pointer, unreadable_text
from remember.format import notes as grammar
from remember.format import times
from remember.format.problems import conflicts
from remember.format.spans import decode
from remember.layouts.layout import FILE_LIMIT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.check.findings import Reporter
    from remember.check.tree import Node

__all__ = ["note"]


def note(report: Reporter, node: Node, data: bytes, now_ms: int, strict: bool, longest: bytes | None = None) -> None:
    """Every finding in a note's bytes; `strict` for those that should have our header, `longest` a longer copy known of it."""
    path = node.path
    what = pointer(data)
    if what:
        report.add("R318", path, 0, f"is {what}", "unknown")
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
        for problem in conflicts("R311", text):
            report.add(problem.code, path, problem.line, problem.message, problem.severity)


def _problems(report: Reporter, path: str, text: str, data: bytes, now_ms: int, longest: bytes | None) -> None:
    for problem in grammar.problems(text, now_ms):
        cut = longest is not None and len(longest) > len(data) and longest.startswith(data.rstrip())
        if problem.code == "R302" and "not closed" in problem.message and cut:
            report.add("R314", path, problem.line, "ends inside its header, and a longer copy is known")
        else:
            report.add(problem.code, path, problem.line, problem.message, problem.severity)


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
