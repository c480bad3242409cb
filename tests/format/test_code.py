from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from texts import any_text, file_texts

from remember.format.code import contains, hidden
from remember.format.comments import blank_comments
from remember.format.fences import spans_of


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("a `b` c", ["`b`"]),
        ("``a ` b`` `c`", ["``a ` b``", "`c`"]),
        ("`a\nb`", ["`a\nb`"]),
        ("`a\n\nb`", []),
        ("`a\n```\nb`\n```\n", ["```\nb`\n```\n"]),
        ("x\n```py\na\n```\ny", ["```py\na\n```\n"]),
        ("~~~\na\n~~~", ["~~~\na\n~~~"]),
        ("   ````\n```\n````", ["   ````\n```\n````"]),
        ("    ```\na\n    ```", ["```\na\n    ```"]),
        ("``` a ` b", []),
        ("```\nnever closed", []),
        ("<!-- `a` -->`b`", ["`b`"]),
        ("`<!--` x `-->`", ["`<!--`", "`-->`"]),
        ("<!--\n```\n-->\n```\nx\n```", ["```\nx\n```"]),
    ],
)
def test_code(text: str, code: list[str]) -> None:
    assert [text[start:end] for start, end in hidden(text).code] == code


@pytest.mark.parametrize(
    ("text", "blanked"),
    [
        ("a <!-- b --> c", "a  c"),
        ("a\n<!-- b\nc\n-->\nd", "a\n\n\n\nd"),
        ("`<!--` opens and `-->` closes", "`<!--` opens and `-->` closes"),
        ("```\n<!-- kept -->\n```\n<!-- gone -->", "```\n<!-- kept -->\n```\n"),
        ("<!-- never closed", "<!-- never closed"),
        ("<!-- a --> <!-- never", " <!-- never"),
    ],
)
def test_comments_are_blanked_outside_code(text: str, blanked: str) -> None:
    assert blank_comments(text) == blanked


@given(any_text)
def test_blanking_keeps_lines(text: str) -> None:
    blanked = blank_comments(text)
    assert blanked.count("\n") == text.count("\n")
    assert len(blanked) <= len(text)


@given(file_texts)
def test_spans_are_in_order_and_apart(text: str) -> None:
    found = hidden(text)
    spans = sorted(found.code + found.comments)
    assert all(one[1] <= other[0] for one, other in zip(spans, spans[1:], strict=False))
    assert found.code == sorted(found.code) and found.comments == sorted(found.comments)
    for start, end in spans_of(text):
        assert text[start:end].lstrip(" ")[:3] in ("```", "~~~")
        assert not start or text[start - 1] == "\n"


@given(st.lists(st.integers(1, 9), max_size=12), st.integers(0, 60))
def test_contains(steps: list[int], at: int) -> None:
    places = [sum(steps[: n + 1]) for n in range(len(steps))]
    spans = list(zip(places[::2], places[1::2], strict=False))
    assert contains(spans, at) == any(start <= at < end for start, end in spans)


@given(file_texts)
def test_both_ways_to_find_fences_agree(text: str) -> None:
    found = spans_of(text)
    assert spans_of(text + "\n" + "x ``` ~~~\n" * 65) == [span for span in found if span[1] < len(text) or text.endswith("\n")] + [
        (start, end + 1) for start, end in found if end == len(text) and not text.endswith("\n")
    ]
