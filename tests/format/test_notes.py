from __future__ import annotations

import hashlib
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from texts import any_text, clean_text, file_bytes, file_texts

from remember.errors import FormatError, RefusedInput
from remember.format import notes, times
from remember.format.notes import parse, problems, render, replace_body, replace_description
from remember.format.spans import apply, decode
from remember.format.text import check_body, clean_description

MADE = times.parse("2026-10-18T16:10:33.000Z") or 0
LATER = times.parse("2026-10-19T08:00:00.123Z") or 0
NOTE = render("TV server", "e5f6a7b8", MADE, "# Heading\n\nDetails.\n")
FOREIGN = """---
citekey: smith2020 # mine
description: 'Old one'

author: {name: Smith}
tags:
- a
memory-id: e5f6a7b8
nested:
  deep: "x"
created-date: 2026-10-18T16:10:33Z
last-modified-date: "2026-10-18T16:10:33.000Z"
---

Body
"""


def codes(text: str, now_ms: int = LATER) -> list[tuple[str, int]]:
    return [(problem.code, problem.line) for problem in problems(text, now_ms)]


def stored(clean, text):  # type: ignore[no-untyped-def]
    try:
        return clean(text)
    except RefusedInput:
        return None


def lined(body: str) -> str:
    """A body as it is compared: without white space at its ends, whatever its line ends."""
    return re.sub(r"\r*(\n|\Z)", "\n", body).strip()


descriptions = any_text.map(lambda text: stored(clean_description, text)).filter(bool)
bodies = any_text.map(lambda text: stored(check_body, text)).filter(bool)


def test_a_new_note() -> None:
    assert NOTE == (
        '---\ndescription: "TV server"\nmemory-id: "e5f6a7b8"\ncreated-date: "2026-10-18T16:10:33.000Z"\n'
        'last-modified-date: "2026-10-18T16:10:33.000Z"\n---\n# Heading\n\nDetails.\n'
    )
    assert parse(NOTE)[:7] == ("TV server", "e5f6a7b8", MADE, MADE, NOTE.index("# Heading"), 7, "")
    assert codes(NOTE) == []


@given(descriptions, st.integers(0, 2**32 - 1), bodies, st.sampled_from(["\n", "\r\n"]))
def test_what_is_rendered_is_parsed(description: str, number: int, body: str, newline: str) -> None:
    text = render(description, f"{number:08x}", MADE, body, newline)
    note = parse(text)
    assert (note.description, note.id, note.created_ms, note.modified_ms, note.broken) == (description, f"{number:08x}", MADE, MADE, "")
    written = re.sub(r"\r*(\n|\Z)", lambda m: m[1] and newline, body)
    assert text[note.body_start :] == (written if written.endswith("\n") else written + newline)
    assert render(description, f"{number:08x}", MADE, text[note.body_start :], newline) == text
    assert [code for code, _ in codes(text) if code != "R311"] == []


@pytest.mark.parametrize("name", ['Q&A: use | not & — "ok"', "2026-05-26", "null", "~", "1e5", "-", "[]", "it's", "\\n", "#x", "a: b"])
def test_odd_descriptions_round_trip(name: str) -> None:
    assert parse(render(name, "e5f6a7b8", MADE, "x")).description == name


def test_a_header_with_gaps_leaves_what_there_is() -> None:
    text = "---\ndescription:\nmemory-id: E5F6A7B8\ncreated-date: 2026-10-18\nlast-modified-date: '2026-10-18T16:10:33Z'\n---\nx"
    assert parse(text)[:7] == (None, None, times.parse("2026-10-18T10:30:00Z"), MADE, len(text) - 1, 7, "")


@pytest.mark.parametrize("head", [">-\n  One\n  two", "|\n  One\n\n  two", "One\n  two", '"One\n  two"', "\n  One two"])
def test_a_description_of_several_lines_is_read_as_one(head: str) -> None:
    text = f"---\ndescription: {head}\nmemory-id: e5f6a7b8\n---\nbody"
    note = parse(text)
    assert (note.description, note.id) == ("One two", "e5f6a7b8")
    after = apply(text, replace_description(text, note, "New", LATER))
    assert parse(after).description == "New" and after.endswith("---\nbody")


@pytest.mark.parametrize(
    "text", ["---\n**ACME**\n---\nzebra", "---\ndescription: a\ndescription: b\n---\nzebra", "---\ndescription: a\nzebra"]
)
def test_a_broken_header_hides_nothing_and_is_not_edited(text: str) -> None:
    note = parse(text)
    assert note.broken and note[:4] == (None, None, None, None) and (note.body_start, note.body_line) == (0, 1)
    for edit in (replace_body, replace_description):
        with pytest.raises(FormatError, match=r"notes/x\.md:\d+: ") as caught:
            edit(text, note, "new", LATER, "notes/x.md")
        assert caught.value.path == "notes/x.md"
    with pytest.raises(FormatError):
        replace_body("no header", parse("no header"), "new", LATER)


@pytest.mark.parametrize("bom", ["", "\ufeff"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("ended", [True, False])
def test_a_new_body_keeps_header_line_ends_and_file_end(bom: str, newline: str, ended: bool) -> None:
    text = bom + FOREIGN.replace("\n", newline)
    text = text if ended else text.removesuffix(newline)
    after = apply(text, replace_body(text, parse(text), "New\n\nbody\n", LATER))
    expected = FOREIGN.replace("2026-10-18T16:10:33.000Z", "2026-10-19T08:00:00.123Z").replace("\nBody\n", "\nNew\n\nbody\n")
    assert after == bom + (expected if ended else expected.removesuffix("\n")).replace("\n", newline)


@pytest.mark.parametrize("body", ["Body", "\n\nBody\n\n", "  Body  \r\n", "\ufeffBody"])
def test_an_equal_body_changes_nothing(body: str) -> None:
    assert replace_body(FOREIGN, parse(FOREIGN), body, LATER) == []
    crlf = FOREIGN.replace("\n", "\r\n")
    assert replace_body(crlf, parse(crlf), body, LATER) == []


def test_a_body_given_with_blank_lines_first_has_them() -> None:
    after = apply(FOREIGN, replace_body(FOREIGN, parse(FOREIGN), "\n\n\nNew", LATER))
    assert after.endswith("\n---\n\n\n\nNew\n")


def test_a_body_where_there_was_none() -> None:
    for text in ("---\nmemory-id: e5f6a7b8\n---", "---\nmemory-id: e5f6a7b8\n---\n"):
        after = apply(text, replace_body(text, parse(text), "New", LATER))
        assert after == '---\nmemory-id: e5f6a7b8\nlast-modified-date: "2026-10-19T08:00:00.123Z"\n---\nNew\n'


def test_a_new_description_changes_two_values_only() -> None:
    after = apply(FOREIGN, replace_description(FOREIGN, parse(FOREIGN), 'New "one"', LATER))
    assert after == FOREIGN.replace("'Old one'", '"New \\"one\\""').replace("2026-10-18T16:10:33.000Z", "2026-10-19T08:00:00.123Z")
    assert replace_description(FOREIGN, parse(FOREIGN), "Old one", LATER) == []


def test_missing_fields_are_added_in_order() -> None:
    text = "---\nmemory-id: e5f6a7b8\n---\nx\n"
    after = apply(text, replace_description(text, parse(text), "New", LATER))
    assert after == '---\nmemory-id: e5f6a7b8\ndescription: "New"\nlast-modified-date: "2026-10-19T08:00:00.123Z"\n---\nx\n'


@given(file_texts, file_texts, bodies)
def test_a_new_body_leaves_the_header_but_for_the_date(head: str, old: str, body: str) -> None:
    text = "---\n" + head + "\n---\n" + old
    note = parse(text)
    if note.broken or not note.header.present:
        return
    edits = replace_body(text, note, body, LATER)
    after = apply(text, edits)
    if not edits:
        assert lined(text[note.body_start :]) == lined(body)
        return
    again = parse(after)
    assert again.modified_ms == LATER and (again.description, again.id, again.created_ms) == note[:3]
    assert lined(after[again.body_start :]) == lined(body)
    kept = {f.key: text[f.start : f.end] for f in note.header.fields if f.key != "last-modified-date"}
    assert {f.key: after[f.start : f.end] for f in again.header.fields if f.key != "last-modified-date"} == kept


@given(st.one_of(file_bytes.map(decode), any_text, file_texts.map(lambda text: "---\n" + text)))
def test_any_text_is_a_note(text: str) -> None:
    note = parse(text)
    assert 0 <= note.body_start <= len(text)
    assert note.description is None or note.description == " ".join(note.description.split())
    for problem in problems(text, LATER):
        assert problem.code.startswith("R3") and 1 <= problem.line <= text.count("\n") + 1


def changed(old: str, new: str) -> str:
    assert old in NOTE
    return NOTE.replace(old, new)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("just text\n", [("R301", 1)]),
        ("---\ndescription: x\n", [("R302", 1)]),
        (changed('memory-id: "e5f6a7b8"', "nothing"), [("R302", 3)]),
        (NOTE.split("# Heading")[0] * 2, [("R303", 1)]),
        (changed('memory-id: "e5f6a7b8"\n', ""), [("R304", 1)]),
        (changed('"TV server"', '""'), [("R304", 2)]),
        (changed('"e5f6a7b8"', "00000012"), [("R305", 3)]),
        (changed('"TV server"', "yes"), [("R305", 2)]),
        (changed('memory-id: "e5f6a7b8"', 'memory-id: "e5f6a7b8"\nmemory-id: "e5f6a7b9"'), [("R306", 4)]),
        (changed('memory-id: "e5f6a7b8"', 'memory-id: "e5f6a7b8"\ntags: x'), [("R307", 4)]),
        (changed('"e5f6a7b8"', '"E5F6A7B8"'), [("R308", 3)]),
        (changed('last-modified-date: "2026-10-18', 'last-modified-date: "2026-10-17'), [("R309", 5)]),
        (changed('last-modified-date: "2026-10-18', 'last-modified-date: "2036-10-18'), [("R309", 5)]),
        (changed('created-date: "2026-10-18T16:10:33.000Z"', 'created-date: "2026-10-18"'), [("R309", 4)]),
        (NOTE + "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n", [("R311", 10), ("R311", 12), ("R311", 14)]),
        ("\n" + NOTE, [("R315", 4)]),
    ],
)
def test_findings(text: str, found: list[tuple[str, int]]) -> None:
    assert codes(text) == found


@given(st.binary())
def test_revision_is_the_hash_of_the_bytes(data: bytes) -> None:
    assert notes.revision_of(data) == hashlib.sha256(data).hexdigest()[:12]


@given(clean_text)
def test_a_description_survives_an_edit_of_the_body(description: str) -> None:
    text = render(description, "e5f6a7b8", MADE, "old")
    after = apply(text, replace_body(text, parse(text), "new", LATER))
    assert parse(after).description == parse(text).description
