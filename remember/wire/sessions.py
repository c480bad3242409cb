"""The JSON documents of what agents see and what is set up for them, and of format migrations."""

from __future__ import annotations

from remember.wire.shapes import Count, DocumentBase, Warnings

__all__ = ["Context", "HooksChanged", "HooksStatus", "Migrated", "Review", "RolledBack"]


class ScopeShown(DocumentBase):
    """What of one scope stands in a snapshot."""

    scope: str
    path: str
    """The store's directory."""
    state: str
    """`shown`, or why it is not (`missing`, `untrusted`, …)."""
    reason: str
    """The same for people; empty where it is shown."""
    budget_chars: Count
    """How many characters it may take."""
    chars: Count
    """How many it takes."""
    shown: Count
    """How many memos are shown."""
    total: Count
    """How many there are."""
    omitted: list[str]
    """IDs or places of those that are left out."""


class Context(DocumentBase):
    """The answer of `context --json`: what an agent sees when a session begins."""

    inject: bool
    """Whether hooks give it to agents."""
    text: str
    """The block itself."""
    chars: Count
    """Its length in code points."""
    scopes: list[ScopeShown]
    warnings: Warnings
    """What the caller should know."""


class Review(DocumentBase):
    """The answer of `context --review --json`."""

    text: str
    """A request to an agent to review memory."""


class HooksChanged(DocumentBase):
    """The answer of `hooks install` and `hooks uninstall` with --json."""

    agent: str
    dry_run: bool
    changed: bool
    """Whether a file was written."""
    files: list[str]
    """The files that change."""
    diff: str
    """How they change, as a unified diff."""
    notes: list[str]
    """What is left to do for a person."""


class HookFile(DocumentBase):
    """An agent's configuration file."""

    agent: str
    path: str
    state: str
    """`installed`, `missing`, or what is wrong."""


class HooksStatus(DocumentBase):
    """The answer of `hooks status --json`."""

    files: list[HookFile]


class MigratedFile(DocumentBase):
    """A file of a migration's plan."""

    path: str
    action: str
    """What is done to it."""
    rules: list[str]
    """How values were inferred."""


class MigratedStore(DocumentBase):
    """A store's migration, planned or done."""

    store: str
    path: str
    changed: bool
    """Whether anything was written."""
    due: bool
    """Whether there was anything to do."""
    version: Count
    """The format version it has then."""
    files: list[MigratedFile]
    backups: list[str]
    """The backup sets that were made."""
    notices: list[str]


class Migrated(DocumentBase):
    """The answer of `migrate --json`."""

    dry_run: bool
    """Whether nothing was to be done."""
    stores: list[MigratedStore]


class RolledBack(DocumentBase):
    """The answer of `migrate --rollback BACKUP --json`."""

    store: str
    path: str
    backup: str
    files: list[str]
    """The files that were brought back."""
