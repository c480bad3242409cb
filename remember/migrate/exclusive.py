"""The file that keeps two migrators of one store apart: made exclusively, and held by a system lock that dies with its holder."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from remember.errors import IOFailure, Locked
from remember.files.safe import Spot, open_regular
from remember.files.temporary import unlink

if TYPE_CHECKING:
    from types import TracebackType

__all__ = ["LOCK_NAME", "migrating"]

LOCK_NAME = ".pi-remember-migration.lock"
_FLAGS = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
_TRIES = 100


class migrating:
    """Hold the migration lock of the store whose descriptor is `folder`, for a `with` block that gets a notice or "".

    A lock whose holder died is taken over, which the notice says. Raises Locked where its holder lives.
    """

    def __init__(self, folder: int, store: str) -> None:
        self.spot = Spot(folder, LOCK_NAME, f"{store}/{LOCK_NAME}")
        self.descriptor = -1

    def __enter__(self) -> str:
        for _ in range(_TRIES):
            found = self._open()
            if found is None:
                continue
            try:
                self._lock()
                if self._is_named():
                    return "" if found else f"{self.spot.shown} was left over by a migration that died; it was taken over"
            except BaseException:
                self._close()
                raise
            self._close()
        raise self._refusal()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        try:
            unlink(self.spot)
        finally:
            self._close()

    def _open(self) -> bool | None:
        """True for a new file, False for one that was there, None where it vanished in between."""
        try:
            self.descriptor = os.open(self.spot.name, _FLAGS, 0o600, dir_fd=self.spot.folder)
            return True
        except FileExistsError:
            try:
                self.descriptor = open_regular(self.spot)
            except FileNotFoundError:
                return None
            return False
        except OSError as error:
            raise IOFailure(self.spot.shown, error) from error

    def _lock(self) -> None:
        import fcntl

        try:
            fcntl.flock(self.descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise self._refusal() from error
        except OSError as error:
            raise IOFailure(self.spot.shown, error) from error

    def _is_named(self) -> bool:
        """Whether the file that we hold is still the one of that name: another migrator may have ended in between."""
        mine = os.fstat(self.descriptor)
        try:
            named = os.stat(self.spot.name, dir_fd=self.spot.folder, follow_symlinks=False)
        except FileNotFoundError:
            return False
        return (mine.st_dev, mine.st_ino) == (named.st_dev, named.st_ino)

    def _refusal(self) -> Locked:
        error = Locked(self.spot.shown, 0.0)
        error.message = f"{self.spot.shown} is held: another program is migrating this store"
        error.hint = "let it end, then repeat the command; a lock whose holder has died is taken over"
        error.args = (error.message,)
        return error

    def _close(self) -> None:
        if self.descriptor >= 0:
            os.close(self.descriptor)
            self.descriptor = -1
