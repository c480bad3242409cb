"""Builds an index from nothing: one process, one transaction, into a new file that is moved into place."""

from __future__ import annotations

import os
import sqlite3
import time

from remember.format import ids
from remember.index import database
from remember.index.rows import MEMO_COLUMNS, memo_row, path_key
from remember.layouts.layout import FILE_LIMIT
from remember.store.read import Reader
from remember.store.scan import scan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from threading import Thread

    from remember.layouts.layout import Entry, Layout
    from remember.model import StoreRef
    from remember.store.scan import Scan

__all__ = ["INSERT_FILE", "INSERT_MEMO", "INSERT_WORDS", "fill", "is_racy", "memo_id_of", "write_meta"]

INSERT_FILE = "INSERT INTO file (id, path, ino, mtime_ns, ctime_ns, size, racy, sha256, unreadable) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
INSERT_MEMO = f"INSERT INTO memo ({MEMO_COLUMNS}) VALUES ({', '.join('?' * 21)})"
INDEX_WORDS = (
    "INSERT INTO words (rowid, description, labels, body, parts)"
    " SELECT id, description, labels, body, parts FROM memo_words WHERE id BETWEEN ? AND ?"
)
INSERT_WORDS = "INSERT INTO words (rowid, description, labels, body, parts) VALUES (?, ?, ?, ?, ?)"

_BATCH = 500
_MOST = 4 * _BATCH
"""So many memos are gathered while the full text of the last batch is still going in, before anybody waits for it."""

_MARGIN_NS = 2_000_000_000
_SECOND_NS = 1_000_000_000


def is_racy(signature: tuple[int, int, int, int], read_ns: int) -> bool:
    """Whether a file could change once more without its signature changing (git's racy rule).

    `read_ns` is the clock when reading began. The margin is 2 s, and 3 s where the times have no fraction: such a file
    system counts in seconds, or in two.
    """
    _, mtime, ctime, _ = signature
    coarse = mtime % _SECOND_NS == 0 and ctime % _SECOND_NS == 0
    return max(mtime, ctime) >= read_ns - (_MARGIN_NS + _SECOND_NS if coarse else _MARGIN_NS)


def memo_id_of(layout: Layout, path: str, entry: Entry) -> str | None:
    """The memo's ID: the file's own, or for layouts without IDs one derived from layout, path and kind."""
    if layout.has_ids or entry.kind == "text":
        return entry.id
    return entry.id or ids.derived(layout.name, path, entry.body if entry.kind == "fact" else "")


def write_meta(connection: sqlite3.Connection, digest: int, racy: int, device: int) -> None:
    """Record what the rows now stand for; the digest is text, since it does not fit SQLite's signed integers."""
    connection.executemany(
        "INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        [("digest", str(digest % (1 << 64))), ("racy", racy), ("device", device)],
    )


class _Filler:
    """Reads files, makes rows and hands them to SQLite in batches."""

    def __init__(self, connection: sqlite3.Connection, ref: StoreRef, layout: Layout) -> None:
        from hashlib import sha256

        self.sha256 = sha256
        self.connection = connection
        self.layout = layout
        self.reader = Reader(ref.path, layout.rules, FILE_LIMIT)
        self.files: list[tuple[object, ...]] = []
        self.memos: list[tuple[object, ...]] = []
        self.file_id = 0
        self.memo_id = 0
        self.writer: Thread | None = None
        self.failure: BaseException | None = None
        self.racy = 0
        self.digest_change = 0
        self.warnings: list[str] = []

    def take(self, path: str, mark: int) -> None:
        read_ns = time.time_ns()
        try:
            read = self.reader.read(path)
        except OSError as error:
            self.file_id += 1
            self.racy += 1
            self.files.append((self.file_id, path_key(path), 0, 0, 0, 0, 1, b"", 1))
            self.warnings.append(f"{path}: {error.strerror}")
            return
        if read is None:
            self.digest_change -= mark
            return
        self.digest_change += hash(read.signature) - mark
        self.file_id += 1
        racy = is_racy(read.signature, read_ns)
        self.racy += racy
        self.files.append((self.file_id, path_key(path), *read.signature, int(racy), self.sha256(read.data).digest(), 0))
        for entry in self.layout.parse(path, read.data, read.signature[1] // 1_000_000):
            self.memo_id += 1
            self.memos.append(memo_row(self.memo_id, self.file_id, path, entry, memo_id_of(self.layout, path, entry)))
        if len(self.memos) >= _BATCH and (len(self.memos) >= _MOST or self.writer is None or not self.writer.is_alive()):
            self.flush()

    def flush(self) -> None:
        """Insert what was taken; its full text goes in while the next files are read."""
        self.wait()
        self.connection.executemany(INSERT_FILE, self.files)
        self.connection.executemany(INSERT_MEMO, self.memos)
        if self.memos:
            from threading import Thread

            self.writer = Thread(target=self.index, args=(self.memos[0][0], self.memos[-1][0]))
            self.writer.start()
        self.files.clear()
        self.memos.clear()

    def index(self, first: object, last: object) -> None:
        """Put memos into the full-text index, in one statement: SQLite works on it without holding up the interpreter."""
        try:
            self.connection.execute(INDEX_WORDS, (first, last))
        except BaseException as error:
            self.failure = error

    def wait(self) -> None:
        """Let the full text of the last batch come in; nothing else may use the connection before. Raises what it met with."""
        if self.writer is not None:
            self.writer.join()
            self.writer = None
        if self.failure is not None:
            raise self.failure


def fill(
    connection: sqlite3.Connection, ref: StoreRef, layout: Layout, progress: Callable[[int, int], None] | None = None
) -> tuple[int, list[str], Scan]:
    """Read the whole store into an empty index whose transaction is open, and commit; (files, warnings, the walk).

    `progress` is called with (files done, files in all).
    """
    import gc

    walk = scan(ref.path, layout.rules)
    filler = _Filler(connection, ref, layout)
    total = walk.file_count()
    collecting = gc.isenabled()
    gc.disable()  # nothing here makes circles; the collector would walk the batches again and again
    try:
        for done, (path, mark) in enumerate(walk.files()):
            filler.take(path, mark)
            if progress is not None and done % 200 == 0:
                progress(done, total)
        filler.flush()
    finally:
        filler.reader.close()
        filler.wait()
        if collecting:
            gc.enable()
    warnings = filler.warnings + [f"{path}: {reason}" for path, reason in walk.unreadable]
    write_meta(connection, walk.digest + filler.digest_change, filler.racy, walk.device)
    connection.execute("INSERT INTO words(words, rank) VALUES ('automerge', 4)")
    connection.execute("COMMIT")
    if progress is not None:
        progress(total, total)
    return filler.file_id, warnings, walk


def build(cache_dir: str, ref: StoreRef, layout: Layout, progress: Callable[[int, int], None] | None = None) -> tuple[int, list[str], str]:
    """Build the store's index anew and put it in place; (files, warnings, its mark `made`: "" where it could not be put there).

    Raises OSError or sqlite3.Error when the cache directory cannot be written.
    """
    path = database.cache_path(cache_dir, ref.place)
    os.makedirs(cache_dir, 0o700, exist_ok=True)
    database.state_of(path)  # refuses a file that is not ours to replace
    scratch = database.scratch_path(path)
    try:
        os.close(os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        connection = database.create(scratch, ref)
        try:
            files, warnings, _ = fill(connection, ref, layout, progress)
            made = str(connection.execute("SELECT value FROM meta WHERE key = 'made'").fetchone()[0])
            connection.execute("PRAGMA locking_mode=NORMAL")
            connection.execute("PRAGMA journal_mode=WAL")
        finally:
            connection.close()
        return files, warnings, made if database.publish(scratch, path) else ""
    finally:
        for side in ("", "-wal", "-shm"):
            try:
                os.unlink(scratch + side)
            except OSError:
                continue  # it was moved into place, or never made
