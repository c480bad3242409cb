"""Files of the zcode layout as entries."""

from __future__ import annotations

from remember.format.comments import blank_comments
from remember.format.links import tags_and_links
from remember.layouts.layout import Entry
from remember.layouts.zcode_header import read_header
from remember.layouts.zcode_index import INDEX, index_lines

__all__ = ["parse_file"]


def parse_file(path: str, data: bytes, mtime_ms: int) -> list[Entry]:
    """The one fact of a file; of the index, what is no index line, if that says anything."""
    text = data.decode("utf-8", "replace")
    return _index(text, mtime_ms) if path == INDEX else [_fact(text, mtime_ms)]


def _fact(text: str, mtime_ms: int) -> Entry:
    """A fact file; its type counts as a tag, its name as a further title."""
    header = read_header(text)
    body = blank_comments(text[header.body_start :])
    tags, links = tags_and_links(body)
    kind = (header.type,) if header.type and header.type not in tags else ()
    names = (header.name,) if header.name and header.name != header.description else ()
    description = header.description or header.name or None
    return Entry("note", None, 1, description, body, header.body_line, None, mtime_ms, (*kind, *tags), links, names, header.broken)


def _index(text: str, mtime_ms: int) -> list[Entry]:
    """The index's text without its lines, which say what the files say; headings alone say nothing."""
    parts: list[str] = []
    at = 0
    for line in index_lines(text):
        parts.append(text[at : line.start])
        at = line.end
    rest = blank_comments("".join([*parts, text[at:]]))
    if not any(line.strip() and not line.lstrip().startswith(("#", "> WARNING: MEMORY.md is")) for line in rest.split("\n")):
        return []
    return [Entry("text", None, 1, None, rest, 1, None, mtime_ms, *tags_and_links(rest))]
