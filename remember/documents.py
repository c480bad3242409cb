"""Values as the JSON documents that commands print and tools return; schema/*.schema.json is their contract."""

from __future__ import annotations

from remember.format.times import show

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from remember.context.snapshot import Snapshot
    from remember.errors import RememberError
    from remember.exchange.agents import Found
    from remember.exchange.item import ExportResult, ImportResult
    from remember.model import Catalogue, Change, Hit, Memo, SearchResult, StoreInfo

    Document = dict[str, object]

__all__ = [
    "catalogue_document",
    "change_document",
    "context_document",
    "discovery_document",
    "error_document",
    "export_document",
    "hit_document",
    "import_document",
    "memo_document",
    "search_document",
    "store_document",
]


def memo_document(memo: Memo) -> Document:
    """A memo; `broken`, `stale` and `path_bytes` (base64, for a path that is not UTF-8) stand in it only where they apply."""
    document: Document = {
        "scope": memo.scope,
        "store": memo.store,
        "kind": memo.kind,
        "id": memo.id,
        "path": memo.path,
        "line": memo.line,
        "description": memo.description,
        "text": memo.text,
        "tags": list(memo.tags),
        "created": _instant(memo.created_ms),
        "modified": _instant(memo.modified_ms),
    }
    try:
        memo.path.encode("utf-8")
    except UnicodeEncodeError:
        from base64 import b64encode

        data = memo.path.encode("utf-8", "surrogateescape")
        document["path"] = data.decode("utf-8", "backslashreplace")
        document["path_bytes"] = b64encode(data).decode()
    if memo.broken:
        document["broken"] = memo.broken
    if memo.stale:
        document["stale"] = True
    return document


def _instant(ms: int | None) -> str | None:
    return None if ms is None else show(ms)


def hit_document(hit: Hit) -> Document:
    """A memo with its rank, score and snippet; `explanation` only where it was asked for."""
    document: Document = {"rank": hit.rank, "score": hit.score, **memo_document(hit.memo)}
    document["snippet"] = hit.snippet
    document["snippet_line"] = hit.snippet_line
    document["highlights"] = [list(span) for span in hit.highlights]
    document["more_lines"] = hit.more_lines
    document["missing"] = list(hit.missing)
    if hit.conflict_copies:
        document["conflict_copies"] = list(hit.conflict_copies)
    if hit.conflict_copy_of is not None:
        document["conflict_copy_of"] = hit.conflict_copy_of
    if hit.explanation:
        document["explanation"] = [{"part": part, "amount": amount} for part, amount in hit.explanation]
    return document


def store_document(store: StoreInfo) -> Document:
    """A store that answered."""
    return {"store": store.store, "memos": store.memos, "refreshed": store.refreshed}


def _stores(stores: tuple[StoreInfo, ...]) -> list[Document]:
    return [store_document(store) for store in stores]


def search_document(result: SearchResult) -> Document:
    """The answer to a query."""
    return {
        "query": result.query,
        "hits": [hit_document(hit) for hit in result.hits],
        "total": result.total,
        "truncated": result.truncated,
        "warnings": [*result.warnings, *result.remarks],
        "stores": _stores(result.stores),
        "elapsed_ms": result.elapsed_ms,
    }


def catalogue_document(catalogue: Catalogue) -> Document:
    """A list of memos."""
    return {
        "memos": [memo_document(memo) for memo in catalogue.memos],
        "total": catalogue.total,
        "truncated": catalogue.truncated,
        "warnings": [*catalogue.warnings, *catalogue.remarks],
        "stores": _stores(catalogue.stores),
    }


def change_document(change: Change) -> Document:
    """What a changing command did."""
    return {
        "changed": change.changed,
        "id": change.id,
        "kind": change.kind,
        "scope": change.scope,
        "store": change.store,
        "path": change.path,
        "line": change.line,
        "recovery_id": change.recovery_id,
        "revision": change.revision,
        "duplicate_of": change.duplicate_of,
        "warnings": list(change.warnings),
    }


def context_document(snapshot: Snapshot, inject: bool, warnings: Sequence[str]) -> Document:
    """A session's snapshot with the state of each scope; `omitted` names what was left out, by ID or place."""
    return {
        "inject": inject,
        "text": snapshot.text,
        "chars": len(snapshot.text),
        "scopes": [
            {
                "scope": section.scope.name,
                "path": section.scope.path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace"),
                "state": section.state,
                "reason": section.reason,
                "budget_chars": section.scope.budget_chars,
                "chars": section.chars,
                "shown": section.shown,
                "total": section.total,
                "omitted": list(section.omitted),
            }
            for section in snapshot.sections
        ],
        "warnings": list(warnings),
    }


def import_document(result: ImportResult) -> Document:
    """What an import did, item by item."""
    counts: Document = {"imported": result.count("imported")}
    counts |= {f"{kind}s": result.count("imported", kind) for kind in ("fact", "note")}
    counts |= {"duplicates": result.count("duplicate"), "refused": result.count("refused"), "skipped": result.count("skipped")}
    return {
        "format": result.format,
        "source": _plain(result.source),
        "store": result.store,
        "scope": result.scope,
        "dry_run": result.dry_run,
        "recovery_id": result.recovery_id,
        "counts": counts,
        "items": [
            {
                "outcome": item.outcome,
                "source": _plain(item.source),
                "kind": item.kind or None,
                "title": _plain(item.title),
                "path": None if item.path is None else _plain(item.path),
                "id": item.id,
                "duplicate_of": item.reason if item.outcome == "duplicate" else None,
                "reason": "" if item.outcome == "duplicate" else item.reason,
            }
            for item in result.outcomes
        ],
    }


def export_document(result: ExportResult) -> Document:
    """What an export wrote, and what it could not hold whole."""
    return {
        "format": result.format,
        "path": _plain(result.path),
        "memos": result.memos,
        "files": result.files,
        "left_out": [
            {"id": one.memo.id, "place": _plain(one.memo.place), "store": one.memo.store, "reason": one.reason} for one in result.lost
        ],
        "warnings": list(result.warnings),
    }


def discovery_document(root: str, found: Sequence[tuple[Found, str | None, str]], registered: Sequence[str]) -> Document:
    """Memory of other programs: each with the name it is registered by already, and the command that takes it in."""
    return {
        "root": _plain(root),
        "found": [
            {
                "agent": one.agent,
                "path": _plain(one.path),
                "layout": one.layout or None,
                "format": one.format,
                "name": one.name,
                "registered": known,
                "command": _plain(command),
                "warnings": [_plain(warning) for warning in one.warnings],
            }
            for one, known, command in found
        ],
        "registered": list(registered),
    }


def _plain(text: str) -> str:
    """Text that may hold bytes which are no UTF-8, those as `\\xNN`."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def error_document(error: RememberError) -> Mapping[str, Document]:
    """An error, as it is printed on standard error with --json."""
    return {"error": {"code": error.code, "message": error.message, "hint": error.hint}}
