"""Hears what happens below directories, by watchdog, and hands it over from its threads to ours."""

from __future__ import annotations

import os
from collections import deque

from watchdog import events as kinds
from watchdog.observers import Observer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Passes = Callable[[str], bool]

__all__ = ["Ear", "PlainEar"]

Post = tuple[str, str, bool]
"""What is handed over: (`path`, it, whether a folder), or (`lost` or `deaf`, the reason, False)."""


class Ear:
    """A queue, and a descriptor that is readable while something is in it.

    `sure` says whether everything that is missed is posted as `lost` (events are gone) or `deaf` (a folder is not heard),
    and whether things come in the order in which they happened; without that nothing can be vouched for.
    """

    sure = False

    def __init__(self) -> None:
        self._heard: deque[Post] = deque()
        self.descriptor, self._wake = os.pipe()
        os.set_blocking(self.descriptor, False)
        os.set_blocking(self._wake, False)

    def post(self, kind: str, text: str, folder: bool = False) -> None:
        """Hand something over, from any thread."""
        self._heard.append((kind, text, folder))
        try:
            os.write(self._wake, b".")
        except OSError:
            pass  # full: whoever reads is awake anyway

    def taken(self) -> list[Post]:
        """Everything heard so far, in order."""
        try:
            while len(os.read(self.descriptor, 4096)) == 4096:
                continue
        except BlockingIOError:
            pass  # nothing to read: somebody woke us for another reason
        return [self._heard.popleft() for _ in range(len(self._heard))]

    def attach(self, path: str, passes: Passes) -> list[str]:
        """Hear a directory from now on, with the folders below it whose path in it `passes`; why parts of it cannot be heard."""
        raise NotImplementedError

    def close(self) -> None:
        """End the threads."""
        os.close(self.descriptor)
        self.descriptor = -1


class PlainEar(Ear, kinds.FileSystemEventHandler):
    """By watchdog's observer of this system, which may lose events without saying so."""

    def __init__(self) -> None:
        super().__init__()
        self._observer: Any = Observer()
        self._observer.start()
        self._watches: dict[str, Any] = {}

    def dispatch(self, event: kinds.FileSystemEvent) -> None:
        """One event, in watchdog's thread; opening and reading are none."""
        if event.event_type in ("opened", "closed_no_write") or (event.is_directory and event.event_type == "modified"):
            return
        for path in (event.src_path, event.dest_path):
            if path:
                self.post("path", os.fsdecode(path), event.is_directory)

    def attach(self, path: str, passes: Passes) -> list[str]:
        """Hear everything below a directory, anew where that was done before."""
        before = self._watches.pop(path, None)
        if before is not None:
            self._observer.unschedule(before)
        try:
            self._watches[path] = self._observer.schedule(self, path, recursive=True)
        except OSError as error:
            return [f"{path} cannot be watched: {error.strerror}"]
        return []

    def close(self) -> None:
        """End the threads."""
        self._observer.stop()
        self._observer.join(1)
        super().close()
