"""Opens, checks, makes and replaces the SQLite file of an index; the cache is dirt and is never migrated.

What the other side controls: anybody who can write into the cache directory. So a cache file that is a link, hard-linked,
not regular or not ours is refused, and nothing in its schema is trusted.

A WAL database must not be replaced while somebody has it open, since its side files go by name. Whoever has one open holds
a shared lock on a file beside it; whoever replaces it needs that lock alone, or works in memory.
"""

from __future__ import annotations

import os
import sqlite3
from zlib import crc32

from remember.errors import CacheError
from remember.format.tokens import ANALYSER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.model import StoreRef
    from remember.store.scan import Scan

__all__ = ["APPLICATION_ID", "SCHEMA_VERSION", "Database", "cache_path", "create", "open_database", "publish", "scratch_path", "state_of"]

APPLICATION_ID = 0x52454D42
"""`REMB`, in the header of each cache."""

SCHEMA_VERSION = 1
"""Version of schema/index.sql; a cache of another one is rebuilt."""

PROGRAM = f"{SCHEMA_VERSION}/{ANALYSER}"

_BUSY_S = 10.0


class Database:
    """An open index: `connection`, its `meta` table as it stood, and `path` (None: in memory)."""

    def __init__(self, connection: sqlite3.Connection, path: str | None, lock: int | None, meta: dict[str, object], writable: bool) -> None:
        self.connection = connection
        self.path = path
        self.meta = meta
        self.writable = writable
        self._lock = lock

    def close(self) -> None:
        """Close the connection and let the lock go."""
        self.connection.close()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def is_current(self, walk: Scan) -> bool:
        """Whether the rows stand for exactly what the walk saw, and nothing seen could hide a change."""
        return self.meta["digest"] == str(walk.digest) and self.meta["racy"] == 0 and self.meta["device"] == walk.device

    def reload_meta(self) -> None:
        """Read the `meta` table again, as it is inside the present transaction."""
        self.meta = dict(self.connection.execute("SELECT key, value FROM meta"))


def cache_path(cache_dir: str, store: str) -> str:
    """Where the index of a store lies: its canonical path modulo the prime 2**127 - 1, in hex."""
    key = int.from_bytes(b"\1" + os.fsencode(store), "big") % ((1 << 127) - 1)
    return os.path.join(cache_dir, f"{key:032x}.sqlite")


def scratch_path(path: str) -> str:
    """A name beside a cache file for building the next one, this process's own."""
    return f"{path}.{os.getpid()}-{os.urandom(4).hex()}.tmp"


def shape(connection: sqlite3.Connection) -> int:
    """A checksum of every table, view and index as they were declared; it finds a cache with a column too few."""
    declared = connection.execute("SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'words_%' ORDER BY type, name").fetchall()
    return crc32(repr(declared).encode())


def create(path: str, ref: StoreRef) -> sqlite3.Connection:
    """A new, empty index at `path` (or `:memory:`), in one open transaction and with the settings of a bulk load."""
    from remember._resources import schema_text

    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)  # see `_connect`
    for statement in (
        "PRAGMA journal_mode=OFF",
        "PRAGMA synchronous=OFF",
        "PRAGMA locking_mode=EXCLUSIVE",
        "PRAGMA cache_size=-65536",
        f"PRAGMA application_id={APPLICATION_ID}",
        f"PRAGMA user_version={SCHEMA_VERSION}",
    ):
        connection.execute(statement)
    connection.executescript(schema_text("index.sql"))
    connection.execute("BEGIN")
    # Measured: a hash of 16 MiB and merges of 16 segments build a third faster, and queries run as fast.
    connection.execute("INSERT INTO words(words, rank) VALUES ('hashsize', 16777216)")
    connection.execute("INSERT INTO words(words, rank) VALUES ('automerge', 16)")
    connection.executemany(
        "INSERT INTO meta VALUES (?, ?)",
        [
            ("store", os.fsencode(ref.place)),
            ("layout", ref.layout),
            ("program", PROGRAM),
            ("shape", shape(connection)),
            ("made", os.urandom(12).hex()),
        ],
    )
    return connection


def open_database(cache_dir: str, ref: StoreRef) -> tuple[Database | None, str]:
    """Open a store's index: (database, ""), or (None, why not): `absent`, or what is wrong with it.

    Raises CacheError when the file is one that must be neither used nor replaced (a link, somebody else's).
    """
    path = cache_path(cache_dir, ref.place)
    lock = _shared_lock(path)
    try:
        why = state_of(path)
        if why:
            return _give_up(lock, why)
        writable = os.access(path, os.W_OK) and os.access(cache_dir, os.W_OK)
        connection = _connect(path, writable)
    except BaseException:
        if lock is not None:
            os.close(lock)
        raise
    try:
        meta = _verify(connection, ref)
    except sqlite3.OperationalError as error:
        connection.close()
        if "locked" in str(error):
            return _give_up(lock, "busy")
        return _give_up(lock, f"damaged ({error})")
    except (sqlite3.DatabaseError, UnicodeDecodeError, TypeError, ValueError) as error:
        connection.close()
        return _give_up(lock, f"damaged ({error})")
    if isinstance(meta, str):
        connection.close()
        return _give_up(lock, meta)
    return Database(connection, path, lock, meta, writable), ""


def publish(scratch: str, path: str, wait_s: float = 2.0) -> bool:
    """Put a finished index in the place of the present one; False when somebody has that open, and nothing was done."""
    import fcntl
    import time

    descriptor = os.open(path + ".lock", os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0), 0o600)
    try:
        deadline = time.monotonic() + wait_s
        while True:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > deadline:
                    return False
                time.sleep(0.01)
        for side in ("-wal", "-shm", "-journal"):
            try:
                os.unlink(path + side)
            except FileNotFoundError:
                continue
        os.rename(scratch, path)
        return True
    finally:
        os.close(descriptor)


def _give_up(lock: int | None, why: str) -> tuple[None, str]:
    if lock is not None:
        os.close(lock)
    return None, why


def _shared_lock(path: str) -> int | None:
    """Hold off replacement while we have the cache open; None where no lock file can be kept (then nobody can replace it)."""
    try:
        import fcntl
    except ImportError:
        return None
    flags = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)
    try:
        descriptor = os.open(path + ".lock", os.O_RDONLY | flags)
    except FileNotFoundError:
        try:
            descriptor = os.open(path + ".lock", os.O_RDWR | os.O_CREAT | flags, 0o600)
        except OSError:
            return None
    except OSError:
        return None
    fcntl.flock(descriptor, fcntl.LOCK_SH)
    return descriptor


def state_of(path: str) -> str:
    """Whether a cache file is `absent` or may be opened (""); CacheError for one that is not ours to touch."""
    try:
        found = os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return "absent"
    if found.st_mode & 0o170000 != 0o100000:
        raise CacheError(f"{path} is no regular file, so it is not used as a cache", "remove it, or set REMEMBER_CACHE_DIR elsewhere")
    if found.st_nlink > 1:
        raise CacheError(f"{path} has a second name (a hard link), so it is not used as a cache", "remove it")
    if hasattr(os, "geteuid") and found.st_uid != os.geteuid():
        raise CacheError(f"{path} belongs to another user, so it is not used as a cache", "set REMEMBER_CACHE_DIR to a directory of yours")
    return ""


def _connect(path: str, writable: bool) -> sqlite3.Connection:
    # A build hands its connection to a second thread and takes it back, so Python's check of threads is off.
    name = path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    mode = "rw" if writable else "ro"
    connection = sqlite3.connect(f"file:{name}?mode={mode}", timeout=_BUSY_S, isolation_level=None, check_same_thread=False, uri=True)
    if not writable:
        try:
            connection.execute("PRAGMA user_version").fetchone()
        except sqlite3.OperationalError:
            # A WAL database in a directory that cannot be written has no side files, and nobody can be writing it.
            connection.close()
            connection = sqlite3.connect(f"file:{name}?immutable=1", timeout=_BUSY_S, uri=True, isolation_level=None)
    return connection


def _verify(connection: sqlite3.Connection, ref: StoreRef) -> dict[str, object] | str:
    """The `meta` table of a cache that is of this schema and store, or what is wrong with it."""
    connection.execute("PRAGMA trusted_schema=OFF")
    connection.execute("PRAGMA cell_size_check=ON")
    connection.execute("PRAGMA synchronous=NORMAL")
    connection.execute("PRAGMA temp_store=MEMORY")
    if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        return "no cache of this program"
    if connection.execute("PRAGMA user_version").fetchone()[0] != SCHEMA_VERSION:
        return "another schema version"
    meta: dict[str, object] = dict(connection.execute("SELECT key, value FROM meta"))
    if meta.get("program") != PROGRAM:
        return "another schema or analyser version"
    if meta.get("shape") != shape(connection):
        return "another shape than its schema"
    if meta.get("store") != os.fsencode(ref.place) or meta.get("layout") != ref.layout:
        return "made for another store"
    if not isinstance(meta.get("digest"), str) or not isinstance(meta.get("racy"), int):
        return "unfinished"
    return meta
