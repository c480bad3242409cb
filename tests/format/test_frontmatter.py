from __future__ import annotations

import json

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from texts import any_text, clean_text, file_texts

from remember.format import frontmatter
from remember.format.frontmatter import HEADER_BYTES, quote, read, set_value
from remember.format.spans import apply

HEAD = '---\ndescription: "A"\nmemory-id: "e5f6a7b8"\n---\nbody\n'


def values(text: str) -> dict[str, str]:
    return {field.key: field.value for field in read(text).fields}


@pytest.mark.parametrize("bom", ["", "\ufeff"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_saved_four_ways(bom: str, newline: str) -> None:
    text = bom + HEAD.replace("\n", newline)
    header = read(text)
    assert header.present and not header.broken
    assert values(text) == {"description": "A", "memory-id": "e5f6a7b8"}
    assert text[header.body_start :] == "body" + newline and header.body_line == 5
    assert [text[field.start : field.end] for field in header.fields] == ['"A"', '"e5f6a7b8"']
    assert [field.line for field in header.fields] == [2, 3]


@pytest.mark.parametrize(
    ("line", "value", "quoted"),
    [
        ("memory-id: 00000012", "00000012", False),
        ("description: Q&A: use | not & [x] {y}", "Q&A: use | not & [x] {y}", False),
        ("description: Fix it #lesson", "Fix it #lesson", False),
        ("description: #lesson first", "#lesson first", False),
        ("memory-id: e5f6a7b8 # mine", "e5f6a7b8", False),
        ("description: 'it''s'", "it's", True),
        ('description: "a \\"b\\" \\u00e9 \\ud83d\\ude00 \\n"', 'a "b" é 😀 \n', True),
        ('description: "a" # why', "a", True),
        ('description: "open', '"open', False),
        ('description: "a" b', '"a" b', False),
        ('description: "bad \\x41"', "bad \\x41", True),
        ('description: "half \\ud800"', "half \\ud800", True),
        ("description:", "", False),
        ("description:   ", "", False),
        ('"description": x', "x", False),
        ("description :  x  ", "x", False),
        ("description: ---", "---", False),
    ],
)
def test_values(line: str, value: str, quoted: bool) -> None:
    (field,) = read(f"---\n{line}\n---\n").fields
    assert (field.value, field.quoted, field.nested) == (value, quoted, False)
    assert field.key in ("description", "memory-id")


def test_foreign_fields_are_kept_with_their_spans() -> None:
    text = "---\n# mine\ntags:\n- a\n- b\nauthor: {name: x}\nmore:\n  deep: 1\n  # c\n\n  deeper: 2\nlist: [\n  1\n]\nlast: x\n---\nbody"
    header = read(text)
    assert header.broken == ""
    assert [(field.key, field.nested) for field in header.fields] == [
        ("tags", True),
        ("author", False),
        ("more", True),
        ("list", True),
        ("last", False),
    ]
    assert text[header.fields[2].start : header.fields[2].end] == "\n  deep: 1\n  # c\n\n  deeper: 2"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("---\ndescription: x\n", "not closed"),
        ("---", "not closed"),
        ("---\n**ACME LLP**\nRe: lease\n---\nbody zebra", "line 2 is no field"),
        ("---\na: b\n<<<<<<< HEAD\n---\n", "line 3 is no field"),
        ("---\n  indented\n---\n", "line 2 is no field"),
        ("---\na:b\n---\n", "line 2 is no field"),
        ("---\ndescription: a\ndescription: b\n---\n", "twice (line 3)"),
        ("---\ndescription: a\n---\n---\nmemory-id: b\n---\n", "second header"),
        ("---\ndescription: " + "x" * HEADER_BYTES + "\n---\n", "16 KiB"),
        ("---\n" + "a: b\n" * 4000 + "---\n", "16 KiB"),
    ],
)
def test_broken_headers(text: str, reason: str) -> None:
    header = read(text)
    assert header.present and reason in header.broken


@pytest.mark.parametrize("text", ["", "body", "\n---\na: b\n---\n", " ---\n", "----\n", "--- x\n", "\ufeff\n---\n"])
def test_no_header(text: str) -> None:
    assert read(text) == frontmatter.Header((), 0, 1, "", False, 0)


def test_unknown_fields_may_stand_twice() -> None:
    assert read("---\na: 1\na: 2\n---\n").broken == ""


def test_a_rule_in_the_body_is_no_second_header() -> None:
    assert read(HEAD.replace("body", "---\nsaid: so\n---")).broken == ""


@pytest.mark.parametrize("over", [0, 1])
def test_the_limit_counts_bytes_of_both_delimiters(over: int) -> None:
    room = HEADER_BYTES - len(b"---\nd: \n---") + over
    text = "---\nd: " + "é" * (room // 2) + "x" * (room % 2) + "\n---\nbody"
    assert len(text.rpartition("\n")[0].encode()) == HEADER_BYTES + over
    assert bool(read(text).broken) is bool(over)


@given(any_text.filter(lambda text: not any("\ud800" <= c <= "\udfff" for c in text)))
def test_a_quoted_value_is_json_and_yaml_and_comes_back(value: str) -> None:
    quoted = quote(value)
    assert "\n" not in quoted and json.loads(quoted) == value
    assert yaml.safe_load(f"description: {quoted}") == {"description": value}
    assert values(f"---\ndescription: {quoted}\n---\n") == {"description": value}


@given(file_texts)
def test_any_text_has_a_header_or_none(text: str) -> None:
    for variant in (text, "---\n" + text, "\ufeff---\r\n" + text + "\n---\n"):
        header = read(variant)
        assert 0 <= header.body_start <= len(variant) and header.body_line >= 1
        assert header.body_line == variant[: header.body_start].count("\n") + 1 or not variant.endswith("\n")
        for field in header.fields:
            assert 0 < field.start <= field.end <= len(variant)
            if not field.quoted and not field.nested:
                assert variant[field.start : field.end] == field.value


@given(file_texts, st.sampled_from([*frontmatter.KNOWN, "tags", "other"]), clean_text)
def test_a_set_value_is_read_again_and_nothing_else_changes(text: str, key: str, value: str) -> None:
    text = "---\n" + text + "\n---\nbody\n"
    header = read(text)
    if header.broken or not header.present:
        return
    edit = set_value(text, header, key, value)
    after = read(apply(text, [edit]))
    field = after.get(key)
    assert field is not None and field.value == value and field.quoted and not field.nested
    assert after.broken == "" and edit.end <= header.body_start
    old = {f.key: text[f.start : f.end] for f in header.fields if f.key != key}
    new = {f.key: apply(text, [edit])[f.start : f.end] for f in after.fields if f.key != key}
    assert old == new


def test_a_new_field_takes_the_files_line_end_and_an_empty_one_a_space() -> None:
    text = "---\r\ndescription:\r\n---\r\n"
    header = read(text)
    assert apply(text, [set_value(text, header, "memory-id", "e5f6a7b8")]) == '---\r\ndescription:\r\nmemory-id: "e5f6a7b8"\r\n---\r\n'
    assert apply(text, [set_value(text, header, "description", "x")]) == '---\r\ndescription: "x"\r\n---\r\n'


def test_a_value_of_several_lines_is_replaced_whole() -> None:
    text = "---\ndescription: >-\n  one\n  two\nother: x\n---\n"
    assert apply(text, [set_value(text, read(text), "description", "new")]) == '---\ndescription: "new"\nother: x\n---\n'


def test_a_header_that_cannot_be_read_is_not_edited() -> None:
    for text in ("body", "---\na: b\n"):
        with pytest.raises(AssertionError):
            set_value(text, read(text), "description", "x")
