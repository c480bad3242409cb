"""Rows of an index as entries, and rows against rows."""

from __future__ import annotations

from remember.layouts import Entry

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

    Row = tuple[object, ...]

__all__ = ["Recorded", "unmatched"]

_BEGINNING = 24


class Recorded:
    """Every memo's row as an entry, read at once; of a body only the beginning, unless that holds no letter or digit."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self.entries: dict[object, list[Entry]] = {}
        rows = connection.execute(
            "SELECT file, kind, memo_id, line, description, substr(body, 1, ?), tags, links, names, broken FROM memo ORDER BY line",
            (_BEGINNING,),
        )
        for file, kind, memo_id, line, description, body, tags, links, names, broken in rows:
            several = (_lines(tags), _lines(links), _lines(names))
            entry = Entry(kind, memo_id, line, description, body, line, None, None, *several, broken or "")
            self.entries.setdefault(file, []).append(entry)

    def of(self, file: object) -> list[Entry]:
        """The memos of the file with that number, in the order of their lines."""
        return [self._enough(entry, file) for entry in self.entries.get(file, ())]

    def _enough(self, entry: Entry, file: object) -> Entry:
        if len(entry.body) < _BEGINNING or any(char.isalnum() for char in entry.body):
            return entry
        sql = "SELECT body FROM memo WHERE file = ? AND line = ? AND kind = ?"
        return entry._replace(body=self.connection.execute(sql, (file, entry.line, entry.kind)).fetchone()[0])


def _lines(value: str | None) -> tuple[str, ...]:
    return tuple(value.split("\n")) if value else ()


def unmatched(rows: Sequence[Row], fresh: Sequence[Row]) -> tuple[list[Row], list[Row]]:
    """Both lists without the rows that are equal in them; the first two columns do not count."""
    by_content: dict[Row, list[Row]] = {}
    for row in fresh:
        by_content.setdefault(row[2:], []).append(row)
    left = []
    for row in rows:
        equal = by_content.get(row[2:])
        if equal:
            equal.pop()
        else:
            left.append(row)
    return left, [row for rest in by_content.values() for row in rest]
