"""Opens the indexes of several stores for one question, and makes a damaged one anew without asking."""

from __future__ import annotations

import os
import sqlite3

from remember.errors import CacheError
from remember.index.catalogue import Index, drop, open_index
from remember.index.handshake import vouched

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeVar

    from remember.model import Memo, StoreRef

    Answer = TypeVar("Answer")

__all__ = ["is_there", "with_indexes"]


def with_indexes(
    refs: Sequence[StoreRef],
    cache_dir: str,
    ask: Callable[[list[Index]], Answer],
    refresh: bool = True,
    progress: Callable[[int, int], None] | None = None,
) -> Answer:
    """Call `ask` with the open, fresh indexes of the stores and close them afterwards; a watcher's word spares a walk.

    Where SQLite finds a cache damaged while it answers, the cache is dropped and the question asked once more.
    Raises CacheError when it happens again, IOFailure when a store cannot be listed.
    """
    for attempt in range(2):
        indexes: list[Index] = []
        try:
            for ref in refs:
                indexes.append(open_index(ref, cache_dir, refresh, progress, vouched))
            return ask(indexes)
        except sqlite3.DatabaseError as error:
            if attempt:
                raise CacheError(f"the index cannot be read ({error})", "run `remember index rebuild`") from error
        finally:
            for index in indexes:
                index.close()
        for ref in refs:
            drop(ref, cache_dir)
    raise AssertionError("unreachable")


def is_there(ref: StoreRef, memo: Memo) -> bool:
    """Whether the memo's file can still be found, so that no dead path is shown."""
    try:
        os.lstat(ref.whole(memo.path))
    except FileNotFoundError:
        return False
    except OSError:
        return True
    return True
