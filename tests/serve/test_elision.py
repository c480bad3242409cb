"""A new text that stands for a part of the old one is noticed; an ordinary one is not."""

from __future__ import annotations

import pytest

from remember.serve.elision import Elided, check_whole

LONG = "A sentence about how backups are made and kept. " * 40


@pytest.mark.parametrize(
    "mark",
    [
        "[rest unchanged]",
        "[Rest of the note unchanged]",
        "... existing content ...",
        "[... existing content ...]",
        "(rest remains the same)",
        "<!-- rest unchanged -->",
        "# ... existing code",
        "…remaining items…",
        "[truncated]",
        "...rest...",
        "[secret removed]",
    ],
)
def test_a_place_holder_is_refused(mark: str) -> None:
    with pytest.raises(Elided):
        check_whole(LONG, f"A new beginning.\n\n{mark}\n" + LONG)


@pytest.mark.parametrize(
    "text",
    [
        "The [REST] API",
        "see [existing](a.md) and [other notes](b.md)",
        "wait... the rest is silence",
        "- [ ] other tasks",
        "[x] done",
        "a [[rest]] link",
    ],
)
def test_ordinary_text_passes(text: str) -> None:
    check_whole(LONG, text + "\n" + LONG)


def test_a_place_holder_that_was_there_before_passes() -> None:
    check_whole("about [rest unchanged] marks", "more about [rest unchanged] marks")


def test_less_than_a_fifth_of_a_long_text_is_refused_and_of_a_short_one_is_not() -> None:
    with pytest.raises(Elided):
        check_whole(LONG, "Backups.")
    check_whole(LONG, LONG[: len(LONG) // 4])
    check_whole("A short note of some words.", "New.")
