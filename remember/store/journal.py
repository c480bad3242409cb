"""The folder of recovery records of one store: saved before a change, marked when it is undone, pruned at last."""

from __future__ import annotations

import os

from remember._named import NamedTuple
from remember.errors import DamagedStore, IOFailure, NotFound, RememberError
from remember.files.atomic import LIMIT_BYTES, NotDurable, exchange, make_dirs, publish_new
from remember.files.safe import Place, open_folder, read_bytes
from remember.files.temporary import unlink
from remember.store.reading_records import from_json
from remember.store.records import Record, as_json, is_addition, is_record_id, record_id

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from remember.files.safe import Spot

__all__ = ["ADDITIONS_KEPT", "Journal", "Listing", "moment"]

ADDITIONS_KEPT = 500
"""Records of additions beyond the newest of this number are dropped by a later write."""

_RECORD_LIMIT = 8 * LIMIT_BYTES
_ENDING = ".json"
_HEAD_BYTES = 4096
"""What stands before a record's changes: its summary is the longest of it."""
_NOT_THROUGH = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)


class Listing(NamedTuple):
    """A folder of records: our own newest first, the names of foreign files, and what is ours but cannot be read."""

    records: tuple[Record, ...]
    foreign: tuple[str, ...]
    unreadable: tuple[tuple[str, str], ...]


class Journal:
    """The records of the store at `store`, which lie in `directory` (`<store>/recovery`, or a folder of the user's data).

    Close it, or use it in a `with`; `store_folder` is a descriptor of the store that is open already (not closed here).
    Nothing is made before the first save.
    """

    def __init__(self, store: str, directory: str, store_folder: int = -1) -> None:
        self.directory = directory
        self.inside = directory == os.path.join(store, "recovery")
        self.prefix = "recovery/" if self.inside else ""
        self.base = store if self.inside else directory
        self.folder = store_folder if self.inside else -1
        self.own = self.folder < 0

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let the folder go."""
        if self.own and self.folder >= 0:
            os.close(self.folder)
            self.folder = -1

    def _root(self, make: bool) -> int:
        """A descriptor of the folder below which the records are. Raises FileNotFoundError where it is missing."""
        if self.folder < 0:
            if make and not self.inside:
                make_dirs(self.directory)
            self.folder = open_folder(self.base if self.inside else os.path.realpath(self.base))
        return self.folder

    def _place(self, name: str, make: bool = False) -> Place:
        return Place(self._root(make), self.base, self.prefix + name, make)

    def names(self) -> list[str]:
        """The names of all files in the folder, sorted; [] where there is no folder."""
        try:
            with self._place("any") as spot:
                return sorted(name for name in os.listdir(spot.folder) if not name.startswith("."))
        except FileNotFoundError:
            return []
        except OSError as error:
            raise IOFailure(self.directory, error) from error

    def ids(self) -> list[str]:
        """The IDs that have the form of ours, oldest first; whether a record is ours only its content tells."""
        return [name[: -len(_ENDING)] for name in self.names() if name.endswith(_ENDING) and is_record_id(name[: -len(_ENDING)])]

    def turns(self) -> dict[str, int]:
        """When each record was last undone or applied again, in milliseconds; those that never were are left out."""
        from remember.format.times import parse

        found: dict[str, int] = {}
        names = self.ids()
        if not names:
            return found
        with self._place("any") as spot:
            for name in names:
                try:
                    descriptor = os.open(name + _ENDING, os.O_RDONLY | _NOT_THROUGH, dir_fd=spot.folder)
                except OSError:
                    continue  # whoever reads it whole says why it cannot be
                with os.fdopen(descriptor, "rb", buffering=0) as file:
                    head = file.read(_HEAD_BYTES) or b""
                # A line of its own, which no JSON string can hold.
                moment = parse(head.partition(b'\n "turned": "')[2].partition(b'"')[0].decode("ascii", "replace"))
                if moment is not None:
                    found[name] = moment
        return found

    def load(self, name: str) -> Record:
        """The record of that ID. Raises NotFound, and DamagedStore for one that breaks its form or calls itself otherwise."""
        record = self._read(name + _ENDING)
        if record is None or not is_record_id(name):
            raise NotFound(f"recovery record {name}", hint="see `remember history`", said="there is no ")
        return record

    def summary(self, name: str) -> str:
        """What a record says that it is about, unvalidated (that would load pydantic); "" where it says nothing."""
        document = self._document(name + _ENDING)
        return str(document.get("summary", "")) if isinstance(document, dict) else ""

    def _document(self, name: str) -> object:
        """The JSON of a file of the folder as it is; None for what cannot be read, which is left for `check` to name."""
        import json

        try:
            with self._place(name) as spot:
                return json.loads(read_bytes(spot, _RECORD_LIMIT)[0])
        except (OSError, ValueError, RecursionError, RememberError):
            return None

    def _read(self, name: str) -> Record | None:
        """The record in a file of the folder; None for a missing or foreign one."""
        if "/" in name or name.startswith("."):
            return None
        try:
            with self._place(name) as spot:
                data, _ = read_bytes(spot, _RECORD_LIMIT)
                shown = spot.shown
        except FileNotFoundError:
            return None
        record = from_json(data, shown)
        if record is not None and record.id + _ENDING != name:
            raise DamagedStore(shown, f"calls itself {record.id}", "give the file its own name back")
        return record

    def newest_first(self) -> list[str]:
        """The IDs in the order in which undo looks at them."""
        return self.ids()[::-1]

    def listing(self) -> Listing:
        """Every record, and what else lies there."""
        records, foreign, unreadable = [], [], []
        for name in reversed(self.names()):
            try:
                record = self._read(name) if name.endswith(_ENDING) else None
            except RememberError as error:
                if not is_record_id(name[: -len(_ENDING)]) and not self._is_ours(name):
                    foreign.append(name)  # neither its name nor its content says that it is ours
                    continue
                unreadable.append((name, error.message))
                continue
            if record is None:
                foreign.append(name)
            else:
                records.append(record)
        return Listing(tuple(records), tuple(foreign), tuple(unreadable))

    # --- writing; the store's lock must be held

    def new_id(self, now_ms: int, bits: Callable[[int], int], addition: bool) -> str:
        """An ID that sorts after all there are, whatever the clock says, so that undo goes backwards through the changes."""
        ids = self.ids()
        newest_ms = moment(ids[-1]) if ids else -1
        return record_id(max(now_ms, newest_ms + 1), bits(31), addition)

    def save(self, record: Record) -> None:
        """Write a new record, durably; on IOFailure there is none."""
        with self._place(record.id + _ENDING, make=True) as spot:
            try:
                publish_new(spot, as_json(record))
            except NotDurable as error:
                _take_back(spot)
                raise IOFailure(spot.shown, str(error)) from error

    def replace(self, old: Record, new: Record) -> None:
        """Write a record that is there anew, durably."""
        with self._place(old.id + _ENDING) as spot:
            data = as_json(new)
            present, _ = read_bytes(spot, _RECORD_LIMIT)
            if present != data:
                exchange(spot, data, present, keep=_nothing_to_keep)

    def mark(self, record: Record, state: str, turned_ms: int | None) -> Record:
        """The record with another state, written."""
        marked = record._replace(state=state, turned_ms=turned_ms)
        self.replace(record, marked)
        return marked

    def drop(self, name: str) -> None:
        """Remove a record; one that is gone already is no error. Raises IOFailure."""
        with self._place(name + _ENDING) as spot:
            unlink(spot)

    def drop_old_additions(self) -> None:
        """Drop records of additions beyond the newest ADDITIONS_KEPT. Raises IOFailure."""
        additions = [name for name in self.ids() if is_addition(name)]
        for name in additions[:-ADDITIONS_KEPT]:
            if self._is_ours(name + _ENDING):
                self.drop(name)

    def _is_ours(self, name: str) -> bool:
        """Whether a file says that we wrote it, without validating it: that would load pydantic into every write."""
        document = self._document(name)
        return isinstance(document, dict) and document.get("by") == "remember"


def moment(name: str) -> int:
    """The milliseconds in a recovery ID; -1 where its digits are no time."""
    from remember.format.times import parse

    stamp = f"{name[:4]}-{name[4:6]}-{name[6:11]}:{name[11:13]}:{name[13:15]}.{name[15:19]}"
    found = parse(stamp)
    return -1 if found is None else found


def _take_back(spot: Spot) -> None:
    try:
        unlink(spot)
    except IOFailure:
        # A record whose change never happened: undo passes over it.
        return


def _nothing_to_keep(data: bytes) -> None:
    """Records are ours alone: nobody else saves into one."""
