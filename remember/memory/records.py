"""Recovery records for people and programs: listed, shown as a diff, pruned."""

from __future__ import annotations

from remember.errors import RefusedInput
from remember.format.times import show
from remember.memory.changing import with_targets, with_terms
from remember.memory.context import local_offset, now_ms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from remember.change.target import Target
    from remember.memory.context import Surroundings
    from remember.store.records import Record

    Document = dict[str, object]

__all__ = ["list_records", "prune_records", "record_document", "show_record"]


def record_document(store: str, record: Record) -> Document:
    """A record without the bytes it holds."""
    return {
        "recovery_id": record.id,
        "store": store,
        "action": record.action,
        "created": show(record.created_ms),
        "summary": record.summary,
        "state": record.state,
        "paths": list(dict.fromkeys(getattr(item, "path", None) or getattr(item, "new", "") for item in record.changes)),
    }


def list_records(around: Surroundings, limit: int | None = None) -> Document:
    """All records of the stores, newest first, with what lies beside them and is not ours, or cannot be read."""
    from remember.change.history import listing

    selection = around.selection()

    def ask(targets: list[Target]) -> Document:
        found = [(target.ref.name, listing(target)) for target in targets]
        records = [(name, record) for name, rows in found for record in rows.records]
        records.sort(key=lambda pair: pair[1].id, reverse=True)
        return {
            "records": [record_document(name, record) for name, record in records[:limit]],
            "total": len(records),
            "foreign": [{"store": name, "file": file} for name, rows in found for file in rows.foreign],
            "unreadable": [{"store": name, "file": file, "reason": why} for name, rows in found for file, why in rows.unreadable],
            "warnings": list(selection.warnings),
        }

    return with_targets(around, selection.refs, ask)


def show_record(around: Surroundings, recovery_id: str) -> Document:
    """A record with its change as a unified diff. Raises NotFound, DamagedStore."""
    from remember.change.history import diff, find

    def ask(targets: list[Target]) -> Document:
        target, record = find(targets, recovery_id)
        text = diff(record).encode("utf-8", "surrogateescape").decode("utf-8", "replace")
        return {**record_document(target.ref.name, record), "diff": text}

    return with_targets(around, around.selection().refs, ask)


def prune_records(around: Surroundings, ids: Sequence[str], older_than: str | None, timeout_s: float) -> list[str]:
    """Drop records by ID, or those made before an age or a day; the IDs that are gone. Raises RefusedInput, NotFound."""
    from remember.change.history import find, prune
    from remember.format.times import since

    if bool(ids) == (older_than is not None):
        raise RefusedInput("it is not said which records to drop", "give their IDs, or --older-than 90d")
    before = since(older_than, now_ms(), local_offset) if older_than else None
    terms = with_terms(timeout_s)

    def ask(targets: list[Target]) -> list[str]:
        if before is not None:
            return [gone for target in targets for gone in prune(target, terms, (), before)]
        owners = [find(targets, recovery_id)[0] for recovery_id in ids]
        gone: list[str] = []
        for target in dict.fromkeys(owners):
            gone += prune(target, terms, [i for i, owner in zip(ids, owners, strict=True) if owner is target])
        return gone

    return with_targets(around, around.selection().refs, ask)
