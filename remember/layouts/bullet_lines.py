"""Bullets of a Markdown file with their spans, and the same as entries."""

from __future__ import annotations

from remember._named import NamedTuple
from remember.format.code import contains, hidden
from remember.format.comments import blank_comments, fences
from remember.format.links import tags_and_links
from remember.format.spans import lines
from remember.layouts.layout import Entry

__all__ = ["Bullet", "bullets_of", "parse_file"]


class Bullet(NamedTuple):
    """A bullet: its text from `start` to `end`, its line from `begin` to `after` (line end included); `line` is 1-based."""

    text: str
    start: int
    end: int
    begin: int
    after: int
    line: int


def bullets_of(text: str) -> tuple[Bullet, ...]:
    """Every line with a list marker (`-`, `*`, `+`) and something behind it, outside fenced code and comments."""
    away: list[tuple[int, int]] = []
    if "<!--" in text:
        away = hidden(text).comments
    code = fences(text) if "```" in text or "~~~" in text else []
    found = []
    for number, (begin, end, after) in enumerate(lines(text), 1):
        line = text[begin:end]
        bare = line.lstrip(" \t\ufeff")
        if bare[:1] not in ("-", "*", "+") or bare[1:2] not in (" ", "\t") or (code and contains(code, begin)):
            continue
        start = begin + len(line) - len(bare)
        if away and contains(away, start):
            continue
        said = bare[1:].strip()
        if said and said.strip("-*_ \t"):  # `- - -` and `* * *` are rules
            start += len(bare) - len(bare[1:].lstrip())
            found.append(Bullet(said, start, start + len(said), begin, after, number))
    return tuple(found)


def parse_file(data: bytes, mtime_ms: int) -> list[Entry]:
    """A fact for each bullet; what else the file says, headings aside, as its text."""
    text = data.decode("utf-8", "replace")
    found = bullets_of(text)
    entries = [Entry("fact", None, b.line, None, b.text, b.line, None, None, *tags_and_links(b.text)) for b in found]
    parts: list[str] = []
    at = 0
    for bullet in found:
        parts += (text[at : bullet.begin], "\n" if text[bullet.end : bullet.after].endswith("\n") else "")
        at = bullet.after
    rest = blank_comments("".join([*parts, text[at:]]))
    if any(line.strip("\ufeff \t\r") and not line.lstrip("\ufeff ").startswith("#") for line in rest.split("\n")):
        entries.append(Entry("text", None, 1, None, rest, 1, None, mtime_ms, *tags_and_links(rest)))
    return entries
