"""The JSON documents of the verbs about stores: status, index, check, manifest, watch."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import StringConstraints

from remember.wire.shapes import Count, DocumentBase, Line, MemoId, RecoveryId, Warnings

__all__ = [
    "CheckCode",
    "CheckResult",
    "Differences",
    "Finding",
    "IndexDropped",
    "IndexPaths",
    "IndexRebuilt",
    "IndexStatus",
    "ManifestWritten",
    "Refreshed",
    "Status",
]

Code = Annotated[str, StringConstraints(pattern=r"^R[0-9]{3}$")]
Severity = Literal["error", "warning", "info", "unknown"]


class MemoCounts(DocumentBase):
    """How many memos a store has."""

    facts: Count
    notes: Count
    texts: Count
    broken: Count
    """Those whose header could not be read; they are among the others too."""


class Recovery(DocumentBase):
    """A store's recovery records."""

    path: str
    """Where they lie."""
    records: Count
    """How many are ours."""
    foreign: Count
    """How many are another program's."""


class IndexFile(DocumentBase):
    """A store's index file."""

    path: str
    bytes: Count
    present: bool


class StoreStatus(DocumentBase):
    """One store; null is what is not known of one that is not there."""

    store: str
    scope: str
    path: str
    """Its directory, absolute."""
    root: str | None
    """The workspace of a local store."""
    layout: str
    chosen_by: str
    """The rule that chose it."""
    trusted: bool
    initialised: bool
    format_version: int | None
    """Null where there is no marker (legacy) or no format."""
    memos: MemoCounts | None
    files: Count | None = None
    bytes: Count | None
    """Size of all memory files."""
    unreadable: Count | None = None
    """Files that could not be read."""
    recovery: Recovery
    index: IndexFile
    error: str | None
    """Why it cannot be used."""
    warnings: Warnings | None = None


class Status(DocumentBase):
    """The answer of `status --json`."""

    stores: list[StoreStatus]


class IndexState(DocumentBase):
    """An index that was brought up to date."""

    store: str
    path: str | None
    """Its file; null for one in memory."""
    in_memory: bool
    files: Count
    memos: Count
    bytes: Count
    refreshed: Count
    """Files read anew for this answer."""
    removed: Count
    unreadable: Count
    warnings: Warnings


class IndexStatus(DocumentBase):
    """The answer of `index status --json`."""

    indexes: list[IndexState]


class Rebuilt(DocumentBase):
    """An index that was built anew."""

    store: str
    path: str
    files: Count
    warnings: Warnings


class IndexRebuilt(DocumentBase):
    """The answer of `index rebuild --json`."""

    indexes: list[Rebuilt]


class IndexPath(DocumentBase):
    """Where an index is, or would be."""

    store: str
    path: str


class IndexPaths(DocumentBase):
    """The answer of `index path --json`."""

    indexes: list[IndexPath]


class IndexDropped(DocumentBase):
    """The answer of `index drop --json`."""

    dropped: list[str]
    """Paths of the files that are gone."""


class Finding(DocumentBase):
    """Something that is not as it should be."""

    code: Code
    """`check --explain CODE` says what it means."""
    severity: Severity
    """`unknown`: it could not be looked at."""
    scope: str
    store: str
    store_path: str
    path: str | None
    """Below the store; null for the store itself."""
    path_bytes: str | None = None
    """The path's bytes in base64; only where they are no UTF-8."""
    line: Line | None
    message: str
    repair: str
    """What to do about it."""
    repairable: bool
    """Whether `--repair` can do something."""


class RepairStep(DocumentBase):
    """A step of a repair."""

    code: Code
    scope: str
    store: str
    path: str | None
    line: Line | None
    action: str
    done: bool | None
    """Null in a plan."""
    recovery_id: RecoveryId | None
    error: str | None


class SeverityCounts(DocumentBase):
    """How many findings of each severity."""

    error: Count
    warning: Count
    info: Count
    unknown: Count


class CheckedStore(DocumentBase):
    """A store that was checked."""

    store: str
    scope: str
    path: str
    layout: str


class CheckResult(DocumentBase):
    """The answer of `check --json`; the findings left after a repair."""

    findings: list[Finding]
    counts: SeverityCounts
    repairs: list[RepairStep]
    stores: list[CheckedStore]
    warnings: Warnings


class CheckCode(DocumentBase):
    """The answer of `check --explain CODE --json`."""

    code: Code
    title: str
    severities: list[Severity]
    advice: str


class ManifestWritten(DocumentBase):
    """The answer of `manifest write --json`."""

    file: str | None
    """Null where it was to be printed."""
    files: Count


class Difference(DocumentBase):
    """What became of a file or memo since the manifest."""

    kind: Literal["added", "changed", "removed", "renamed", "unreadable"]
    path: str
    old: str | None
    """The path before."""
    id: MemoId | None


class Differences(DocumentBase):
    """The answer of `manifest verify --json`."""

    differences: list[Difference]


class Refreshed(DocumentBase):
    """A line of `watch --json`: one refresh of an index."""

    store: str
    full: bool
    """Whether the whole store was walked."""
    files: Count
    read: Count
    removed: Count
    unreadable: Count
    elapsed_ms: float
    warnings: Warnings
    trouble: str
    """Why nothing was done; empty where it was."""
