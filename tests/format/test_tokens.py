"""The analyser: index side and query side must agree, whatever the script."""

from __future__ import annotations

import contextlib
import sqlite3
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remember.format.tokens import TOKENIZE, camel_parts, fold, identifiers, runs, segment, words_of


def fts_tokens(text: str) -> list[str]:
    with contextlib.closing(sqlite3.connect(":memory:")) as connection:
        connection.execute(f'CREATE VIRTUAL TABLE t USING fts5(x, tokenize="{TOKENIZE.removeprefix("porter ")}")')
        connection.execute("CREATE VIRTUAL TABLE v USING fts5vocab(t, instance)")
        connection.execute("INSERT INTO t VALUES (?)", (text,))
        return [term for (term,) in connection.execute("SELECT term FROM v ORDER BY offset")]


def test_ascii_text_is_not_even_copied() -> None:
    text = "plain words"
    assert segment(text) is text


def test_unspaced_scripts_become_bigrams_and_their_last_character_stands_alone() -> None:
    assert segment("先运行x").split() == ["先运", "运行", "行", "x"]
    assert segment("京").split() == ["京"]


def test_line_ends_survive_segmentation() -> None:
    assert segment("一二\n三四").count("\n") == 1


@pytest.mark.parametrize("text", ["Straße Ünï", "привет мир й", "ภาษาไทย", "हिन्दी भाषा", "ｆｕｌｌ ﬁ", "عربى", "東京タワー"])
def test_query_words_are_tokens_of_the_index(text: str) -> None:
    tokens = set(fts_tokens(segment(text)))
    assert {word for word, _ in words_of(unicodedata.normalize("NFKC", text))} <= tokens


@pytest.mark.parametrize("word", ["हिन्दी", "भाषा", "ภาษา", "வணக்கம்"])
def test_words_with_vowel_signs_stay_whole(word: str) -> None:
    joined = "".join(fts_tokens(segment(word)))
    assert all(char in joined for char in word)


@given(st.text())
def test_folding_keeps_both_texts_of_one_length(text: str) -> None:
    raw, folded = fold(text)
    assert len(raw) == len(folded)


@given(st.characters(min_codepoint=0xC0, max_codepoint=0x24F))
def test_latin_letters_fold_as_the_tokeniser_folds_them(char: str) -> None:
    text = unicodedata.normalize("NFKC", f"a{char}b")
    assert [word for word, _ in words_of(text)] == fts_tokens(segment(text))


@given(st.text())
def test_any_text_has_runs_that_are_its_parts(text: str) -> None:
    assert all(run in text for run, _ in runs(text))


def test_camel_parts_are_lower_case_and_distinct_words_count_once() -> None:
    assert camel_parts(b"use maxBodySize and maxBodySize, HTTPServer too").split() == ["http", "server", "max", "body", "size"]
    assert camel_parts(b"nothing here") == ""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("max_body_size", [(("max", "body", "size"), ("max", "body", "size"))]),
        ("maxBodySize", [(("max", "body", "size"), ("maxbodysize",))]),
        ("v3.11.4", [(("v", "3", "11", "4"), ("v3", "11", "4"))]),
        ("std::vector", [(("std", "vector"), ("std", "vector"))]),
        ("plain 2nd Word", []),
        ("utf8", [(("utf", "8"), ("utf8",))]),
        ("“x-cloud-dev”", [(("x", "cloud", "dev"), ("x", "cloud", "dev"))]),
    ],
)
def test_identifiers(text: str, expected: list[object]) -> None:
    assert identifiers(text) == expected
