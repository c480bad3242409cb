"""Recovery records against the files as they are (7xx); foreign records are never a finding."""

from __future__ import annotations

import os
from contextlib import suppress

from remember.check.names import temporary
from remember.errors import RememberError
from remember.files.safe import Place, open_folder, read_bytes
from remember.files.temporary import writer_of
from remember.format import facts as grammar
from remember.format import notes
from remember.format.spans import decode
from remember.store.journal import Journal
from remember.store.records import DONE, FileItem, KeptItem, LinesItem, RenameItem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from remember.check.findings import Reporter
    from remember.check.identity import Identities
    from remember.store.records import Item, Record

    Key = tuple[str, str | None]

__all__ = ["left_over", "longest_copies", "records"]

_LIMIT = 64 << 20
_COARSE_MS = 50
"""File times come from a clock that lags behind by some milliseconds."""

_AS_LEFT, _AS_BEFORE, _OTHER = "as left", "as before", "other"


def records(report: Reporter, directory: str, identities: Identities, judged: bool = True) -> list[Record]:
    """Every finding about records, what they say of memos too if `judged`; the readable ones, newest first."""
    try:
        with Journal(report.ref.path, directory) as journal:
            listing = journal.listing()
    except FileNotFoundError:
        return []
    except RememberError as error:
        report.add("R701", "recovery", 0, f"the records cannot be listed: {error.message}")
        return []
    for name, reason in listing.unreadable:
        report.add("R701", f"recovery/{name}", 0, f"cannot be read: {reason}")
    saved_ms: dict[str, int] = {}
    for record in listing.records:
        try:
            found = os.stat(os.path.join(directory, record.id + ".json"), follow_symlinks=False)
        except OSError:
            continue
        saved_ms[record.id] = min(record.created_ms, found.st_mtime_ns // 1_000_000)
        if found.st_mode & 0o077:
            report.add("R701", f"recovery/{record.id}.json", 0, "can be read by other users", memo=record.id)
    if judged:
        _Records(report, identities, saved_ms).judge(listing.records)
    return list(listing.records)


def left_over(report: Reporter, directory: str, now_ms: int) -> None:
    """Temporary files of dead writers among the records (R406)."""
    try:
        with os.scandir(directory) as listing:
            found = [(item.name, item.stat(follow_symlinks=False)) for item in listing if writer_of(item.name) is not None]
    except OSError:
        return  # what is wrong with the folder, its records tell
    for name, stat in sorted(found):
        temporary(report, f"recovery/{name}", stat, now_ms)


def longest_copies(kept: list[Record]) -> Mapping[str, bytes]:
    """The longest copy of each note that a record holds."""
    longest: dict[str, bytes] = {}
    for record in kept:
        for item in record.changes:
            if isinstance(item, FileItem):
                for content in (item.before, item.after):
                    if content is not None and len(content.data) > len(longest.get(item.path, b"")):
                        longest[item.path] = content.data
    return longest


def _folder_touched_ms(store: str, path: str) -> int:
    """When the folder of a path that is not there was last touched (ms), or the nearest one above that is there."""
    while path:
        path = path.rpartition("/")[0]
        try:
            found = os.stat(os.path.join(store, path), follow_symlinks=False)
        except FileNotFoundError:
            continue
        return max(found.st_mtime_ns, found.st_ctime_ns) // 1_000_000
    return 1 << 62


class _Records:
    """Judges records from the newest to the oldest; of each memo only the newest change counts."""

    def __init__(self, report: Reporter, identities: Identities, saved_ms: Mapping[str, int]) -> None:
        self.report = report
        self.saved_ms = saved_ms
        self.ids = identities.ids
        self.store = report.ref.path
        self.files: dict[str, tuple[bytes, int] | None] = {}
        self.facts: dict[str, list[str]] | None = None

    def judge(self, kept: tuple[Record, ...]) -> None:
        touched: set[Key] = set()
        for record in kept:
            if record.state != DONE:
                continue
            items = [item for item in record.changes if not isinstance(item, KeptItem)]
            keys = {key for item in items for key in _keys(item)}
            if items and not keys & touched:
                with suppress(RememberError, OSError):  # nothing is concluded from what cannot be looked at, which is told elsewhere
                    self._judge(record, items)
            touched |= keys

    def _judge(self, record: Record, items: Sequence[Item]) -> None:
        states = [self._state(item) for item in items]
        path = next(iter(_keys(items[0])))[0]
        if all(state == _AS_BEFORE for state in states) and not any(self._touched_since(record, item) for item in items):
            self.report.add("R702", path, 0, f"the change of {record.id} never happened", memo=record.id)
            return
        back = [item for item, state in zip(items, states, strict=True) if _forgets(item) and self._is_back(item, state)]
        for item in back:
            what = _memo_of(item) or next(iter(_keys(item)))[0]
            message = f"{what} was forgotten by {record.id} and is there again"
            self.report.add("R704", next(iter(_keys(item)))[0], 0, message, memo=record.id)
        if not back and _OTHER in states:
            self.report.add("R703", path, 0, f"{record.id} no longer applies: the memo was changed since", memo=record.id)
        elif not back and _AS_BEFORE in states:
            message = f"{record.id} no longer applies: its change was taken back outside, or never happened"
            self.report.add("R703", path, 0, message, memo=record.id)

    def _read(self, path: str) -> tuple[bytes, int] | None:
        """A file's bytes and when it was last touched (ms), None where it is missing; raises where it cannot be looked at."""
        if path not in self.files:
            folder = open_folder(self.store)
            try:
                with Place(folder, self.store, path) as spot:
                    data, found = read_bytes(spot, _LIMIT)
                self.files[path] = data, max(found.st_mtime_ns, found.st_ctime_ns) // 1_000_000
            except FileNotFoundError:
                self.files[path] = None
            finally:
                os.close(folder)
        return self.files[path]

    def _touched_since(self, record: Record, item: Item) -> bool:
        """Whether anything may have happened at the item's place since the record was saved.

        Only what is proved untouched tells that a change never happened, since its record may be the only copy of what it
        made: a file by its change time, a missing one by that of the folder it would be in.
        """
        path = item.old if isinstance(item, RenameItem) else item.path
        now = self._read(path)
        touched_ms = _folder_touched_ms(self.store, path) if now is None else now[1]
        return touched_ms > self.saved_ms.get(record.id, 0) - _COARSE_MS

    def _state(self, item: Item) -> str:
        if isinstance(item, RenameItem):
            return _AS_LEFT if self._read(item.new) is not None else _AS_BEFORE if self._read(item.old) is not None else _OTHER
        assert isinstance(item, FileItem | LinesItem)
        now = self._read(item.path)
        if isinstance(item, FileItem):
            data = None if now is None else now[0]
            before, after = (None if c is None else c.data for c in (item.before, item.after))
            return _AS_LEFT if data == after else _AS_BEFORE if data == before else _OTHER
        return self._lines(item, b"" if now is None else now[0])

    def _lines(self, item: LinesItem, data: bytes) -> str:
        if item.id is None:
            return _AS_LEFT if not item.after or item.after in data else _AS_BEFORE if item.before in data else _OTHER
        if self.facts is None:
            self.facts = {}
            for fact in grammar.parse(decode(data)).facts:
                if fact.id is not None:
                    self.facts.setdefault(fact.id, []).append(fact.text)
        there = self.facts.get(item.id, [])
        before, after = (_text_in(block, item.id) for block in (item.before, item.after))
        if (after in there) if item.after else not there:
            return _AS_LEFT
        return _AS_BEFORE if ((before in there) if item.before else not there) else _OTHER

    def _is_back(self, item: Item, state: str) -> bool:
        """Whether what a record removed is there again, at its place or elsewhere in the store under its ID."""
        memo_id = _memo_of(item)
        return state == _AS_BEFORE or (memo_id is not None and memo_id in self.ids)


def _keys(item: Item) -> list[Key]:
    if isinstance(item, RenameItem):
        return [(item.new, None), (item.old, None)]
    if isinstance(item, LinesItem):
        return [(item.path, item.id or item.before.decode("utf-8", "replace"))]
    return [(item.path, None)]


def _forgets(item: Item) -> bool:
    return (isinstance(item, FileItem) and item.after is None) or (isinstance(item, LinesItem) and not item.after)


def _memo_of(item: Item) -> str | None:
    if isinstance(item, LinesItem):
        return item.id
    if isinstance(item, FileItem) and item.before is not None:
        return notes.parse(decode(item.before.data)).id
    return None


def _text_in(block: bytes, memo_id: str) -> str:
    """The fact's text in a block that may hold its comment too."""
    text = decode(block)
    found = [fact.text for fact in grammar.parse(text).facts if fact.id == memo_id] if memo_id in text else []
    return found[0] if found else text.strip()
