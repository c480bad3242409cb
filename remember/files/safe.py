"""Opens files so that whoever controls a store's contents (links, FIFOs, swapped folders) cannot lead a read or write elsewhere."""

from __future__ import annotations

import os

from remember._named import NamedTuple
from remember.errors import DamagedStore, IOFailure, TooLarge, UnsafePath

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType

__all__ = ["Place", "Spot", "check_inside", "check_relative", "open_folder", "open_regular", "read_all", "read_bytes"]

_CLOEXEC = getattr(os, "O_CLOEXEC", 0)
_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)
_READ = os.O_RDONLY | _NOFOLLOW | getattr(os, "O_NONBLOCK", 0) | _CLOEXEC
_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | _NOFOLLOW | _CLOEXEC
# The folders above the store need not be readable, only searchable, where the system knows such a descriptor.
_SEARCH = getattr(os, "O_PATH", os.O_RDONLY) | getattr(os, "O_DIRECTORY", 0) | _NOFOLLOW | _CLOEXEC
_REGULAR, _LINK, _TYPE = 0o100000, 0o120000, 0o170000
_TRIES = 5


class Spot(NamedTuple):
    """A name in an open folder: `folder` is the folder's descriptor, `shown` the whole path for messages."""

    folder: int
    name: str
    shown: str


class Place:
    """Opens the folder of a path below an open root, link by link refused, for a `with` block that gets the Spot.

    `root` is a descriptor, `root_path` its path for messages, `relative` the path below it; missing folders are made
    (0700) with `make`. Raises UnsafePath, DamagedStore for a parent that is no folder, FileNotFoundError for a missing one.
    """

    def __init__(self, root: int, root_path: str, relative: str, make: bool = False) -> None:
        check_relative(relative)
        self.root, self.root_path, self.relative, self.make = root, root_path, relative, make
        self.opened = -1

    def __enter__(self) -> Spot:
        *parents, name = self.relative.split("/")
        shown = self.root_path
        folder = self.root
        for part in parents:
            shown = f"{shown}/{part}"
            below = _step(folder, part, shown, self.make)
            self._close()
            self.opened = folder = below
        return Spot(folder, name, f"{shown}/{name}")

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._close()

    def _close(self) -> None:
        if self.opened >= 0:
            os.close(self.opened)
            self.opened = -1


def _step(folder: int, part: str, shown: str, make: bool) -> int:
    """The descriptor of a folder in a folder; made first where it is missing and `make` is set."""
    try:
        return os.open(part, _FOLDER, dir_fd=folder)
    except FileNotFoundError:
        if not make:
            raise
    except OSError as error:
        raise _refusal(folder, part, shown, error) from error
    try:
        os.mkdir(part, 0o700, dir_fd=folder)
    except FileExistsError:  # made by somebody else meanwhile
        return _step(folder, part, shown, False)
    except OSError as error:
        raise IOFailure(shown, error) from error
    try:
        os.fsync(folder)
    except OSError as error:
        raise IOFailure(shown, error) from error
    return _step(folder, part, shown, False)


def _refusal(folder: int, name: str, shown: str, error: OSError) -> Exception:
    """Why something could not be opened: a link, a thing of another type, or what the system says."""
    try:
        mode = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
    except OSError:
        return IOFailure(shown, error)
    if mode & _TYPE == _LINK:
        return UnsafePath(shown, "is a symbolic link, and nothing is read or written through one")
    return DamagedStore(shown, "is no folder") if isinstance(error, NotADirectoryError) else IOFailure(shown, error)


def check_relative(relative: str) -> str:
    """The path itself if it can only mean something below a store: no root, `..`, hidden or empty parts. Raises UnsafePath."""
    if not relative or relative.startswith("/") or "\0" in relative:
        raise UnsafePath(relative.replace("\0", "\\0") or '""', "is no path below the store")
    for part in relative.split("/"):
        if part in ("", ".."):
            raise UnsafePath(relative, "leads out of the store" if part else "has an empty part")
        if part.startswith("."):
            raise UnsafePath(relative, "has a hidden part, which no memo has")
    return relative


def check_inside(store: str, relative: str) -> str:
    """The absolute path of what `relative` names below `store`; what does not exist yet is allowed.

    Raises UnsafePath where the path leads out, is hidden, or any part of it below the store is a link.
    """
    path = store
    for part in check_relative(relative).split("/"):
        path = os.path.join(path, part)
        try:
            mode = os.lstat(path).st_mode
        except FileNotFoundError:
            break
        except OSError as error:
            raise IOFailure(path, error) from error
        if mode & _TYPE == _LINK:
            raise UnsafePath(relative, "leads through a symbolic link")
    return os.path.join(store, relative)


def open_folder(path: str) -> int:
    """A descriptor of the folder at an absolute path of which no part is a link.

    Every part is opened from the one before, so none can be swapped for a link in between.
    Raises UnsafePath, DamagedStore, FileNotFoundError, IOFailure.
    """
    parts = path.strip("/").split("/")
    try:
        folder = os.open("/", _SEARCH)
    except OSError as error:
        raise IOFailure(path, error) from error
    for number, part in enumerate(parts, 1):
        try:
            below = os.open(part, _FOLDER if number == len(parts) else _SEARCH, dir_fd=folder)
        except FileNotFoundError:
            raise
        except OSError as error:
            raise _refusal(folder, part, "/" + "/".join(parts[:number]), error) from error
        finally:
            os.close(folder)
        folder = below
    return folder


def open_regular(spot: Spot) -> int:
    """A descriptor for reading the regular file at the spot.

    Raises FileNotFoundError, UnsafePath for a link, DamagedStore for a FIFO, device, socket or folder, IOFailure.
    """
    try:
        descriptor = os.open(spot.name, _READ, dir_fd=spot.folder)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise _file_refusal(spot, error) from error
    if os.fstat(descriptor).st_mode & _TYPE != _REGULAR:
        os.close(descriptor)
        raise DamagedStore(spot.shown, "is no regular file")
    return descriptor


def _file_refusal(spot: Spot, error: OSError) -> Exception:
    from errno import ENXIO

    if error.errno == ENXIO:  # a socket, or a device that is not there
        return DamagedStore(spot.shown, "is no regular file")
    return _refusal(spot.folder, spot.name, spot.shown, error)


def read_bytes(spot: Spot, limit_bytes: int) -> tuple[bytes, os.stat_result]:
    """The whole regular file at the spot and the stat that belongs to these bytes.

    A file that changes while it is read is read again. Raises TooLarge beyond `limit_bytes`, and as open_regular does.
    """
    for _ in range(_TRIES):
        descriptor = open_regular(spot)
        try:
            before = os.fstat(descriptor)
            if before.st_size > limit_bytes:
                raise TooLarge(spot.shown, before.st_size, limit_bytes)
            data = read_all(descriptor, limit_bytes)
            after = os.fstat(descriptor)
        except OSError as error:
            raise IOFailure(spot.shown, error) from error
        finally:
            os.close(descriptor)
        if len(data) > limit_bytes:
            raise TooLarge(spot.shown, len(data), limit_bytes)
        if (before.st_mtime_ns, before.st_ctime_ns, before.st_size) == (after.st_mtime_ns, after.st_ctime_ns, after.st_size):
            break
    return data, after


def read_all(descriptor: int, limit_bytes: int) -> bytes:
    """Everything from the start of the file, at most one byte beyond the limit."""
    os.lseek(descriptor, 0, os.SEEK_SET)
    parts = []
    left = limit_bytes + 1
    while left > 0 and (part := os.read(descriptor, min(left, 1 << 20))):
        parts.append(part)
        left -= len(part)
    return b"".join(parts)
