"""An open, fresh index of one store: listing and looking up memos by ID, place or text."""

from __future__ import annotations

import os
import sqlite3

from remember.errors import CacheError
from remember.index import database as cache
from remember.index.rows import checksum, from_key, path_key
from remember.layouts import layout_of
from remember.model import Freshness, Memo
from remember.store.scan import scan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from remember.model import StoreRef

__all__ = ["Filters", "Index", "open_index", "row_memo"]

COLUMNS = (
    "memo.kind, memo.memo_id, file.path, memo.line, memo.description, memo.body, memo.tags, memo.created_ms, memo.modified_ms,"
    " memo.broken, file.unreadable, memo.checksum"
)
_FROM = "FROM memo JOIN file ON file.id = memo.file"
_CHANGED = "coalesce(memo.modified_ms, memo.created_ms)"
NEWEST_FIRST = "coalesce(memo.modified_ms, memo.created_ms) DESC, memo.created_ms DESC, file.path, memo.line"


class Filters:
    """Conditions on memos, as SQL over `memo` and `file`; times are milliseconds, `until_ms` is exclusive."""

    def __init__(
        self,
        kind: str | None = None,
        tags: Sequence[str] = (),
        since_ms: int | None = None,
        until_ms: int | None = None,
        substring: str | None = None,
    ) -> None:
        self.clauses: list[str] = []
        self.values: list[object] = []
        if kind:
            self._add("memo.kind = ?", kind)
        for tag in tags:
            self._tag(tag)
        if since_ms is not None:
            self._add(f"{_CHANGED} >= ?", since_ms)
        if until_ms is not None:
            self._add(f"{_CHANGED} < ?", until_ms)
        self.substring = substring.casefold() if substring else None

    def _add(self, clause: str, *values: object) -> None:
        self.clauses.append(clause)
        self.values += values

    def _tag(self, tag: str) -> None:
        """A tag holds for itself and for those nested below it (`work` for `work/client`)."""
        from remember.format.links import tag_key

        key = tag_key(tag.lstrip("#"))
        self._add("(instr(memo.tag_keys, ?) OR instr(memo.tag_keys, ?))", f"\n{key}\n", f"\n{key}/")

    def __bool__(self) -> bool:
        return bool(self.clauses) or self.substring is not None

    def where(self, *more: str) -> str:
        """The WHERE clause, with further conditions."""
        clauses = [*more, *self.clauses]
        return " WHERE " + " AND ".join(clauses) if clauses else ""

    def accepts(self, memo: Memo) -> bool:
        """Whether the substring (if any) is in the memo's line or metadata."""
        if self.substring is None:
            return True
        from remember.format.times import show

        stamps = [show(ms) for ms in (memo.created_ms, memo.modified_ms) if ms is not None]
        shown = (memo.text, memo.description, memo.id, memo.path, *memo.tags, *stamps)
        return any(self.substring in value.casefold() for value in shown if value)


def row_memo(ref: StoreRef, row: Sequence[object], verify: bool = True) -> Memo:
    """A row of COLUMNS as a memo; sqlite3.DatabaseError when its checksum does not fit, so that the cache is made anew."""
    kind, memo_id, key, line, description, body, tags, created, modified, broken, unreadable, expected = row[:12]
    path = from_key(key)  # type: ignore[arg-type]
    if verify and checksum(path, kind, memo_id, line, description, str(body).encode(), created, modified, tags) != expected:  # type: ignore[arg-type]
        raise sqlite3.DatabaseError(f"a row of the index is damaged ({path})")
    return Memo(
        ref.scope,
        ref.name,
        kind,  # type: ignore[arg-type]
        memo_id,  # type: ignore[arg-type]
        path,
        line,  # type: ignore[arg-type]
        description,  # type: ignore[arg-type]
        body if kind == "fact" else None,  # type: ignore[arg-type]
        tuple(tags.split("\n")) if tags else (),  # type: ignore[attr-defined]
        created,  # type: ignore[arg-type]
        modified,  # type: ignore[arg-type]
        broken or "",  # type: ignore[arg-type]
        bool(unreadable),
        ref.whole(path)[: -len(path) - 1] if ref.public else ref.path,
    )


class Index:
    """One store's open index; close it, or use it in a `with`."""

    def __init__(self, ref: StoreRef, opened: cache.Database, freshness: Freshness) -> None:
        self.ref = ref
        self.layout = layout_of(ref)
        self.database = opened
        self.connection = opened.connection
        self.freshness = freshness

    def __enter__(self) -> Index:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the database and let its lock go."""
        self.database.close()

    def refresh(self) -> Freshness:
        """Take in what changed since; what it found is added to `freshness`."""
        walk = scan(self.ref.path, self.layout.rules)
        if not self.database.is_current(walk):
            from remember.index.refresh import take_in  # nothing changed is the common case, and needs no parser

            found = take_in(self.database, self.ref, self.layout, walk)
            self.freshness = found._replace(changed=self.freshness.changed + found.changed)
        return self.freshness

    def count(self) -> int:
        """How many memos there are."""
        return int(self.connection.execute("SELECT count(*) FROM memo").fetchone()[0])

    def _memos(self, where: str, values: Iterable[object], tail: str = "") -> list[Memo]:
        rows = self.connection.execute(f"SELECT {COLUMNS} {_FROM}{where} {tail}", tuple(values))
        return [row_memo(self.ref, row) for row in rows]

    def by_id(self, memo_id: str) -> list[Memo]:
        """Memos with that ID; more than one is a finding of `check`."""
        return self._memos(" WHERE memo.memo_id = ?", (memo_id,))

    def by_prefix(self, prefix: str) -> list[Memo]:
        """Memos whose ID begins so."""
        return self._memos(" WHERE memo.memo_id >= ? AND memo.memo_id < ?", (prefix, prefix + "g"))

    def by_path(self, path: str) -> list[Memo]:
        """Memos of the file at that path below the store."""
        return self._memos(" WHERE file.path = ?", (path_key(path),), "ORDER BY memo.line")

    def has_id(self, memo_id: str) -> bool:
        """Whether a memo has that ID."""
        return self.connection.execute("SELECT 1 FROM memo WHERE memo_id = ?", (memo_id,)).fetchone() is not None

    def alike(self, text: str) -> list[tuple[Memo, str]]:
        """Memos, with their bodies, whose fact or description may equal the text when compared as duplicates are."""
        from remember.index.phrases import quote

        columns = f"SELECT {COLUMNS} {_FROM}"
        phrase = quote(text)
        rows = list(
            self.connection.execute(
                f"{columns} JOIN words ON words.rowid = memo.id WHERE words MATCH ? AND memo.kind != 'text' AND"
                " (memo.kind = 'fact' OR memo.description IS NOT NULL) LIMIT 1000",
                (f"{{description body}} : {phrase}",),
            )
        )
        if not rows and not any(char.isalnum() for char in text):
            rows = list(self.connection.execute(f"{columns} WHERE memo.kind != 'text' AND ? IN (memo.description, memo.body)", (text,)))
        return [(row_memo(self.ref, row), str(row[5])) for row in rows]

    def all(self, filters: Filters | None = None, order: str = NEWEST_FIRST, limit: int | None = None) -> Iterator[Memo]:
        """Every memo that the filters let through, newest first."""
        filters = filters or Filters()
        tail = f"ORDER BY {order}" + (f" LIMIT {limit}" if limit is not None and filters.substring is None else "")
        for row in self.connection.execute(f"SELECT {COLUMNS} {_FROM}{filters.where()} {tail}", filters.values):
            memo = row_memo(self.ref, row)
            if filters.accepts(memo):
                yield memo

    def count_filtered(self, filters: Filters) -> int:
        """How many memos the filters let through."""
        if filters.substring is not None:
            return sum(1 for _ in self.all(filters))
        return int(self.connection.execute(f"SELECT count(*) {_FROM}{filters.where()}", filters.values).fetchone()[0])


def open_index(
    ref: StoreRef,
    cache_dir: str,
    refresh: bool = True,
    progress: Callable[[int, int], None] | None = None,
    vouched: Callable[[cache.Database, StoreRef], bool] | None = None,
) -> Index:
    """The store's index, made or brought up to date first.

    `refresh=False` takes the index as it is; `vouched` is asked whether a watcher has proved the open one current. Where no
    cache can be kept the index is in memory and a warning says so. Raises IOFailure when the store itself cannot be listed.
    """
    layout = layout_of(ref)
    for _ in range(3):
        try:
            opened, why = cache.open_database(cache_dir, ref)
        except (CacheError, sqlite3.Error, OSError) as error:
            return _in_memory(ref, _reason(cache_dir, error), progress)
        if opened is not None:
            try:
                index = Index(ref, opened, Freshness())
                if refresh and not (vouched is not None and vouched(opened, ref)):
                    index.refresh()
                return index
            except sqlite3.DatabaseError as error:
                opened.close()
                if "locked" in str(error) or "readonly" in str(error):
                    return _in_memory(ref, _reason(cache_dir, error), progress)
                why = "damaged"
            except BaseException:
                opened.close()
                raise
        if why == "busy":
            return _in_memory(ref, f"the index in {cache_dir} is busy; it was made in memory", progress)
        from remember.index.build import build

        try:
            files, warnings, made = build(cache_dir, ref, layout, progress)
        except (OSError, sqlite3.Error, ImportError) as error:
            return _in_memory(ref, _reason(cache_dir, error), progress)
        if not made:
            return _in_memory(ref, f"the index in {cache_dir} is in use and {why}; it was made in memory", progress)
        fresh = _after_build(cache_dir, ref, made, Freshness(files, 0, 0, tuple(warnings)))
        if fresh is not None:
            return fresh
    return _in_memory(ref, f"the index in {cache_dir} is changed again and again; it was made in memory", progress)


def _after_build(cache_dir: str, ref: StoreRef, made: str, freshness: Freshness) -> Index | None:
    """The index that was just built, without another walk; None where another is in its place, which may be of an older walk."""
    try:
        opened, _ = cache.open_database(cache_dir, ref)
    except (CacheError, sqlite3.Error, OSError):
        return None
    if opened is not None and opened.meta.get("made") != made:
        opened.close()
        return None
    return None if opened is None else Index(ref, opened, freshness)


def _reason(cache_dir: str, error: Exception) -> str:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return f"no index can be kept in {cache_dir} ({reason}); it was made in memory"


def _in_memory(ref: StoreRef, warning: str, progress: Callable[[int, int], None] | None) -> Index:
    from remember.index.build import fill

    connection = cache.create(":memory:", ref)
    files, warnings, _ = fill(connection, ref, layout_of(ref), progress)
    opened = cache.Database(connection, None, None, {}, True)
    opened.reload_meta()
    return Index(ref, opened, Freshness(files, 0, 0, (warning, *warnings)))


def rebuild(ref: StoreRef, cache_dir: str, progress: Callable[[int, int], None] | None = None) -> tuple[int, list[str]]:
    """Build the store's index anew whatever state it is in; (files read, warnings).

    Raises CacheError when the cache directory cannot be written or another process keeps the old one open.
    """
    from remember.index.build import build

    try:
        files, warnings, made = build(cache_dir, ref, layout_of(ref), progress)
    except OSError as error:
        raise CacheError(_reason(cache_dir, error), "set REMEMBER_CACHE_DIR to a directory that can be written") from error
    if not made:
        raise CacheError(f"the index of {ref.path} is open in another process", "end that process, then repeat the command")
    return files, warnings


def drop(ref: StoreRef, cache_dir: str) -> bool:
    """Delete the store's index; whether there was one."""
    path = cache.cache_path(cache_dir, ref.place)
    existed = os.path.lexists(path)
    for side in ("", "-wal", "-shm", "-journal", ".lock"):
        try:
            os.unlink(path + side)
        except FileNotFoundError:
            continue
        except OSError as error:
            raise CacheError(f"{path + side}: {error.strerror}", "remove it by hand") from error
    return existed
