"""A body through the editor and back."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from remember.cli.output import safe
from remember.tui.lines import merged, shown

TEXTS = st.lists(st.sampled_from(["a", "b", "\n", "\r\n", "\r", "\t", "\x1b", "\u2028", "\x0c", "é", "\udcff", "\n\n"]), max_size=14).map(
    "".join
)


@given(TEXTS)
def test_what_was_not_edited_is_not_changed(text: str) -> None:
    assert merged(text, shown(text, safe), safe) == text


@given(TEXTS)
def test_an_editor_gets_nothing_but_lines_and_tabs(text: str) -> None:
    seen = shown(text, safe)
    assert all(char in "\n\t" or char == safe(char) for char in seen)
    assert seen.replace("\t", " ").splitlines() == list(seen.replace("\t", " ").split("\n"))[: len(seen.splitlines())]


@given(TEXTS, st.lists(st.sampled_from(["a", "new", "\n", "\t"]), max_size=8).map("".join))
@example("a\r\nb\r\nc\r\n", "a\nb\nnew\nc\n")
@example("a", "a\n")
@example("a\n", "a")
def test_what_was_edited_is_shown_so_again(text: str, edited: str) -> None:
    assert shown(merged(text, edited, safe), safe) == edited


@given(TEXTS)
def test_a_line_at_the_end_leaves_all_others_as_they_are(text: str) -> None:
    made = merged(text, shown(text, safe) + "\nmore", safe)
    assert made.startswith(text) and made[len(text) :] in ("\nmore", "\r\nmore")
