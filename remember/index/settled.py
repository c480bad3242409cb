"""The rows of an index that a walk proves to be current, read in one pass: what a check needs that believes size and times."""

from __future__ import annotations

import sqlite3

from remember._named import NamedTuple
from remember.errors import CacheError
from remember.index.database import open_database
from remember.index.rows import from_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from remember.model import StoreRef

__all__ = ["Row", "settled_rows"]

# Whatever has an ASCII letter or digit can be searched; only of the others is the text needed.
_ROWS = """
    SELECT file.path, kind, memo_id, line, description, links, names,
        CASE WHEN kind = 'text' OR description GLOB '*[0-9A-Za-z]*' OR body GLOB '*[0-9A-Za-z]*' THEN NULL ELSE body END
    FROM memo JOIN file ON file.id = memo.file ORDER BY file.path, line
"""


class Row(NamedTuple):
    """A memo as its row has it; `body` only where neither it nor the description has an ASCII letter or digit."""

    path: str
    kind: str
    id: str | None
    line: int
    description: str | None
    links: tuple[str, ...]
    names: tuple[str, ...]
    body: str | None


def settled_rows(ref: StoreRef, cache_dir: str, digest: str, device: int) -> list[Row] | None:
    """Every row, by path and line, where the index stands for exactly what a walk of this digest saw; None otherwise.

    Both are read in one transaction. Whatever is wrong with the index gives None too: it is an audit that tells.
    """
    try:
        opened, _ = open_database(cache_dir, ref)
    except (CacheError, sqlite3.Error, OSError):
        return None
    if opened is None:
        return None
    try:
        connection = opened.connection
        connection.execute("BEGIN")
        opened.reload_meta()
        if opened.meta.get("digest") != digest or opened.meta.get("racy") != 0 or opened.meta.get("device") != device:
            return None
        return _read(connection.execute(_ROWS))
    except (sqlite3.Error, UnicodeDecodeError, TypeError, ValueError):
        return None
    finally:
        opened.close()


def _read(rows: Iterable[tuple[Any, ...]]) -> list[Row]:
    new, none = tuple.__new__, ()
    found = []
    for path, kind, memo_id, line, description, linked, named, body in rows:
        links, names = _lines(linked) if linked else none, _lines(named) if named else none
        found.append(new(Row, (from_key(path), kind, memo_id, line, description, links, names, body)))
    return found


def _lines(value: str) -> tuple[str, ...]:
    return tuple(value.split("\n"))
