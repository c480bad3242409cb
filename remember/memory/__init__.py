"""`Memory`: the verbs about memos, one short method each; the door through which every face goes."""

from __future__ import annotations

from remember.memory.context import Surroundings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from remember.change.undo import Turned as Turned
    from remember.check.answer import Checked
    from remember.memory.relations import Relations, TagCount
    from remember.memory.snapshot import SessionContext
    from remember.model import Catalogue, Change, Memo, SearchResult, Shown

    Progress = Callable[[int, int], None]
    Document = dict[str, object]
    Documents = list[Document]
    Paths = list[tuple[str, str]]
    Names = list[str]

__all__ = ["Memory", "open_memory"]


class Memory:
    """The memory that is meant in a directory: the global store and the workspace's local one, or the stores named.

    Reading never writes into a store, but that a person's reading migrates a legacy one (`Surroundings.migrates`).
    Every method raises only errors of `remember.errors`.
    """

    def __init__(self, around: Surroundings) -> None:
        self.around = around

    def search(
        self,
        query: str,
        *,
        limit: int = 20,
        kind: str | None = None,
        tags: Sequence[str] = (),
        since: str | None = None,
        until: str | None = None,
        sort: str = "score",
        exact: bool = False,
        all_terms: bool = False,
        without: Sequence[str] = (),
        explain: bool = False,
        refresh: bool = True,
        progress: Progress | None = None,
    ) -> SearchResult:
        """Ranked hits for any text; `refresh=False` takes the index as it is. Raises RefusedInput for an empty query."""
        from remember.index.search import Request
        from remember.memory.reading import filters_of, search_memos

        request = Request(query, limit, sort, exact, all_terms, tuple(without), explain)
        return search_memos(self.around, request, filters_of(kind, tags, since, until), refresh, progress)

    def list(
        self,
        *,
        kind: str | None = None,
        tags: Sequence[str] = (),
        since: str | None = None,
        until: str | None = None,
        match: str | None = None,
        sort: str = "modified",
        limit: int | None = None,
        refresh: bool = True,
        progress: Progress | None = None,
    ) -> Catalogue:
        """The catalogue, newest first; `match` is a substring of a memo's line or metadata."""
        from remember.memory.reading import filters_of, list_memos

        return list_memos(self.around, filters_of(kind, tags, since, until, match), limit, sort, refresh, progress)

    def show(self, address: str) -> Shown:
        """One memo whole, by ID, unique beginning of an ID, path or place. Raises NotFound, Ambiguous, UnsafePath."""
        from remember.memory.reading import show_memo

        return show_memo(self.around, address)

    def add(self, *texts: str, allow_secret: bool = False, timeout_s: float = 10.0) -> tuple[Change, ...]:
        """Append facts, one recovery record for the call. Raises RefusedInput, SecretRefused, NotInitialised, Locked, StoreError."""
        from remember.memory.changing import add_facts, with_terms

        return add_facts(self.around, texts, with_terms(timeout_s, allow_secret))

    def note(
        self,
        description: str,
        body: str,
        *,
        slug: str | None = None,
        allow_secret: bool = False,
        allow_duplicate: bool = False,
        timeout_s: float = 10.0,
    ) -> Change:
        """Create a note. Raises Duplicate where the description is in use, and what `add` raises."""
        from remember.memory.changing import add_note, with_terms

        return add_note(self.around, description, body, slug, with_terms(timeout_s, allow_secret, allow_duplicate))

    def update(
        self,
        address: str,
        content: str | None = None,
        *,
        description: str | None = None,
        if_revision: str | None = None,
        allow_secret: bool = False,
        timeout_s: float = 10.0,
    ) -> Change:
        """Replace a fact's text, a note's body or its description. Raises NotFound, Ambiguous, ChangedOutside, and what `add` raises."""
        from remember.change.target import Wanted
        from remember.memory.changing import change_memo, with_terms

        return change_memo(self.around, address, Wanted(content, description, if_revision), with_terms(timeout_s, allow_secret))

    def forget(
        self,
        *named: str,
        by: str = "",
        agreed: Callable[[Sequence[Memo]], bool] | None = None,
        timeout_s: float = 10.0,
    ) -> tuple[tuple[Memo, ...], tuple[Change, ...] | None]:
        """Remove an ID, a place or what contains a text, if `agreed` says so of the memos (default: of one memo only).

        Several are a memo each, or the words of one text.
        `by` is `id` or `text` to force one of both; (memos, changes), the changes None where nothing was agreed.
        """
        from remember.memory.changing import forget_memos, with_terms

        return forget_memos(self.around, named, by, with_terms(timeout_s), agreed or (lambda memos: len(memos) == 1))

    def undo(self, *, timeout_s: float = 10.0) -> Turned:
        """Take back the newest change that is not undone. Raises NotFound where there is none, and what `restore` raises."""
        from remember.memory.changing import turn, with_terms

        return turn(self.around, "undo", None, with_terms(timeout_s))

    def redo(self, *, timeout_s: float = 10.0) -> Turned:
        """Apply again what was undone last."""
        from remember.memory.changing import turn, with_terms

        return turn(self.around, "redo", None, with_terms(timeout_s))

    def restore(self, recovery_id: str, *, timeout_s: float = 10.0) -> Turned:
        """Undo exactly that change. Raises NotFound, Conflict, ChangedOutside, PathTaken; the record is then kept."""
        from remember.memory.changing import turn, with_terms

        return turn(self.around, "restore", recovery_id, with_terms(timeout_s))

    def move(self, address: str, *, slug: str | None = None, to: str | None = None, timeout_s: float = 10.0) -> Change:
        """Give a note's file another slug, or move a memo to the other scope."""
        from remember.memory.changing import move_memo, with_terms

        return move_memo(self.around, address, slug, to, with_terms(timeout_s))

    def tags(self) -> tuple[TagCount, ...]:
        """Every tag with its count."""
        from remember.memory.relations import count_tags

        return count_tags(self.around)

    def links(self, address: str) -> Relations:
        """What a memo links to and what links to it."""
        from remember.memory.relations import find_links

        return find_links(self.around, address)

    def history(self, limit: int | None = None) -> Document:
        """The recovery records, newest first."""
        from remember.memory.records import list_records

        return list_records(self.around, limit)

    def history_show(self, recovery_id: str) -> Document:
        """One record with its change as a diff."""
        from remember.memory.records import show_record

        return show_record(self.around, recovery_id)

    def history_prune(self, ids: Sequence[str] = (), *, older_than: str | None = None, timeout_s: float = 10.0) -> Names:
        """Drop records by ID or age; the IDs that are gone."""
        from remember.memory.records import prune_records

        return prune_records(self.around, ids, older_than, timeout_s)

    def status(self) -> Documents:
        """One document a store: place, counts, sizes, format, recovery records, index; nothing is made or migrated."""
        from remember.memory.state import store_states

        return store_states(self.around)

    def check(
        self,
        *,
        quick: bool = False,
        files_only: bool = False,
        secrets: bool = False,
        select: Sequence[str] = (),
        ignore: Sequence[str] = (),
        severity: str = "info",
        repair: bool = False,
        dry_run: bool = False,
        timeout_s: float = 10.0,
        progress: Progress | None = None,
    ) -> Checked:
        """Where files and index, or the files among themselves, disagree; with `repair` what is left after it."""
        from remember.memory.checking import Asked, check_stores

        asked = Asked(quick, files_only, secrets, tuple(select), tuple(ignore), severity, repair, dry_run, timeout_s)
        return check_stores(self.around, asked, progress)

    def context(self, cap_chars: int | None = None, client: str | None = None) -> SessionContext:
        """The session snapshot, at most `cap_chars` or what `client` takes; makes and migrates nothing."""
        from remember.memory.snapshot import session_context

        return session_context(self.around, cap_chars, client)

    def manifest_write(self, file: str = "-", force: bool = False) -> tuple[str, str | None, int]:
        """Checksums of every memory file of one store, as (text, file written, number of files)."""
        from remember.memory.checking import manifest_write

        return manifest_write(self.around, file, force)

    def manifest_verify(self, file: str) -> Documents:
        """How the store differs from a manifest; [] for not at all."""
        from remember.memory.checking import manifest_verify

        return manifest_verify(self.around, file)

    def migrate(self, *, dry_run: bool = False, timeout_s: float = 10.0) -> Documents:
        """Bring the selected native stores to the present format; a document each. Raises FormatError with nothing changed, Locked."""
        from remember.memory.migrating import migrate_stores

        return migrate_stores(self.around, dry_run, timeout_s)

    def migrate_rollback(self, backup: str, *, timeout_s: float = 10.0) -> Document:
        """Bring back the files of a migration's backup set. Raises NotFound, Conflict where something changed since."""
        from remember.memory.migrating import roll_back_store

        return roll_back_store(self.around, backup, timeout_s)

    def index_status(self) -> Documents:
        """One document an index, brought up to date first."""
        from remember.memory.state import index_states

        return index_states(self.around)

    def index_rebuild(self, progress: Progress | None = None) -> Documents:
        """Build the indexes anew. Raises CacheError where one cannot be kept."""
        from remember.memory.state import rebuild_indexes

        return rebuild_indexes(self.around, progress)

    def index_paths(self) -> Paths:
        """(store, path of its index) for each store."""
        from remember.memory.state import index_paths

        return index_paths(self.around)

    def index_drop(self, everything: bool = False) -> Names:
        """Delete the indexes; the paths that are gone."""
        from remember.memory.state import drop_indexes

        return drop_indexes(self.around, everything)


def open_memory(
    root: str | None = None,
    store: str | None = None,
    scope: str | None = None,
    *,
    environ: Mapping[str, str] | None = None,
    cwd: str | None = None,
) -> Memory:
    """The memory meant by a workspace root, or by one store (a registered name, a directory, a file of bullets); writes nothing.

    `scope` is `local`, `global` or `both`; None means both, with the global store alone where there is no local one.
    """
    import os

    stores: tuple[str, ...] = ()
    if store is not None:
        # A directory, or a file of bullets, is taken as one even where its path holds no slash.
        stores = (store if os.sep in store or not (os.path.isdir(store) or store.endswith(".md")) else os.path.join(os.curdir, store),)
    return Memory(Surroundings(root, scope, stores, False, environ, cwd))
