from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from texts import any_text, file_bytes

from remember.errors import RefusedInput
from remember.format.spans import Edit, apply, decode, encode, lines, newline_of


@given(file_bytes)
def test_bytes_come_back_as_they_were(data: bytes) -> None:
    assert encode(decode(data)) == data


@given(any_text)
def test_text_without_bytes_is_refused_and_nothing_else_raised(text: str) -> None:
    try:
        assert decode(encode(text)) or not text
    except RefusedInput as error:
        assert "UTF-8" in error.message


def test_high_surrogate_is_refused() -> None:
    with pytest.raises(RefusedInput):
        encode("a\ud800")


@given(any_text, st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60), st.text(max_size=3)), max_size=5))
def test_edits_change_their_spans_only(text: str, raw: list[tuple[int, int, str]]) -> None:
    edits = []
    at = 0
    for skip, size, new in raw:
        start = min(len(text), at + skip)
        at = min(len(text), start + size)
        edits.append(Edit(start, at, new))
    expected = list(text)
    for edit in reversed(edits):
        expected[edit.start : edit.end] = edit.text
    assert apply(text, edits) == "".join(expected)


def test_insertions_at_one_place_keep_their_order() -> None:
    assert apply("ad", [Edit(1, 1, "c"), Edit(1, 1, "b")]) == "acbd"
    assert apply("ad", [Edit(1, 2, "D"), Edit(1, 1, "z")]) == "azD"


def test_overlapping_edits_are_a_bug() -> None:
    with pytest.raises(AssertionError):
        apply("abc", [Edit(0, 2, ""), Edit(1, 3, "")])


@given(any_text)
def test_lines_cover_the_text_and_end_at_line_feeds_only(text: str) -> None:
    found = lines(text)
    assert "".join(text[start:after] for start, _, after in found) == text
    for start, end, after in found:
        assert "\n" not in text[start:end]
        assert text[end:after] in ("\n", "\r\n", "") and (text[end:after] or after == len(text))


@pytest.mark.parametrize(
    ("text", "newline"), [("", "\n"), ("a", "\n"), ("a\nb\r\n", "\n"), ("a\r\nb\n", "\r\n"), ("\n", "\n"), ("\r\n", "\r\n"), ("a\rb", "\n")]
)
def test_newline_is_that_of_the_first_line(text: str, newline: str) -> None:
    assert newline_of(text) == newline
