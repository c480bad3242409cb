"""Changes memory files: under the lock, on fresh bytes, the recovery record first, each file against what was read."""

from __future__ import annotations

import os

from remember._named import NamedTuple
from remember.errors import ChangedOutside, IOFailure, PathTaken, RememberError, UnsafePath
from remember.files.atomic import NotDurable, exchange, publish_new, remove
from remember.files.safe import Place
from remember.files.swap import rename_new
from remember.store.journal import Journal
from remember.store.lock import locked
from remember.store.records import DONE, Content, KeptItem, Record
from remember.store.view import FileEdit, View, file_item

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from remember.store.records import Item

__all__ = ["TRIES", "Committed", "FileEdit", "Plan", "View", "Writer", "commit", "file_item"]

TRIES = 4
"""A plan is made once and, where somebody else wrote meanwhile, three times more."""


class Plan(NamedTuple):
    """What a change wants: edits in the order in which they are written, the record's items, and the caller's result.

    No edits means that nothing changes and no record is saved.
    """

    edits: tuple[FileEdit, ...]
    items: tuple[Item, ...]
    result: object
    summary: str = ""


class Committed(NamedTuple):
    """The plan's result, and the ID of the record that was saved (None where nothing changed)."""

    result: object
    recovery_id: str | None


class Writer:
    """The lock on one store with what is needed to change it, for a `with` block.

    `recovery` is the folder of its records; `now_ms` and `bits` (a number of random bits) name new ones.
    Raises Locked after `timeout_s`, UnsafePath where the store's path is or has become a link.
    """

    def __init__(self, path: str, recovery: str, now_ms: int, bits: Callable[[int], int], timeout_s: float = 10.0) -> None:
        self.path, self.recovery, self.now_ms, self.bits = path, recovery, now_ms, bits
        self.lock = locked(path, timeout_s)
        self.folder = -1

    def __enter__(self) -> Writer:
        if os.path.realpath(self.path) != self.path:
            raise UnsafePath(self.path, "leads through a symbolic link, and nothing is written through one")
        self.folder = self.lock.__enter__()
        self.journal = Journal(self.path, self.recovery, self.folder)
        return self

    def __exit__(self, *_: object) -> None:
        self.journal.close()
        self.lock.__exit__(None, None, None)

    def view(self) -> View:
        """The store's files as they are now."""
        return View(self.folder, self.path)

    def commit(self, plan: Callable[[View], Plan], action: str, addition: bool = False, tries: int = TRIES) -> Committed:
        """Make the plan on fresh bytes, save its record, write its files; made anew where somebody else wrote meanwhile.

        On a failure half-way what was written is put back and the record dropped; where that fails too, the record stays.
        Raises what the plan raises, ChangedOutside, PathTaken, IOFailure, NotDurable (the change stands).
        """
        record: Record | None = None
        for attempt in range(1, tries + 1):
            view = self.view()
            try:
                planned = plan(view)
            except BaseException:
                self.drop_record(record)
                raise
            if not planned.edits:
                self.drop_record(record)
                return Committed(planned.result, None)
            record = self._record(planned, action, addition, record)
            try:
                self.write(view, planned.edits)
            except (ChangedOutside, PathTaken) as error:
                if attempt == tries or getattr(error, "half_done", False):
                    if not getattr(error, "half_done", False):
                        self.drop_record(record)
                    raise
                continue
            except NotDurable:
                raise
            except BaseException as error:
                if not getattr(error, "half_done", False):
                    self.drop_record(record)
                raise
            break
        assert record is not None
        if addition:
            self._drop_old_additions()
        return Committed(planned.result, record.id)

    def _record(self, planned: Plan, action: str, addition: bool, old: Record | None) -> Record:
        """Save the plan's record, in place of that of an earlier attempt."""
        if old is not None:
            record = old._replace(summary=planned.summary, changes=planned.items)
            self.journal.replace(old, record)
            return record
        name = self.journal.new_id(self.now_ms, self.bits, addition)
        record = Record(name, action, self.now_ms, planned.summary, DONE, planned.items)
        self.journal.save(record)
        return record

    def drop_record(self, record: Record | None) -> None:
        """Take back the record of a change that was not made."""
        if record is not None:
            try:
                self.journal.drop(record.id)
            except IOFailure:
                # It stays as the record of a change that never happened, which undo passes over.
                return

    def _drop_old_additions(self) -> None:
        try:
            self.journal.drop_old_additions()
        except IOFailure:
            # The change is made; old records can be dropped by a later write.
            return

    def write(self, view: View, edits: tuple[FileEdit, ...]) -> None:
        """Write the edits one after the other against what the view saw; put back what was written when one fails.

        An exception that leaves some of it written has a true attribute `half_done`.
        """
        late: NotDurable | None = None
        for number, edit in enumerate(edits):
            after = edits[number + 1] if number + 1 < len(edits) else None
            try:
                # The names of new files that follow each other in one folder become durable together, before anything else is done.
                self._write(edit, view.content(edit.path), after is None or not self._are_new(view, edit, after))
            except NotDurable as error:
                late = error
            except BaseException as error:
                untouched = isinstance(error, ChangedOutside | PathTaken)
                written = edits[: number if untouched else number + 1]
                if not self.put_back(view, written):
                    error.half_done = True  # type: ignore[attr-defined]
                raise
        if late is not None:
            raise late

    def _are_new(self, view: View, *edits: FileEdit) -> bool:
        """Whether the edits make new files, all of them in one folder."""
        folders = {edit.path.rpartition("/")[0] for edit in edits}
        return len(folders) == 1 and all(not e.to and e.data is not None and view.content(e.path) is None for e in edits)

    def _write(self, edit: FileEdit, before: Content | None, durable: bool = True) -> None:
        with Place(self.folder, self.path, edit.path, make=before is None) as spot:
            if edit.to:
                self._rename(edit)
            elif edit.data is None:
                assert before is not None, "a plan removes only what it has seen"
                remove(spot, before.data, self._keeper(edit.path))
            elif before is None:
                publish_new(spot, edit.data, 0o600 if edit.mode is None else edit.mode, edit.mtime_ns, durable)
            else:
                exchange(spot, edit.data, before.data, self._keeper(edit.path), edit.mode, edit.mtime_ns)

    def _rename(self, edit: FileEdit) -> None:
        with Place(self.folder, self.path, edit.path) as old, Place(self.folder, self.path, edit.to, make=True) as new:
            try:
                rename_new(old.folder, old.name, new.name, new.folder)
            except FileExistsError as error:
                raise PathTaken(new.shown) from error
            except FileNotFoundError as error:
                raise ChangedOutside(old.shown) from error
            except OSError as error:
                raise IOFailure(new.shown, error) from error
            for spot in (new, old):
                try:
                    os.fsync(spot.folder)
                except OSError as error:
                    raise NotDurable(spot.shown, error) from error

    def put_back(self, view: View, edits: tuple[FileEdit, ...]) -> bool:
        """Undo what was written of the edits, the last first; whether every file is as the view saw it."""
        whole = True
        for edit in reversed(edits):
            before = view.content(edit.path)
            fresh = self.view()
            try:
                if edit.to:
                    if not fresh.exists(edit.path) and fresh.exists(edit.to):
                        self._rename(FileEdit(edit.to, None, to=edit.path))
                elif fresh.read(edit.path) == edit.data != (None if before is None else before.data):
                    back = FileEdit(edit.path, None) if before is None else FileEdit(edit.path, *before)
                    self._write(back, fresh.content(edit.path))
                elif fresh.read(edit.path) != (None if before is None else before.data):
                    whole = False
            except (OSError, RememberError):
                whole = False
        return whole

    def _keeper(self, path: str) -> Callable[[bytes], None]:
        """What saves foreign bytes that no file holds any more, as a record that can only be shown."""

        def keep(data: bytes) -> None:
            name = self.journal.new_id(self.now_ms, self.bits, False)
            summary = f"what somebody else saved into {path} while it was changed"
            self.journal.save(Record(name, "keep", self.now_ms, summary, DONE, (KeptItem(path, data),)))

        return keep


def commit(
    path: str,
    recovery: str,
    plan: Callable[[View], Plan],
    *,
    action: str,
    now_ms: int,
    bits: Callable[[int], int],
    timeout_s: float = 10.0,
    addition: bool = False,
) -> Committed:
    """One change of one store, from taking its lock to letting it go; see Writer and Writer.commit."""
    with Writer(path, recovery, now_ms, bits, timeout_s) as writer:
        return writer.commit(plan, action, addition)
