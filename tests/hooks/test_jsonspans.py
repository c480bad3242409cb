"""Entries are put into JSON by their spans and taken out again; all other bytes stay."""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from remember.hooks.jsonspans import Malformed, inserted, parse, removal

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


@settings(suppress_health_check=[HealthCheck.too_slow])  # the first draw pays for the imports, which a busy machine makes long
@given(st.dictionaries(st.text(max_size=4), VALUES, max_size=4), st.sampled_from([None, 1, 2, 4, "\t"]), st.booleans())
def test_a_document_is_read_as_json_reads_it(document: dict, indent, ascii_only: bool) -> None:
    text = json.dumps(document, indent=indent, ensure_ascii=ascii_only)
    assert parse(text).plain() == document


@given(st.dictionaries(st.text(max_size=4), VALUES, max_size=4), st.sampled_from([None, 2, 4, "\t"]), VALUES)
def test_what_is_put_in_is_there_and_taking_it_out_leaves_the_other_bytes(document: dict, indent, value) -> None:
    text = json.dumps(document, indent=indent)
    document.pop("new key", None)
    insertion = inserted(text, parse(text), "new key", value)
    after = text[: insertion.at] + insertion.text + text[insertion.at :]
    assert json.loads(after) == {**document, "new key": value}
    root = parse(after)
    start, end = removal(after, root, len(root.members) - 1)
    assert after[:start] + after[end:] == text


@given(st.lists(VALUES, min_size=1, max_size=5), st.sampled_from([None, 2]), st.data())
def test_any_member_can_be_taken_out(items: list, indent, data) -> None:
    text = json.dumps(items, indent=indent)
    number = data.draw(st.integers(0, len(items) - 1))
    start, end = removal(text, parse(text), number)
    assert json.loads(text[:start] + text[end:]) == items[:number] + items[number + 1 :]


def test_comments_and_a_last_comma_are_allowed_and_stay() -> None:
    text = '// mine\n{\n\t"a": 1, // one\n\t/* two */ "b": [1, 2,],\n}\n'
    insertion = inserted(text, parse(text), "c", {"d": 1})
    after = text[: insertion.at] + insertion.text + text[insertion.at :]
    assert parse(after).plain() == {"a": 1, "b": [1, 2], "c": {"d": 1}}
    assert after == '// mine\n{\n\t"a": 1, // one\n\t/* two */ "b": [1, 2,],\n\t"c": {\n\t\t"d": 1\n\t}\n}\n'


def test_line_ends_of_the_file_are_kept() -> None:
    text = '{\r\n  "a": 1\r\n}\r\n'
    insertion = inserted(text, parse(text), "c", {"d": 1})
    assert "\n" not in insertion.text.replace("\r\n", "")


@pytest.mark.parametrize("text", ["", "{", '{"a"}', '{"a": }', "[1 2]", "{} x", '{"a": tru}', "[" * 5000, '{"a": "\n"}'])
def test_what_is_no_json_is_refused(text: str) -> None:
    with pytest.raises(Malformed):
        parse(text)
