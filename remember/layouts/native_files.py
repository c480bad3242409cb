"""Files of the native layout as entries."""

from __future__ import annotations

from remember.format import facts as facts_format
from remember.format import notes as notes_format
from remember.format import times
from remember.format.comments import blank_comments
from remember.format.links import tags_and_links
from remember.layouts.layout import Entry
from remember.layouts.loose import loose_note

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["parse_file"]

_canonical: list[Callable[..., object]] = []


def parse_file(path: str, data: bytes, mtime_ms: int) -> list[Entry]:
    """The facts and prose of `MEMORY.md`, or the one note of any other file."""
    if path.startswith("notes/"):
        return [_canonical_note(data) or _note(path, data, mtime_ms)]
    if path == "MEMORY.md":
        return _facts(data, mtime_ms)
    return [loose_note(path, data, mtime_ms)]


def _canonical_note(data: bytes) -> Entry | None:
    """A note exactly as the writer writes it, read by one expression (4 microseconds); None sends it to the kind reader."""
    if not _canonical:
        import re

        pattern = (
            rb'---\ndescription: "([^"\\\n]+)"\nmemory-id: "([0-9a-f]{8})"\n'
            rb'created-date: "([^"\\\n]+)"\nlast-modified-date: "([^"\\\n]+)"\n---\n'
        )
        _canonical.append(re.compile(pattern).match)
    found = _canonical[0](data)
    if found is None or data.startswith(b"---", found.end()):  # type: ignore[attr-defined]
        return None
    description, memo_id, created, modified = found.groups()  # type: ignore[attr-defined]
    created_ms = _instant(created.decode("utf-8", "replace"))
    modified_ms = created_ms if modified == created else _instant(modified.decode("utf-8", "replace"))
    text = data[found.end() :].decode("utf-8", "replace")  # type: ignore[attr-defined]
    shown = " ".join(description.decode("utf-8", "replace").split()) or None
    return _entry(shown, memo_id.decode(), created_ms, modified_ms, text, 7, "")


def _entry(
    description: str | None, memo_id: str | None, created_ms: int | None, modified_ms: int | None, text: str, body_line: int, broken: str
) -> Entry:
    body = blank_comments(text)
    labels: tuple[str, ...] = ()
    linked: tuple[str, ...] = ()
    if description and ("#" in description or "[[" in description):
        labels, linked = tags_and_links(description + "\n\n" + body)
    elif "#" in body or "[[" in body:
        labels, linked = tags_and_links(body)
    return Entry("note", memo_id, 1, description, body, body_line, created_ms, modified_ms, labels, linked, (), broken)


def _note(path: str, data: bytes, mtime_ms: int) -> Entry:
    text = data.decode("utf-8", "replace")
    note = notes_format.parse(text)
    if not note.header.present:
        return loose_note(path, data, mtime_ms)
    if note.broken:
        # Nothing in a header that cannot be read may be out of sight: the whole file is searched.
        return _entry(None, None, None, None, text, 1, note.broken)
    return _entry(note.description, note.id, note.created_ms, note.modified_ms, text[note.body_start :], note.body_line, "")


def _instant(text: str) -> int | None:
    """A header's date; a date without a time, which `check` reports, is better than none."""
    found = times.parse(text)
    return times.parse_day(text) if found is None else found


def _facts(data: bytes, mtime_ms: int) -> list[Entry]:
    parsed = facts_format.parse(data.decode("utf-8", "replace"))
    entries = [Entry("fact", f.id, f.line, None, f.text, f.line, f.created_ms, None, *tags_and_links(f.text)) for f in parsed.facts]
    if parsed.prose:
        prose = blank_comments(parsed.prose)
        if prose.strip():
            entries.append(Entry("text", None, 1, None, prose, 1, None, mtime_ms, *tags_and_links(prose)))
    return entries
