"""Takes in the files that somebody says were changed, without a walk; only a watcher knows which."""

from __future__ import annotations

import os

from remember.index.refresh import Refresh
from remember.index.rows import path_key
from remember.model import Freshness
from remember.store.scan import Scan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from remember.index.database import Database
    from remember.layouts.layout import Layout
    from remember.model import StoreRef

__all__ = ["NO_DIGEST", "take_in_paths"]

NO_DIGEST = "partial"
"""In place of the digest: no walk has this one, so whoever walks compares every row once."""


def take_in_paths(database: Database, ref: StoreRef, layout: Layout, paths: Iterable[str], device: int, inode: int) -> Freshness | None:
    """Read those files of the store anew, or drop them where they are gone, in one transaction.

    `device` and `inode` are the store's directory as the caller knows it; None, and nothing is done, where it is another
    one by now: then nothing about its files follows.
    """
    connection = database.connection
    connection.execute("BEGIN IMMEDIATE")
    try:
        database.reload_meta()
        before = connection.total_changes
        run = Refresh(database, ref, layout, Scan(0, [], [], device))
        try:
            for path in sorted(paths):
                run.take(path)
        finally:
            run.reader.close()
        if not _is(ref.path, device, inode):
            connection.execute("ROLLBACK")
            return None
        if connection.total_changes == before:
            connection.execute("ROLLBACK")
        else:
            connection.execute("UPDATE meta SET value = ? WHERE key = 'digest'", (NO_DIGEST,))
            connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    return Freshness(run.changed, run.removed, _unreadable(database, paths), tuple(run.warnings))


def _is(path: str, device: int, inode: int) -> bool:
    try:
        found = os.stat(path)
    except OSError:
        return False
    return (found.st_dev, found.st_ino) == (device, inode)


def _unreadable(database: Database, paths: Iterable[str]) -> int:
    ask = "SELECT count(*) FROM file WHERE path = ? AND unreadable"
    return sum(database.connection.execute(ask, (path_key(path),)).fetchone()[0] for path in paths)
