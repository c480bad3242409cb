"""What one or several open indexes know about words: totals, lengths, frequencies, stems, all summed over the stores."""

from __future__ import annotations

import sqlite3

from remember.format.tokens import TOKENIZE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

__all__ = ["Corpus", "varints"]

_COUNTED = 2000
"""Memos counted one by one for a frequency; beyond, it is estimated from how far in the rowids they reach."""

_MOST_EXPANSIONS = 64

_MOST_STEMS = 50_000
"""Words whose stems a process remembers."""


def varints(data: bytes) -> list[int]:
    """SQLite's variable-length integers, big-endian in groups of seven bits (fileformat2, section 1.6; FTS5's shadow tables)."""
    values = []
    value = 0
    for byte in data:
        value = value << 7 | byte & 127
        if byte < 128:
            values.append(value)
            value = 0
    return values


class Corpus:
    """Statistics over all stores of a search, so that a score means the same in each."""

    def __init__(self, connections: Sequence[sqlite3.Connection]) -> None:
        self.connections = connections
        self.totals: list[int] = []
        sums = [0, 0, 0]
        self._last: list[int] = []
        for connection in connections:
            row = connection.execute("SELECT block FROM words_data WHERE id = 1").fetchone()
            counts = varints(row[0]) if row and row[0] else [0, 0, 0, 0, 0]
            if len(counts) != 5:
                raise sqlite3.DatabaseError("unknown form of the full-text averages")
            self.totals.append(counts[0])
            sums = [a + b for a, b in zip(sums, counts[1:4], strict=True)]
            self._last.append(connection.execute("SELECT max(id) FROM memo").fetchone()[0] or 1)
            connection.execute("CREATE VIRTUAL TABLE IF NOT EXISTS temp.vocabulary USING fts5vocab(main, words, row)")
        self.total = sum(self.totals)
        self.averages = [s / self.total if self.total else 1.0 for s in sums]
        self._frequencies: dict[str, int] = {}

    def frequency(self, match: str) -> int:
        """In how many memos of all stores the expression matches; above 2,000 in a store it is an estimate."""
        known = self._frequencies.get(match)
        if known is None:
            known = 0
            for connection, total, last in zip(self.connections, self.totals, self._last, strict=True):
                sql = f"SELECT count(*), max(rowid) FROM (SELECT rowid FROM words WHERE words MATCH ? LIMIT {_COUNTED})"
                count, reached = connection.execute(sql, (match,)).fetchone()
                known += max(count, min(total, round(count * last / reached))) if count == _COUNTED else count
            self._frequencies[match] = known
        return known

    def expansions(self, prefix: str) -> dict[str, int]:
        """Indexed stems that begin with the prefix, with their memo counts; {} when there are more than 64."""
        found: dict[str, int] = {}
        for connection in self.connections:
            rows = connection.execute(
                "SELECT term, doc FROM temp.vocabulary WHERE term >= ? AND term < ? LIMIT ?",
                (prefix, prefix + "\U0010ffff", _MOST_EXPANSIONS + 2),
            ).fetchall()
            for term, count in rows:
                found[term] = found.get(term, 0) + count
            if len(found) > _MOST_EXPANSIONS + 1:
                return {}
        return found

    def stems(self, words: Iterable[str]) -> Mapping[str, str]:
        """The stems of folded words, made by the tokeniser of the index itself, so that they are equal by construction."""
        if not _stemmers:
            _stemmers.append(_Stemmer())
        return _stemmers[0].learn(words)


class _Stemmer:
    """An empty full-text table that tokenises words, and what it has learned; one for the process, whichever thread asks."""

    def __init__(self) -> None:
        from _thread import allocate_lock
        from atexit import register

        self.known: dict[str, str] = {}
        self.lock = allocate_lock()
        self.connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        self.connection.execute(f"CREATE VIRTUAL TABLE text USING fts5(x, content='', tokenize=\"{TOKENIZE}\")")
        self.connection.execute("CREATE VIRTUAL TABLE terms USING fts5vocab(text, instance)")
        register(self.connection.close)

    def learn(self, words: Iterable[str]) -> Mapping[str, str]:
        """All stems known, those of the words among them."""
        with self.lock:
            if len(self.known) > _MOST_STEMS:
                self.known = {}  # a new one: whoever searches in another thread still reads the old
            self._add([word for word in dict.fromkeys(words) if word not in self.known])
            return self.known

    def _add(self, new: list[str]) -> None:
        """Words of ASCII letters and digits in one text; others, which may be no word or several for FTS5, one by one."""
        if not new:
            return
        plain = [word for word in new if word.isascii() and word.isalnum()]
        self.known.update(zip(new, new, strict=True))  # what is no single word for FTS5 stands for itself
        self.connection.execute("BEGIN")
        self.connection.execute("INSERT INTO text (rowid, x) VALUES (0, ?)", (" ".join(plain),))
        found = self.connection.execute("SELECT term FROM terms ORDER BY offset").fetchall()
        self.known.update((word, term) for word, (term,) in zip(plain, found, strict=True))
        if len(plain) < len(new):
            others = [word for word in new if not (word.isascii() and word.isalnum())]
            self.connection.executemany("INSERT INTO text (rowid, x) VALUES (?, ?)", enumerate(others, 1))
            rows = self.connection.execute("SELECT doc, min(term), count(*) FROM terms WHERE doc > 0 GROUP BY doc")
            self.known.update((others[doc - 1], term) for doc, term, count in rows if count == 1 and term)
        self.connection.execute("ROLLBACK")


_stemmers: list[_Stemmer] = []
