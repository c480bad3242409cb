"""The border of recovery records: what a record file may hold, and the JSON Schema that says so."""

from __future__ import annotations

import base64
import binascii
import json
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, StringConstraints, ValidationError

__all__ = ["RecordDocument", "json_schema", "read"]

MemoId = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{8}$")]
RecoveryId = Annotated[str, StringConstraints(pattern=r"^[0-9]{8}T[0-9]{9}Z-[0-9a-f]{8}$")]
Mode = Annotated[str, StringConstraints(pattern=r"^0[0-7]{3}$")]


class _Document(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True, populate_by_name=True)


class Encoded(_Document):
    """Bytes that are no UTF-8."""

    base64: str
    """The bytes in base64."""


Value = str | Encoded


class TextContent(_Document):
    """A whole file of UTF-8 text."""

    text: str
    """The file's text, line ends as they are."""
    mode: Mode
    """Permission bits, octal."""
    mtime_ns: int | None
    """Modification time in nanoseconds since 1970; null where it does not matter."""


class EncodedContent(_Document):
    """A whole file that is no UTF-8."""

    base64: str
    """The file's bytes in base64."""
    mode: Mode
    """Permission bits, octal."""
    mtime_ns: int | None
    """Modification time in nanoseconds since 1970; null where it does not matter."""


class FileChange(_Document):
    """A file as a whole."""

    type: Literal["file"]
    path: Value
    """Path below the store."""
    before: TextContent | EncodedContent | None
    """The file before the change; null where there was none."""
    after: TextContent | EncodedContent | None
    """The file after the change; null where there is none."""


class FactChange(_Document):
    """A span of a file that holds more than this memo."""

    type: Literal["fact"]
    path: Value
    """Path below the store."""
    id: MemoId | None
    """The memo's ID, if it has one."""
    at: Annotated[int, Field(ge=0)]
    """Offset in bytes at which the span began when this change was applied, one after the other."""
    before: Value
    """The span before the change."""
    after: Value
    """The span after the change."""
    prev: Value
    """Up to three whole lines before the span."""
    next: Value
    """Up to three whole lines after the span."""
    made: bool
    """Whether the file was made by this change."""


class RenameChange(_Document):
    """A file that got another path."""

    type: Literal["rename"]
    old: Annotated[Value, Field(alias="from")]
    """Path below the store before the change."""
    new: Annotated[Value, Field(alias="to")]
    """Path below the store after the change."""
    size: Annotated[int, Field(ge=0)]
    """Size of its content in bytes."""
    sha256: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
    """SHA-256 of its content."""


class KeptChange(_Document):
    """Bytes that another program saved while a change was under way, and that no file holds."""

    type: Literal["kept"]
    path: Value
    """Path below the store for which they were meant."""
    content: Value
    """The bytes."""


class RecordDocument(_Document):
    """A recovery record of `remember`, version 1: one saved undo step."""

    by: Literal["remember"]
    """The program that wrote it; records of others are left alone."""
    version: Literal[1]
    """Version of this form."""
    id: RecoveryId
    """Recovery ID: UTC time to milliseconds and eight hex digits; the file's name without `.json`."""
    action: Annotated[str, StringConstraints(min_length=1)]
    """The verb that made the change (`add`, `note`, `update`, `forget`, `move`, …)."""
    created: AwareDatetime
    """When the change was made."""
    summary: str
    """One line for people."""
    state: Literal["done", "undoing", "undone", "redoing"]
    """Whether the change stands; `undoing` and `redoing` are left by a killed undo or redo, which can be repeated."""
    turned: AwareDatetime | None
    """When it was last undone or applied again; null for neither."""
    changes: list[Annotated[FileChange | FactChange | RenameChange | KeptChange, Field(discriminator="type")]]
    """What was changed, in the order in which it was applied."""
    partner: RecoveryId | None = None
    """Recovery ID of the other half of a move between stores, in the other store."""


def read(data: bytes) -> dict[str, Any] | None:
    """The plain values of a record; None for a record of another program. Raises ValueError naming what is wrong."""
    try:
        raw = json.loads(data)
    except (UnicodeDecodeError, RecursionError) as error:
        raise ValueError("it is no JSON") from error
    if not isinstance(raw, dict) or raw.get("by") != "remember":
        return None
    try:
        document = RecordDocument.model_validate(raw)
        return {
            "id": document.id,
            "action": document.action,
            "created_ms": _milliseconds(document.created),
            "summary": document.summary,
            "state": document.state,
            "turned_ms": None if document.turned is None else _milliseconds(document.turned),
            "changes": [_change(change) for change in document.changes],
            "partner": document.partner,
        }
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        raise ValueError(f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}") from error


def _milliseconds(moment: datetime) -> int:
    return round(moment.timestamp() * 1000)


def _bytes(value: Value) -> bytes:
    if isinstance(value, str):
        return _encoded(value)
    return _decoded(value.base64)


def _encoded(text: str) -> bytes:
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ValueError("a text holds half a surrogate pair") from error


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise ValueError("a value is no base64") from error


def _path(value: Value) -> str:
    return _bytes(value).decode("utf-8", "surrogateescape")


def _content(content: TextContent | EncodedContent | None) -> tuple[bytes, int, int | None] | None:
    if content is None:
        return None
    data = _encoded(content.text) if isinstance(content, TextContent) else _decoded(content.base64)
    return data, int(content.mode, 8), content.mtime_ns


def _change(change: FileChange | FactChange | RenameChange | KeptChange) -> dict[str, Any]:
    if isinstance(change, FactChange):
        spans = {name: _bytes(getattr(change, name)) for name in ("before", "after", "prev", "next")}
        return {"type": "fact", "path": _path(change.path), "id": change.id, "at": change.at, "made": change.made, **spans}
    if isinstance(change, FileChange):
        return {"type": "file", "path": _path(change.path), "before": _content(change.before), "after": _content(change.after)}
    if isinstance(change, RenameChange):
        old, new = _path(change.old), _path(change.new)
        return {"type": "rename", "old": old, "new": new, "size_bytes": change.size, "digest": change.sha256}
    return {"type": "kept", "path": _path(change.path), "data": _bytes(change.content)}


def json_schema() -> str:
    """The text of schema/recovery-record.schema.json."""
    from remember.wire.describe import schema_of

    schema = schema_of(RecordDocument)
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
