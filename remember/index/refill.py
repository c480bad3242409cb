"""Makes an index anew inside its own file, in one transaction, while others have it open: what `check --repair` falls back to."""

from __future__ import annotations

import sqlite3

from remember.errors import CacheError
from remember.index import database as cache
from remember.index.build import fill
from remember.layouts import layout_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.model import StoreRef

__all__ = ["refill"]


def refill(ref: StoreRef, cache_dir: str) -> int:
    """Empty the tables and read the store into them; readers see the old rows until it is done. The number of files read.

    Raises CacheError where the file itself is damaged or cannot be written.
    """
    opened, why = cache.open_database(cache_dir, ref)
    if opened is None:
        raise CacheError(f"the index of {ref.path} is {why} and open in another process", "end that process, then repeat the command")
    connection = opened.connection
    try:
        connection.execute("BEGIN IMMEDIATE")
        # The full-text table takes its words from the rows, so it is emptied by its own command and not row by row.
        connection.execute("INSERT INTO words (words) VALUES ('delete-all')")
        connection.execute("DELETE FROM memo")
        connection.execute("DELETE FROM file")
        files, _, _ = fill(connection, ref, layout_of(ref))
        return files
    except sqlite3.DatabaseError as error:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        message = f"the index of {ref.path} cannot be mended while it is open ({error})"
        raise CacheError(message, "end the other processes, then repeat the command") from error
    finally:
        opened.close()
