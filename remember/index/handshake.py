"""What readers and the watcher say to each other: a reader skips the walk only on the watcher's word that it is caught up.

One line each way over a Unix socket of the user's own: `SYNC <device> <inode> <program> <made>` with the numbers of the
store's directory, the program's version as indexes carry it, and the mark of the index that the reader has open. `OK`, or
anything else for no. The mark is in it since an index that somebody else built anew may be older than what the watcher took in.

The checker asks `STATE`, and is told `HEARS`, or `DEAF` with the number of folders that are not heard and why the first is not.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from socket import socket

    from remember.index.database import Database
    from remember.model import StoreRef

__all__ = ["DIRTY", "OK", "REPLY_S", "STATE", "Door", "hearing", "request", "socket_path", "unheard", "vouched"]

OK = b"OK\n"
DIRTY = b"DIRTY\n"
STATE = b"STATE\n"
REPLY_S = 0.1
"""Seconds that a reader waits for the answer before it walks the store itself."""

_DEAF = b"DEAF "
_STATE_BYTES = 400

_PATH_MOST = 100
"""Bytes of a socket's path; the system's own limit is 108 or 104."""

_TYPE, _SOCKET = 0o170000, 0o140000


def socket_path(cache_file: str, environ: Mapping[str, str] | None = None) -> str | None:
    """Where the watcher of that index listens: the runtime directory, else beside the index; None where the path is too long."""
    runtime = (os.environ if environ is None else environ).get("XDG_RUNTIME_DIR", "")
    if runtime.startswith("/") and os.path.isdir(runtime):
        # One index is one watcher: two cache directories of a store are two sockets.
        key = int.from_bytes(b"\1" + os.fsencode(cache_file), "big") % ((1 << 127) - 1)
        path = f"{runtime}/remember/{key:032x}.sock"
    else:
        path = cache_file.removesuffix(".sqlite") + ".sock"
    return path if len(os.fsencode(path)) <= _PATH_MOST else None


def request(ref: StoreRef, made: object) -> bytes:
    """The line that asks for the store as it is now. Raises OSError where the store is gone."""
    from remember.index.database import PROGRAM

    found = os.stat(ref.path)
    return f"SYNC {found.st_dev} {found.st_ino} {PROGRAM} {made}\n".encode()


def hearing(reasons: Sequence[str]) -> bytes:
    """The answer to `STATE` of a watcher that does not hear some folders, each with its reason, or hears all."""
    if not reasons:
        return b"HEARS\n"
    text = f"{len(reasons)} {' '.join(reasons[0].split())}".encode("utf-8", "surrogateescape")
    return _DEAF + text[:_STATE_BYTES] + b"\n"


def unheard(answer: bytes) -> tuple[int, str] | None:
    """The number of folders that are not heard and why the first is not, out of an answer to `STATE`; None for any other."""
    count, _, reason = answer.removeprefix(_DEAF).strip().partition(b" ")
    if not answer.startswith(_DEAF) or not count.isdigit():
        return None
    return int(count[:9]), reason.decode("utf-8", "replace")


def vouched(database: Database, ref: StoreRef) -> bool:
    """Whether a watcher has proved that the open index is current; False for anything unclear, after 0.1 s at most."""
    made = database.meta.get("made")
    path = socket_path(database.path) if database.path else None
    if not isinstance(made, str) or path is None:
        return False
    try:
        found = os.lstat(path)
        if found.st_mode & _TYPE != _SOCKET or found.st_uid != os.geteuid():
            return False
        import _socket

        talk = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
        try:
            talk.settimeout(REPLY_S)
            talk.connect(path)
            talk.send(request(ref, made))
            return talk.recv(64) == OK
        finally:
            talk.close()
    except (OSError, ImportError, AttributeError):
        return False


class Door:
    """The watcher's side: the one lock and the one listening socket of an index; close it.

    `descriptor` is None where nobody can ask (a path too long, no Unix sockets). `taken` says that another process holds
    the lock, which dies with its holder; then nothing else was done.
    """

    def __init__(self, cache_file: str) -> None:
        self.path = socket_path(cache_file)
        self.listener: socket | None = None
        lock_path = (self.path or cache_file).removesuffix(".sock").removesuffix(".sqlite") + ".watch"
        os.makedirs(os.path.dirname(lock_path), 0o700, exist_ok=True)
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)
        self.lock = os.open(lock_path, flags, 0o600)
        self.taken = not self._lock()
        if not self.taken and self.path is not None:
            self._listen(self.path)

    def _lock(self) -> bool:
        try:
            import fcntl
        except ImportError:
            return True
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _listen(self, path: str) -> None:
        import socket

        if not hasattr(socket, "AF_UNIX"):
            return
        try:
            os.unlink(path)  # of a watcher that was killed: we hold its lock
        except FileNotFoundError:
            pass
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        listener.bind(path)
        os.chmod(path, 0o600)  # nobody can have connected: it does not listen yet
        listener.listen(64)
        listener.setblocking(False)
        self.listener = listener

    def accept(self) -> socket | None:
        """A caller's connection, which never blocks; None where they have hung up."""
        assert self.listener is not None
        try:
            talk, _ = self.listener.accept()
        except OSError:
            return None
        talk.setblocking(False)
        return talk

    def close(self) -> None:
        """Take the socket away and let the lock go."""
        if self.listener is not None:
            self.listener.close()
            self.listener = None
            try:
                os.unlink(str(self.path))
            except OSError:
                pass  # whoever removed it did what we were about to do
        if self.lock >= 0:
            os.close(self.lock)
            self.lock = -1
