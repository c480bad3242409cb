"""Questions taken apart, and plans whose work is bounded."""

from __future__ import annotations

import contextlib
import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remember.format.tokens import TOKENIZE
from remember.index.phrases import quote
from remember.index.query import inverse_frequency, make_plan, match_of, read


class Corpus:
    """A corpus of `total` memos in which each word is as frequent as told."""

    def __init__(self, total: int, frequencies: dict[str, int]) -> None:
        self.total = total
        self.frequencies = frequencies

    def frequency(self, match: str) -> int:
        return self.frequencies.get(match.strip('"*'), 0)

    def expansions(self, prefix: str) -> dict[str, int]:
        return {word: n for word, n in self.frequencies.items() if word.startswith(prefix)}


class Same(dict[str, str]):
    def __missing__(self, word: str) -> str:
        return word


def test_stopwords_count_in_short_queries_only() -> None:
    assert [w for w, _ in read("is it on").words] == ["is", "it", "on"]
    assert [w for w, _ in read("how do I set the proxy for docker").words] == ["set", "proxy", "docker"]


def test_nothing_but_stopwords_still_asks_for_them() -> None:
    assert [w for w, _ in read("what is it that they are after").words]


@pytest.mark.parametrize(
    ("text", "phrases"),
    [
        ('say "two words" now', (("two", "words"),)),
        ("“two words”", (("two", "words"),)),
        ('un"balanced', ()),
        ('""', ()),
        ('"a" "b c', (("a",),)),
        ('"部署"', (("部署",),)),
    ],
)
def test_quoted_phrases(text: str, phrases: tuple[tuple[str, ...], ...]) -> None:
    assert read(text).phrases == phrases


def test_a_rare_word_chooses_the_rows_and_common_ones_only_score() -> None:
    corpus = Corpus(100_000, {"server": 40_000, "timeout": 30_000, "needle": 900})
    plan = make_plan(read("server timeout needle"), Same(), corpus)
    assert match_of(plan, corpus.frequency) == '("needle") AND ("needle" OR "timeout" OR "server")'


def test_common_words_alone_are_asked_for_together() -> None:
    corpus = Corpus(100_000, {"server": 40_000, "timeout": 30_000})
    plan = make_plan(read("server timeout"), Same(), corpus)
    assert match_of(plan, corpus.frequency) == '(("timeout") AND ("timeout" OR "server"))'


def test_a_frequent_word_that_merely_begins_alike_is_looked_for_only_where_nothing_else_can_match() -> None:
    corpus = Corpus(100_000, {"config": 40_000, "slow": 9_000})
    both = make_plan(read("how slow is it that I configure this thing"), Same(), corpus)
    assert '"config"' not in match_of(both, corpus.frequency)
    alone = make_plan(read("configure"), Same(), corpus)
    assert match_of(alone, corpus.frequency) == '"config"'


def test_words_that_are_nowhere_match_nothing() -> None:
    corpus = Corpus(10, {})
    assert match_of(make_plan(read("zzz yyy"), Same(), corpus), corpus.frequency) == ""


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_idf_is_never_negative(total: int, frequency: int) -> None:
    assert inverse_frequency(total, frequency) >= 0


@given(st.text())
def test_any_text_is_a_valid_expression(text: str) -> None:
    with contextlib.closing(sqlite3.connect(":memory:")) as connection:
        connection.execute(f'CREATE VIRTUAL TABLE words USING fts5(description, labels, body, parts, tokenize="{TOKENIZE}")')
        connection.execute("INSERT INTO words VALUES ('a', 'b', ?, 'd')", (text.encode("utf-8", "replace").decode(),))

        class Real(Corpus):
            def frequency(self, match: str) -> int:
                return int(connection.execute("SELECT count(*) FROM words WHERE words MATCH ?", (match,)).fetchone()[0])

            def expansions(self, prefix: str) -> dict[str, int]:
                return {}

        real = Real(1, {})
        match = match_of(make_plan(read(text), Same(), real), real.frequency)
        if match:
            connection.execute("SELECT rowid FROM words WHERE words MATCH ?", (match,)).fetchall()
        whole = quote(text.encode("utf-8", "replace").decode())
        assert connection.execute("SELECT count(*) FROM words WHERE words MATCH ?", (whole,)).fetchone()[0] in (0, 1)
