"""Writes what an import brings, all of it as one change with one record; or only says what it would write."""

from __future__ import annotations

from remember._named import NamedTuple
from remember.change.add import new_id, pieces
from remember.change.lines import append_items
from remember.change.target import FACTS, writer
from remember.exchange.arrival import arrange
from remember.exchange.known import Known
from remember.format import facts as grammar
from remember.format import notes
from remember.format.spans import decode, encode
from remember.format.times import fact_stamp
from remember.store.commit import FileEdit, Plan, file_item

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from remember.change.target import Target, Terms
    from remember.exchange.arrival import Arrival
    from remember.exchange.item import Broken, Item, Outcome
    from remember.store.commit import View

__all__ = ["Imported", "bring", "preview"]


class Imported(NamedTuple):
    """What became of everything, in the order of the source, and the record that undoes it (None where nothing was written)."""

    outcomes: tuple[Outcome, ...]
    recovery_id: str | None


def preview(target: Target | None, view: View | None, found: Sequence[Item | Broken], terms: Terms, others: Sequence[Target]) -> Imported:
    """What `bring` would do now, without IDs; `target` and `view` are None for a store that is not made yet."""
    return Imported(tuple(_arranged(target, view, found, terms, others).outcomes), None)


def bring(target: Target, found: Sequence[Item | Broken], terms: Terms, summary: str, others: Sequence[Target] = ()) -> Imported:
    """Store what is new; `others` are the other scopes at hand, whose IDs are not used.

    Raises Locked, ChangedOutside, PathTaken, StoreError; nothing of it is stored then.
    """

    def plan(view: View) -> Plan:
        target.index.refresh()
        return _plan(view, _arranged(target, view, found, terms, others), target, terms, summary, others)

    with writer(target, terms) as store:
        made = store.commit(plan, "import", addition=True)
    outcomes: list[Outcome] = made.result  # type: ignore[assignment]
    return Imported(tuple(outcomes), made.recovery_id)


def _arranged(target: Target | None, view: View | None, found: Sequence[Item | Broken], terms: Terms, others: Sequence[Target]) -> Arrival:
    known = Known(target.index.all() if target is not None else (), view)
    targets = [t for t in (target, *others) if t is not None]

    def exists(path: str) -> bool:
        return view is not None and view.exists(path)

    def taken(memo_id: str) -> bool:
        return any(t.index.has_id(memo_id) for t in targets)

    return arrange(found, known, exists, taken, terms.now_ms, terms.allow_secret)


def _plan(view: View, arrival: Arrival, target: Target, terms: Terms, summary: str, others: Sequence[Target]) -> Plan:
    outcomes = list(arrival.outcomes)
    edits: list[FileEdit] = []
    facts: list[tuple[str, str, str]] = []
    drawn = {str(new.item.id) for new in arrival.new.values() if new.keeps_id}
    for at, new in arrival.new.items():
        item = new.item
        memo_id = str(item.id) if new.keeps_id else new_id(target, others, terms, drawn)
        drawn.add(memo_id)
        outcomes[at] = outcomes[at]._replace(id=memo_id)
        created = terms.now_ms if item.created_ms is None else item.created_ms
        if item.kind == "fact":
            facts.append((memo_id, fact_stamp(created), item.title))
        else:
            edits.append(FileEdit(new.path, _note(item, memo_id, created), 0o600))
    items = tuple(file_item(view, edit) for edit in edits)
    if facts:
        present = view.read(FACTS)
        text = decode(present or b"")
        blocks = zip(pieces(grammar.append(text, facts).text, facts), facts, strict=True)
        data, lines = append_items(FACTS, text, [(block, fact[0]) for block, fact in blocks], made=present is None)
        return Plan((*edits, FileEdit(FACTS, data)), (*items, *lines), outcomes, summary)
    return Plan(tuple(edits), items, outcomes, summary)


def _note(item: Item, memo_id: str, created_ms: int) -> bytes:
    data = encode(notes.render(item.title, memo_id, created_ms, "" if item.own else item.body, "\n", item.modified_ms))
    return data[:-1] + encode(item.body) if item.own else data
