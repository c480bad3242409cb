"""The index of a zcode store: every list item of `MEMORY.md` with a link to a `.md` file; all else there is text and stays."""

from __future__ import annotations

from remember._named import NamedTuple
from remember.format.code import contains
from remember.format.comments import fences
from remember.format.spans import lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from re import Match, Pattern

__all__ = ["INDEX", "IndexLine", "index_lines"]

INDEX = "MEMORY.md"
"""The path of the index in its store."""

_compiled: list[Pattern[str]] = []


class IndexLine(NamedTuple):
    """A line of the index: `start` and `end` without its line end, `after` behind that; `number` is 1-based.

    `targets` are the files it links to, relative to the store; `title` is the first link's text, and its hook, what is said of
    the file, stands from `hook_start` to `end` (both equal where nothing is said).
    """

    start: int
    end: int
    after: int
    number: int
    targets: tuple[str, ...]
    title: str
    hook_start: int


def index_lines(text: str) -> tuple[IndexLine, ...]:
    """The index lines of a text; what stands in a fenced code block is none."""
    if "](" not in text:
        return ()
    item, link = _patterns()
    code = fences(text) if "```" in text or "~~~" in text else []
    found = []
    for number, (start, end, after) in enumerate(lines(text), 1):
        line = text[start:end]
        if "](" not in line or not item.match(line) or (code and contains(code, start)):
            continue
        links = [(match, target) for match, target in _links(line, link.finditer) if target]
        if links:
            first = links[0][0]
            hook = start + _hook(line, first.end())
            found.append(IndexLine(start, end, after, number, tuple(target for _, target in links), first[1].strip(), hook))
    return tuple(found)


def _patterns() -> list[Pattern[str]]:
    if not _compiled:
        import re

        _compiled.append(re.compile(r"[ \t]*(?:[-*+\u2022\u2013\u2014]|\d{1,9}[.)])[ \t]+"))
        _compiled.append(re.compile(r"\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(\s*(?:<([^<>]*)>|([^()\s]*(?:\([^()\s]*\)[^()\s]*)*))[^()]*\)"))
    return _compiled


def _links(line: str, finditer: Callable[[str], Iterator[Match[str]]]) -> Iterator[tuple[Match[str], str]]:
    for match in finditer(line):
        yield match, _target(match[2] or match[3] or "")


def _target(address: str) -> str:
    """The path below the store that a link means; "" for an address elsewhere, or a file of another kind."""
    path = address.partition("#")[0].partition("?")[0]
    if "%" in path:
        from urllib.parse import unquote

        path = unquote(path)
    path = path.removeprefix("./")
    if not path.lower().endswith(".md") or path.startswith(("/", "\\")) or "://" in path or "\0" in path:
        return ""
    parts = path.split("/")
    return "" if ".." in parts or any(part in ("", ".") for part in parts) else path


def _hook(line: str, at: int) -> int:
    """Where the words behind the link begin: after closing emphasis and one dash or colon of any kind."""
    while at < len(line) and line[at] in "*_`~)] \t":
        at += 1
    if at < len(line) and line[at] in "-\u2010\u2011\u2012\u2013\u2014\u2015:|\u00b7>\u2192=":
        while at < len(line) and line[at] in "-\u2010\u2011\u2012\u2013\u2014\u2015:|\u00b7>\u2192=":
            at += 1
        while at < len(line) and line[at] in " \t":
            at += 1
    return at
