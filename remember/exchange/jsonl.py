"""Our own exchange format: one JSON object a line, with everything that makes a memo the same memo again (FORMAT.md, section 8)."""

from __future__ import annotations

import json

from remember.exchange.item import REFUSED, SKIPPED, Broken, Item
from remember.format import ids, times

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from remember.model import Memo

__all__ = ["line_of", "read"]

PROSE = "Text of MEMORY.md"


def line_of(memo: Memo, body: str) -> str:
    """A memo as a line without its end; `body` is a note's, or the prose of `MEMORY.md`. Bytes that are no UTF-8 stand as U+FFFD."""
    created, modified = (None if ms is None else times.show(ms) for ms in (memo.created_ms, memo.modified_ms))
    document: dict[str, object] = {"kind": memo.kind, "id": memo.id, "path": memo.path}
    if memo.kind == "fact":
        document["text"] = memo.text
    else:
        document |= {"description": memo.description, "body": body} if memo.kind == "note" else {"body": body}
    document |= {"tags": list(memo.tags), "created": created, "modified": modified}
    return json.dumps(document, ensure_ascii=False).encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def read(lines: Iterable[tuple[int, bytes]], shown: str) -> Iterator[Item | Broken]:
    """The memos of numbered lines; a line that is no memo is said to be so and passed over."""
    for number, data in lines:
        source = f"{shown}:{number}"
        if not data.strip():
            continue
        try:
            value = json.loads(data)
        except (ValueError, RecursionError):
            yield Broken(source, REFUSED, "the line is no JSON")
            continue
        yield _item(value, source, number)


def _item(value: object, source: str, number: int) -> Item | Broken:
    if not isinstance(value, dict):
        return Broken(source, REFUSED, "the line is no JSON object")
    text, description, body = (_text(value.get(key)) for key in ("text", "description", "body"))
    kind = value.get("kind", "fact" if text and not body else "note")
    if kind not in ("fact", "note", "text"):
        return Broken(source, SKIPPED, f"the kind {str(kind)[:40]!r} is not known")
    memo_id, path = value.get("id"), _text(value.get("path"))
    created, modified = (_instant(value.get(key)) for key in ("created", "modified"))
    tags, stem = value.get("tags"), path.rpartition("/")[2].removesuffix(".md")
    known_id = memo_id if isinstance(memo_id, str) and ids.is_id(memo_id) else None
    return Item(
        source,
        "fact" if kind == "fact" else "note",
        text if kind == "fact" else description or (PROSE if kind == "text" else ""),
        "" if kind == "fact" else body or text,
        created,
        modified,
        tuple(tag for tag in tags if isinstance(tag, str)) if isinstance(tags, list) else (),
        known_id,
        path,
        (path.removesuffix(".md"), stem) if path and kind == "note" else (),
        stem,
        number,
        kind != "text" and known_id is not None,
    )


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _instant(value: object) -> int | None:
    if not isinstance(value, str):
        return None
    found = times.parse(value)
    return times.parse_day(value) if found is None else found
