"""Reading verbs: search, list, show."""

from __future__ import annotations

import os
import time

from remember.errors import NotFound, RefusedInput
from remember.index.catalogue import NEWEST_FIRST, Filters
from remember.index.session import is_there, with_indexes
from remember.memory.context import local_offset, now_ms
from remember.model import Catalogue, SearchResult, Shown, StoreInfo

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from remember.index.catalogue import Index
    from remember.index.search import Request
    from remember.memory.context import Surroundings
    from remember.model import Memo
    from remember.scope.select import Selection
    from remember.store.read import FileBytes

    Progress = Callable[[int, int], None]

__all__ = ["LIMIT_MOST", "filters_of", "list_memos", "search_memos", "show_memo", "spoken_warnings", "store_infos"]

LIMIT_MOST = 1000
"""The most hits that one search gives."""

SORTS = ("score", "created", "modified", "path")
KINDS = ("fact", "note", "text")


def filters_of(
    kind: str | None = None, tags: Sequence[str] = (), since: str | None = None, until: str | None = None, substring: str | None = None
) -> Filters:
    """Filters as a person gives them; days are local. Raises RefusedInput."""
    if kind is not None and kind not in KINDS:
        raise RefusedInput(f"there is no kind {kind}", "kinds are " + ", ".join(KINDS))
    since_ms = until_ms = None
    if since or until:
        from remember.format import times

        now = now_ms()
        since_ms = times.since(since, now, local_offset) if since else None
        until_ms = times.until(until, now, local_offset) if until else None
    return Filters(kind, tags, since_ms, until_ms, substring)


def store_infos(indexes: Sequence[Index]) -> tuple[StoreInfo, ...]:
    """What each store that answers has to say of itself."""
    return tuple(StoreInfo(i.ref.name, i.count(), i.freshness.changed + i.freshness.removed) for i in indexes)


def spoken_warnings(selection: Selection, indexes: Sequence[Index]) -> tuple[str, ...]:
    """The warnings of a choice of stores and of their indexes."""
    return (*selection.warnings, *(w for index in indexes for w in _named(index)))


def _named(index: Index) -> list[str]:
    """An index's warnings with the store's name before what is about a file."""
    found = [f"{index.ref.name}: {w}" for w in index.freshness.warnings]
    if index.ref.layout == "remember":
        try:
            kind = os.lstat(os.path.join(index.ref.path, "MEMORY.md")).st_mode & 0o170000
        except OSError:
            return found
        if kind != 0o100000:
            found.append(f"{index.ref.name}: MEMORY.md is no regular file, so its facts are not read (`remember check`)")
    return found


def _broken(memos: Sequence[Memo]) -> tuple[str, ...]:
    """One warning for the notes among these whose header cannot be read."""
    broken = [memo for memo in memos if memo.broken]
    if not broken:
        return ()
    more = f" and {len(broken) - 1} more" if len(broken) > 1 else ""
    return (f"{broken[0].path}{more}: the header cannot be read ({broken[0].broken}); `remember check` says what to do",)


def check_request(request: Request) -> None:
    """Raises RefusedInput for an empty query, a limit out of bounds or an unknown order."""
    if not request.query.strip():
        raise RefusedInput("the query is empty", "say what to look for")
    if not 1 <= request.limit <= LIMIT_MOST:
        raise RefusedInput(f"the limit {request.limit} is not between 1 and {LIMIT_MOST}", "give --limit between them")
    if request.sort not in SORTS:
        raise RefusedInput(f"there is no order {request.sort}", "orders are " + ", ".join(SORTS))


def search_memos(
    around: Surroundings, request: Request, filters: Filters, refresh: bool = True, progress: Progress | None = None
) -> SearchResult:
    """Search the selected stores; hits whose file has vanished since the refresh are left out."""
    from remember.index.search import search

    began = time.perf_counter()
    check_request(request)
    selection = around.selection("read")

    def ask(indexes: list[Index]) -> SearchResult:
        found = search(indexes, request, filters)
        by_name = {index.ref.name: index.ref for index in indexes}
        hits = tuple(hit for hit in found.hits if is_there(by_name[hit.memo.store], hit.memo))
        total = found.total - (len(found.hits) - len(hits))
        elapsed = round((time.perf_counter() - began) * 1000, 1)
        warnings = spoken_warnings(selection, indexes) + _broken([hit.memo for hit in hits])
        return SearchResult(request.query, hits, total, total > len(hits), warnings, store_infos(indexes), elapsed, selection.remarks)

    return with_indexes(selection.refs, around.config.cache_dir, ask, refresh, progress)


def list_memos(
    around: Surroundings,
    filters: Filters,
    limit: int | None = None,
    sort: str = "modified",
    refresh: bool = True,
    progress: Progress | None = None,
) -> Catalogue:
    """All memos of the selected stores that the filters let through, newest first over all stores."""
    if limit is not None and limit < 1:
        raise RefusedInput(f"the limit {limit} is less than 1", "give a --limit of 1 or more, or none")
    if sort not in SORTS[1:]:
        raise RefusedInput(f"there is no order {sort}", "orders are " + ", ".join(SORTS[1:]))
    selection = around.selection("read")

    def ask(indexes: list[Index]) -> Catalogue:
        memos = [memo for index in indexes for memo in index.all(filters, NEWEST_FIRST, limit)]
        memos.sort(key=_order(sort))
        total = len(memos) if limit is None else sum(index.count_filtered(filters) for index in indexes)
        shown = tuple(memos if limit is None else memos[:limit])
        warnings = spoken_warnings(selection, indexes) + _broken(shown)
        return Catalogue(shown, total, total > len(shown), warnings, store_infos(indexes), selection.remarks)

    if sort != "modified" and limit is not None:
        everything = list_memos(around, filters, None, sort, refresh, progress)
        cut = everything.memos[:limit]
        return everything._replace(memos=cut, truncated=len(cut) < everything.total)
    return with_indexes(selection.refs, around.config.cache_dir, ask, refresh, progress)


def _order(sort: str) -> Callable[[Memo], tuple[object, ...]]:
    if sort == "path":
        return lambda m: (os.fsencode(m.path), m.line)
    if sort == "created":
        return lambda m: (-(m.created_ms or 0), os.fsencode(m.path), m.line)

    def newest(memo: Memo) -> tuple[object, ...]:
        changed = memo.created_ms if memo.modified_ms is None else memo.modified_ms
        return (-(changed or 0), -(memo.created_ms or 0), os.fsencode(memo.path), memo.line)

    return newest


def show_memo(around: Surroundings, address: str) -> Shown:
    """One memo whole, read from its file now. Raises NotFound, Ambiguous, UnsafePath."""
    from remember.change.address import find

    selection = around.selection("read")

    def ask(indexes: list[Index]) -> Shown:
        index, memo = find(indexes, address)
        warnings = (*selection.warnings, *_named(index))
        return read_whole(index, memo)._replace(warnings=warnings)

    return with_indexes(selection.refs, around.config.cache_dir, ask)


def read_whole(index: Index, memo: Memo) -> Shown:
    """A memo with its file's present text and revision. Raises NotFound where the file has vanished."""
    from remember.format import facts, notes
    from remember.format.spans import decode
    from remember.store.read import read_file

    limit = index.layout.rules.whole_limit
    read = read_file(index.ref.path, memo.path, index.layout.rules, limit)
    if read is None:
        raise NotFound(memo.path, hint="it has just vanished")
    text = decode(read.data)
    if index.ref.layout != "remember":
        return _read_foreign(index, memo, read, text)
    if memo.kind == "fact":
        found = [f for f in facts.parse(text).facts if (f.id == memo.id if memo.id else f.line == memo.line)]
        for fact in [f for f in found if f.line == memo.line] or found:
            return Shown(memo._replace(text=fact.text, line=fact.line), fact.text, facts.revision(text, fact), read.data, fact.line)
        raise NotFound(memo.place, hint="it has just been changed")
    if memo.kind == "text":
        return Shown(memo, text, notes.revision_of(read.data), read.data, 1)
    start, line = _body_of(index, text)
    return Shown(memo, text[start:], notes.revision_of(read.data), read.data, line)


def _read_foreign(index: Index, memo: Memo, read: FileBytes, text: str) -> Shown:
    """A memo of another layout: a note from the line on at which its layout sees the body, a fact as its line says it."""
    from remember.format.notes import revision_of

    entries = [e for e in index.layout.parse(memo.path, read.data, read.signature[1] // 1_000_000) if e.kind == memo.kind]
    if memo.kind == "fact":
        entries = [entry for entry in entries if entry.body == memo.text]
        entries = [entry for entry in entries if entry.line == memo.line] or entries
    if not entries:
        raise NotFound(memo.place, hint="it has just been changed")
    entry = entries[0]
    if memo.kind == "fact":
        shown = memo._replace(line=entry.line)
        return Shown(shown, entry.body, revision_of(entry.body.encode("utf-8", "surrogatepass")), read.data, entry.line)
    start = 0
    for _ in range(entry.body_line - 1 if memo.kind == "note" else 0):
        start = text.find("\n", start) + 1
    return Shown(memo, text[start:], revision_of(read.data), read.data, entry.body_line)


def _body_of(index: Index, text: str) -> tuple[int, int]:
    """Where a note's body begins: (offset, 1-based line)."""
    from remember.format import frontmatter

    header = frontmatter.read(text)
    if header.broken:
        return 0, 1
    return header.body_start, header.body_line
