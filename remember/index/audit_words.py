"""What an audit asks of the database itself and of its full-text index: integrity, agreement with the rows, counters, a probe."""

from __future__ import annotations

import sqlite3

from remember._named import NamedTuple
from remember.format.tokens import TOKENIZE
from remember.index.corpus import varints
from remember.index.rows import from_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["RowProblem", "counters", "integrity", "probe", "words"]

_SHOWN = 5
_PROBES = 100
_BEGINNING = 4096
_COLUMNS = ("description", "labels", "body", "parts")


class RowProblem(NamedTuple):
    """A disagreement: a finding code, the path and line it is about ("" and 0: the index as a whole), and a sentence.

    `fix` is the repair's class where it is not the code's usual one.
    """

    code: str
    path: str
    line: int
    message: str
    severity: str = ""
    fix: str = ""


def integrity(connection: sqlite3.Connection) -> list[RowProblem]:
    """Damage of the file (R603): pages, records, indexes, references between tables."""
    found = []
    for (message,) in connection.execute(f"PRAGMA integrity_check({_SHOWN})"):
        # SQLite 3.44 and later ask the full-text table too; that is R604's to tell, with names.
        if message != "ok" and "FTS5" not in message:
            found.append(RowProblem("R603", "", 0, " ".join(str(message).split())))
    for table, row, parent, _ in connection.execute("PRAGMA foreign_key_check").fetchmany(_SHOWN):
        found.append(RowProblem("R603", "", 0, f"row {row} of {table} refers to a row of {parent} that is not there"))
    return found


def words(connection: sqlite3.Connection) -> list[RowProblem]:
    """Memos whose entry in the full-text index is not that of their row (R604), found by FTS5's integrity command with rank 1.

    That form alone compares an external-content index with its content (https://www.sqlite.org/fts5.html, 6.6).
    """
    try:
        connection.execute("INSERT INTO words (words, rank) VALUES ('integrity-check', 1)")
        return []
    except sqlite3.DatabaseError as error:
        reason = str(error)
    try:
        named = list(_differing(connection))
    except sqlite3.DatabaseError as error:
        return [RowProblem("R604", "", 0, f"the full-text index cannot be read ({error})")]
    return named or [RowProblem("R604", "", 0, f"the full-text index fails its integrity command ({reason})")]


def _differing(connection: sqlite3.Connection) -> Iterator[RowProblem]:
    indexed = _sums(connection, "words")
    fresh: dict[int, int] = {}
    rows = connection.execute("SELECT id, description, labels, body, parts FROM memo_words ORDER BY id")
    while batch := rows.fetchmany(500):
        fresh.update(_fresh(batch))
    places = _places(connection)
    for row in sorted(indexed.keys() | fresh.keys()):
        path, line = places.get(row, ("", 0))
        if row not in places:
            yield RowProblem("R604", "", 0, f"the full-text index has an entry {row} that belongs to no row")
        elif indexed.get(row, 0) != fresh.get(row, 0):
            what = "has no entry for it" if row not in indexed else "has other words for it than its row"
            yield RowProblem("R604", path, line, f"the full-text index {what}")


def _sums(connection: sqlite3.Connection, table: str) -> dict[int, int]:
    """For each row a sum over its indexed terms with column and place, whatever their order."""
    connection.execute(f"CREATE VIRTUAL TABLE temp.audit_terms USING fts5vocab(main, {table}, instance)")
    sums: dict[int, int] = {}
    for term, row, column, offset in connection.execute("SELECT term, doc, col, offset FROM temp.audit_terms"):
        sums[row] = sums.get(row, 0) + hash((term, column, offset))
    connection.execute("DROP TABLE temp.audit_terms")
    return sums


def _fresh(rows: Iterable[tuple[object, ...]]) -> dict[int, int]:
    scratch = sqlite3.connect(":memory:", isolation_level=None)
    scratch.execute(f"CREATE VIRTUAL TABLE fresh USING fts5 ({', '.join(_COLUMNS)}, content='', tokenize=\"{TOKENIZE}\")")
    scratch.executemany("INSERT INTO fresh (rowid, description, labels, body, parts) VALUES (?, ?, ?, ?, ?)", rows)
    try:
        return _sums(scratch, "fresh")
    finally:
        scratch.close()


def _places(connection: sqlite3.Connection) -> dict[int, tuple[str, int]]:
    rows = connection.execute("SELECT memo.id, file.path, memo.line FROM memo LEFT JOIN file ON file.id = memo.file")
    return {row: (from_key(path) if path is not None else "", line) for row, path, line in rows}


def counters(connection: sqlite3.Connection) -> list[RowProblem]:
    """Numbers kept beside the tables that are not what the tables say (R612)."""
    found = []
    racy = connection.execute("SELECT count(*) FROM file WHERE racy OR unreadable").fetchone()[0]
    meta = dict(connection.execute("SELECT key, value FROM meta"))
    if meta.get("racy") != racy:
        found.append(RowProblem("R612", "", 0, f"files perhaps changed: {meta.get('racy')} are counted, {racy} marked"))
    block = connection.execute("SELECT block FROM words_data WHERE id = 1").fetchone()
    kept = varints(block[0]) if block and block[0] else [0] * 5
    rows = connection.execute("SELECT count(*) FROM memo").fetchone()[0]
    sums = [0] * len(_COLUMNS)
    for (sizes,) in connection.execute("SELECT sz FROM words_docsize"):
        sums = [a + b for a, b in zip(sums, varints(sizes), strict=False)]
    if kept[:1] != [rows]:
        found.append(RowProblem("R612", "", 0, f"memos: the full-text index counts {kept[0] if kept else 0}, there are {rows}"))
    elif kept[1:] != sums:
        found.append(RowProblem("R612", "", 0, "the full-text index keeps other word totals than its rows add up to"))
    return found


def probe(connection: sqlite3.Connection) -> list[RowProblem]:
    """Memos, up to 100 spread over the index, that their own rarest word does not find (R613)."""
    count = connection.execute("SELECT count(*) FROM memo").fetchone()[0]
    step = max(1, count // _PROBES)
    found = []
    rows = connection.execute(
        "SELECT memo.id, file.path, memo.line, coalesce(memo.description_cut, memo.description), coalesce(memo.body_cut, memo.body)"
        " FROM memo JOIN file ON file.id = memo.file WHERE memo.id % ? = 0",
        (step,),
    ).fetchall()
    for row, path, line, description, body in rows:
        word = _rarest(connection, f"{description or ''} {_beginning(body) if isinstance(body, str) else ''}")
        if word and connection.execute("SELECT 1 FROM words WHERE words MATCH ? AND rowid = ?", (word, row)).fetchone() is None:
            found.append(RowProblem("R613", from_key(path), line, f"a search for {word} does not find it"))
    return found


def _beginning(body: str) -> str:
    """What a body begins with, as far as the last whole word."""
    if len(body) <= _BEGINNING:
        return body
    end = _BEGINNING
    while end and not body[end].isspace():
        end -= 1
    return body[:end]


def _rarest(connection: sqlite3.Connection, text: str) -> str:
    """The word of a text, quoted for FTS5, that the fewest memos have."""
    plain = [word for word in dict.fromkeys(text.split()) if word.isalnum() and word.isascii()][:16]
    best, fewest = "", 1 << 62
    for word in plain:
        quoted = f'"{word}"'
        number = connection.execute("SELECT count(*) FROM (SELECT 1 FROM words WHERE words MATCH ? LIMIT 50)", (quoted,)).fetchone()[0]
        if number < fewest:
            best, fewest = quoted, number
    return best
