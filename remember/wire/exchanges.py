"""The JSON documents of the verbs that exchange memos with other programs: import, export, store discover."""

from __future__ import annotations

from typing import Literal

from remember.wire.shapes import Count, DocumentBase, Instant, Kind, MemoId, RecoveryId, Warnings

__all__ = ["Discovered", "Exported", "ExportedMemo", "Imported"]


class ImportedItem(DocumentBase):
    """What became of one memo of the source."""

    outcome: Literal["imported", "duplicate", "refused", "skipped"]
    """`refused`: something is wrong with it; `skipped`: there is nothing to take."""
    source: str
    """Where it stands in the source: a path, with `:LINE` where several share a file."""
    kind: Literal["fact", "note"] | None
    """What it becomes; null where it was not read as far as that."""
    title: str
    """The fact, or the note's description; empty for what was refused unread or looks like a credential."""
    path: str | None
    """Its file in the store (of a duplicate, that of the memo that is there)."""
    id: MemoId | None
    """The new memo's ID; null in a dry run."""
    duplicate_of: str | None
    """The ID or place of the memo that says the same, or its place in the source."""
    reason: str
    """Why it was refused or skipped; empty otherwise."""


class ImportCounts(DocumentBase):
    """How many came to which end; facts and notes are the imported ones."""

    imported: Count
    facts: Count
    notes: Count
    duplicates: Count
    refused: Count
    skipped: Count


class Imported(DocumentBase):
    """The answer of `import --json`; exit status 1 where something was refused."""

    format: str
    source: str
    """What was imported, absolute."""
    store: str
    scope: str
    dry_run: bool
    """Nothing was written."""
    recovery_id: RecoveryId | None
    """Undoes the whole import; null where nothing was written."""
    counts: ImportCounts
    items: list[ImportedItem]
    """In the order of the source."""


class ExportedMemo(DocumentBase):
    """A line of an export in the format `jsonl`; `import jsonl` gives the memo back."""

    kind: Kind
    id: MemoId | None
    """Null where its file gives none."""
    path: str
    """Its file below the store."""
    text: str | None = None
    """A fact's line."""
    description: str | None = None
    """A note's summary."""
    body: str | None = None
    """A note's body, or the prose of MEMORY.md."""
    tags: list[str]
    created: Instant | None
    modified: Instant | None


class LeftOut(DocumentBase):
    """A memo that the format cannot hold whole."""

    id: MemoId | None
    place: str
    """Where it lies in its store."""
    store: str
    reason: str


class Exported(DocumentBase):
    """The answer of `export --json`."""

    format: str
    path: str
    """The file or directory that was written."""
    memos: Count
    """How many are in it."""
    files: Count
    """How many files were written."""
    left_out: list[LeftOut]
    """What is missing, or not whole, and why."""
    warnings: Warnings


class Found(DocumentBase):
    """Memory of another program."""

    agent: str
    """Whose it is."""
    path: str
    layout: str | None
    """How it can be registered; null where it can only be imported."""
    format: str
    """What `import` calls it."""
    name: str
    """A name to register it by."""
    registered: str | None
    """The name by which it is registered already."""
    command: str
    """The command line that registers or imports it."""
    warnings: Warnings


class Discovered(DocumentBase):
    """The answer of `store discover --json`."""

    root: str
    """The workspace that was looked for."""
    found: list[Found]
    registered: list[str]
    """Names that were registered by this call."""
