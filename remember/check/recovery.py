"""Recovery records against the files as they are (7xx); foreign records are never a finding."""

from __future__ import annotations

import os

from remember.errors import RememberError
from remember.files.safe import Place, open_folder, read_bytes
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

__all__ = ["longest_copies", "records"]

_LIMIT = 64 << 20
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
    for record in listing.records:
        try:
            wide = os.stat(os.path.join(directory, record.id + ".json"), follow_symlinks=False).st_mode & 0o077
        except OSError:
            continue
        if wide:
            report.add("R701", f"recovery/{record.id}.json", 0, "can be read by other users", memo=record.id)
    if judged:
        _Records(report, identities).judge(listing.records)
    return list(listing.records)


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


class _Records:
    """Judges records from the newest to the oldest; of each memo only the newest change counts."""

    def __init__(self, report: Reporter, identities: Identities) -> None:
        self.report = report
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
                self._judge(record, items)
            touched |= keys

    def _judge(self, record: Record, items: Sequence[Item]) -> None:
        states = [self._state(item) for item in items]
        path = next(iter(_keys(items[0])))[0]
        if all(state == _AS_BEFORE for state in states) and not any(self._written_since(record, item) for item in items):
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
            self.report.add("R703", path, 0, f"{record.id} no longer applies: its change was taken back outside", memo=record.id)

    def _read(self, path: str) -> tuple[bytes, int] | None:
        """A file's bytes and mtime (ms), None where it is missing or unreadable."""
        if path not in self.files:
            self.files[path] = None
            try:
                folder = open_folder(self.store)
                try:
                    with Place(folder, self.store, path) as spot:
                        data, found = read_bytes(spot, _LIMIT)
                    self.files[path] = data, found.st_mtime_ns // 1_000_000
                finally:
                    os.close(folder)
            except (OSError, RememberError):
                # Missing, or reported where files are looked at.
                return None
        return self.files[path]

    def _written_since(self, record: Record, item: Item) -> bool:
        now = self._read(item.old if isinstance(item, RenameItem) else item.path)
        return now is not None and now[1] > record.created_ms

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
