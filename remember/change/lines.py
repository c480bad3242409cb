"""Edits of the facts file as spans of bytes that an undo can find again after others have changed the file around them."""

from __future__ import annotations

from remember.format import facts as grammar
from remember.format.spans import encode
from remember.store.records import LinesItem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from remember.format.spans import Edit

__all__ = ["append_items", "line_items"]

_LINES = 3
_CONTEXT_BYTES = 4096


def line_items(path: str, text: str, edits: Sequence[tuple[Edit, str | None]], made: bool = False) -> tuple[bytes, tuple[LinesItem, ...]]:
    """The file's new bytes and the record's items, for edits that are given with the IDs of their memos.

    Edits must not overlap nor meet; they are applied from the last to the first. What is removed and shares its ID with another
    fact of the file is recorded without it: an ID that is there all the same tells nothing about what was removed.
    """
    ordered = sorted(edits, key=lambda pair: pair[0].start)
    spans = _byte_spans(text, [edit for edit, _ in ordered])
    data = encode(text)
    items: list[LinesItem] = []
    pieces: list[bytes] = []
    end, following = len(data), b""
    for (start, stop, after), (_, memo_id) in zip(reversed(spans), reversed(ordered), strict=True):
        between = data[stop:end]
        pieces.append(between)
        following = _first_lines(between + following)
        preceding = _last_lines(data[max(0, start - 2 * _CONTEXT_BYTES) : start])
        own = memo_id if after else _unshared(text, memo_id)
        items.append(LinesItem(path, own, start, data[start:stop], after, preceding, following, made))
        pieces.append(after)
        following = _first_lines(after + following)
        end = start
    pieces.append(data[:end])
    return b"".join(reversed(pieces)), tuple(items)


def _unshared(text: str, memo_id: str | None) -> str | None:
    """The ID, if at most one fact of the text has it."""
    if memo_id is None or text.count(memo_id) < 2:
        return memo_id
    return memo_id if sum(fact.id == memo_id for fact in grammar.parse(text).facts) < 2 else None


def append_items(path: str, text: str, pieces: Sequence[tuple[str, str]], made: bool = False) -> tuple[bytes, tuple[LinesItem, ...]]:
    """The same for texts, given with the IDs of their memos, that are put at the end one after the other."""
    parts = [encode(text)]
    length, above = len(parts[0]), parts[0][-2 * _CONTEXT_BYTES :]
    items = []
    for piece, memo_id in pieces:
        after = encode(piece)
        items.append(LinesItem(path, memo_id, length, b"", after, _last_lines(above), b"", made))
        parts.append(after)
        length, above = length + len(after), (above + after)[-2 * _CONTEXT_BYTES :]
    return b"".join(parts), tuple(items)


def _byte_spans(text: str, edits: Sequence[Edit]) -> list[tuple[int, int, bytes]]:
    """(start, end, new bytes) of edits in ascending order, counted in bytes."""
    spans = []
    at = at_bytes = 0
    for edit in edits:
        start = at_bytes + len(encode(text[at : edit.start]))
        at_bytes = start + len(encode(text[edit.start : edit.end]))
        at = edit.end
        spans.append((start, at_bytes, encode(edit.text)))
    return spans


def _last_lines(data: bytes) -> bytes:
    at = len(data)
    if data.endswith(b"\n"):
        at -= 1
    for _ in range(_LINES):
        at = data.rfind(b"\n", max(0, len(data) - _CONTEXT_BYTES), at)
        if at < 0:
            break
    return data[max(at + 1, len(data) - _CONTEXT_BYTES) :]


def _first_lines(data: bytes) -> bytes:
    at = 0
    for _ in range(_LINES):
        found = data.find(b"\n", at, _CONTEXT_BYTES)
        if found < 0:
            return data[:_CONTEXT_BYTES]
        at = found + 1
    return data[:at]
