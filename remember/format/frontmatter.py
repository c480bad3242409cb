"""Reads the header of a note kindly and keeps the span of every value, so that an edit replaces that value alone."""

from __future__ import annotations

from remember._named import NamedTuple
from remember.format.spans import Edit, newline_of

__all__ = ["HEADER_BYTES", "Field", "Header", "quote", "read", "set_value"]

HEADER_BYTES = 16 << 10
"""The most a header may take in UTF-8, with both delimiters."""

KNOWN = ("description", "memory-id", "created-date", "last-modified-date")


class Field(NamedTuple):
    """One field: `value` unquoted, `start` and `end` the span of the value with its quotes, `nested` with lines below it.

    The span of a nested field ends with the last of those lines; its `value` is what stands on the first.
    """

    key: str
    value: str
    start: int
    end: int
    line: int
    quoted: bool
    nested: bool


class Header(NamedTuple):
    """A header: `broken` says why it cannot be read; `close` is the offset of the closing delimiter's line.

    `body_start` and `body_line` (1-based) say where the body begins: at 0 and 1 without a header.
    """

    fields: tuple[Field, ...]
    body_start: int
    body_line: int
    broken: str
    present: bool
    close: int

    def get(self, key: str) -> Field | None:
        """The field of that name."""
        return next((field for field in self.fields if field.key == key), None)


_NONE = Header((), 0, 1, "", False, 0)


def read(text: str) -> Header:
    """The header at the beginning of a text (a BOM may stand before it); anything a file may contain has an answer."""
    start = 1 if text.startswith("\ufeff") else 0
    if not text.startswith("---", start):
        return _NONE
    first = text.find("\n", start)
    if first < 0 or text[start:first].rstrip(" \t\r") != "---":
        return _NONE._replace(broken="the header is not closed", present=True) if first < 0 and text[start:].strip() == "---" else _NONE
    fields: list[Field] = []
    broken = ""
    at, number = first + 1, 2
    window = HEADER_BYTES + 4
    while True:
        if at >= len(text) or at - start > window:
            reason = "the header is larger than 16 KiB" if at - start > window else "the header is not closed"
            return Header(tuple(fields), 0, 1, reason, True, 0)
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        line = text[at:end].removesuffix("\r")
        if line.rstrip(" \t") == "---":
            break
        broken = _take(line, at, number, fields) or broken
        at, number = end + 1, number + 1
    body = min(end + 1, len(text))
    if len(text[start : at + 3].encode("utf-8", "surrogatepass")) > HEADER_BYTES:
        broken = "the header is larger than 16 KiB"
    if text.startswith("---", body) and _is_header(text, body):
        broken = broken or "a second header follows the first"
    return Header(tuple(fields), body, number + 1, broken or _twice(fields), True, at)


def _take(line: str, at: int, number: int, fields: list[Field]) -> str:
    """Add what a header line says; the reason where it is no field."""
    bare = line.strip()
    if not bare or bare.startswith("#"):
        return ""
    if line[0] in " \t" or bare.startswith("- ") or bare == "-":
        if not fields:
            return f"line {number} is no field"
        fields[-1] = fields[-1]._replace(nested=True, end=at + len(line.rstrip()))
        return ""
    key, colon, rest = line.partition(":")
    if not colon or not _is_key(key) or (rest and rest[0] not in " \t"):
        return "" if fields and fields[-1].nested and bare[0] in "]}" else f"line {number} is no field"
    start = at + len(key) + 1 + len(rest) - len(rest.lstrip(" \t"))
    name = key.strip()
    if name[0] in "\"'":
        name = _unquote(name)[0]
    # In a description people write tags, which other readers of YAML would take for a comment: it is kept whole.
    raw = _uncommented(rest.strip(" \t"), name != "description")
    value, quoted = _unquote(raw)
    if not raw:
        start = at + len(key) + 1
    fields.append(Field(name, value, start, start + len(raw), number, quoted, False))
    return ""


def _is_key(key: str) -> bool:
    bare = key.strip()
    return bool(bare) and (bare[0].isalnum() or bare[0] in "_\"'$@") and not any(char in bare for char in "{}[],\t")


def _uncommented(value: str, plain: bool) -> str:
    """A value without the comment behind it; `plain` says whether an unquoted value can have one."""
    if value[:1] in ('"', "'"):
        end = _quote_end(value)
        rest = value[end:].lstrip(" \t")
        if end and (not rest or rest.startswith("#")):
            return value[:end]
        return value
    at = value.find(" #") if plain else -1
    if value.startswith("#"):
        return "" if plain else value
    return value[:at].rstrip(" \t") if at >= 0 else value


def _quote_end(value: str) -> int:
    """The offset after the closing quote of a quoted scalar, 0 where it is not closed."""
    mark, at = value[0], 1
    while at < len(value):
        if value[at] == "\\" and mark == '"':
            at += 2
            continue
        if value[at] == mark:
            if mark == "'" and value[at + 1 : at + 2] == "'":
                at += 2
                continue
            return at + 1
        at += 1
    return 0


def _unquote(value: str) -> tuple[str, bool]:
    """A scalar's raw text, and whether it stood in quotes (double: JSON escapes; single: doubled apostrophes)."""
    if len(value) < 2 or value[0] not in "\"'" or _quote_end(value) != len(value):
        return value, False
    inner = value[1:-1]
    if value[0] == "'":
        return inner.replace("''", "'"), True
    if "\\" not in inner:
        return inner, True
    import json

    try:
        read = str(json.loads(value, strict=False))
        read.encode("utf-8")
    except ValueError:
        return inner, True  # no JSON escapes, or half a pair, which stands for no character
    return read, True


def _twice(fields: list[Field]) -> str:
    seen = set()
    for field in fields:
        if field.key in KNOWN and field.key in seen:
            return f"the field {field.key} stands twice (line {field.line})"
        seen.add(field.key)
    return ""


def _is_header(text: str, at: int) -> bool:
    """Whether a header of known fields begins there: two stacked ones, not a rule in the body."""
    end = text.find("\n", at)
    if end < 0 or text[at:end].rstrip(" \t\r") != "---":
        return False
    close = text.find("\n---", end)
    block = text[end:close] if close >= 0 else ""
    return any(f"\n{key}:" in block for key in KNOWN)


def quote(value: str) -> str:
    """A value as the writer writes it: in double quotes with JSON escapes, other scripts as they are."""
    if value.isprintable() and "\\" not in value and '"' not in value:
        return f'"{value}"'
    import json

    # What YAML does not count as printable is escaped too, so that any reader takes the line.
    return "".join(
        f"\\u{ord(char):04x}" if "\x7f" <= char <= "\x9f" or char in "\u2028\u2029\ufeff\ufffe\uffff" else char
        for char in json.dumps(value, ensure_ascii=False)
    )


def set_value(text: str, header: Header, key: str, value: str) -> Edit:
    """The edit that gives a field its value, or adds the field as the header's last line."""
    assert header.present and not header.broken, "a header that cannot be read is not edited"
    field = header.get(key)
    if field is None:
        return Edit(header.close, header.close, f"{key}: {quote(value)}{newline_of(text)}")
    before = " " if text[field.start - 1 : field.start] == ":" else ""
    return Edit(field.start, field.end, before + quote(value))
