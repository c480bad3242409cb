"""The best passage: neighbours, long lines, bodies without a word."""

from __future__ import annotations

import pytest

from remember.index.query import make_plan, read
from remember.index.snippet import Passage, SnippetMaker, missing_words


class Corpus:
    total = 1000

    def frequency(self, match: str) -> int:
        return 10

    def expansions(self, prefix: str) -> dict[str, int]:
        return {}


class Same(dict[str, str]):
    def __missing__(self, word: str) -> str:
        return word


def passage(query: str, body: str) -> Passage:
    return SnippetMaker(make_plan(read(query), Same(), Corpus()), lambda words: Same()).passage(body)


def test_the_line_before_comes_along_where_it_matches_and_the_one_after_does_not() -> None:
    found = passage("zebra crossing", "nothing\na zebra\nzebra crossing\nnothing")
    assert (found.text, found.line, found.more_lines) == ("a zebra\nzebra crossing", 1, 0)


def test_three_lines_at_most() -> None:
    found = passage("zebra", "zebra\n" * 9)
    assert found.text.count("\n") == 2 and found.more_lines == 6


def test_of_several_long_lines_the_best_one_alone_and_cut() -> None:
    found = passage("zebra crossing", "zebra " + "x " * 200 + "\n" + "y " * 200 + "zebra crossing " + "z " * 200)
    assert "\n" not in found.text and "zebra crossing" in found.text
    assert found.text.startswith("…") and found.text.endswith("…") and len(found.text) <= 244
    assert [found.text[a:b] for a, b in found.highlights] == ["zebra", "crossing"]


@pytest.mark.parametrize(("body", "text", "line"), [("", "", 0), ("\n \n", "", 0), ("\n\n  first\nsecond", "first", 2)])
def test_where_nothing_matches_the_first_line_with_words_is_shown(body: str, text: str, line: int) -> None:
    assert passage("zebra", body) == (text, line, (), 0)


def test_a_long_first_line_is_cut_between_graphemes() -> None:
    found = passage("zebra", "e\u0301" * 400)
    assert found.text.endswith("…") and len(found.text) <= 241 and found.text[-2] == "\u0301"


def test_missing_words_of_runs() -> None:
    assert missing_words((("one", False), ("two", False)), frozenset({"one"})) == ("two",)
