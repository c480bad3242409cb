"""What is wrong in `MEMORY.md` (2xx)."""

from __future__ import annotations

from remember.check.content import endings, unreadable_text
from remember.format import facts as grammar
from remember.format.spans import decode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.check.findings import Reporter

__all__ = ["facts"]

_DAY_MS = 86_400_000


def facts(report: Reporter, path: str, data: bytes, now_ms: int, legacy: bool = False) -> grammar.Facts | None:
    """Every finding in the file's bytes; the parsed file for others, None where it is no text.

    In a `legacy` store note references are the rule.
    """
    trouble = unreadable_text(data)
    if trouble is not None:
        report.add("R201", path, trouble.line, trouble.message)
    unusual = endings(data)
    if unusual and unusual != "has CR LF line endings":
        report.add("R202", path, 0, unusual)
    parsed = grammar.parse(decode(data))
    for problem in parsed.problems:
        if not (legacy and problem.code == "R210"):
            fix = "U" if problem.code == "R208" and "another text" in problem.message else ""
            fix = "-" if problem.code == "R204" and problem.severity == "info" else fix
            report.add(problem.code, path, problem.line, problem.message, problem.severity, fix)
    _facts(report, path, parsed, now_ms)
    return None if trouble else parsed


def _facts(report: Reporter, path: str, parsed: grammar.Facts, now_ms: int) -> None:
    texts: dict[str, grammar.Fact] = {}
    for fact in parsed.facts:
        if fact.id is None:
            report.add("R205", path, fact.line, "is a fact without metadata")
            continue
        if fact.created_ms is not None and fact.created_ms > now_ms + _DAY_MS:
            report.add("R211", path, fact.comment_line or fact.line, f"the creation time of {fact.id} lies in the future")
        other = texts.setdefault(fact.text, fact)
        if other.id != fact.id:
            report.add("R209", path, fact.line, f"{fact.id} says the same as {other.id} in line {other.line}")
