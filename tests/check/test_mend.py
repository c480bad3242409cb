"""What a mended note or facts file says, and that nothing else of it changes."""

from __future__ import annotations

import pytest

from remember.check.mend import Known, mend_facts, mend_note
from remember.format.spans import apply

ALL = ("R301", "R304", "R305", "R308")
MS = 1_760_000_000_000


def known(free: bool = True) -> Known:
    return Known("a title", MS, MS, lambda: "dddddddd", lambda _: free)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n\n",
        "---\ndescription: x\nno field\n---\nbody\n",  # a header that cannot be read is for a person
        "---\ndescription: x\nnever closed\n",
        '---\ndescription: "x"\nmemory-id: "cccccccc"\ncreated-date: "2025-10-09T08:53:20.000Z"\n'
        'last-modified-date: "2025-10-09T08:53:20.000Z"\n---\nbody\n',
    ],
)
def test_what_is_not_to_be_mended_stays_as_it_is(text: str) -> None:
    assert mend_note(text, ALL, known()) == (text, [])


def test_text_gets_a_header_only_where_that_was_chosen() -> None:
    assert mend_note("text\n", ("R304", "R308"), known()) == ("text\n", [])
    text, done = mend_note("text\n", ("R301",), known())
    assert text.startswith('---\ndescription: "a title"\nmemory-id: "dddddddd"\n') and text.endswith("---\ntext\n")
    assert [code for code, _ in done] == ["R301"]


@pytest.mark.parametrize(
    ("written", "free", "kept", "said"),
    [
        ("ABCDEF12", True, "abcdef12", "writes the ID in lower case"),
        ("ABCDEF12", False, "dddddddd", "gives the note a new ID"),
        ("nothing", True, "dddddddd", "gives the note a new ID"),
    ],
)
def test_an_id_in_another_form(written: str, free: bool, kept: str, said: str) -> None:
    head = '---\ndescription: "x"\nmemory-id: "{}"\n---\nbody\n'
    assert mend_note(head.format(written), ("R308",), known(free)) == (head.format(kept), [("R308", said)])


@pytest.mark.parametrize("field", ["", "memory-id:\n", "memory-id:\n  - nested\n"])
def test_a_missing_id_is_no_malformed_one(field: str) -> None:
    text = f'---\ndescription: "x"\n{field}---\nbody\n'
    assert mend_note(text, ("R308",), known()) == (text, [])


def test_facts_get_ids_only_where_that_was_chosen() -> None:
    text = "\ufeff- by hand\r\n- another\r\n"

    def says(_: str) -> None:
        return None

    assert mend_facts(text, ("R204",), lambda: "dddddddd", MS, says) == ([], [])
    edits, done = mend_facts(text, ("R205",), lambda: "dddddddd", MS, says)
    comment = "<!-- 2025-10-09T08:53:20Z [dddddddd] -->\r\n"
    assert apply(text, [edit for edit, _ in edits]).replace(comment, "").replace("by hand", "").count("- ") <= 2
    assert [code for code, _, _ in done] == ["R205", "R205"]
