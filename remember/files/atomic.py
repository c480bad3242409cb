"""Replaces, makes and removes one file at a time, durably, without ever losing what somebody else saves meanwhile."""

from __future__ import annotations

import os

from remember.errors import ChangedOutside, DamagedStore, IOFailure, PathTaken, RememberError, TooLarge
from remember.files.safe import Spot, open_regular, read_all, read_bytes
from remember.files.swap import exchange_names, rename_new
from remember.files.temporary import Temporary, temporary_name, unlink

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Keep = Callable[[bytes], None]

__all__ = ["LIMIT_BYTES", "NotDurable", "exchange", "make_dirs", "publish_new", "remove", "synchronise"]

LIMIT_BYTES = 64 << 20
"""Files beyond this are never read whole, so never written."""

_ROUNDS = 1000


class NotDurable(IOFailure):
    """The change is in the file, but the folder could not be synchronised, so a power cut may undo it."""

    def __init__(self, path: str, error: OSError) -> None:
        super().__init__(path, error, "the change is visible, but not durable: a power cut now may undo it; mend the cause")


def publish_new(spot: Spot, data: bytes, mode: int = 0o600, mtime_ns: int | None = None, durable: bool = True) -> None:
    """Make a file that is whole when it is visible. Raises PathTaken where the name is in use, IOFailure, NotDurable.

    Without `durable` its content is, and its name when the caller has called `synchronise` for the folder.
    """
    with Temporary(spot, data, mode, mtime_ns) as temporary:
        try:
            rename_new(spot.folder, temporary.name, spot.name)
        except FileExistsError as error:
            raise PathTaken(spot.shown) from error
        except OSError as error:
            raise IOFailure(spot.shown, error) from error
        temporary.ours = False
    if durable:
        synchronise(spot)


def exchange(spot: Spot, data: bytes, expected: bytes, keep: Keep, mode: int | None = None, mtime_ns: int | None = None) -> None:
    """Put `data` where exactly `expected` was; mode and owner stay unless `mode` is given.

    What others save meanwhile wins: it is put back and ChangedOutside raised, and foreign bytes that would be unlinked go to
    `keep` first. Raises IOFailure (old file kept), NotDurable (new file visible), and refuses links and read-only files.
    """
    old, found = _current(spot, expected)
    with Temporary(spot, data, found.st_mode & 0o7777 if mode is None else mode, mtime_ns, (found.st_uid, found.st_gid)) as temporary:
        try:
            exchanged = exchange_names(spot.folder, temporary.name, spot.name)
        except FileNotFoundError as error:
            raise ChangedOutside(spot.shown) from error
        except OSError as error:
            raise IOFailure(spot.shown, error) from error
        if exchanged:
            temporary.ours = False
            _settle(spot, temporary, data, old, keep)
        else:
            _overwrite(spot, temporary, expected)
    synchronise(spot)


def remove(spot: Spot, expected: bytes, keep: Keep) -> None:
    """Remove the file that is exactly `expected`; what else turns out to be there is put back, or kept, and ChangedOutside raised."""
    _current(spot, expected)
    aside = spot._replace(name=temporary_name())
    try:
        rename_new(spot.folder, spot.name, aside.name)
    except FileNotFoundError as error:
        raise ChangedOutside(spot.shown) from error
    except OSError as error:
        raise IOFailure(spot.shown, error) from error
    out = _Out(aside)
    try:
        if out.data != expected:
            _put_back(spot, aside, out, keep)
            raise ChangedOutside(spot.shown)
        _discard(aside, out, keep)
    finally:
        out.close()
    synchronise(spot)


def make_dirs(path: str) -> None:
    """Make a folder (0700) and those above it that are missing, durably. Raises IOFailure, DamagedStore for a file in the way."""
    missing = []
    while path and not os.path.lexists(path):
        missing.append(path)
        path = os.path.dirname(path)
    for made in reversed(missing):
        try:
            os.mkdir(made, 0o700)
            parent = os.open(os.path.dirname(made), os.O_RDONLY)
            try:
                os.fsync(parent)
            finally:
                os.close(parent)
        except FileExistsError:
            continue
        except NotADirectoryError as error:
            raise DamagedStore(path, "is no folder") from error
        except OSError as error:
            raise IOFailure(made, error) from error


class _Out:
    """What came out of the store under a temporary name: its bytes, None where it is nothing that can be read."""

    def __init__(self, spot: Spot) -> None:
        self.descriptor = -1
        self.data: bytes | None = None
        self.stamp = (0, 0)
        try:
            self.descriptor = open_regular(spot)
            self.data = self._read()
        except (OSError, RememberError):
            self.data = None
        except BaseException:
            self.close()
            raise

    def _read(self) -> bytes:
        for _ in range(5):
            found = os.fstat(self.descriptor)
            self.stamp = (found.st_mtime_ns, found.st_size)
            data = read_all(self.descriptor, LIMIT_BYTES)
            if len(data) > LIMIT_BYTES:
                raise TooLarge("what somebody else saved meanwhile", len(data), LIMIT_BYTES)
            if not self._changed():
                break
        return data

    def _changed(self) -> bool:
        found = os.fstat(self.descriptor)
        return self.stamp != (found.st_mtime_ns, found.st_size)

    def late(self) -> bytes | None:
        """The bytes if somebody who had the file open wrote into it since it was read."""
        return self._read() if self.descriptor >= 0 and self._changed() else None

    def close(self) -> None:
        if self.descriptor >= 0:
            os.close(self.descriptor)
            self.descriptor = -1


def _current(spot: Spot, expected: bytes) -> tuple[bytes, os.stat_result]:
    """The file as it is now, if it may be written and holds what is expected."""
    try:
        data, found = read_bytes(spot, max(LIMIT_BYTES, len(expected)))
    except FileNotFoundError as error:
        raise ChangedOutside(spot.shown) from error
    if found.st_nlink > 1:
        raise DamagedStore(spot.shown, "has a second name (a hard link), so it is not written", "give it a copy of its own: cp, then mv")
    if not found.st_mode & 0o222:
        raise IOFailure(spot.shown, "is read-only", f"chmod u+w {spot.shown}, then repeat the command")
    if data != expected:
        raise ChangedOutside(spot.shown)
    return data, found


def _settle(spot: Spot, temporary: Temporary, data: bytes, expected: bytes, keep: Keep) -> None:
    """After an exchange: drop what came out if it is what was expected, else put it back until nothing newer is lost."""
    aside = spot._replace(name=temporary.name)
    out = _Out(aside)
    try:
        if out.data == expected:
            _discard(aside, out, keep)
            return
        put_in: bytes | None = data
        for _ in range(_ROUNDS):
            try:
                _again(spot, aside)
            except FileNotFoundError:  # somebody took ours away meanwhile: what came out gets its name back
                _put_back(spot, aside, out, keep)
                raise ChangedOutside(spot.shown) from None
            last, previous = out, put_in
            out = _Out(aside)
            put_in = last.data
            last.close()
            if out.data == previous:
                break
        if out.data is not None:
            if out.data != data:
                keep(out.data)
            _discard(aside, out, keep)
        raise ChangedOutside(spot.shown)
    except OSError as error:
        raise IOFailure(spot.shown, error, f"what somebody else saved meanwhile is in {aside.name} beside it") from error
    finally:
        out.close()


def _again(spot: Spot, aside: Spot) -> None:
    if not exchange_names(spot.folder, aside.name, spot.name):
        raise IOFailure(spot.shown, "its new content cannot be taken back", f"what was there is in {aside.name} beside it")


def _put_back(spot: Spot, aside: Spot, out: _Out, keep: Keep) -> None:
    """Give what came out its name again, unless somebody made a newer file there: then its bytes are kept elsewhere."""
    try:
        rename_new(spot.folder, aside.name, spot.name)
    except FileExistsError:
        if out.data is not None:
            keep(out.data)
            _discard(aside, out, keep)
    except OSError as error:
        raise IOFailure(spot.shown, error, f"its bytes are in {aside.name} beside it") from error


def _discard(aside: Spot, out: _Out, keep: Keep) -> None:
    """Unlink what came out; what an editor that held it open wrote meanwhile is kept, before or after."""
    late = out.late()
    if late is not None:
        keep(late)
    unlink(aside)
    late = out.late()
    if late is not None:
        keep(late)


def _overwrite(spot: Spot, temporary: Temporary, expected: bytes) -> None:
    """Where names cannot be exchanged: compare, then rename; a save between the two is lost (documented)."""
    _current(spot, expected)
    try:
        os.rename(temporary.name, spot.name, src_dir_fd=spot.folder, dst_dir_fd=spot.folder)
    except OSError as error:
        raise IOFailure(spot.shown, error) from error
    temporary.ours = False


def synchronise(spot: Spot) -> None:
    """Make the names in the folder of a spot durable. Raises NotDurable."""
    try:
        os.fsync(spot.folder)
    except OSError as error:
        raise NotDurable(spot.shown, error) from error
