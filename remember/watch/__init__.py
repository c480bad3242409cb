"""Watches stores until it is interrupted."""

from __future__ import annotations

import signal
import threading
import warnings

from remember.memory.watching import keepers
from remember.watch.loop import Watcher

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from remember.memory.context import Surroundings
    from remember.memory.watching import Keeper, Refreshed

__all__ = ["watch"]


def watch(around: Surroundings, say: Callable[[Refreshed], None], remark: Callable[[str], None]) -> None:
    """Keep the selected stores' indexes fresh until SIGINT, SIGTERM or SIGHUP. Raises Conflict where another watcher does."""
    assert threading.current_thread() is threading.main_thread(), "signals reach the main thread only"
    warnings.simplefilter("ignore", RuntimeWarning)  # watchdog's, about folders that come back
    stops = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {stop: signal.signal(stop, _interrupt) for stop in stops}
    watcher: Watcher | None = None
    stores: list[Keeper] = []
    try:
        stores = keepers(around, say, remark)
        watcher = Watcher(stores, remark)
        watcher.run()
    except KeyboardInterrupt:
        return
    finally:
        for stop in stops:
            signal.signal(stop, signal.SIG_IGN)
        for keeper in stores:
            keeper.close()
        if watcher is not None:
            watcher.close()
        for stop, handler in before.items():
            signal.signal(stop, handler)


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt
