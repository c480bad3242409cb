"""The temporary file beside its target: written, synchronised, and gone again unless it was renamed into place."""

from __future__ import annotations

import os

from remember.errors import IOFailure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType

    from remember.files.safe import Spot

__all__ = ["Temporary", "temporary_name", "unlink", "writer_of"]

_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)


def temporary_name() -> str:
    """A new name of the form `.remember-<process>-<hex>.tmp`, by which `check` knows the files of a dead writer."""
    return f".remember-{os.getpid()}-{os.urandom(6).hex()}.tmp"


def writer_of(name: str) -> int | None:
    """The process that made a temporary file of that name; None for a name that is not ours."""
    parts = name.split("-")
    if len(parts) != 3 or parts[0] != ".remember" or not parts[1].isdigit() or not parts[2].endswith(".tmp"):
        return None
    return int(parts[1])


def unlink(spot: Spot) -> None:
    """Remove a name; one that is gone already is no error. Raises IOFailure."""
    try:
        os.unlink(spot.name, dir_fd=spot.folder)
    except FileNotFoundError:
        return
    except OSError as error:
        raise IOFailure(f"{os.path.dirname(spot.shown)}/{spot.name}", error, "it is a temporary file of ours; remove it") from error


class Temporary:
    """A written and synchronised file beside `spot`, for a `with` block; `ours` says that its name still holds our bytes.

    `owner` is the (user, group) it should have. Raises IOFailure, after which no file is left.
    """

    def __init__(self, spot: Spot, data: bytes, mode: int, mtime_ns: int | None, owner: tuple[int, int] | None = None) -> None:
        self.spot, self.name = spot, temporary_name()
        self.data, self.mode, self.mtime_ns, self.owner = data, mode, mtime_ns, owner
        self.ours = False

    def __enter__(self) -> Temporary:
        try:
            descriptor = os.open(self.name, _FLAGS, 0o600, dir_fd=self.spot.folder)
        except OSError as error:
            raise IOFailure(self.spot.shown, error) from error
        self.ours = True
        try:
            try:
                self._fill(descriptor)
            finally:
                os.close(descriptor)
        except OSError as error:
            self._clean()
            raise IOFailure(self.spot.shown, error) from error
        except BaseException:
            self._clean()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._clean()

    def _fill(self, descriptor: int) -> None:
        left = memoryview(self.data)
        while left:
            left = left[os.write(descriptor, left) :]
        found = os.fstat(descriptor)
        if self.owner is not None and self.owner != (found.st_uid, found.st_gid):
            self._give(descriptor, self.owner)
        os.fchmod(descriptor, self.mode)
        if self.mtime_ns is not None:
            os.utime(descriptor, ns=(self.mtime_ns, self.mtime_ns))
        os.fsync(descriptor)

    def _give(self, descriptor: int, owner: tuple[int, int]) -> None:
        """Owner and group as before, so far as this user may; the mode must never let more people read than before."""
        for user, group in (owner, (-1, owner[1])):
            try:
                os.fchown(descriptor, user, group)
            except PermissionError:
                continue
            return
        self.mode &= 0o7707

    def _clean(self) -> None:
        if self.ours:
            self.ours = False
            try:
                os.unlink(self.name, dir_fd=self.spot.folder)
            except OSError:
                # The failure that led here is what the user must hear of; `check` names left-over files (R406).
                return
