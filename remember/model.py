"""The nouns of the quick commands: light, immutable, printable as JSON by `document()`."""

from __future__ import annotations

from remember._named import NamedTuple

__all__ = ["Catalogue", "Change", "Freshness", "Hit", "Memo", "SearchResult", "Shown", "StoreInfo", "StoreRef"]


class Memo(NamedTuple):
    """A fact, a note or the prose of `MEMORY.md`.

    `path` is relative to the store, `line` is 1-based; times are milliseconds since 1970 UTC; `text` is a fact's line,
    `description` a note's; `id` is None where the file gives none; `broken` says why a header could not be read; `stale` that
    the file could not be read the last time; `store_path` is the store's directory.
    """

    scope: str
    store: str
    kind: str
    id: str | None
    path: str
    line: int
    description: str | None
    text: str | None
    tags: tuple[str, ...]
    created_ms: int | None
    modified_ms: int | None
    broken: str = ""
    stale: bool = False
    store_path: str = ""

    @property
    def place(self) -> str:
        """Where it lies, as commands take it: the note's path, or `MEMORY.md:LINE` for a fact."""
        return f"{self.path}:{self.line}" if self.kind == "fact" else self.path

    @property
    def title(self) -> str:
        """The one line that stands for it in a list."""
        return self.text or self.description or self.path


class Hit(NamedTuple):
    """A memo found by a search, with its best passage; `highlights` are character offsets into `snippet`."""

    memo: Memo
    rank: int
    score: float
    snippet: str
    snippet_line: int
    highlights: tuple[tuple[int, int], ...]
    more_lines: int
    missing: tuple[str, ...] = ()
    explanation: tuple[tuple[str, object], ...] = ()
    conflict_copies: tuple[str, ...] = ()
    """Paths of a sync program's conflict copies of its file."""
    conflict_copy_of: str | None = None
    """Where its own file is such a copy, the original's path."""

    @property
    def id(self) -> str | None:
        """The memo's ID."""
        return self.memo.id


class StoreInfo(NamedTuple):
    """One store that answered: how many memos it has and how many files were re-read for this answer."""

    store: str
    memos: int
    refreshed: int


class Freshness(NamedTuple):
    """What a refresh found: counts of files read anew, removed and unreadable, and warnings to hand on."""

    changed: int = 0
    removed: int = 0
    unreadable: int = 0
    warnings: tuple[str, ...] = ()


class SearchResult(NamedTuple):
    """The answer to a query: hits best first, `total` matches, and what the reader should know.

    `remarks` are for programs, and for people where nothing was found or they ask.
    """

    query: str
    hits: tuple[Hit, ...]
    total: int
    truncated: bool
    warnings: tuple[str, ...]
    stores: tuple[StoreInfo, ...]
    elapsed_ms: float
    remarks: tuple[str, ...] = ()


class Catalogue(NamedTuple):
    """The list of memos, with the same surroundings as a search result."""

    memos: tuple[Memo, ...]
    total: int
    truncated: bool
    warnings: tuple[str, ...]
    stores: tuple[StoreInfo, ...]
    remarks: tuple[str, ...] = ()


class Change(NamedTuple):
    """What a changing command did to one memo; fields that do not apply are None."""

    changed: bool
    kind: str
    scope: str
    store: str
    id: str | None = None
    path: str | None = None
    line: int | None = None
    recovery_id: str | None = None
    revision: str | None = None
    duplicate_of: str | None = None
    warnings: tuple[str, ...] = ()


class StoreRef(NamedTuple):
    """Which store is meant: `path` is its canonical directory, `why` the rule that chose it.

    `name` is what users call it (`local`, `global`, a registered name or a path), `scope` what it counts as;
    `root` is the workspace of a local store. A registered store and the global one are always `trusted`. `file` names the one
    file of the directory that is the store, where it is no more than a file; `public` is the second directory of a store that
    has two.
    """

    name: str
    scope: str
    path: str
    layout: str
    root: str | None = None
    trusted: bool = True
    registered: bool = False
    why: str = ""
    file: str = ""
    public: str = ""

    @property
    def place(self) -> str:
        """What the store is known by: its file where it is one, else its directory."""
        return f"{self.path}/{self.file}" if self.file else self.path

    def whole(self, path: str) -> str:
        """Where a file of the store lies, given its path below it; those of the second directory begin with its name."""
        base, _, name = self.public.rpartition("/")
        return f"{base if name and path.startswith(name + '/') else self.path}/{path}"


class Shown(NamedTuple):
    """One memo whole: `content` is a fact's text or a note's body, which begins at `content_line`; `data` its file's bytes."""

    memo: Memo
    content: str
    revision: str
    data: bytes
    content_line: int
    warnings: tuple[str, ...] = ()
