"""Whether a watcher that holds its lock still answers, and hears every folder (R802)."""

from __future__ import annotations

import os

from remember.index.database import cache_path
from remember.index.handshake import STATE, socket_path, unheard

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.check.findings import Reporter

__all__ = ["watcher"]

_PATIENCE_S = 2.0
"""A watcher answers within milliseconds; one that is taking in a large change may need longer."""


def watcher(report: Reporter, cache_dir: str) -> None:
    """Ask the store's watcher, where one says it runs, whether it hears everything; an older one answers that it does not know."""
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
            talk.send(STATE)
            answer = talk.recv(4096)
    except OSError:
        answer = b""
    deaf = unheard(answer)
    if not answer:
        report.add("R802", "", 0, "a watcher holds its lock but does not answer")
    elif deaf is not None:
        more = f", and {deaf[0] - 1} more" if deaf[0] > 1 else ""
        report.add("R802", "", 0, f"the watcher does not hear everything, so each read looks for itself: {deaf[1]}{more}")


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
