"""Ranked search over one or several open indexes, under one set of corpus statistics."""

from __future__ import annotations

import os

from remember._named import NamedTuple
from remember.format.tokens import words_of
from remember.index.catalogue import COLUMNS, Filters, row_memo
from remember.index.copies import Copies
from remember.index.corpus import Corpus, varints
from remember.index.query import make_plan, match_of, read
from remember.index.rank import Candidate, length_correction, rank
from remember.index.rows import from_key
from remember.index.snippet import SnippetMaker, missing_words
from remember.model import Hit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from remember.index.catalogue import Index
    from remember.index.rank import Scored
    from remember.model import Memo

__all__ = ["Found", "Request", "search"]

_POOL = 200
_KEPT = 40
_BM25 = "bm25(words, 2.0, 2.0, 1.0, 0.3)"
_SHOWN = "{description labels body} : "
_CHANGED = "coalesce(memo.modified_ms, memo.created_ms)"
_ORDERS = {
    "created": "memo.created_ms IS NULL, memo.created_ms DESC, file.path, memo.line",
    "modified": f"{_CHANGED} IS NULL, {_CHANGED} DESC, file.path, memo.line",
    "path": "file.path, memo.line",
}


class Request(NamedTuple):
    """A search as asked: the query, what must hold, how many hits, in which order."""

    query: str
    limit: int = 20
    sort: str = "score"
    exact: bool = False
    all_terms: bool = False
    without: tuple[str, ...] = ()
    explain: bool = False


class Found(NamedTuple):
    """Hits best first and the number of all matches."""

    hits: tuple[Hit, ...]
    total: int


class _Row(NamedTuple):
    """A candidate's row: which index, its number, and the columns of catalogue.COLUMNS with body line and indexed texts."""

    store: int
    values: tuple[object, ...]


def search(indexes: Sequence[Index], request: Request, filters: Filters) -> Found:
    """Find and rank memos; `filters` are part of the match, and `total` counts everything that matches.

    Raises sqlite3.DatabaseError when a cache turns out to be damaged.
    """
    return _Search(indexes, Corpus([index.connection for index in indexes]), request, filters).run()


class _Search:
    def __init__(self, indexes: Sequence[Index], corpus: Corpus, request: Request, filters: Filters) -> None:
        self.indexes = indexes
        self.corpus = corpus
        self.request = request
        self.filters = filters
        self.copies = [Copies(index) for index in indexes]
        self.question = read(request.query)
        self.exact: list[str] = []
        if request.exact:
            from remember.index.phrases import wanted

            self.exact = wanted(self.question.text, corpus.connections)
        stems = corpus.stems(word for word, unspaced in self.question.words if not unspaced)
        self.plan = make_plan(self.question, stems, corpus)

    def run(self) -> Found:
        everything = self._narrowed(self._every_match())
        total = self._count(everything) if everything else 0
        named = self._named()
        if not total:
            return Found(tuple(self._hit(memo, n) for n, memo in enumerate(named[: self.request.limit], 1)), len(named))
        if self.request.sort == "score":
            chosen = self._best()
        else:
            chosen = self._ordered(everything)
        rows = self._rows(chosen)
        scored = self._score(chosen, rows)
        if self.request.sort != "score":
            order = {key: n for n, key in enumerate(chosen)}
            scored.sort(key=lambda s: order[s.key])
        else:
            scored = self._break_ties(scored, rows)
        return self._hits(named, scored, rows, total)

    # --- which rows

    def _every_match(self) -> str:
        """The expression for all matches: any term or expansion, or every term with --all-terms."""
        expansions = {e.word: [f'"{s}"' for s in e.stems] for e in self.plan.expansions}
        each = [[t.match] * bool(t.frequency) + [m for w in t.words for m in expansions.get(w, ())] for t in self.plan.terms]
        if self.request.all_terms:
            each += self._single()
            return " AND ".join("(" + " OR ".join(ms) + ")" for ms in each) if each and all(each) else ""
        extras = [m for i in self.plan.identifiers for m in i.matches] + [f'"{j.joined}"' for j in self.plan.joins if j.indexed]
        return " OR ".join(dict.fromkeys(m for ms in [*each, extras] for m in ms))

    def _single(self) -> list[list[str]]:
        """Expressions for words of one character, which score nothing: in a compound (`2.10.0`) it is wanted as a whole."""
        whole = [i for i in self.plan.identifiers if any(len(part) == 1 for part in i.parts)]
        known = {part for i in whole for part in i.parts} | {w for w, _ in self.plan.words}
        letters = dict.fromkeys(w for w, unspaced in words_of(self.question.text) if len(w) == 1 and not unspaced and w not in known)
        return [*[list(i.matches) for i in whole], *[[f'"{w}"'] for w in letters]]

    def _narrowed(self, match: str) -> str:
        """The expression with quoted phrases required (--exact) and words excluded (--not)."""
        if not match or not (self.exact or self.request.without):
            return match
        from remember.index.phrases import quote

        for phrase in self.exact:
            match = f"({match}) AND ({_SHOWN}{quote(phrase)})"
        for word in self.request.without:
            match = f"({match}) NOT {quote(word)}" if any(char.isalnum() for char in word) else match
        return match

    def _where(self) -> str:
        """What matches, what the filters say, and with --exact that the words stand there as they are."""
        return self.filters.where("words MATCH ?", *["exactly(memo.description, memo.labels, memo.body)"] * bool(self.exact))

    def _source(self) -> str:
        return "FROM words JOIN memo ON memo.id = words.rowid" if self.filters or self.exact else "FROM words"

    def _count(self, match: str) -> int:
        sql = f"SELECT count(*) {self._source()}{self._where()}"
        return sum(index.connection.execute(sql, (match, *self.filters.values)).fetchone()[0] for index in self.indexes)

    def _best(self) -> list[tuple[int, int]]:
        """Candidates by bm25() corrected for length, the best of all stores together, as (store, row)."""
        match = self._narrowed(self._every_match() if self.request.all_terms else match_of(self.plan, self.corpus.frequency))
        pool = max(_POOL, self.request.limit)
        sql = f"SELECT words.rowid, {_BM25} AS s {self._source()}{self._where()} ORDER BY s, words.rowid LIMIT ?"
        found: list[tuple[float, int, int]] = []
        average = sum(self.corpus.averages)
        for store, index in enumerate(self.indexes):
            rows = index.connection.execute(sql, (match, *self.filters.values, pool)).fetchall()
            lengths = {}
            if rows:
                marks = ",".join(str(row) for row, _ in rows)
                for row, sizes in index.connection.execute(f"SELECT id, sz FROM words_docsize WHERE id IN ({marks})"):
                    lengths[row] = sum(varints(sizes)[:3])
            found += [(s * length_correction(lengths.get(row, 0), average), store, row) for row, s in rows]
        found.sort()
        kept = max(_KEPT, 2 * self.request.limit) if self.request.limit > _KEPT // 2 else _KEPT
        return [(store, row) for _, store, row in found[:kept]]

    def _ordered(self, match: str) -> list[tuple[int, int]]:
        """All matches in the order asked for, cut to the limit."""
        order = _ORDERS[self.request.sort]
        keys = f"{_CHANGED}, memo.created_ms, file.path, memo.line"
        sql = (
            f"SELECT memo.id, {keys} FROM words JOIN memo ON memo.id = words.rowid JOIN file ON file.id = memo.file"
            f"{self._where()} ORDER BY {order} LIMIT ?"
        )
        found = []
        for store, index in enumerate(self.indexes):
            for row in index.connection.execute(sql, (match, *self.filters.values, self.request.limit)):
                found.append((row, store))
        if len(self.indexes) > 1:
            column = {"modified": 1, "created": 2}.get(self.request.sort)
            if column is None:
                found.sort(key=lambda f: (os.fsencode(f[0][3]), f[0][4]))
            else:
                found.sort(key=lambda f: (f[0][column] is None, -(f[0][column] or 0)))
        return [(store, row[0]) for row, store in found[: self.request.limit]]

    def _rows(self, chosen: Sequence[tuple[int, int]]) -> dict[tuple[int, int], _Row]:
        rows = {}
        for store, index in enumerate(self.indexes):
            marks = ",".join(str(row) for s, row in chosen if s == store)
            sql = (
                f"SELECT {COLUMNS}, memo.body_line, description_cut, coalesce(labels_cut, labels), body_cut, parts, sz, memo.id"
                " FROM memo JOIN file ON file.id = memo.file"
                f" JOIN words_docsize ON words_docsize.id = memo.id WHERE memo.id IN ({marks})"
            )
            for values in index.connection.execute(sql):
                rows[store, values[-1]] = _Row(store, values)
        return rows

    # --- in which order

    def _score(self, chosen: Sequence[tuple[int, int]], rows: dict[tuple[int, int], _Row]) -> list[Scored]:
        candidates = []
        for key in chosen:
            if key in rows:
                values = rows[key].values
                description_cut, labels, body_cut, parts, sizes, _ = values[13:]
                description, body = description_cut or values[4], body_cut or values[5]
                lengths = varints(sizes)[:3]  # type: ignore[arg-type]
                candidates.append(
                    Candidate(
                        key,
                        (str(description or ""), str(labels or ""), str(body or "")),
                        str(parts or ""),
                        (lengths[0], lengths[1], lengths[2]),
                    )
                )
        return rank(self.plan, candidates, self.corpus.averages, self.corpus.stems, self.request.explain)

    def _break_ties(self, scored: list[Scored], rows: dict[tuple[int, int], _Row]) -> list[Scored]:
        """Equal scores: the newer memo first, then by path."""

        def order(s: Scored) -> tuple[float, int, str, int]:
            values = rows[s.key].values
            return (-s.score, -(values[8] or values[7] or 0), str(values[2]), values[3])  # type: ignore[operator, return-value]

        return sorted(scored, key=order)

    def _named(self) -> list[Memo]:
        """Memos whose ID the query is."""
        query = self.request.query.strip().lower()
        if len(query) != 8 or any(char not in "0123456789abcdef" for char in query):
            return []
        named = []
        for index, copies in zip(self.indexes, self.copies, strict=True):
            found = index.by_id(query)
            paths = {memo.path for memo in found}
            named += [memo for memo in found if copies.original(memo.path, memo.id) not in paths]
        return named

    # --- what is shown

    def _hits(self, named: list[Memo], scored: list[Scored], rows: dict[tuple[int, int], _Row], total: int) -> Found:
        maker = SnippetMaker(self.plan, self.corpus.stems)
        hits = [self._hit(memo, n) for n, memo in enumerate(named, 1)]
        known = {(memo.store, memo.place) for memo in named}
        found = self._mains(scored, rows)
        total -= len(scored) - len(found)
        for s in found:
            if len(hits) >= self.request.limit:
                break
            row = rows[s.key]
            memo = row_memo(self.indexes[row.store].ref, row.values)
            if (memo.store, memo.place) in known:
                total -= 1
                continue
            hits.append(self._passage(maker, memo, s, row, len(hits) + 1))
        return Found(tuple(hits[: self.request.limit]), total + len(named))

    def _mains(self, scored: list[Scored], rows: dict[tuple[int, int], _Row]) -> list[Scored]:
        """The candidates with each sync program's conflict copy replaced by its original, where that matches too."""
        places = {(rows[s.key].store, rows[s.key].values[2]): s for s in scored if rows[s.key].values[0] == "note"}
        found: dict[tuple[int, int], Scored] = {}
        for s in scored:
            store, values = rows[s.key]
            original = self.copies[store].original(from_key(values[2]), values[1]) if values[0] == "note" else None  # type: ignore[arg-type]
            main = places.get((store, original), s) if original else s
            if main is not s and main.score < s.score:
                main = main._replace(score=s.score, why=(*main.why, ("its conflict copy", s.score - main.score)) if main.why else ())
            found.setdefault(main.key, main)
        return list(found.values())

    def _passage(self, maker: SnippetMaker, memo: Memo, s: Scored, row: _Row, number: int) -> Hit:
        body, body_line = str(row.values[5]), int(row.values[12])  # type: ignore[call-overload]
        passage = maker.passage(body)
        missing = missing_words(self.plan.words, s.found)
        line = body_line + passage.line
        return Hit(
            memo._replace(line=memo.line if memo.kind == "fact" else line),
            number,
            round(s.score, 2),
            passage.text,
            line,
            passage.highlights,
            passage.more_lines,
            missing,
            s.why,
            self.copies[row.store].beside(memo.path, memo.id),
            self.copies[row.store].original(memo.path, memo.id),
        )

    def _hit(self, memo: Memo, number: int) -> Hit:
        """A memo found by its ID."""
        why = (("memo ID", 0.0),) if self.request.explain else ()
        copies = next(c for c in self.copies if c.index.ref.name == memo.store)
        original, beside = copies.original(memo.path, memo.id), copies.beside(memo.path, memo.id)
        return Hit(memo, number, 0.0, memo.title, memo.line, (), 0, (), why, beside, original)
