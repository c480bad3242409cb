"""Answers stay within what agents take whole."""

from __future__ import annotations

import json
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from remember.serve.bounds import CUT, WARNING_BYTES, brief, clean, cut_lines, few, size


@given(st.text(max_size=400), st.integers(20, 300), st.integers(1, 20))
def test_whole_lines_are_kept_and_the_others_counted(text: str, most_bytes: int, most_lines: int) -> None:
    kept, left = cut_lines(text, most_bytes, most_lines)
    if left == 0:
        assert kept == text
        return
    lines = text.removesuffix("\n").split("\n")
    if left == len(lines):
        assert kept.endswith(CUT + "\n") and lines[0].startswith(kept.removesuffix(CUT + "\n"))
        return
    assert len(lines) - left <= most_lines
    assert kept == "".join(line + "\n" for line in lines[: len(lines) - left])


@given(st.lists(st.text(max_size=400), max_size=60))
def test_few_warnings_are_kept_and_the_others_counted(warnings: list[str]) -> None:
    told = few(warnings)
    assert size(told) <= WARNING_BYTES + 100
    unique = list(dict.fromkeys(brief(warning, 300) for warning in dict.fromkeys(warnings)))
    if told != unique and len(told) < len(dict.fromkeys(warnings)):
        assert told[-1].startswith(f"{len(dict.fromkeys(warnings)) - len(told) + 1} more")


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
