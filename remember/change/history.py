"""The recovery records of a store: listed, shown as a diff, and pruned when nobody needs them any more."""

from __future__ import annotations

from remember.change.target import writer
from remember.errors import NotFound, RememberError
from remember.format.counts import counted
from remember.format.spans import decode
from remember.store.journal import Journal, Listing
from remember.store.records import Content, FileItem, KeptItem, LinesItem, RenameItem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from remember.change.target import Target, Terms
    from remember.store.records import Item, Record

__all__ = ["diff", "find", "listing", "prune"]


def listing(target: Target) -> Listing:
    """All records of a store, newest first, with foreign and unreadable files named. Raises IOFailure."""
    with Journal(target.ref.path, target.recovery) as journal:
        return journal.listing()


def find(targets: Sequence[Target], recovery_id: str) -> tuple[Target, Record]:
    """The record of that ID and the store it belongs to. Raises NotFound, DamagedStore."""
    for target in targets:
        try:
            with Journal(target.ref.path, target.recovery) as journal:
                return target, journal.load(recovery_id)
        except NotFound:
            continue
    raise NotFound(f"recovery record {recovery_id}", hint="see `remember history`", said="there is no ")


def diff(record: Record) -> str:
    """The change of a record as a unified diff, `-` before it and `+` after it."""
    return "".join(part for item in record.changes for part in _item(item))


def _item(item: Item) -> Iterable[str]:
    if isinstance(item, RenameItem):
        return [f"rename from {item.old}\nrename to {item.new}\n"]
    if isinstance(item, KeptItem):
        return _unified(f"{item.path} (saved by somebody else meanwhile)", b"", item.data)
    if isinstance(item, FileItem):
        return _unified(item.path, _data(item.before), _data(item.after), item.before is None, item.after is None)
    assert isinstance(item, LinesItem)
    around = (item.prev, item.next) if item.before.endswith(b"\n") or item.after.endswith(b"\n") else (b"", b"")
    return _unified(item.path, around[0] + item.before + around[1], around[0] + item.after + around[1])


def _data(content: Content | None) -> bytes:
    return b"" if content is None else content.data


def _unified(path: str, before: bytes, after: bytes, made: bool = False, gone: bool = False) -> Iterable[str]:
    from difflib import unified_diff

    old, new = (decode(data).splitlines(keepends=True) for data in (before, after))
    for line in unified_diff(old, new, "/dev/null" if made else f"a/{path}", "/dev/null" if gone else f"b/{path}"):
        yield line if line.endswith("\n") else line + "\n\\ No newline at end of file\n"


def prune(target: Target, terms: Terms, ids: Sequence[str] = (), older_than_ms: int | None = None) -> tuple[str, ...]:
    """Drop records by ID, or all of ours made before an instant; the IDs that are gone now.

    Records of other programs are never dropped. Raises NotFound for an ID that is none of ours (nothing is then dropped).
    """
    with writer(target, terms) as store:
        journal = store.journal
        chosen = [journal.load(name).id for name in ids]
        if older_than_ms is not None:
            chosen += [record.id for record in journal.listing().records if record.created_ms < older_than_ms]
        dropped: list[str] = []
        for name in dict.fromkeys(chosen):
            try:
                journal.drop(name)
            except RememberError as error:
                error.hint = f"gone already: {len(dropped)} of {counted(len(chosen), 'record')}; {error.hint}"
                raise
            dropped.append(name)
    return tuple(dropped)
