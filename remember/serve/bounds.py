"""Answers of a size that agents take whole: whole lines are kept, and what was cut says how to get the rest."""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import TypeVar

    Item = TypeVar("Item")

__all__ = [
    "CUT",
    "HEAD_BYTES",
    "LIST_BYTES",
    "LIST_LINES",
    "WARNING_BYTES",
    "WHOLE_BYTES",
    "WHOLE_LINES",
    "brief",
    "brief_row",
    "clean",
    "cut_lines",
    "few",
    "fitting",
    "size",
]

LIST_BYTES, LIST_LINES = 20_000, 400
"""Bounds of listings and searches."""

WHOLE_BYTES, WHOLE_LINES = 30_000, 600
"""Bounds of one memo."""

HEAD_BYTES, WARNING_BYTES, LINE_CHARS = 2600, 1500, 1000
"""What is kept free beside the rows or the content; the warnings in it; and the most characters of a text in a row."""

CUT = " …"
_HEAD_LINES = 12
_LONG = frozenset(("text", "description", "snippet", "message", "summary", "query"))


def size(document: object) -> int:
    """Bytes of a value as JSON in UTF-8."""
    return len(json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace"))


def fitting(items: Sequence[Item], sizes: Callable[[Item], int], lines: Callable[[Item], int], room_bytes: int) -> int:
    """How many items from the first fit into so many bytes and the lines of a listing."""
    bytes_left, lines_left = room_bytes, LIST_LINES - _HEAD_LINES
    for number, item in enumerate(items):
        bytes_left -= sizes(item)
        lines_left -= lines(item)
        if bytes_left < 0 or lines_left < 0:
            return number
    return len(items)


def cut_lines(text: str, most_bytes: int, most_lines: int) -> tuple[str, int]:
    """The first whole lines that fit, as (text, number of lines that are not in it whole); bytes are counted as JSON takes them.

    A first line that alone is too long is cut at a character: then the text ends with CUT, and the line counts as left out.
    """
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    left = most_bytes
    kept = 0
    for line in lines[:most_lines]:
        left -= len(json.dumps(line, ensure_ascii=False).encode("utf-8", "replace"))
        if left < 0:
            break
        kept += 1
    if kept == len(lines):
        return text, 0
    if kept == 0:
        return brief(lines[0], most_bytes // 6) + "\n", len(lines)
    return "\n".join(lines[:kept]) + "\n", len(lines) - kept


def brief(text: str, most_chars: int = LINE_CHARS) -> str:
    """The text, or as much of its beginning with CUT after it."""
    if len(text) <= most_chars:
        return text
    from remember.format.text import cut

    return cut(text, most_chars) + CUT


def brief_row(row: Mapping[str, object]) -> dict[str, object]:
    """A row of a listing whose texts are short, so that no one memo takes the room of all."""
    return {key: brief(value) if key in _LONG and isinstance(value, str) else value for key, value in row.items()}


def few(warnings: Sequence[str]) -> list[str]:
    """Warnings, each once, as many as fit into WARNING_BYTES, and how many more there are."""
    unique = [brief(warning, 300) for warning in dict.fromkeys(warnings)]
    kept = fitting(unique, lambda warning: size(warning) + 1, lambda _: 1, WARNING_BYTES)
    return unique if kept == len(unique) else [*unique[:kept], f"{len(unique) - kept} more warnings; `remember check` says all"]


def clean(value: object) -> object:
    """A value of an answer with credentials masked and control characters (but line ends and tabs) gone, all the way down."""
    if isinstance(value, str):
        return _clean_text(value)
    if isinstance(value, dict):
        return {key: clean(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [clean(inner) for inner in value]
    return value


def _clean_text(text: str) -> str:
    from remember.format.secrets import mask

    masked = mask(text)
    if masked.isascii() and masked.isprintable():
        return masked
    return "".join(char if _harmless(char) else "\ufffd" if "\ud800" <= char <= "\udfff" else "" for char in masked)


def _harmless(char: str) -> bool:
    code = ord(char)
    if code < 0x20:
        return char in "\n\t\r"
    return not (0x7F <= code <= 0x9F or 0xD800 <= code <= 0xDFFF or 0x202A <= code <= 0x202E or 0x2066 <= code <= 0x2069)
