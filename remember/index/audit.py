"""What `check` asks of an index: every byte and every row compared anew, on a copy of the database, without any lock kept.

The copy is SQLite's own (its backup interface, page by page), so the comparison sees one state while others write, works
where the cache cannot be written, and can give FTS5 commands that count as writing.
"""

from __future__ import annotations

import os
import sqlite3

from remember.errors import CacheError
from remember.index import audit_words
from remember.index import database as cache
from remember.index.audit_rows import Recorded, unmatched
from remember.index.audit_words import RowProblem
from remember.index.build import memo_id_of
from remember.index.rows import MEMO_COLUMNS, from_key, memo_row
from remember.layouts import Entry, layout_of
from remember.layouts.layout import is_outside
from remember.store.scan import scan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from remember.model import StoreRef

    Signature = tuple[int, int, int, int]
    Row = tuple[object, ...]

__all__ = ["Audit", "RowProblem", "open_audit"]

_NAMES = [name.strip() for name in MEMO_COLUMNS.split(",")]
_WORDS = frozenset(["labels", "description_cut", "labels_cut", "body_cut", "parts"])


class _File:
    """What the index recorded of one file."""

    __slots__ = ("id", "racy", "sha256", "signature", "unreadable")

    def __init__(self, row: Sequence[object]) -> None:
        self.id, _, ino, mtime, ctime, size, self.racy, self.sha256, self.unreadable = row
        self.signature = (ino, mtime, ctime, size)


def open_audit(ref: StoreRef, cache_dir: str, quick: bool = False) -> tuple[Audit | None, list[RowProblem]]:
    """A copy of the store's index to be asked, or None with what is wrong with it (R601, R602, R603).

    A `quick` audit asks the index itself, in one read transaction, and does not look for damage inside the database.
    """
    try:
        opened, why = cache.open_database(cache_dir, ref)
    except CacheError as error:
        return None, [RowProblem("R601", "", 0, f"{error.message}: {error.hint}", fix="U")]
    except (sqlite3.Error, OSError) as error:
        return None, [RowProblem("R601", "", 0, f"the index cannot be opened ({error})", "unknown")]
    if opened is None:
        return None, [_unusable(why)]
    if quick:
        return _open_quick(ref, opened)
    copy = sqlite3.connect("", isolation_level=None)
    try:
        opened.connection.backup(copy)
        copy.execute("PRAGMA trusted_schema=OFF")
        copy.execute("PRAGMA cell_size_check=ON")
        damage = audit_words.integrity(copy)
        if any("refers to" not in problem.message for problem in damage):
            copy.close()
            return None, damage
        return Audit(ref, copy, damage), []
    except sqlite3.OperationalError as error:
        copy.close()
        if "locked" in str(error):
            return None, [RowProblem("R601", "", 0, "the index is being written by somebody else", "unknown")]
        return None, [RowProblem("R603", "", 0, f"the index cannot be read ({error})")]
    except (sqlite3.DatabaseError, ValueError, TypeError) as error:
        copy.close()
        return None, [RowProblem("R603", "", 0, f"the index cannot be read ({error})")]
    finally:
        opened.close()


def _open_quick(ref: StoreRef, opened: cache.Database) -> tuple[Audit | None, list[RowProblem]]:
    try:
        opened.connection.execute("BEGIN")
        return Audit(ref, opened.connection, [], opened), []
    except (sqlite3.DatabaseError, ValueError, TypeError) as error:
        opened.close()
        return None, [RowProblem("R603", "", 0, f"the index cannot be read ({error})")]


def _unusable(why: str) -> RowProblem:
    if why == "absent":
        return RowProblem("R601", "", 0, "there is no index yet; the next read makes it", "info")
    if why == "busy":
        return RowProblem("R601", "", 0, "the index is being written by somebody else", "unknown")
    if why == "made for another store":
        return RowProblem("R602", "", 0, "the index was made for another store")
    if why.startswith("damaged") and "not a database" not in why:
        return RowProblem("R603", "", 0, f"the index cannot be read: {why}")
    return RowProblem("R601", "", 0, f"the index is not usable: {why}")


class Audit:
    """A comparison in progress: `compare` for each file of the store, then `finish`."""

    def __init__(
        self, ref: StoreRef, connection: sqlite3.Connection, damage: list[RowProblem], opened: cache.Database | None = None
    ) -> None:
        self.ref = ref
        self.opened = opened
        self.rows: Recorded | None = None
        self.layout = layout_of(ref)
        self.connection = connection
        self.problems = damage
        self.files: dict[str, _File] = {}
        self.changed: list[str] = []
        self.latest: dict[str, int] = {}
        walk = scan(ref.path, self.layout.rules)
        self.unlistable = [path for path, _ in walk.unreadable]
        meta = dict(connection.execute("SELECT key, value FROM meta"))
        self.claims_current = meta.get("digest") == str(walk.digest)
        for row in connection.execute("SELECT id, path, ino, mtime_ns, ctime_ns, size, racy, sha256, unreadable FROM file"):
            path = from_key(row[1])
            if is_outside(self.layout.rules, path):
                self.problems.append(RowProblem("R611", path, 0, "a row has this path, which is none of the store's"))
                continue
            if path in self.files:
                self.problems.append(RowProblem("R610", path, 0, "two rows stand for this file"))
            self.files[path] = _File(row)
            folder = path.rpartition("/")[0]
            self.latest[folder] = max(self.latest.get(folder, 0), row[4] if isinstance(row[4], int) else 0)

    def close(self) -> None:
        """Let the copy go, or the index itself with its lock."""
        if self.opened is not None:
            self.opened.close()
        else:
            self.connection.close()

    def is_same(self, path: str, signature: Signature) -> bool:
        """Whether the index recorded the file with this size and these times, and surely so; its rows are then `recorded`."""
        known = self.files.get(path)
        return known is not None and known.signature == signature and not known.racy and not known.unreadable

    def recorded(self, path: str) -> list[Entry]:
        """What the rows say of a file, which is not compared any more; of a body its beginning, as far as a letter or digit."""
        if self.rows is None:
            self.rows = Recorded(self.connection)
        return self.rows.of(self.files.pop(path).id)

    def compare(self, path: str, signature: Signature, data: bytes, entries: Sequence[Entry]) -> None:
        """One file as it is now (`data` up to what is indexed) against what the index says of it."""
        from hashlib import sha256

        known = self.files.pop(path, None)
        if known is None:
            self._without_row(path, signature)
            return
        if known.unreadable:
            self.changed.append(path)
            return
        digest = sha256(data).digest()
        if known.signature != signature:
            if not self.claims_current:
                self.changed.append(path)
                return
            self.problems.append(RowProblem("R608", path, 0, "the recorded size and times are not the file's"))
        if known.sha256 != digest:
            if known.racy:
                self.changed.append(path)
                return
            self.problems.append(RowProblem("R607", path, 0, "the content is not what was indexed, though size and times agree"))
            return
        self._rows(path, known, entries)

    def _without_row(self, path: str, signature: Signature) -> None:
        seen_after = self.latest.get(path.rpartition("/")[0], 0) > signature[2]
        if self.claims_current or seen_after:
            self.problems.append(RowProblem("R605", path, 0, "is not in the index, though its folder was indexed after it came"))
        else:
            self.changed.append(path)

    def _rows(self, path: str, known: _File, entries: Sequence[Entry]) -> None:
        fresh = [memo_row(0, 0, path, entry, memo_id_of(self.layout, path, entry)) for entry in entries]
        rows = self.connection.execute(f"SELECT {MEMO_COLUMNS} FROM memo WHERE file = ? ORDER BY line, id", (known.id,)).fetchall()
        if [row[2:] for row in rows] == [row[2:] for row in fresh]:
            return
        left, matched = unmatched(rows, fresh)
        for key in (lambda r: (r[2], r[3], r[4]), lambda r: (r[2], r[4]), lambda r: (r[2], r[3]) if r[3] else (r[2], r[6])):
            left, matched = self._pair(path, left, matched, key)
        places = {(row[2], row[4]) for row in fresh}
        for row in left:
            if (row[2], row[4]) in places:
                self.problems.append(RowProblem("R610", path, _int(row[4]), "two rows stand for this memo"))
            else:
                self.problems.append(RowProblem("R606", path, _int(row[4]), "a row stands for a memo that the file does not hold"))
        for row in matched:
            self.problems.append(RowProblem("R605", path, _int(row[4]), f"this {row[2]} has no row"))

    def _pair(self, path: str, rows: list[Row], fresh: list[Row], key: object) -> tuple[list[Row], list[Row]]:
        """Report rows that stand for a memo but differ from it; what is left on both sides."""
        by_key: dict[object, list[Row]] = {}
        for row in fresh:
            by_key.setdefault(key(row), []).append(row)  # type: ignore[operator]
        left = []
        for row in rows:
            same = by_key.get(key(row))  # type: ignore[operator]
            if not same:
                left.append(row)
                continue
            self._differs(path, row, same.pop(0))
        return left, [row for rest in by_key.values() for row in rest]

    def _differs(self, path: str, row: Row, fresh: Row) -> None:
        names = [name for name, old, new in zip(_NAMES[2:], row[2:], fresh[2:], strict=True) if old != new]
        told = [name for name in names if name not in _WORDS and name != "checksum"]
        line = _int(fresh[4])
        if told:
            self.problems.append(RowProblem("R608", path, line, f"the row has another {', '.join(told)} than the file"))
        elif names == ["checksum"]:
            self.problems.append(RowProblem("R608", path, line, "the row's checksum does not fit what it shows"))
        elif names:
            self.problems.append(RowProblem("R609", path, line, f"the row was indexed with other words ({', '.join(names)})"))

    def finish(self, quick: bool = False) -> list[RowProblem]:
        """What is left when every file was compared: rows without files, the full-text index, counters, the probe."""
        for path in self.files:
            self._without_file(path)
        if self.changed:
            more = f" (as did {len(self.changed) - 1} more)" if len(self.changed) > 1 else ""
            self.problems.append(RowProblem("R600", self.changed[0], 0, f"changed since the index saw it{more}"))
        if quick:
            return self.problems
        found = audit_words.words(self.connection)
        counted = audit_words.counters(self.connection)
        if counted and len(found) == 1 and not found[0].path and "belongs" not in found[0].message:
            found = []  # the integrity command failed for nothing but the counters
        self.problems += found + counted + audit_words.probe(self.connection)
        return self.problems

    def _without_file(self, path: str) -> None:
        if any(path.startswith(place + "/") or path == place for place in self.unlistable):
            return
        if _may_be_there(self.ref.whole(path)):
            return  # unreadable, or no regular file any more: reported where files are looked at
        folder = path.rpartition("/")[0]
        try:
            changed_ns = os.stat(os.path.dirname(self.ref.whole(path))).st_mtime_ns
        except OSError:
            changed_ns = 1 << 62
        if self.claims_current or self.latest.get(folder, 0) > changed_ns:
            self.problems.append(RowProblem("R606", path, 0, "a row stands for this file, which is not there"))
        else:
            self.changed.append(path)


def _may_be_there(path: str) -> bool:
    try:
        os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True
    return True


def _int(value: object) -> int:
    return value if isinstance(value, int) else 0
