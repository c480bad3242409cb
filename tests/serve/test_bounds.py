"""Answers stay within what agents take whole."""

from __future__ import annotations

import json
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from remember.serve.bounds import clean, cut_lines, size


@given(st.text(max_size=400), st.integers(20, 300), st.integers(1, 20))
def test_whole_lines_are_kept_and_the_others_counted(text: str, most_bytes: int, most_lines: int) -> None:
    kept, left = cut_lines(text, most_bytes, most_lines)
    if left == 0:
        assert kept == text or text.startswith(kept.removesuffix(" …\n"))
        return
    lines = text.removesuffix("\n").split("\n")
    assert len(lines) - left <= most_lines
    if not kept.endswith(" …\n") or text.startswith(kept):
        assert text.startswith(kept) and kept.endswith("\n")


def test_size_is_that_of_utf8() -> None:
    assert size({"a": "é"}) == len('{"a":"é"}'.encode())


TEXTS = st.text(st.characters() | st.sampled_from("\ud800\udcff\x1b\x7f\u202e\n"))
FIELDS = st.sampled_from(["path", "body", "tags"])


@given(st.recursive(TEXTS | st.integers() | st.none(), lambda inner: st.lists(inner) | st.dictionaries(FIELDS, inner)))
def test_what_is_cleaned_can_be_sent(value: object) -> None:
    sent = json.dumps(clean(value), ensure_ascii=False)
    assert sent.encode("utf-8").decode("utf-8") == sent
    assert [char for char in sent if unicodedata.category(char) in ("Cc", "Cs") or char in "\u202a\u202e\u2066\u2069"] == []
    assert shape(json.loads(sent)) == shape(value)


def shape(value: object) -> object:
    """What a value is made of, without its texts."""
    if isinstance(value, dict):
        return sorted((shape(inner) for inner in value.values()), key=repr)
    if isinstance(value, list):
        return [shape(inner) for inner in value]
    return "text" if isinstance(value, str) else value


def test_credentials_and_escapes_are_gone_all_the_way_down() -> None:
    cleaned = clean({"a": ["x \x1b[31m ghp_" + "a1B2" * 10, {"b": "l1\nl2\tx"}]})
    assert cleaned == {"a": ["x [31m [secret removed]", {"b": "l1\nl2\tx"}]}
