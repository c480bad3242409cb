"""Keeps the indexes of watched stores: what is pending, what was proved, and when to walk again."""

from __future__ import annotations

import os
import sqlite3
import time

from remember._named import NamedTuple
from remember.errors import CacheError, Conflict, RememberError
from remember.index.catalogue import open_index
from remember.index.database import cache_path
from remember.index.handshake import Door, request
from remember.layouts import layout_of
from remember.layouts.layout import is_outside
from remember.store.mounts import deaf_spot, mount_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from remember.index.catalogue import Index
    from remember.memory.context import Surroundings
    from remember.model import Freshness, StoreRef

__all__ = ["Keeper", "Refreshed", "keepers"]

PATHS_MOST = 2000
"""With more changed files than this, a walk costs less than looking for each."""

DEBOUNCE_S = 0.05
RESCAN_S = 300.0
LOST_S = 1.0
FAILED_S = 30.0


class Refreshed(NamedTuple):
    """One refresh, to be told: `full` means by a walk; `read` and `removed` count files; `trouble` is why nothing was done."""

    store: str
    full: bool
    files: int
    read: int
    removed: int
    unreadable: int
    elapsed_ms: float
    warnings: tuple[str, ...] = ()
    trouble: str = ""


class Keeper:
    """One watched store. All methods are for one thread; none waits for a file system event.

    `ear_ok` is set by whoever listens: that every event of the store's folders will arrive; `unheard` has a reason for each
    folder that is refused. Times are seconds of the monotonic clock.
    """

    def __init__(self, ref: StoreRef, cache_dir: str, say: Callable[[Refreshed], None], remark: Callable[[str], None]) -> None:
        self.ref, self.cache_dir, self.say, self.remark = ref, cache_dir, say, remark
        self.file = cache_path(cache_dir, ref.place)
        self.door = Door(self.file)
        self.layout = layout_of(ref)
        self.ear_ok = False
        self.unheard: list[str] = []
        self.pending: set[str] = set()
        self.due_s: float | None = None
        self.walk_due_s = self.rest_until_s = 0.0
        self.stale = True  # only a walk tells what the files are
        self.complete = False  # the last walk saw everything
        self.identity: tuple[int, int] | None = None
        self.made: object = None
        self.mounts = b""
        self.deaf = ""
        self._cookie_count = 0
        self._troubles: set[str] = set()

    def close(self) -> None:
        """Stop answering and let the lock go; no cookie is left in the store."""
        self._unlink_cookie()
        self.door.close()

    def locate(self) -> tuple[int, int] | None:
        """The store's directory as (device, inode); None where it is gone."""
        try:
            found = os.stat(self.ref.path)
        except OSError:
            return None
        return found.st_dev, found.st_ino

    def note(self, path: str, folder: bool) -> None:
        """Something happened to that absolute path; what is no part of the store is passed over."""
        if path != self.ref.path and not path.startswith(self.ref.path + "/"):
            self.remark(f"{self.ref.name}: {path} lies outside the store; the store is walked anew")
            self.doubt()
            return
        inner = path[len(self.ref.path) + 1 :]
        if not self.passes(inner):
            return
        rules = self.layout.rules
        if folder:
            self.doubt()
        elif not is_outside(rules, inner):
            self.pending.add(inner)
            if len(self.pending) > PATHS_MOST:
                self.doubt()
            elif self.due_s is None:
                self.due_s = time.monotonic() + DEBOUNCE_S

    def passes(self, inner: str) -> bool:
        """Whether a path below the store is looked at by walks."""
        rules = self.layout.rules
        parts = inner.split("/")
        if rules.flat and len(parts) > 1:
            return False
        return not (any(part.startswith(".") or part in rules.skip for part in parts) or rules.skips_top(parts[0]))

    def doubt(self) -> None:
        """Vouch for nothing until the store was walked again, which is soon."""
        self.stale = True
        self.pending.clear()
        if self.due_s is None:
            self.due_s = max(time.monotonic() + DEBOUNCE_S, self.rest_until_s)

    def wake_s(self) -> float:
        """When there is something to do without an event."""
        return self.walk_due_s if self.due_s is None else min(self.due_s, self.walk_due_s)

    def work(self, now_s: float) -> None:
        """Do what is due."""
        if self.walk_due_s <= now_s or (self.stale and self.due_s is not None and self.due_s <= now_s):
            self.walk()
        elif self.due_s is not None and self.due_s <= now_s:
            self.flush()

    def answers(self, line: bytes) -> bool:
        """Whether the question fits the store and index that we keep, and nothing stands against an answer."""
        if self.stale or not (self.ear_ok and self.complete and not self.deaf):
            return False
        if self.identity != self.locate() or mount_table() != self.mounts:
            self.doubt()
            return False
        try:
            wanted = request(self.ref, self.made)
        except OSError:
            return False
        if line != wanted and line.rpartition(b" ")[0] == wanted.rpartition(b" ")[0]:
            self.doubt()  # somebody built the index anew; it is ours only after a walk
        return line == wanted

    def cookie(self) -> str | None:
        """Make and remove a file at the top of the store; its absolute path, whose event comes after all that happened so far."""
        self._cookie_count += 1
        name = self._cookie_path()
        try:
            os.close(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600))
        except OSError as error:
            self.remark(f"{self.ref.name}: no file can be made in the store ({error.strerror}), so nothing is vouched for")
            return None
        finally:
            self._unlink_cookie()
        return name

    def _cookie_path(self) -> str:
        return f"{self.ref.path}/.remember-{os.getpid()}-{self._cookie_count}.tmp"

    def _unlink_cookie(self) -> None:
        try:
            os.unlink(self._cookie_path())
        except OSError:
            pass  # it was never made, or is gone already

    def flush(self) -> bool:
        """Take in what is pending, at once; False where that needs a walk or failed."""
        if self.stale:
            return False
        self.due_s = None
        if not self.pending:
            return True
        paths, self.pending = self.pending, set()
        if self.identity is None or not self._told(lambda: self._flush(paths)):
            self.doubt()
        return not self.stale

    def _flush(self, paths: set[str]) -> bool:
        from remember.index.partial import take_in_paths

        began = time.perf_counter()
        with open_index(self.ref, self.cache_dir, False) as index:
            if index.database.path is None or index.database.meta.get("made") != self.made or self.identity is None:
                return False
            found = take_in_paths(index.database, self.ref, self.layout, paths, *self.identity)
        if found is None:
            return False
        if found.unreadable:
            self.complete = False
        if found.changed or found.removed or found.warnings:
            self._say(found, False, len(paths), began)
        return True

    def walk(self) -> bool:
        """Compare everything with the store; whether that could be done. What happens meanwhile comes as events afterwards."""
        self.pending.clear()
        self.due_s = None
        self.stale = True
        self.complete = False
        self.identity = self.locate()
        self.mounts = mount_table()
        # The second directory of a store is not listened to; walks see it.
        self.deaf = self.ref.public or deaf_spot(os.path.realpath(self.ref.path), self.mounts)
        if self.deaf:
            self.remark(f"{self.ref.name}: changes in {self.deaf} may go unheard, so nothing is vouched for")
        began = time.monotonic()
        done = self._told(self._walk)
        _give_memory_back()
        ended = time.monotonic()
        # At most half of the time is spent on walks, however many folders come and go.
        self.rest_until_s = ended + (FAILED_S if self._troubles and self.identity is not None else ended - began)
        self.walk_due_s = ended + RESCAN_S if done else max(ended + LOST_S, self.rest_until_s)
        self.stale = not done
        return done

    def _walk(self) -> bool:
        began = time.perf_counter()
        with open_index(self.ref, self.cache_dir, False) as index:
            if index.database.path is None:
                raise CacheError(index.freshness.warnings[0], "set REMEMBER_CACHE_DIR to a directory that can be written")
            first = self.made is None
            found = index.refresh()
            self.made = index.database.meta.get("made")
            self.complete = not found.warnings and not _any_unreadable(index)
            files = index.connection.execute("SELECT count(*) FROM file").fetchone()[0] if first else found.changed
        if first or found.changed or found.removed or found.warnings:
            self._say(found, True, files, began)
        return self.identity is not None and self.identity == self.locate()

    def _say(self, found: Freshness, full: bool, files: int, began: float) -> None:
        elapsed = round((time.perf_counter() - began) * 1000, 1)
        self.say(Refreshed(self.ref.name, full, files, found.changed, found.removed, found.unreadable, elapsed, found.warnings))

    def _told(self, act: Callable[[], bool]) -> bool:
        """Run a refresh; what fails is told once until something succeeds, and tried again."""
        try:
            done = act()
        except RememberError as error:
            trouble = error.message
        except (OSError, sqlite3.Error) as error:
            trouble = str(error)
        else:
            self._troubles.clear()
            return done
        if trouble not in self._troubles:
            self._troubles.add(trouble)
            self.say(Refreshed(self.ref.name, True, 0, 0, 0, 0, 0.0, (), trouble))
        return False


def _give_memory_back() -> None:
    """Let glibc return what a walk of many files needed; a watcher sits for days on what it does not return."""
    import ctypes

    try:
        ctypes.CDLL(None).malloc_trim(0)
    except (AttributeError, OSError, TypeError):
        return  # another C library, which has its own ways


def _any_unreadable(index: Index) -> bool:
    return index.connection.execute("SELECT 1 FROM file WHERE unreadable LIMIT 1").fetchone() is not None


def keepers(around: Surroundings, say: Callable[[Refreshed], None], remark: Callable[[str], None]) -> list[Keeper]:
    """A keeper for each selected store, each holding its lock. Raises Conflict where another watcher has one, CacheError."""
    made: list[Keeper] = []
    try:
        selection = around.selection()
        for warning in selection.warnings:
            remark(warning)
        for ref in selection.refs:
            try:
                keeper = Keeper(ref, around.config.cache_dir, say, remark)
            except OSError as error:
                reason = error.strerror or str(error)
                raise CacheError(f"{error.filename or around.config.cache_dir}: {reason}", "set REMEMBER_CACHE_DIR elsewhere") from error
            made.append(keeper)
            if keeper.door.taken:
                raise Conflict(f"another `remember watch` keeps {ref.name} ({ref.path}) already", "end that one first, or let it run")
    except BaseException:
        for keeper in made:
            keeper.close()
        raise
    return made
