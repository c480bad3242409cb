"""What is there: status of stores and of their indexes, for people and programs; makes and migrates nothing."""

from __future__ import annotations

import os

from remember.errors import RememberError
from remember.index.catalogue import drop, rebuild
from remember.index.database import cache_path
from remember.index.session import with_indexes
from remember.memory.context import check_format, format_version, recovery_dir
from remember.scope import registry
from remember.scope.discover import global_store, is_store, local_store
from remember.scope.select import named_store

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from remember.index.catalogue import Index
    from remember.memory.context import Surroundings
    from remember.model import StoreRef

    Document = dict[str, object]
    Progress = Callable[[int, int], None]

__all__ = ["drop_indexes", "index_paths", "index_states", "rebuild_indexes", "store_states"]


def _meant(around: Surroundings) -> list[StoreRef]:
    """The stores that status speaks of, initialised or not."""
    if around.stores:
        return [named_store(around.config, around.cwd, around.root, name) for name in around.stores]
    refs = []
    trusted = registry.trusted(around.config.config_dir)
    if around.scope != "global":
        refs.append(local_store(around.root, around.cwd, around.config, trusted))
    if around.scope != "local":
        refs.append(global_store(around.config))
    if around.everything:
        names = registry.names(around.config.config_dir)
        refs += [named_store(around.config, around.cwd, around.root, name) for name in names]
    return refs


def store_states(around: Surroundings) -> list[Document]:
    """One document a store: place, rule that chose it, counts, sizes, recoveries, format, index; errors are said, not raised."""
    return [_store_state(around, ref) for ref in _meant(around)]


def _store_state(around: Surroundings, ref: StoreRef) -> Document:
    native = ref.layout == "remember"
    initialised = is_store(ref.path) if native else os.path.exists(ref.place)
    document: Document = {
        "store": ref.name,
        "scope": ref.scope,
        "path": ref.place,
        "root": ref.root,
        "layout": ref.layout,
        "chosen_by": ref.why,
        "trusted": ref.trusted,
        "initialised": initialised,
        "format_version": None,
        "memos": None,
        "bytes": None,
        "recovery": {"path": recovery_dir(around.config, ref), "records": 0, "foreign": 0},
        "index": _index_file(around, ref),
        "error": None,
    }
    if not initialised:
        return document
    try:
        if native:
            document["format_version"] = format_version(ref)
            check_format(ref)
        if os.path.realpath(ref.path) != ref.path and not ref.trusted:
            document["error"] = "it is reached through a link and not trusted, so it is not read"
            return document
        document.update(with_indexes([ref], around.config.cache_dir, lambda indexes: _counts(indexes[0])))
        document["recovery"] = _recoveries(around, ref)
    except RememberError as error:
        document["error"] = error.message
    return document


def _counts(index: Index) -> Document:
    rows = index.connection.execute("SELECT kind, count(*), sum(broken IS NOT NULL) FROM memo GROUP BY kind").fetchall()
    kinds = {kind: count for kind, count, _ in rows}
    size, files, unreadable = index.connection.execute(
        "SELECT coalesce(sum(size), 0), count(*), coalesce(sum(unreadable), 0) FROM file"
    ).fetchone()
    return {
        "memos": {
            "facts": kinds.get("fact", 0),
            "notes": kinds.get("note", 0),
            "texts": kinds.get("text", 0),
            "broken": sum(broken for _, _, broken in rows),
        },
        "files": files,
        "bytes": size,
        "unreadable": unreadable,
        "warnings": list(index.freshness.warnings),
    }


def _recoveries(around: Surroundings, ref: StoreRef) -> Document:
    from remember.store.journal import Journal

    path = recovery_dir(around.config, ref)
    try:
        with Journal(ref.path, path) as journal:
            listing = journal.listing()
    except FileNotFoundError:
        return {"path": path, "records": 0, "foreign": 0}
    return {"path": path, "records": len(listing.records), "foreign": len(listing.foreign)}


def _index_file(around: Surroundings, ref: StoreRef) -> Document:
    path = cache_path(around.config.cache_dir, ref.place)
    try:
        size = os.lstat(path).st_size
    except OSError:
        size = 0
    return {"path": path, "bytes": size, "present": os.path.lexists(path)}


def index_states(around: Surroundings, refresh: bool = True) -> list[Document]:
    """One document an index: where it is, what it holds, and how many files were taken in for this answer."""
    selection = around.selection()

    def ask(indexes: list[Index]) -> list[Document]:
        return [_index_state(index) for index in indexes]

    return with_indexes(selection.refs, around.config.cache_dir, ask, refresh)


def _index_state(index: Index) -> Document:
    one = index.connection.execute
    return {
        "store": index.ref.name,
        "path": index.database.path,
        "in_memory": index.database.path is None,
        "files": one("SELECT count(*) FROM file").fetchone()[0],
        "memos": index.count(),
        "bytes": os.path.getsize(index.database.path) if index.database.path else 0,
        "refreshed": index.freshness.changed,
        "removed": index.freshness.removed,
        "unreadable": index.freshness.unreadable,
        "warnings": list(index.freshness.warnings),
    }


def index_paths(around: Surroundings) -> list[tuple[str, str]]:
    """(store, path of its index) for each selected store, whether the index is there or not."""
    return [(ref.name, cache_path(around.config.cache_dir, ref.place)) for ref in around.selection().refs]


def rebuild_indexes(around: Surroundings, progress: Progress | None = None) -> list[Document]:
    """Build the selected stores' indexes anew. Raises CacheError where one cannot be kept."""
    rows: list[Document] = []
    for ref in around.selection().refs:
        files, warnings = rebuild(ref, around.config.cache_dir, progress)
        rows.append({"store": ref.name, "path": cache_path(around.config.cache_dir, ref.place), "files": files, "warnings": warnings})
    return rows


def drop_indexes(around: Surroundings, everything: bool = False) -> list[str]:
    """Delete the selected stores' indexes, or every file of ours in the cache directory; the paths that are gone."""
    folder = around.config.cache_dir
    if not everything:
        refs = around.selection().refs
        return [cache_path(folder, ref.place) for ref in refs if drop(ref, folder)]
    gone = []
    try:
        names = sorted(os.listdir(folder))
    except FileNotFoundError:
        return []
    for name in names:
        stem = name.split(".", 1)[0]
        if len(stem) == 32 and set(stem) <= set("0123456789abcdef") and ".sqlite" in name:
            os.unlink(os.path.join(folder, name))
            if name.endswith(".sqlite"):
                gone.append(os.path.join(folder, name))
    return gone
