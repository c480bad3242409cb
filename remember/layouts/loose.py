"""Any Markdown file as a note: whatever header it has is read kindly, a title is found, and nothing about it is an error."""

from __future__ import annotations

from remember.format.comments import blank_comments, blank_percent
from remember.format.links import tags_and_links
from remember.layouts.layout import Entry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["header_trouble", "loose_note"]

_HEADER_LIMIT = 64 << 10
_FENCES = {"---": "yaml", "+++": "toml"}


def loose_note(path: str, data: bytes, mtime_ms: int, memo_id: str | None = None, obsidian: bool = False) -> Entry:
    """A note of a file that follows no format of ours.

    YAML (`---`), TOML (`+++`) and JSON (`{`) headers are read for title, description, tags, aliases and dates; what is odd
    in one is ignored. The description is the header's, else the first heading, else the file's name. `obsidian` says that
    `%%` hides text.
    """
    text = data.decode("utf-8", "replace")
    if text.startswith("\ufeff"):
        text = text[1:]
    header, start = _header(text)
    body_line = text.count("\n", 0, start) + 1
    body = text[start:]
    title = _line(header.get("title"))
    description = _line(header.get("description")) or title or _heading(body) or path.rpartition("/")[2].removesuffix(".md")
    known_as = (title, *_names(header.get("aliases") or header.get("alias")), _line(header.get("permalink")))
    names = tuple(n for n in known_as if n and n != description)
    named_tags = tuple(t.lstrip("#") for t in _words(header.get("tags") or header.get("tag") or header.get("keywords")))
    body = blank_comments(body)
    if obsidian:
        body = blank_percent(body)
    created = _instant(header.get("created-date") or header.get("created") or header.get("date"))
    modified = _instant(header.get("last-modified-date") or header.get("modified") or header.get("updated") or header.get("lastmod"))
    found_tags, found_links = tags_and_links(body)
    if obsidian and found_tags:
        found_tags = _chained(body, found_tags)
    all_tags = tuple(dict.fromkeys(t for t in (*named_tags, *found_tags) if t))
    return Entry(
        "note", memo_id, 1, description, body, body_line, created, mtime_ms if modified is None else modified, all_tags, found_links, names
    )


def header_trouble(data: bytes) -> tuple[int, str] | None:
    """Why other readers do not understand a file's header, as (line of the file, reason); None where they do, or there is none."""
    text = data.decode("utf-8", "replace").removeprefix("\ufeff")
    fence = text[:3]
    if fence not in _FENCES:
        return None
    source, _ = _between(text, fence)
    if source is None:
        return None
    from remember.layouts.headers import refused

    found = refused(source, _FENCES[fence])
    return None if found is None else (found[0] + 1, found[1])


def _header(text: str) -> tuple[Mapping[str, object], int]:
    """The header's fields and the offset at which the body begins; no header: ({}, 0)."""
    fence = text[:3]
    if fence in _FENCES:
        source, start = _between(text, fence)
        return ({}, 0) if source is None else (_read(source, _FENCES[fence]), start)
    if text.startswith("{") and text[1:64].lstrip()[:1] == '"':
        return _json(text)
    return {}, 0


def _between(text: str, fence: str) -> tuple[str | None, int]:
    """What stands between the fences, and the offset after them; None without a closed header."""
    first = text.find("\n")
    if first < 0 or text[:first].rstrip() != fence:
        return None, 0
    at = first + 1
    while at < len(text) and at < _HEADER_LIMIT:
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        line = text[at:end].rstrip()
        if line == fence or (fence == "---" and line == "..."):
            return text[first + 1 : at], min(end + 1, len(text))
        at = end + 1
    return None, 0


def _read(source: str, kind: str) -> Mapping[str, object]:
    from remember.layouts.headers import read_json, read_toml, read_yaml

    return {"yaml": read_yaml, "toml": read_toml, "json": read_json}[kind](source)


def _json(text: str) -> tuple[Mapping[str, object], int]:
    end = text.find("\n}", 0, _HEADER_LIMIT)
    if end < 0:
        return {}, 0
    fields = _read(text[: end + 2], "json")
    if not fields:
        return {}, 0
    after = end + 2
    return fields, after + (2 if text.startswith("\r\n", after) else text.startswith("\n", after))


def _line(value: object) -> str:
    return " ".join(str(value).split()) if isinstance(value, (str, int, float)) and not isinstance(value, bool) else ""


def _words(value: object) -> list[str]:
    """A list or a comma- or blank-separated string of tags or aliases as clean strings."""
    if isinstance(value, str):
        parts = value.split(",") if "," in value else value.split()
        return [word for part in parts if (word := part.strip(" \t[]\"'"))]
    if isinstance(value, (list, tuple)):
        return [w for item in value if (w := _line(item))]
    return []


def _chained(body: str, tags: tuple[str, ...]) -> tuple[str, ...]:
    """The tags with those that hang on them without a blank: `#a#b` gives two, as basic-memory reads it."""
    import re

    found = dict.fromkeys(tags)
    for chain in re.findall(r"(?<!\S)#[\w/-]+(?:#[\w/-]+)+(?!\S)", body):
        first, *more = chain[1:].split("#")
        if first in found:
            found |= dict.fromkeys(tag for tag in more if not tag.isdigit())
    return tuple(found)


def _names(value: object) -> list[str]:
    """A list of titles, or one title, or several with commas between."""
    return _words(value if not isinstance(value, str) or "," in value else [value.strip(" \t[]\"'")])


def _heading(body: str) -> str:
    """The first level-one heading among the first lines of the body."""
    for line in body[:4096].split("\n")[:40]:
        if line.startswith("# "):
            return " ".join(line[2:].strip().rstrip("#").split())
    return ""


def _instant(value: object) -> int | None:
    """A header's date in milliseconds UTC; a time without zone is taken as UTC, anything else is no date.

    A date alone is taken as `format.times.parse_day` takes it, so that it stands for that day in any zone.
    """
    from datetime import UTC, date, datetime

    from remember.format.times import parse_day

    if isinstance(value, str) and len(value.strip()) == 10:
        return parse_day(value.strip())
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value.strip())
        except ValueError:
            return None
    if isinstance(value, datetime):
        stamp = value if value.tzinfo else value.replace(tzinfo=UTC)
    elif isinstance(value, date):
        return parse_day(value.isoformat())
    else:
        return None
    try:
        return int(stamp.timestamp() * 1000)
    except (OverflowError, ValueError):
        return None
