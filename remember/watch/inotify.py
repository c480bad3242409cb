"""Hears by Linux inotify(7) in the order of the kernel's one queue, and knows what it does not hear.

Watchdog's own observer looks at each event three threads later and holds halves of renames back; readers wait for that.
"""

from __future__ import annotations

import errno
import os
import threading

from watchdog.observers.inotify_c import InotifyConstants, InotifyFD, Mask

from remember.watch.ear import Ear

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from remember.watch.ear import Passes

__all__ = ["InotifyEar"]

_IN_MOVE_SELF = 0x800  # watchdog does not ask for it: the store itself was renamed
_SELF = _IN_MOVE_SELF | 0x400 | 0x2000  # moved, deleted, unmounted
_MASK = Mask(
    InotifyConstants.IN_MODIFY
    | InotifyConstants.IN_ATTRIB
    | InotifyConstants.IN_CLOSE_WRITE
    | InotifyConstants.IN_MOVED_FROM
    | InotifyConstants.IN_MOVED_TO
    | InotifyConstants.IN_CREATE
    | InotifyConstants.IN_DELETE
    | InotifyConstants.IN_DELETE_SELF
    | _IN_MOVE_SELF
    | InotifyConstants.IN_ONLYDIR
    | InotifyConstants.IN_DONT_FOLLOW
)
_GONE = (errno.ENOENT, errno.ENOTDIR, errno.ELOOP)


class InotifyEar(Ear):
    """One inotify queue for all stores, with watchdog 7.1's reader, which tells of an overflow. Raises ImportError, OSError."""

    sure = True

    def __init__(self) -> None:
        super().__init__()
        self._trees: dict[str, _Tree] = {}
        self._queue = _queue(self)
        self._queue.start()

    def attach(self, path: str, passes: Passes) -> list[str]:
        """Hear a directory, anew where that was done before."""
        before = self._trees.pop(path, None)
        if before is not None:
            before.leave()
        tree = _Tree(self, self._queue, path, passes)
        self._trees[path] = tree
        return tree.enter()

    def close(self) -> None:
        """End the thread."""
        self._queue.stop()
        self._queue.join(1)
        super().close()


def _queue(ear: InotifyEar) -> Any:
    if not hasattr(InotifyFD, "add_callback") or not hasattr(InotifyFD, "handle_event"):
        raise ImportError("this watchdog swallows overflows")

    class Queue(InotifyFD):
        def handle_event(self, event: Any) -> None:
            if event.is_queue_overflow:
                ear.post("lost", "more happened at once than the system remembers")
            else:
                super().handle_event(event)

    return Queue()


class _Tree:
    """The watches of one store: a number of the kernel's for each folder, and its path below the store ("" for the top).

    Events are replayed in order: a folder that is renamed is left and entered again, so paths are right when an event of
    a file in it is looked at. What happens before a folder is heard is found by the walk that each folder's event causes.
    """

    def __init__(self, ear: InotifyEar, queue: Any, top: str, passes: Passes) -> None:
        self.ear, self.queue, self.top, self.passes = ear, queue, top, passes
        self.lock = threading.Lock()
        self.folders: dict[int, str] = {}
        self.left = False

    def enter(self) -> list[str]:
        """Hear every folder; why some cannot be heard."""
        with self.lock:
            refused = self._enter("")
            return refused if "" in self.folders.values() else refused or [f"{self.top} cannot be watched: it is gone"]

    def leave(self) -> None:
        """Hear nothing any more."""
        with self.lock:
            self.left = True
            self._leave("")

    def _enter(self, inner: str) -> list[str]:
        """Hear a folder and those below: first the watch, then the list, so that nothing new is missed between them."""
        refused: list[str] = []
        pending = [inner]
        while pending:
            folder = pending.pop()
            path = os.path.join(self.top, folder) if folder else self.top
            try:
                # A link in place of the store itself is followed once, as it is by everybody who reads it.
                real = path if folder else os.path.realpath(path)
                self.folders[self.queue.add_callback(os.fsencode(real), _MASK, self, id(self))] = folder
                with os.scandir(path) as listing:
                    names = [item.name for item in listing if item.is_dir(follow_symlinks=False)]
            except OSError as error:
                if error.errno not in _GONE:
                    # inotify_add_watch(2) says ENOSPC for the user's limit of watches.
                    why = "the limit of watches is reached (fs.inotify.max_user_watches)" if error.errno == errno.ENOSPC else error.strerror
                    refused.append(f"{path} cannot be watched: {why}")
                continue
            below = [f"{folder}/{name}" if folder else name for name in names]
            pending += [name for name in below if self.passes(name)]
        return refused

    def _leave(self, inner: str) -> None:
        numbers = [n for n, folder in self.folders.items() if not inner or folder == inner or folder.startswith(inner + "/")]
        for number in numbers:
            del self.folders[number]
        self.queue.remove_callbacks([(number, id(self)) for number in numbers])

    def on_event(self, event: Any) -> None:
        """One event of one of our folders, in the queue's thread."""
        with self.lock:
            folder = self.folders.get(event.wd)
            if folder is None or self.left:
                return
            name = os.fsdecode(event.name) if event.name else ""
            if not name:
                if event.mask & _SELF and not folder:
                    self.ear.post("deaf", f"{self.top} was moved, removed or unmounted")
                elif event.mask & 0x2000:
                    self.ear.post("deaf", f"{self.top}/{folder} was unmounted")
                elif event.is_attrib:
                    self.ear.post("path", f"{self.top}/{folder}" if folder else self.top, True)
                return
            inner = f"{folder}/{name}" if folder else name
            refused: list[str] = []
            if event.is_directory and self.passes(inner):
                if event.is_moved_from or event.is_delete:
                    self._leave(inner)
                elif event.is_create or event.is_moved_to:
                    refused = self._enter(inner)
        for reason in refused:
            self.ear.post("deaf", reason)
        self.ear.post("path", f"{self.top}/{inner}", event.is_directory)

    def on_watch_deleted(self, number: int) -> None:
        """The kernel has dropped a watch: its folder is gone."""
        with self.lock:
            self.folders.pop(number, None)

    def on_queue_overflow(self) -> None:
        """Posted by the queue itself, once for all stores."""
