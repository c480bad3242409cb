"""Shapes that several JSON documents share: memos, stores, changes, and the words they use."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

__all__ = [
    "Change",
    "Count",
    "DocumentBase",
    "Instant",
    "Kind",
    "Line",
    "Memo",
    "MemoId",
    "RecoveryId",
    "Revision",
    "Store",
    "Warnings",
]

MemoId = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{8}$")]
RecoveryId = Annotated[str, StringConstraints(pattern=r"^[0-9]{8}T[0-9]{9}Z-[0-9a-f]{8}$")]
Revision = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{12}$")]
Instant = Annotated[
    str,
    StringConstraints(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$"),
    Field(json_schema_extra={"format": "date-time"}),
]
Line = Annotated[int, Field(ge=1)]
Count = Annotated[int, Field(ge=0)]
Kind = Literal["fact", "note", "text"]
Warnings = list[str]


class DocumentBase(BaseModel):
    """A JSON object with these fields and no others."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True, strict=True)


class Memo(DocumentBase):
    """A fact, a note, or the prose of MEMORY.md (kind `text`)."""

    scope: str
    """`local`, `global`, or the store's name."""
    store: str
    """The store's name: `local`, `global`, a registered name or the path given."""
    kind: Kind
    """What it is."""
    id: MemoId | None
    """Its memo ID; null where its file gives none."""
    path: str
    """Its file below the store, with `/`; bytes that are no UTF-8 stand as `\\xNN`."""
    line: Line
    """1-based line in the file: of the fact, or where the passage found begins."""
    description: str | None
    """A note's one-line summary; null for a fact."""
    text: str | None
    """A fact's line; null for a note."""
    tags: list[str]
    """Its tags without `#`."""
    created: Instant | None
    """When it was made, in UTC; null where nothing tells."""
    modified: Instant | None
    """When it was changed last, in UTC; null for a fact."""
    path_bytes: str | None = None
    """The path's bytes in base64; only where they are no UTF-8."""
    broken: str | None = None
    """Why the header could not be read; only where it could not."""
    stale: Literal[True] | None = None
    """The file could not be read the last time, and this is what was known of it; only where that is so."""


class Store(DocumentBase):
    """A store that answered."""

    store: str
    """Its name."""
    memos: Count
    """How many memos it has."""
    refreshed: Count
    """How many files were read anew for this answer."""


class Change(DocumentBase):
    """What a command did to one memo; null is what does not apply."""

    changed: bool
    """Whether anything was written."""
    id: MemoId | None
    """The memo's ID."""
    kind: str
    """What it is: `fact` or `note` (`text` and `file` where a record holds more than memos)."""
    scope: str
    """Scope of its store."""
    store: str
    """Name of its store."""
    path: str | None
    """Its file below the store."""
    line: Count | None
    """A fact's line."""
    recovery_id: RecoveryId | None
    """The record that undoes the change (`remember restore`)."""
    revision: Revision | None
    """The memo's revision now."""
    duplicate_of: str | None
    """The ID or place of the memo that says the same already."""
    warnings: Warnings
    """What the caller should know."""
