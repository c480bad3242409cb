"""The JSON documents of consolidation runs and of harvests."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import StringConstraints

from remember.wire.plans import RunId
from remember.wire.shapes import Change, Count, DocumentBase, Instant, MemoId, RecoveryId, Warnings

__all__ = ["ConsolidationBegun", "ConsolidationReceipt", "ConsolidationRun", "ConsolidationRuns", "ConsolidationValidated", "Harvested"]

Digest = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]


class ConsolidationBegun(DocumentBase):
    """The answer of `consolidate begin --json`."""

    run: RunId
    directory: str
    """What the worker reads: manifest.json, plan.schema.json, memos.jsonl, store/, and context.md or context.json."""
    prompt: str
    """What to ask a worker."""
    memos: Count
    """How many memos a plan can name."""
    warnings: Warnings


class OperationOutcome(DocumentBase):
    """What one operation of a plan does."""

    op: Literal["add", "note", "update", "merge", "forget"]
    changed: bool
    ids: list[MemoId]
    """The memos that it makes, changes or removes."""
    path: str
    """The file that holds its result."""
    detail: str
    """Why nothing changes, where that is so."""


class ConsolidationValidated(DocumentBase):
    """The answer of `consolidate validate --json`: what the plan would do now."""

    run: RunId
    plan_sha256: Digest
    operations: list[OperationOutcome]


class FileDigests(DocumentBase):
    """A file that was changed; null where there was none, or is none."""

    path: str
    before_sha256: Digest | None
    after_sha256: Digest | None


class ConsolidationReceipt(DocumentBase):
    """The answer of `consolidate apply` and `run` with --json, kept beside the run: what was done, bound by digests."""

    version: Literal[1]
    run: RunId
    state: Literal["applied"]
    store: str
    """The store's directory."""
    scope: str
    worker: str | None
    """The command that made the plan; null for a plan that was given."""
    summary: str
    """What the plan says of itself, in one line."""
    changed: bool
    """Whether a file was changed."""
    recovery_id: RecoveryId | None
    """The record that undoes all of it; null where nothing changed."""
    operations: list[OperationOutcome]
    files: list[FileDigests]
    plan_sha256: Digest
    """SHA-256 of the plan's bytes."""
    work_sha256: Digest
    """Digest of everything the worker was shown."""
    context_sha256: Digest | None
    """SHA-256 of the context; null where there was none."""
    store_before_sha256: Digest
    """Digest of all memory files before: SHA-256 over a line `<SHA-256>  <path>` for each, by path."""
    store_after_sha256: Digest
    """The same afterwards, read back from the files."""
    begun: Instant
    finished: Instant
    warnings: Warnings
    """What the check afterwards found that was not there before, and what else the caller should know."""


class ConsolidationRun(DocumentBase):
    """One run, as `consolidate list` and `consolidate abort` tell it."""

    run: RunId
    state: Literal["open", "applying", "applied", "failed", "aborted"]
    reason: str
    """Why it failed, or what was taken back."""
    by: Literal["begin", "run"]
    created: str
    store: str
    directory: str
    recovery_id: RecoveryId | None
    plan_sha256: Digest | None


class ConsolidationRuns(DocumentBase):
    """The answer of `consolidate list --json`."""

    runs: list[ConsolidationRun]


class Dropped(DocumentBase):
    """Lines of an answer that were not kept."""

    reason: str
    lines: Count


class Harvested(DocumentBase):
    """The answer of `harvest --json`."""

    skipped: str | None
    """Why nothing was asked or nothing could be used; null where a model answered."""
    scope: str | None
    """The scope that the facts went to."""
    added: list[Change]
    """One for each fact, those that were there already among them."""
    dropped: list[Dropped]
    warnings: Warnings
