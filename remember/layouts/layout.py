"""What every layout offers: rules for walking, and pure parsing of one file into entries."""

from __future__ import annotations

from remember._named import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol
else:
    Protocol = object

__all__ = ["FILE_LIMIT", "Entry", "Layout", "Rules"]

FILE_LIMIT = 1 << 20
"""Bytes of one note that are indexed; the rest of a longer one is reported by `check`."""


class Rules(NamedTuple):
    """Which files of a directory belong to the store.

    Files end in `suffix`; names beginning with a dot are never looked at; `skip_top` are directories left out at the top,
    `skip` anywhere; `whole` are files that are read whole, up to `whole_limit` bytes, in place of FILE_LIMIT.
    """

    suffix: str = ".md"
    skip_top: frozenset[str] = frozenset()
    skip: frozenset[str] = frozenset()
    only: frozenset[str] = frozenset()
    whole: frozenset[str] = frozenset()
    whole_limit: int = 64 << 20


class Entry(NamedTuple):
    """One memo as its file gives it.

    `line` is the fact's line, 1 for a note; `body` is what is searched, its first line being `body_line` of the file;
    `names` are further titles and aliases; `broken` says why a header could not be read.
    """

    kind: str
    id: str | None
    line: int
    description: str | None
    body: str
    body_line: int
    created_ms: int | None
    modified_ms: int | None
    tags: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    broken: str = ""


class Layout(Protocol):
    """A way of laying memos out in a directory; an implementation is one module with one instance."""

    name: str
    writable: bool
    rules: Rules
    has_ids: bool

    def parse(self, path: str, data: bytes, mtime_ms: int) -> list[Entry]:
        """The memos of one file; never raises for what a file may contain."""
