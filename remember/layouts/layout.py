"""What every layout offers: rules for walking, and pure parsing of one file into entries."""

from __future__ import annotations

from remember._named import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol
else:
    Protocol = object

__all__ = ["FILE_LIMIT", "Entry", "Layout", "Rules", "is_outside"]

FILE_LIMIT = 1 << 20
"""Bytes of one note that are indexed; the rest of a longer one is reported by `check`."""


class Rules(NamedTuple):
    """Which files of a directory belong to the store.

    Files end in `suffix`; names beginning with a dot are never looked at; `skip_top` are directories left out at the top,
    `skip` anywhere; `only` are the names of the only files, and `flat` says that no folder is entered; `whole` are files that
    are read whole, up to `whole_limit` bytes, in place of FILE_LIMIT. A file of more than `most_bytes` is not read at all, nor
    are files beyond the first `most_files` by name; 0 is no bound. `public` is a second directory whose files count as lying
    below `public_prefix`, but for those that the first has by the same name. `skip_hashes` leaves
    out directories at the top that are named by a SHA-256: another memory program keeps its own there.
    """

    suffix: str = ".md"
    skip_top: frozenset[str] = frozenset()
    skip: frozenset[str] = frozenset()
    only: frozenset[str] = frozenset()
    whole: frozenset[str] = frozenset()
    whole_limit: int = 64 << 20
    flat: bool = False
    most_bytes: int = 0
    most_files: int = 0
    public: str = ""
    public_prefix: str = ""
    skip_hashes: bool = False

    def skips_top(self, name: str) -> bool:
        """Whether a directory of that name at the top does not belong to the store."""
        return name in self.skip_top or (self.skip_hashes and len(name) == 64 and not name.strip("0123456789abcdef"))


def is_outside(rules: Rules, path: str) -> bool:
    """Whether a path (relative to the store, with slashes) is none of its memory files."""
    inner = path.removeprefix(rules.public_prefix)
    parts = inner.split("/")
    if any(part in ("", "..") or part.startswith(".") for part in parts) or not inner.endswith(rules.suffix):
        return True
    skipped = (len(parts) > 1 and rules.skips_top(parts[0])) or any(part in rules.skip for part in parts[:-1])
    return skipped or bool(rules.only and inner not in rules.only) or (rules.flat and len(parts) > 1)


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

    def of(self, file: str, public: str) -> Layout:
        """The layout of a store that is the one file of that name, or has that second directory."""

    def parse(self, path: str, data: bytes, mtime_ms: int) -> list[Entry]:
        """The memos of one file; never raises for what a file may contain."""
