"""Undoes a change, applies it again, or restores one of long ago; the record itself says in which state it is."""

from __future__ import annotations

from contextlib import ExitStack

from remember._named import NamedTuple
from remember.change.inverse import IN_THE_WAY
from remember.change.reversal import reversal
from remember.change.target import Target, Terms, writer
from remember.errors import ChangedOutside, Conflict, NotFound, PathTaken, RememberError
from remember.files.atomic import NotDurable
from remember.store.commit import TRIES
from remember.store.journal import Journal, moment
from remember.store.records import DONE, REDOING, UNDOING, UNDONE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from remember.change.reversal import Reversal
    from remember.model import Change
    from remember.store.commit import View, Writer
    from remember.store.records import Record

__all__ = ["OtherHalfMissing", "Turned", "redo", "restore", "undo"]


class OtherHalfMissing(Conflict):
    """A move whose other record, `partner`, is in none of the stores of the call."""

    def __init__(self, record_id: str, partner: str) -> None:
        super().__init__(
            f"the other half of the move {record_id} is in none of the stores of this call",
            "repeat the command where that store is at hand; `remember history show` says what moved",
        )
        self.record_id, self.partner = record_id, partner


class Turned(NamedTuple):
    """A record that was undone or applied again: what it was, one Change for each of its items, and warnings."""

    recovery_id: str
    action: str
    summary: str
    state: str
    changes: tuple[Change, ...]
    warnings: tuple[str, ...] = ()


class _Half(NamedTuple):
    """A record in an open, locked store."""

    target: Target
    store: Writer
    record: Record


def undo(targets: Sequence[Target], terms: Terms) -> Turned:
    """Undo the newest change of these stores that is not undone; one that never happened is passed over.

    What was applied again counts as made then, so that undo after redo is no change. Raises NotFound where nothing is left to undo, and
    what `restore` raises; the record is then kept.
    """
    warnings: list[str] = []
    for target, record in _newest_first(targets, warnings):
        if record.state != UNDONE and record.action != "keep":
            try:
                turned = _turn(target, record, False, targets, terms, passing=True, picked=True)
            except _Overtaken:
                continue  # another undo took it while we waited for the lock: the next one is ours
            if turned is not None:
                return turned._replace(warnings=tuple(warnings))
            warnings.append(f"{record.id} ({record.action}) is passed over: what it says is not, or no longer, in the files")
    raise NotFound("change to undo", hint="; ".join(warnings) or "see `remember history`", said="there is no ")


def redo(targets: Sequence[Target], terms: Terms) -> Turned:
    """Apply the change again that was undone last. Raises NotFound where none is, and what `restore` raises."""
    while True:
        warnings: list[str] = []
        undone = [(t, r) for t, r in _newest_first(targets, warnings) if r.state in (UNDONE, REDOING)]
        if not undone:
            raise NotFound("undone change to apply again", hint="; ".join(warnings) or "see `remember history`", said="there is no ")
        undone.sort(key=lambda pair: pair[1].id)
        target, record = max(undone, key=lambda pair: (pair[1].state == REDOING, pair[1].turned_ms or 0))
        try:
            turned = _turn(target, record, True, targets, terms, picked=True)
        except _Overtaken:
            continue
        assert turned is not None
        return turned._replace(warnings=tuple(warnings))


def restore(targets: Sequence[Target], recovery_id: str, terms: Terms) -> Turned:
    """Undo exactly that change, whenever it was made.

    Raises NotFound for an unknown ID, Conflict for one in two stores or already undone, ChangedOutside where the memo is not
    what the change left, PathTaken where its path is in use. The record is kept in all these cases.
    """
    found = []
    for target in targets:
        try:
            with Journal(target.ref.path, target.recovery) as journal:
                found.append((target, journal.load(recovery_id)))
        except NotFound:
            continue
    if not found:
        raise NotFound(f"recovery record {recovery_id}", hint="see `remember history`", said="there is no ")
    if len(found) > 1:
        raise Conflict(f"{recovery_id} is a record of {len(found)} stores", "name one with --scope or --store")
    target, record = found[0]
    turned = _turn(target, record, False, targets, terms)
    assert turned is not None
    return turned


def _newest_first(targets: Sequence[Target], warnings: list[str]) -> Iterator[tuple[Target, Record]]:
    """The records of all stores, each read when its turn comes; what cannot be read is a warning.

    The newest first: what was made, undone or applied again last.
    """
    names = []
    for target in targets:
        with Journal(target.ref.path, target.recovery) as journal:
            turns = journal.turns()
            names += [(max(moment(name), turns.get(name, -1)), name, target) for name in journal.ids()]
    for _, name, target in sorted(names, key=lambda n: n[:2], reverse=True):
        try:
            with Journal(target.ref.path, target.recovery) as journal:
                record = journal.load(name)
        except NotFound:  # another program's record of the same form
            continue
        except RememberError as error:
            warnings.append(error.message)
            continue
        yield target, record


class _Overtaken(Exception):
    """The record that was picked as the newest was turned by somebody else before its lock was ours."""


def _turn(
    target: Target,
    record: Record,
    forward: bool,
    known: Sequence[Target],
    terms: Terms,
    passing: bool = False,
    picked: bool = False,
) -> Turned | None:
    """Undo or redo one record with its other half, under the locks; None where `passing` lets a change that never happened go.

    `picked` says that nobody named it, so that another may be taken in its place.
    """
    chosen = {target.ref.path: (target, record.id)}
    partner = _partner(record.partner, target, known) if record.partner else None
    if partner is not None and record.partner is not None:
        chosen[partner.ref.path] = (partner, record.partner)
    with ExitStack() as stack:
        stores = {path: stack.enter_context(writer(chosen[path][0], terms)) for path in sorted(chosen)}
        halves = [_Half(t, stores[path], stores[path].journal.load(name)) for path, (t, name) in chosen.items()]
        if record.partner is not None and partner is None:
            _without_partner(halves[0], record.partner, forward, passing)
            return None
        if picked and {half.record.state for half in halves} == {DONE if forward else UNDONE}:
            raise _Overtaken
        _check_states([half.record for half in halves], forward)
        # The half that takes something away goes first: a kill between the two leaves a record, never a doubled memo.
        halves.sort(key=lambda half: half.record.action.endswith("out") != forward)
        return _Turning(halves, forward, terms).run(passing, "" if picked else record.id)


def _partner(name: str, target: Target, known: Sequence[Target]) -> Target | None:
    """The store at hand, other than the record's own, that has the other half of a move."""
    for other in known:
        if other.ref.path != target.ref.path:
            with Journal(other.ref.path, other.recovery) as journal:
                if name in journal.ids():
                    return other
    return None


def _without_partner(half: _Half, partner: str, forward: bool, passing: bool) -> None:
    """A move whose other record is not at hand: it never happened (killed before both were saved), or cannot be undone as one."""
    half.target.index.refresh()
    if passing and reversal(half.record, half.store.view(), half.target, forward).nothing:
        return
    raise OtherHalfMissing(half.record.id, partner)


def _check_states(records: Sequence[Record], forward: bool) -> None:
    """Refuse what is so already; of two halves, a kill may have left one in another state than the other."""
    record, states = records[0], {record.state for record in records}
    if record.action == "keep":
        raise Conflict(f"{record.id} keeps what somebody else saved; it undoes nothing", f"see `remember history show {record.id}`")
    if states == {UNDONE} and not forward:
        raise Conflict(f"{record.id} is undone already", "`remember redo` applies it again")
    if states == {DONE} and forward:
        raise Conflict(f"{record.id} is not undone", "`remember undo` undoes it")


class _Turning:
    """One undo or redo of the halves of a change whose stores are locked: marked, written, marked again."""

    def __init__(self, halves: list[_Half], forward: bool, terms: Terms) -> None:
        self.halves, self.forward, self.terms = halves, forward, terms
        self.under_way, self.end = (REDOING, DONE) if forward else (UNDOING, UNDONE)
        self.begun = any(half.record.state == self.under_way for half in halves)
        self.marked: list[_Half] = []
        self.late: NotDurable | None = None

    def run(self, passing: bool, named: str) -> Turned | None:
        """Raises what cannot be undone; None where nothing of it stands and `passing` lets it go.

        `named` is the record that was asked for, "" where nobody did.
        """
        first = self.halves[0].record
        for attempt in range(1, TRIES + 1):
            views, plans = self._plans()
            if all(plan.nothing for plan in plans) and not self.begun:
                self._unmark()
                if passing:
                    return None
                if not self.forward and _only_added(first):
                    raise ChangedOutside(f"what {first.id} added", IN_THE_WAY, "is not there any more")
            self._mark()
            try:
                self._write(views, plans)
            except (ChangedOutside, PathTaken) as error:
                if attempt == TRIES or getattr(error, "half_done", False):
                    self._unmark(error)
                    raise
                continue
            except BaseException as error:
                self._unmark(error)
                raise
            break
        for half in self.marked:
            half.store.journal.mark(half.record, self.end, self.terms.now_ms)
        if self.late is not None:
            raise self.late
        # Of a move the half that `move` named, or the one that was asked for.
        record = next((half.record for half in self.halves if half.record.id == named), self.halves[0 if self.forward else -1].record)
        return Turned(record.id, record.action, record.summary, self.end, tuple(change for plan in plans for change in plan.changes))

    def _plans(self) -> tuple[list[View], list[Reversal]]:
        for half in self.halves:
            half.target.index.refresh()
        views = [half.store.view() for half in self.halves]
        try:
            return views, [reversal(h.record, view, h.target, self.forward) for h, view in zip(self.halves, views, strict=True)]
        except BaseException as error:
            self._unmark(error)
            raise

    def _mark(self) -> None:
        for half in self.halves[len(self.marked) :]:
            record = half.store.journal.mark(half.record, self.under_way, self.terms.now_ms)
            self.marked.append(half._replace(record=record))

    def _write(self, views: list[View], plans: list[Reversal]) -> None:
        for half, view, plan in zip(self.halves, views, plans, strict=True):
            try:
                half.store.write(view, plan.edits)
            except NotDurable as error:
                self.late = error
            self.begun = True

    def _unmark(self, error: BaseException | None = None) -> None:
        """Give the records the state back that they had before an undo that did not come to pass."""
        if self.begun or getattr(error, "half_done", False):
            return
        for now, before in zip(self.marked, self.halves, strict=False):
            try:
                before.store.journal.replace(now.record, before.record)
            except RememberError:
                # `undoing` with nothing undone: the next undo looks at the files, not at the mark.
                continue


def _only_added(record: Record) -> bool:
    return bool(record.changes) and all(not getattr(item, "before", True) for item in record.changes)
