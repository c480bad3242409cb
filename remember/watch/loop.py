"""The watcher's loop: events to debounced refreshes, and answers to readers who ask for proof."""

from __future__ import annotations

import selectors
import time

from remember.index.handshake import DIRTY, OK, REPLY_S, STATE, hearing
from remember.watch.ear import PlainEar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from socket import socket
    from typing import Any

    from remember.memory.watching import Keeper
    from remember.watch.ear import Ear

__all__ = ["Watcher"]

_CALLERS_MOST = 64
_GAP_S = 2.0
_MISSES_MOST = 3


def _best_ear() -> Ear:
    """The surest ear that this system and this watchdog allow."""
    try:
        from remember.watch.inotify import InotifyEar

        return InotifyEar()
    except (ImportError, OSError):
        return PlainEar()


class Watcher:
    """The loop over events, callers and timers, in one thread."""

    def __init__(self, stores: list[Keeper], remark: Callable[[str], None]) -> None:
        self.stores, self.remark = stores, remark
        self.ear = _best_ear()
        self.selector = selectors.DefaultSelector()
        self.selector.register(self.ear.descriptor, selectors.EVENT_READ, None)
        self.callers: dict[socket, Keeper] = {}
        self.waiting: dict[str, tuple[socket, Keeper, float]] = {}
        self.misses: dict[str, int] = {}

    def run(self) -> None:
        """Walk each store once, then work until an exception (an interrupt) ends it."""
        for keeper in self.stores:
            if keeper.door.listener is not None:
                self.selector.register(keeper.door.listener, selectors.EVENT_READ, keeper)
        for keeper in self.stores:
            self._attach(keeper)
            keeper.walk()
        while True:
            self._turn()

    def _turn(self) -> None:
        now = time.monotonic()
        due = min([keeper.wake_s() for keeper in self.stores] + [until for _, _, until in self.waiting.values()])
        ready = self.selector.select(max(0.0, due - now))
        woken = time.monotonic()
        if woken > due + _GAP_S:
            self.remark("this process stood still; the stores are walked anew")
            for keeper in self.stores:
                keeper.doubt()
        for key, _ in ready:
            if key.data is not None:
                self._called(key.fileobj, key.data)
        self._hear()
        self._expire()
        self._work()

    def _hear(self) -> None:
        for kind, text, folder in self.ear.taken():
            if kind == "path":
                self._happened(text, folder)
                continue
            self.remark(text)
            for keeper in self.stores:
                keeper.ear_ok = False
                keeper.doubt()

    def _happened(self, path: str, folder: bool) -> None:
        found = self.waiting.pop(path, None)
        if found is not None:
            talk, keeper, _ = found
            self.misses.pop(keeper.ref.path, None)
            self._reply(talk, OK if keeper.flush() and keeper.complete and keeper.ear_ok else DIRTY)
            return
        mine = [keeper for keeper in self.stores if path == keeper.ref.path or path.startswith(keeper.ref.path + "/")]
        for keeper in mine or self.stores:  # a store may lie in another
            if path == keeper.ref.path:
                keeper.ear_ok = False  # removed or replaced, or its rights changed
            keeper.note(path, folder)

    def _work(self) -> None:
        now = time.monotonic()
        for keeper in self.stores:
            if keeper.wake_s() > now:
                continue
            if keeper.walk_due_s <= now:
                self.misses.pop(keeper.ref.path, None)
            full = keeper.stale or keeper.walk_due_s <= now
            if full and (not keeper.ear_ok or keeper.identity != keeper.locate()):
                self._attach(keeper)
            keeper.work(now)

    def _attach(self, keeper: Keeper) -> None:
        """Listen to the store from now on; what was not heard before is found by the walk that follows."""
        refused = self.ear.attach(keeper.ref.path, keeper.passes)
        for reason in refused:
            self.remark(f"{keeper.ref.name}: {reason}")
        keeper.unheard = refused
        keeper.ear_ok = self.ear.sure and not refused and self.misses.get(keeper.ref.path, 0) < _MISSES_MOST

    def _called(self, source: Any, keeper: Keeper) -> None:
        if source is keeper.door.listener:
            talk = keeper.door.accept()
            if talk is not None:
                if len(self.callers) >= _CALLERS_MOST:
                    self._hang_up(next(iter(self.callers)))
                self.callers[talk] = keeper
                self.selector.register(talk, selectors.EVENT_READ, keeper)
            return
        try:
            line = source.recv(256)
        except BlockingIOError:
            return
        except OSError:
            line = b""
        if source in self.callers:
            self._asked(source, keeper, line)

    def _asked(self, talk: socket, keeper: Keeper, line: bytes) -> None:
        self.selector.unregister(talk)
        self.callers.pop(talk)
        if line == STATE:
            self._reply(talk, hearing(keeper.unheard))
            return
        cookie = keeper.cookie() if line and keeper.answers(line) else None
        if cookie is None:
            self._reply(talk, DIRTY)
        else:
            self.waiting[cookie] = (talk, keeper, time.monotonic() + REPLY_S)

    def _hang_up(self, talk: socket) -> None:
        self.selector.unregister(talk)
        self.callers.pop(talk)
        talk.close()

    def _reply(self, talk: socket, word: bytes) -> None:
        try:
            talk.send(word)
        except OSError:
            pass  # they did not wait
        talk.close()

    def _expire(self) -> None:
        """Callers whose proof did not come in time; where not even the cookie is heard, we listen anew."""
        now = time.monotonic()
        for cookie, (talk, keeper, until) in list(self.waiting.items()):
            if until <= now:
                del self.waiting[cookie]
                self._reply(talk, DIRTY)
                self.misses[keeper.ref.path] = self.misses.get(keeper.ref.path, 0) + 1
                keeper.ear_ok = False
                keeper.doubt()

    def close(self) -> None:
        """End the threads and hang up on everybody."""
        self.ear.close()
        for talk in [*self.callers, *(talk for talk, _, _ in self.waiting.values())]:
            talk.close()
        self.selector.close()
