"""The JSON documents of the commands that share a store between machines."""

from __future__ import annotations

from remember.wire.shapes import DocumentBase

__all__ = ["GitSetup", "GitSync"]


class GitSetup(DocumentBase):
    """The answer of `git setup --json`, with `--undo` too."""

    repository: str
    """The top of the work tree."""
    store: str
    """The store's directory."""
    changes: list[str]
    """What was changed (in a dry run: would be): keys of git's configuration, and files with their lines."""
    notes: list[str]
    """What there is to know, and what is left to do."""
    dry_run: bool
    """Whether nothing was to be done."""


class GitSync(DocumentBase):
    """The answer of `git sync --json`."""

    repository: str
    """The top of the work tree."""
    store: str
    """The store's directory."""
    whole: bool
    """Whether the repository holds nothing but the store."""
    commit: str | None
    """The commit that was made; null where nothing had changed."""
    files: list[str]
    """The files in it, below the top."""
    merged: str
    """How the other side's commits came in: `nothing` (there were none), `fast-forward` or `merge`."""
    pushed: bool
    """Whether commits were pushed."""
    remote: str | None
    """The remote that they are exchanged with; null where there is none, or where none was to be asked."""
    offline: str | None
    """Why no network led to the remote; null where one did. Any other failure of a fetch is an error."""
    notes: list[str]
    """What there is to know."""
