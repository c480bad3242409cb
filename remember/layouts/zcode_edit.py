"""Edits of a zcode store: a fact file printed new or changed by spans, and its line of the index kept in step."""

from __future__ import annotations

from remember.errors import FormatError, RefusedInput
from remember.format import frontmatter
from remember.format.spans import Edit, apply, newline_of
from remember.format.text import cut
from remember.layouts.zcode_header import TYPES, read_header
from remember.layouts.zcode_index import index_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["check_type", "drop_lines", "edited", "put_line", "render", "title_of"]

_LINE_LIMIT = 200
"""Characters of an index line; agents load few and short ones."""

_WORDS = frozenset(("true", "false", "yes", "no", "on", "off", "null", "y", "n", "~"))


def check_type(kind: str) -> str:
    """A type as a person gives it. Raises RefusedInput for any but the four."""
    if kind not in TYPES:
        raise RefusedInput(f"there is no type {kind!r}", "types are " + ", ".join(TYPES))
    return kind


def _scalar(value: str) -> str:
    """A value as YAML: plain where every reader takes it for this text, else in double quotes."""
    plain = value.isprintable() and value == value.strip() and value[:1].isalpha() and value.casefold() not in _WORDS
    if plain and ": " not in value and " #" not in value and not value.endswith(":"):
        return value
    return frontmatter.quote(value)


def render(name: str, description: str, kind: str, body: str) -> str:
    """A new fact file; its header is what the agents write, and nothing besides."""
    head = f"---\nname: {_scalar(name)}\ndescription: {_scalar(description)}\nmetadata:\n  node_type: memory\n  type: {kind}\n---\n"
    return head + body.replace("\r\n", "\n").rstrip("\n") + "\n"


def edited(text: str, path: str, description: str | None, kind: str | None, body: str | None) -> str:
    """A fact file with another description, type or body (None: as it is); all its other bytes stay.

    A file without a header gets one where description or type are given. Raises FormatError where the header cannot be read.
    """
    header = read_header(text)
    if (header.broken or header.raw.broken) and (description is not None or kind is not None):
        raise FormatError([(1, header.broken or header.raw.broken)], path)
    edits: list[Edit] = []
    if header.present:
        if description is not None and description != header.description:
            edits.append(_field(text, header.raw, "description", description))
        if kind is not None and kind != header.type:
            edits += _type(text, header.raw, kind)
    elif description is not None or kind is not None:
        name = path.rpartition("/")[2].removesuffix(".md")
        edits.append(Edit(0, 0, render(name, description or name.replace("-", " "), kind or "project", "").removesuffix("\n")))
    if body is not None:
        edits += _body(text, header.body_start, body)
    return apply(text, edits)


def _body(text: str, start: int, body: str) -> list[Edit]:
    """The edit for another body; none where it is equal but for white space at its ends."""
    old, newline = text[start:], newline_of(text)
    new = body.replace("\r\n", "\n")
    if old.replace("\r\n", "\n").strip() == new.strip():
        return []
    if old.strip() and not new.startswith("\n"):
        start += len(old) - len(old.lstrip("\r\n"))
    new = new.rstrip("\n") + ("" if old and not old.endswith("\n") else "\n")
    before = "" if not start or text[start - 1] == "\n" else "\n"
    return [Edit(start, len(text), (before + new).replace("\n", newline))]


def _field(text: str, raw: frontmatter.Header, key: str, value: str) -> Edit:
    field = raw.get(key)
    if field is None:
        return Edit(raw.close, raw.close, f"{key}: {_scalar(value)}{newline_of(text)}")
    before = " " if text[field.start - 1 : field.start] == ":" else ""
    return Edit(field.start, field.end, before + _scalar(value))


def _type(text: str, raw: frontmatter.Header, kind: str) -> list[Edit]:
    """The type where it stands: in `metadata`, else at the top where older files have it, else in a new `metadata`."""
    metadata, newline = raw.get("metadata"), newline_of(text)
    if metadata is None:
        if raw.get("type") is not None:
            return [_field(text, raw, "type", kind)]
        return [Edit(raw.close, raw.close, f"metadata:{newline}  node_type: memory{newline}  type: {kind}{newline}")]
    if not metadata.nested:
        start = text.rindex(":", 0, metadata.start + 1) + 1
        return [Edit(start, metadata.end, f"{newline}  node_type: memory{newline}  type: {kind}")]
    at = metadata.start
    for line in text[metadata.start : metadata.end].split("\n"):
        key, colon, value = line.partition(":")
        if colon and key.strip() == "type":
            start = at + len(key) + 1
            return [Edit(start, start + len(value.rstrip()), f" {kind}")]
        at += len(line) + 1
    indent = "  "
    last = text[: metadata.end].rpartition("\n")[2]
    if last.strip():
        indent = last[: len(last) - len(last.lstrip())] or indent
    return [Edit(metadata.end, metadata.end, f"{newline}{indent}type: {kind}")]


def title_of(name: str) -> str:
    """What an index line calls a file whose name is all that is known: `package-manager` is `Package manager`."""
    words = name.rpartition("/")[2].removesuffix(".md").replace("-", " ").replace("_", " ").strip()
    return (words[:1].upper() + words[1:]) or name


def put_line(index: str, path: str, hook: str | None) -> Edit | None:
    """The edit that gives a file its index line, or the line another hook; None where all is so already.

    A hook of None keeps what the line says. The line is found by its first link; a new one comes behind the last.
    """
    found = index_lines(index)
    for line in found:
        if line.targets[0] == path:
            if hook is None or index[line.hook_start : line.end].strip() == _hook(hook):
                return None
            if line.hook_start == line.end:
                return Edit(line.end, line.end, f" \u2014 {_hook(hook)}")
            return Edit(line.hook_start, line.end, _hook(hook))
    newline = newline_of(index)
    address = f"<{path}>" if any(char in path for char in " ()") else path
    said = f" \u2014 {_hook(hook)}" if hook else ""
    made = f"- [{title_of(path).replace('[', '(').replace(']', ')')}]({address}){said}"
    at = found[-1].after if found else len(index)
    if at and index[at - 1] != "\n":
        return Edit(at, at, newline + made)
    if not found and index.strip() and not index.endswith(("\n\n", "\r\n\r\n")):
        made = newline + made
    return Edit(at, at, made + newline)


def _hook(text: str) -> str:
    return cut(text, _LINE_LIMIT - 60)


def drop_lines(index: str, paths: Iterable[str]) -> list[Edit]:
    """The edits that take the lines of these files out, one for each run of lines."""
    gone = set(paths)
    edits: list[Edit] = []
    for line in index_lines(index):
        if line.targets[0] not in gone:
            continue
        if edits and edits[-1].end == line.start:
            edits[-1] = edits[-1]._replace(end=line.after)
        else:
            edits.append(Edit(line.start, line.after, ""))
    return edits
