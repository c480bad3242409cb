"""One writer at a time for each store: a lock on the store's own directory, let go by the system when its holder dies."""

from __future__ import annotations

import os
import time

from remember.errors import IOFailure, Locked, UnknownStore
from remember.files.safe import open_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType

__all__ = ["locked"]

_FIRST_WAIT_S, _LONGEST_WAIT_S = 0.001, 0.02
LOCK_FILE = ".remember-lock"
"""Where the platform cannot lock a directory (no fcntl), a file of this name in the store stands for it."""


class locked:
    """Hold the store's lock for a `with` block, which gets a descriptor of the store's directory.

    Waits up to `timeout_s` seconds, then raises Locked, naming the holder where the system tells. Raises UnknownStore where
    no store is, UnsafePath where a link is, IOFailure where the file system does not lock.
    """

    def __init__(self, path: str, timeout_s: float = 10.0) -> None:
        self.path, self.timeout_s = path, timeout_s
        self.descriptor = self.lock_file = -1

    def __enter__(self) -> int:
        began = time.monotonic()
        wait_s = _FIRST_WAIT_S
        try:
            while not self._take():
                left_s = began + self.timeout_s - time.monotonic()
                if left_s <= 0:
                    raise Locked(self.path, self.timeout_s, _holder(self.descriptor))
                time.sleep(min(wait_s, left_s))
                wait_s = min(wait_s * 1.5, _LONGEST_WAIT_S)
        except BaseException:
            self._close()
            raise
        return self.descriptor

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._close()

    def _take(self) -> bool:
        """Whether the lock is ours now, and on the directory that the path still means."""
        if self.descriptor < 0:
            try:
                self.descriptor = open_folder(self.path)
            except FileNotFoundError as error:
                raise UnknownStore(self.path, "there is no such directory") from error
        if not self._lock():
            return False
        mine = os.fstat(self.descriptor)
        try:
            named = os.stat(self.path, follow_symlinks=False)
        except OSError:
            named = None
        if named is not None and (named.st_dev, named.st_ino) == (mine.st_dev, mine.st_ino):
            return True
        self._close()  # the store was replaced while we waited: lock what is there now
        return False

    def _lock(self) -> bool:
        try:
            import fcntl
        except ImportError:
            return self._lock_by_file()
        try:
            fcntl.flock(self.descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, InterruptedError):
            return False
        except OSError as error:
            hint = "the store cannot be locked here; network file systems are not supported for writing"
            raise IOFailure(self.path, error, hint) from error
        return True

    def _lock_by_file(self) -> bool:
        try:
            flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_TEMPORARY", 0)
            self.lock_file = os.open(os.path.join(self.path, LOCK_FILE), flags, 0o600)
        except (FileExistsError, PermissionError):
            return False
        except OSError as error:
            raise IOFailure(self.path, error) from error
        return True

    def _close(self) -> None:
        if self.lock_file >= 0:
            os.close(self.lock_file)
            self.lock_file = -1
            if os.path.lexists(os.path.join(self.path, LOCK_FILE)):
                os.unlink(os.path.join(self.path, LOCK_FILE))
        if self.descriptor >= 0:
            os.close(self.descriptor)
            self.descriptor = -1


def _holder(descriptor: int) -> str:
    """`process 1234 (name)` from /proc/locks, or "" where that does not tell."""
    try:
        found = os.fstat(descriptor)
        with open("/proc/locks", encoding="ascii", errors="replace") as lines:
            for line in lines:
                # 1: FLOCK  ADVISORY  WRITE 1234 08:01:123456 0 EOF
                words = line.split()
                if len(words) < 6 or words[1] != "FLOCK" or words[5].rpartition(":")[2] != str(found.st_ino):
                    continue
                major, minor, _ = words[5].split(":")
                if (int(major, 16), int(minor, 16)) == (os.major(found.st_dev), os.minor(found.st_dev)):
                    return f"process {words[4]}{_name_of(words[4])}"
    except (OSError, ValueError):
        return ""
    return ""


def _name_of(process: str) -> str:
    try:
        with open(f"/proc/{process}/comm", encoding="utf-8", errors="replace") as file:
            name = "".join(c for c in file.read().strip() if c.isprintable())
    except OSError:
        return ""
    return f" ({name})" if name else ""
