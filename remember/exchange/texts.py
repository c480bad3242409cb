"""Exports that are one text: JSON lines, a list of bullets, a readable Markdown file."""

from __future__ import annotations

from remember.exchange.item import Lost
from remember.exchange.jsonl import PROSE, line_of
from remember.format.fences import spans_of
from remember.format.text import clean
from remember.format.times import date_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from remember.exchange.item import Whole

__all__ = ["as_bullets", "as_jsonl", "as_markdown"]


def as_jsonl(memos: Sequence[Whole]) -> tuple[str, list[Lost]]:
    """One JSON object a line; nothing is lost."""
    return "".join(line_of(memo, body) + "\n" for memo, body in memos), []


def as_bullets(memos: Sequence[Whole]) -> tuple[str, list[Lost]]:
    """A bullet for each fact and note, and what a line cannot hold; the format of the single-tool memory."""
    lines: list[str] = []
    lost: list[Lost] = []
    for memo, body in memos:
        if memo.kind == "text":
            lost.append(Lost(memo, "prose cannot be one line; it is left out"))
            continue
        text, rest = memo.title, body.strip()
        if rest and "\n" not in rest:
            text = f"{text.rstrip(':')}: {rest}"
        elif rest:
            lost.append(Lost(memo, "its body takes several lines; only the description is there"))
        lines.append(f"- {clean(text)}\n")
    return "".join(lines), lost


def as_markdown(memos: Sequence[Whole]) -> tuple[str, list[Lost]]:
    """A file to be read by people: facts as a list, notes as sections, each store under a heading of its own."""
    parts: list[str] = []
    for store in dict.fromkeys(whole.memo.store for whole in memos):
        own = [whole for whole in memos if whole.memo.store == store]
        parts.append(f"# Memory ({clean(store)})\n\n")
        facts = [whole.memo.text or "" for whole in own if whole.memo.kind == "fact"]
        if facts:
            parts.append("## Facts\n\n" + "".join(f"- {clean(text)}\n" for text in facts) + "\n")
        parts += [_section(whole) for whole in own if whole.memo.kind != "fact"]
    return "".join(parts).rstrip("\n") + "\n" if parts else "", []


def _section(whole: Whole) -> str:
    memo, body = whole
    dates = [f"{word} {date_of(ms)}" for word, ms in (("created", memo.created_ms), ("changed", memo.modified_ms)) if ms is not None]
    under = f"*{', '.join(dates)}*\n\n" if dates else ""
    title = PROSE if memo.kind == "text" else memo.title
    return f"## {clean(title)}\n\n{under}{_lowered(body.strip())}\n\n"


def _lowered(body: str) -> str:
    """The body with its headings two levels below, so that they stay inside their section; code is left as it is."""
    body = body.replace("\r\n", "\n")
    code = spans_of(body)
    lines = []
    at = 0
    for line in body.split("\n"):
        marks = len(line) - len(line.lstrip("#"))
        if 1 <= marks <= 6 and line[marks : marks + 1] in (" ", "") and not any(start <= at < end for start, end in code):
            line = "#" * min(6, marks + 2) + line[marks:]
        lines.append(line)
        at += len(line) + 1
    return "\n".join(lines)
