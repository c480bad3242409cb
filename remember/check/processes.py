"""Whether a watcher that holds its lock still answers (R802)."""

from __future__ import annotations

import os

from remember.index.database import cache_path
from remember.index.handshake import request, socket_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.check.findings import Reporter

__all__ = ["watcher"]

_PATIENCE_S = 2.0
"""A watcher answers within milliseconds; one that is taking in a large change may need longer."""


def watcher(report: Reporter, cache_dir: str) -> None:
    """Ask the store's watcher, where one says it runs, whether it is caught up; any answer will do."""
    cache = cache_path(cache_dir, report.ref.place)
    path = socket_path(cache)
    lock = (path or cache).removesuffix(".sock").removesuffix(".sqlite") + ".watch"
    if not _held(lock) or path is None:
        return
    import socket

    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as talk:
            talk.settimeout(_PATIENCE_S)
            talk.connect(path)
            talk.send(request(report.ref, ""))
            answered = bool(talk.recv(64))
    except OSError:
        answered = False
    if not answered:
        report.add("R802", "", 0, "a watcher holds its lock but does not answer")


def _held(lock: str) -> bool:
    """Whether a living process holds the watcher's lock."""
    try:
        import fcntl

        descriptor = os.open(lock, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0))
    except (ImportError, OSError):
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False
