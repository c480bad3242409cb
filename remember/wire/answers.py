"""The JSON documents of the verbs about memos: search, list, show, changes, history, tags, links, errors."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from remember.wire.shapes import Change, Count, DocumentBase, Instant, Line, Memo, RecoveryId, Revision, Store, Warnings

__all__ = [
    "Added",
    "Catalogue",
    "Error",
    "Forgotten",
    "History",
    "Hit",
    "Links",
    "Pruned",
    "Record",
    "RecordDiff",
    "SearchResult",
    "Shown",
    "Tags",
    "Turned",
]


class Part(DocumentBase):
    """One part of a score (`search --explain`)."""

    part: str
    """What it comes from: a term, a field, a boost."""
    amount: float | str | list[str]
    """How much of the score, or words about it."""


class Hit(Memo):
    """A memo that was found, and its best passage."""

    rank: Line
    """1 is best."""
    score: float
    """Comparable within one result, whatever the stores."""
    snippet: str
    """The best passage."""
    snippet_line: Line
    """1-based line of the file in which the snippet begins."""
    highlights: list[Annotated[list[Count], Field(min_length=2, max_length=2)]]
    """Where the query's words are: offsets [begin, end) in code points of the snippet."""
    more_lines: Count
    """How many further lines of the memo match."""
    missing: list[str]
    """Words of the query that the memo lacks."""
    conflict_copies: list[str] | None = None
    """Paths of a sync program's conflict copies of its file, which it stands for; only where there are some."""
    conflict_copy_of: str | None = None
    """The path of the original, only where the file is a conflict copy itself and the original does not match."""
    explanation: list[Part] | None = None
    """Where the score comes from; only with --explain."""


class SearchResult(DocumentBase):
    """The answer of `search --json`; exit status 1 where `hits` is empty."""

    query: str
    """The query as it was understood: its words joined by spaces."""
    hits: list[Hit]
    """Best first (or in the order asked for)."""
    total: Count
    """How many memos match."""
    truncated: bool
    """Whether there are more than are given."""
    warnings: Warnings
    """What the caller should know."""
    stores: list[Store]
    """The stores searched."""
    elapsed_ms: float
    """How long it took."""


class Catalogue(DocumentBase):
    """The answer of `list --json`."""

    memos: list[Memo]
    """Newest first (or in the order asked for)."""
    total: Count
    """How many memos the filters let through."""
    truncated: bool
    """Whether there are more than are given."""
    warnings: Warnings
    """What the caller should know."""
    stores: list[Store]
    """The stores listed."""


class Shown(Memo):
    """The answer of `show --json`: one memo whole."""

    content: str
    """A fact's text, a note's body, or the file's text."""
    revision: Revision
    """Hash of the memo as it stands; `update --if-revision` demands it."""
    cut: str
    """With --recall: at which limit the content was cut, as `200 lines`; empty where it is whole."""


class Added(DocumentBase):
    """The answer of `add - --json`: one change for each line of standard input."""

    changes: list[Change]
    """In the order of the lines."""


class Forgotten(DocumentBase):
    """The answer of `forget --json`."""

    dry_run: bool
    """Whether nothing was to be done."""
    memos: list[Memo]
    """What was meant, as it stood before."""
    changes: list[Change]
    """What was done; empty in a dry run."""


class Turned(DocumentBase):
    """The answer of `undo`, `redo` and `restore` with --json."""

    recovery_id: RecoveryId
    """The record."""
    action: str
    """The verb that was undone or applied again."""
    summary: str
    """One line about it."""
    state: Literal["done", "undone"]
    """How the record stands now."""
    changes: list[Change]
    """What became of each memo."""


class Record(DocumentBase):
    """A recovery record without the bytes that it holds."""

    recovery_id: RecoveryId
    """Its name."""
    store: str
    """The store it lies in."""
    action: str
    """The verb that made the change."""
    created: Instant
    """When."""
    summary: str
    """One line about it."""
    state: Literal["done", "undoing", "undone", "redoing"]
    """Whether the change stands; `undoing` and `redoing` are left by a killed process and can be repeated."""
    paths: list[str]
    """The files that it touches."""


class ForeignFile(DocumentBase):
    """A file beside the records that is another program's."""

    store: str
    """The store it lies in."""
    file: str
    """Its name."""


class UnreadableFile(ForeignFile):
    """A record that cannot be read."""

    reason: str
    """Why."""


class History(DocumentBase):
    """The answer of `history --json`."""

    records: list[Record]
    """Newest first."""
    total: Count
    """How many there are."""
    foreign: list[ForeignFile]
    """Records of other programs; they are left alone."""
    unreadable: list[UnreadableFile]
    """Records that cannot be read."""
    warnings: Warnings
    """What the caller should know."""


class RecordDiff(Record):
    """The answer of `history show --json`."""

    diff: str
    """The change as a unified diff."""


class Pruned(DocumentBase):
    """The answer of `history prune --json`."""

    pruned: list[RecoveryId]
    """The records that are gone for good."""


class Tag(DocumentBase):
    """A tag and how often it is used."""

    tag: str
    """Without `#`."""
    memos: Line
    """How many memos have it."""


class Tags(DocumentBase):
    """The answer of `tags --json`."""

    tags: list[Tag]
    """Most frequent first."""


class Link(DocumentBase):
    """A link in a memo."""

    target: str
    """What stands between the brackets, without an alias."""
    memos: list[Memo]
    """The memos that it means; none where nothing has that name."""


class Links(DocumentBase):
    """The answer of `links --json`."""

    memo: Memo
    """The memo asked about."""
    links: list[Link]
    """What it links to."""
    backlinks: list[Memo]
    """What links to it."""


class Reason(DocumentBase):
    """Why a command failed."""

    code: str
    """A stable word (see `remember.errors`)."""
    message: str
    """What and why, for people."""
    hint: str
    """The next step; may be empty."""


class Error(DocumentBase):
    """What a failed command prints on standard error with --json."""

    error: Reason
    """The reason."""
