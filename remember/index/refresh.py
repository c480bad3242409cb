"""Compares files with rows and takes in what changed, in one transaction; a read is never stale."""

from __future__ import annotations

import os
import time

from remember.index.build import INSERT_FILE, INSERT_MEMO, INSERT_WORDS, is_racy, memo_id_of, write_meta
from remember.index.rows import MEMO_COLUMNS, from_key, memo_row, path_key, words_row
from remember.layouts.layout import FILE_LIMIT
from remember.model import Freshness
from remember.store.read import Reader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.index.database import Database
    from remember.layouts.layout import Layout
    from remember.model import StoreRef
    from remember.store.scan import Scan

    Signature = tuple[int, int, int, int]
    Known = tuple[int, Signature, int, bytes, int]

__all__ = ["Refresh", "take_in"]


def take_in(database: Database, ref: StoreRef, layout: Layout, walk: Scan) -> Freshness:
    """Bring the rows up to the files, as one transaction; the walk may be older than the transaction.

    So a file that the walk did not see is looked for again before its rows go, and what is read is read now.
    """
    connection = database.connection
    connection.execute("BEGIN IMMEDIATE")
    try:
        database.reload_meta()
        if database.is_current(walk):
            connection.execute("ROLLBACK")
            return Freshness(warnings=_warnings(walk, []))
        run = Refresh(database, ref, layout, walk)
        try:
            freshness = run.run()
        finally:
            run.reader.close()
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    database.reload_meta()
    return freshness


def _warnings(walk: Scan, more: list[str]) -> tuple[str, ...]:
    return tuple([f"{path}: {reason}; what was known of it is kept" for path, reason in walk.unreadable] + more)


class Refresh:
    """One run: tables compared with a walk."""

    def __init__(self, database: Database, ref: StoreRef, layout: Layout, walk: Scan) -> None:
        self.connection = database.connection
        self.meta = database.meta
        self.ref = ref
        self.layout = layout
        self.walk = walk
        self.reader = Reader(ref.path, layout.rules, FILE_LIMIT)
        self.digest = walk.digest
        self.changed = self.removed = 0
        self.warnings: list[str] = []

    def run(self) -> Freshness:
        marks = dict(self.walk.files())
        rows = self.connection.execute("SELECT path, ino, mtime_ns, ctime_ns, size FROM file")
        known = {
            path if path.__class__ is str else from_key(path): hash((ino, mtime, ctime, size)) for path, ino, mtime, ctime, size in rows
        }
        if self._vanished(bool(known)):
            self.connection.execute("UPDATE file SET unreadable = 1")
            warning = f"{self.ref.path}: nothing is there any more, and it is on another device than before; what was known of it is kept"
            return Freshness(0, 0, len(known), (warning,))
        # Nearly all are as they were: sets find the others without a step of ours for each.
        differing = {path for path, _ in known.items() ^ marks.items()}
        doubtful = self.connection.execute("SELECT path FROM file WHERE racy OR unreadable").fetchall()
        for path in sorted(differing | {from_key(path) for (path,) in doubtful}):
            self._look(path, marks.get(path))
        racy = self.connection.execute("SELECT count(*) FROM file WHERE racy OR unreadable").fetchone()[0]
        write_meta(self.connection, self.digest, racy, self.walk.device)
        unreadable = self.connection.execute("SELECT count(*) FROM file WHERE unreadable").fetchone()[0]
        return Freshness(self.changed, self.removed, unreadable, _warnings(self.walk, self.warnings))

    def take(self, path: str) -> None:
        """Read one file anew, or drop its rows where it is gone, whatever the walk saw."""
        self._reread(path, 0, self._row(path))

    def _row(self, path: str) -> Known | None:
        row = self.connection.execute("SELECT * FROM file WHERE path = ?", (path_key(path),)).fetchone()
        return None if row is None else (row[0], tuple(row[2:6]), *row[6:9])

    def _look(self, path: str, mark: int | None) -> None:
        """One file that differs from its row, or whose row proves nothing; `mark` is the walk's, None where it saw none."""
        row = self._row(path)
        if mark is None:
            if row is not None:
                self._missing(path, row)
        elif row is None or hash(row[1]) != mark or row[2]:
            self._reread(path, mark, row)
        elif row[4]:
            self._reread(path, mark, row) if not row[3] else self._set_unreadable(row[0], 0)

    def _vanished(self, any_known: bool) -> bool:
        """An empty directory on another device in place of a store with files: a mount that is gone, not a deletion."""
        return any_known and self.walk.device != self.meta.get("device") and self.walk.file_count() == 0

    def _missing(self, path: str, row: Known) -> None:
        """A row whose file the walk did not see: unreadable folder, made since the walk, or really gone."""
        if any(path == place or path.startswith(place + "/") for place, _ in self.walk.unreadable):
            self._set_unreadable(row[0], 1)
            return
        try:
            found = os.lstat(self.ref.whole(path))
        except (FileNotFoundError, NotADirectoryError):
            found = None
        except OSError as error:
            self._set_unreadable(row[0], 1)
            self.warnings.append(f"{path}: {error.strerror}; what was known of it is kept")
            return
        if found is not None and found.st_mode & 0o170000 == 0o100000 and not self._below_link(path):
            mark = hash((found.st_ino, found.st_mtime_ns, found.st_ctime_ns, found.st_size))
            self.digest += mark
            self._reread(path, mark, row)
        else:
            self._drop(row[0])
            self.removed += 1

    def _below_link(self, path: str) -> bool:
        parts = path.split("/")[:-1]
        base = self.ref.whole(path)[: -len(path)]
        return any(os.path.islink(base + "/".join(parts[: n + 1])) for n in range(len(parts)))

    def _set_unreadable(self, file_id: int, value: int) -> None:
        self.connection.execute("UPDATE file SET unreadable = ? WHERE id = ?", (value, file_id))

    def _reread(self, path: str, mark: int, row: Known | None) -> None:
        from hashlib import sha256

        read_ns = time.time_ns()
        try:
            read = self.reader.read(path)
        except OSError as error:
            self.warnings.append(f"{path}: {error.strerror}; what was known of it is kept")
            if row is None:
                self.connection.execute(INSERT_FILE, (None, path_key(path), 0, 0, 0, 0, 1, b"", 1))
            else:
                self._set_unreadable(row[0], 1)
            return
        if read is None:
            self.digest -= mark
            if row is not None:
                self._drop(row[0])
                self.removed += 1
            return
        self.digest += hash(read.signature) - mark
        racy = int(is_racy(read.signature, read_ns))
        digest = sha256(read.data).digest()
        if row is not None and row[3] == digest and row[1][1] == read.signature[1]:
            self.connection.execute(
                "UPDATE file SET ino = ?, mtime_ns = ?, ctime_ns = ?, size = ?, racy = ?, unreadable = 0 WHERE id = ?",
                (*read.signature, racy, row[0]),
            )
            return
        if row is None:
            file_id = self.connection.execute(INSERT_FILE, (None, path_key(path), *read.signature, racy, digest, 0)).lastrowid
            assert file_id is not None
        else:
            file_id = row[0]
            self.connection.execute(
                "UPDATE file SET ino = ?, mtime_ns = ?, ctime_ns = ?, size = ?, racy = ?, sha256 = ?, unreadable = 0 WHERE id = ?",
                (*read.signature, racy, digest, file_id),
            )
        self._replace_memos(file_id, path, read.data, read.signature[1] // 1_000_000)
        self.changed += 1

    def _replace_memos(self, file_id: int, path: str, data: bytes, mtime_ms: int) -> None:
        """Put a file's memos in the place of its old ones; those that are the same but for their line stay in the full-text index."""
        fresh = [
            memo_row(0, file_id, path, entry, memo_id_of(self.layout, path, entry)) for entry in self.layout.parse(path, data, mtime_ms)
        ]
        old: dict[tuple[object, ...], list[tuple[int, tuple[int, int]]]] = {}
        for row in self.connection.execute(f"SELECT {MEMO_COLUMNS} FROM memo WHERE file = ? ORDER BY id DESC", (file_id,)):
            old.setdefault(_content(row), []).append((row[0], (row[4], row[7])))
        new = []
        for row in fresh:
            same = old.get(_content(row))
            if not same:
                new.append(row)
                continue
            memo, lines = same.pop()
            if lines != (row[4], row[7]):
                self.connection.execute(
                    "UPDATE memo SET line = ?, body_line = ?, checksum = ? WHERE id = ?", (row[4], row[7], row[20], memo)
                )
        self._delete([memo for rest in old.values() for memo, _ in rest])
        next_id = self.connection.execute("SELECT coalesce(max(id), 0) + 1 FROM memo").fetchone()[0]
        rows = [(next_id + n, *row[1:]) for n, row in enumerate(new)]
        self.connection.executemany(INSERT_MEMO, rows)
        self.connection.executemany(INSERT_WORDS, [words_row(row) for row in rows])

    def _delete(self, memos: list[int]) -> None:
        """Take memos out of the full-text index, with the texts they went in with, and then out of the table."""
        # Never REPLACE here: it would skip this and leave the old words behind.
        ids = [(memo,) for memo in memos]
        self.connection.executemany(
            "INSERT INTO words (words, rowid, description, labels, body, parts)"
            " SELECT 'delete', id, description, labels, body, parts FROM memo_words WHERE id = ?",
            ids,
        )
        self.connection.executemany("DELETE FROM memo WHERE id = ?", ids)

    def _drop(self, file_id: int) -> None:
        self._delete([memo for (memo,) in self.connection.execute("SELECT id FROM memo WHERE file = ?", (file_id,))])
        self.connection.execute("DELETE FROM file WHERE id = ?", (file_id,))


def _content(row: tuple[object, ...]) -> tuple[object, ...]:
    """All of a memo row but its number, its lines and the checksum over both."""
    return row[2:4] + row[5:7] + row[8:20]
