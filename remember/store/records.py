"""The recovery record: what a change replaced and what it left, enough to undo it and to apply it again, as JSON."""

from __future__ import annotations

from remember._named import NamedTuple
from remember.format.times import show

__all__ = [
    "DONE",
    "REDOING",
    "STATES",
    "UNDOING",
    "UNDONE",
    "Content",
    "FileItem",
    "Item",
    "KeptItem",
    "LinesItem",
    "Record",
    "RenameItem",
    "as_json",
    "is_addition",
    "is_record_id",
    "record_id",
]

TYPE_CHECKING = False

DONE, UNDOING, UNDONE, REDOING = STATES = ("done", "undoing", "undone", "redoing")
"""`undoing` and `redoing` stand in the record while its files are written, so that a killed undo can be finished."""


class Content(NamedTuple):
    """A whole file: its bytes, permission bits and modification time (nanoseconds; None where it does not matter)."""

    data: bytes
    mode: int = 0o600
    mtime_ns: int | None = None


class FileItem(NamedTuple):
    """A file as a whole; None where it was not there before, or is not there after."""

    path: str
    before: Content | None
    after: Content | None


class LinesItem(NamedTuple):
    """A span of a file that others change too: at byte `at` the bytes `before` became `after`.

    `prev` and `next` are up to three whole lines around it, which find the place when the file has changed elsewhere;
    `id` is the memo's; `made` says that the file itself was made by the change. Items of a record follow each other:
    each place is that of the moment when the item was applied.
    """

    path: str
    id: str | None
    at: int
    before: bytes
    after: bytes
    prev: bytes
    next: bytes
    made: bool = False


class RenameItem(NamedTuple):
    """A file that got another path; `size_bytes` and `digest` (SHA-256, 64 hex) are its content's when it was renamed."""

    old: str
    new: str
    size_bytes: int
    digest: str


class KeptItem(NamedTuple):
    """Bytes that somebody else saved while a change was under way and that no file holds; only to be shown."""

    path: str
    data: bytes


if TYPE_CHECKING:
    Item = FileItem | LinesItem | RenameItem | KeptItem
else:
    Item = object


class Record(NamedTuple):
    """One undo step; `id` is its file's name without ending, `partner` the ID of its other half in another store.

    `turned_ms` is when the state was last changed, None for a change that was never undone.
    """

    id: str
    action: str
    created_ms: int
    summary: str
    state: str
    changes: tuple[Item, ...]
    partner: str | None = None
    turned_ms: int | None = None


def record_id(moment_ms: int, bits: int, addition: bool) -> str:
    """`<UTC time to ms>-<8 hex>` from a moment and 31 random bits; the last bit is 0 for additions, so that a listing tells."""
    stamp = show(moment_ms).replace("-", "").replace(":", "").replace(".", "")
    return f"{stamp}-{bits << 1 | (not addition):08x}"


def is_record_id(text: str) -> bool:
    """Whether the text has the form of a recovery ID of ours."""
    return (
        len(text) == 28
        and text[8] == "T"
        and text[18:20] == "Z-"
        and (text[:8] + text[9:18]).isdigit()
        and text.isascii()
        and all(c in "0123456789abcdef" for c in text[20:])
    )


def is_addition(text: str) -> bool:
    """Whether a recovery ID says that its record is one of an addition."""
    return int(text[-1], 16) % 2 == 0


def _value(data: bytes) -> object:
    """Text as it is, other bytes as {"base64": …}."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        from binascii import b2a_base64

        return {"base64": b2a_base64(data, newline=False).decode()}


def _content(content: Content | None) -> object:
    if content is None:
        return None
    value = _value(content.data)
    text = {"text": value} if isinstance(value, str) else value
    return {**text, "mode": f"{content.mode:04o}", "mtime_ns": content.mtime_ns}  # type: ignore[dict-item]


def _item(item: Item) -> dict[str, object]:
    if isinstance(item, LinesItem):
        document: dict[str, object] = {"type": "fact", "path": _path(item.path), "id": item.id, "at": item.at}
        document |= {"before": _value(item.before), "after": _value(item.after)}
        document |= {"prev": _value(item.prev), "next": _value(item.next), "made": item.made}
        return document
    if isinstance(item, FileItem):
        return {"type": "file", "path": _path(item.path), "before": _content(item.before), "after": _content(item.after)}
    if isinstance(item, RenameItem):
        return {"type": "rename", "from": _path(item.old), "to": _path(item.new), "size": item.size_bytes, "sha256": item.digest}
    return {"type": "kept", "path": _path(item.path), "content": _value(item.data)}


def _path(path: str) -> object:
    return _value(path.encode("utf-8", "surrogateescape"))


def as_json(record: Record) -> bytes:
    """The record as it is written: one JSON object, ASCII, with a final newline (schema/recovery-record.schema.json)."""
    import json

    document: dict[str, object] = {
        "by": "remember",
        "version": 1,
        "id": record.id,
        "action": record.action,
        "created": show(record.created_ms),
        "summary": record.summary.encode("utf-8", "replace").decode("utf-8"),
        "state": record.state,
        "turned": None if record.turned_ms is None else show(record.turned_ms),
        "changes": [_item(item) for item in record.changes],
    }
    if record.partner is not None:
        document["partner"] = record.partner
    return (json.dumps(document, indent=1) + "\n").encode()
