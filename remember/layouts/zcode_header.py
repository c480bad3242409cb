"""The header of a zcode fact file: `name`, `description` and `metadata` with `node_type` and `type`, read kindly."""

from __future__ import annotations

from remember._named import NamedTuple
from remember.format import frontmatter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["HEADER_LINES", "TYPES", "Header", "read_header"]

HEADER_LINES = 30
"""The closing delimiter stands in one of the first so many lines, or the agents do not see a header."""

TYPES = ("user", "feedback", "project", "reference")


class Header(NamedTuple):
    """What a fact file says of itself; `broken` is why it cannot be read, `raw` its fields with their spans.

    The body begins at the offset `body_start`, in line `body_line`: at 0 and 1 without a header that can be read.
    """

    name: str
    description: str
    type: str
    body_start: int
    body_line: int
    broken: str
    raw: frontmatter.Header

    @property
    def present(self) -> bool:
        """Whether there is a header that can be read."""
        return self.raw.present and not self.broken


def read_header(text: str) -> Header:
    """The header at the beginning of a fact file; a file without one has no description."""
    raw = frontmatter.read(text)
    if not raw.present:
        return Header("", "", "", 0, 1, "", raw)
    if not raw.close:
        return Header("", "", "", 0, 1, raw.broken, raw)
    if raw.body_line - 1 > HEADER_LINES:
        return Header("", "", "", 0, 1, f"the header is not closed within {HEADER_LINES} lines", raw)
    fields = _simple(text, raw)
    if fields is None:
        from remember.layouts.headers import read_yaml

        fields = read_yaml(text[text.index("\n") + 1 : raw.close])
        if not fields and raw.broken:
            return Header("", "", "", 0, 1, raw.broken, raw)
    metadata = fields.get("metadata")
    kind = metadata.get("type") if isinstance(metadata, dict) else None
    return Header(
        _line(fields.get("name")),
        _line(fields.get("description")),
        _line(kind or fields.get("type")),
        raw.body_start,
        raw.body_line,
        "",
        raw,
    )


def _simple(text: str, raw: frontmatter.Header) -> Mapping[str, object] | None:
    """The fields where each is a line of its own, `metadata` with indented ones below it; None for what YAML has to read."""
    if raw.broken:
        return None
    found: dict[str, object] = {}
    for field in raw.fields:
        if not field.nested:
            if not field.quoted and field.value[:1] in ("{", "[", "|", ">", "&", "*", "!"):
                return None
            found.setdefault(field.key, field.value)
            continue
        inner = _inner(text[field.start : field.end]) if field.key == "metadata" and not field.value else None
        if inner is None:
            return None
        found.setdefault(field.key, inner)
    return found


def _inner(block: str) -> dict[str, object] | None:
    lines = [line.strip() for line in block.split("\n") if line.strip()]
    inner: dict[str, object] = {}
    for line in lines:
        key, colon, value = line.partition(":")
        value = value.strip()
        if not colon or not key.replace("_", "").replace("-", "").isalnum() or value[:1] in ("", "{", "[", "|", ">", "&", "*", "!", "#"):
            return None
        inner.setdefault(key, value.strip("\"'"))
    return inner


def _line(value: object) -> str:
    return " ".join(str(value).split()) if isinstance(value, (str, int, float)) and not isinstance(value, bool) else ""
