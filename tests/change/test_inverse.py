"""Spans of a file are undone exactly, and found again when others wrote before and after them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remember.change.inverse import flipped, step
from remember.change.lines import append_items, line_items
from remember.errors import ChangedOutside, Conflict
from remember.format import facts as grammar
from remember.format import spans
from remember.store.records import LinesItem

word = st.text("abcdé🙂#- ", min_size=1, max_size=12).map(str.strip).filter(bool)
prose = st.sampled_from(["", "prose", "# Heading", "- by hand", "| a | b |", "```\ncode\n```", "  indented", "\udcff latin"])


@st.composite
def documents(draw, newline=None):
    """A facts file of ours and other text; at least one fact of it is ours."""
    end = newline or draw(st.sampled_from(["\n", "\r\n"]))
    lines = []
    for number in range(draw(st.integers(1, 6))):
        lines += draw(st.lists(prose, max_size=2))
        lines += [f"<!-- 2026-02-15T14:30:0{number}Z [{number:08x}] -->", f"{draw(word)} {number}"]
    lines += draw(st.lists(prose, max_size=2))
    return end.join("\n".join(lines).split("\n")) + (end if draw(st.booleans()) else "")


def ours(text):
    return [fact for fact in grammar.parse(text).facts if fact.id]


def turned_back(data, items):
    for item in reversed(items):
        changed = step(data, flipped(item))
        assert changed is not None
        data = changed
    return data


@given(documents(), st.data())
def test_a_removal_is_undone_and_done_again_byte_for_byte(text, data):
    chosen = data.draw(st.lists(st.sampled_from(ours(text)), unique=True, min_size=1)) if ours(text) else []
    if not chosen:
        return
    after, items = line_items("MEMORY.md", text, [(grammar.remove(text, fact), fact.id) for fact in chosen])
    assert after == spans.encode(spans.apply(text, [grammar.remove(text, fact) for fact in chosen]))
    assert turned_back(after, items) == spans.encode(text)
    again = spans.encode(text)
    for item in items:
        stepped = step(again, item)
        assert stepped is not None
        again = stepped
    assert again == after


@given(documents(), st.lists(word, min_size=1, max_size=4))
def test_an_addition_is_undone_byte_for_byte(text, texts):
    pairs = [(f"{number:07x}f", "2026-10-18T16:10:33Z", f"{new} new {number}") for number, new in enumerate(texts)]
    added = grammar.append(text, pairs[:1]).text
    data, items = append_items("MEMORY.md", text, [(added, pairs[0][0])])
    assert turned_back(data, items) == spans.encode(text)
    whole, edits = spans.decode(data), []
    for pair in pairs[1:]:
        edits.append((grammar.append(whole, [pair]).text, pair[0]))
        whole += edits[-1][0]
    data, more = append_items("MEMORY.md", spans.decode(data), edits)
    assert turned_back(data, (*items, *more)) == spans.encode(text)


heads = st.sampled_from(["", "- new first\n\n", "# T\n"])
tails = st.sampled_from(["", "\nnew last\n", "- x\n"])


@given(documents(newline="\n"), st.data(), heads, tails)
def test_a_removal_is_undone_in_its_place_when_others_wrote_around_it(text, data, head, tail):
    if not text.endswith("\n") or not ours(text):
        return
    fact = data.draw(st.sampled_from(ours(text)))
    after, items = line_items("MEMORY.md", text, [(grammar.remove(text, fact), fact.id)])
    now = head.encode() + after + tail.encode()
    back = spans.decode(turned_back(now, items))
    assert [f.text for f in grammar.parse(back).facts if f.id == fact.id] == [fact.text]
    assert len(back) == len(head) + len(text) + len(tail)


@given(documents(), st.data(), word, st.sampled_from(["", "- new first\n\n"]))
def test_a_replacement_is_undone_wherever_the_fact_went(text, data, new, head):
    if not ours(text):
        return
    fact = data.draw(st.sampled_from(ours(text)))
    after, items = line_items("MEMORY.md", text, [(grammar.replace_text(text, fact, f"{new} replaced"), fact.id)])
    if text.startswith("---"):
        return
    assert turned_back(head.encode() + after, items) == head.encode() + spans.encode(text)


FACT = b"<!-- 2026-02-15T14:30:00Z [aaaaaaaa] -->\ntea\n"
GONE = LinesItem("MEMORY.md", "aaaaaaaa", 0, FACT, b"", b"", b"")


def test_what_is_so_already_needs_nothing():
    assert step(b"", GONE) is None
    assert step(FACT, flipped(GONE)) is None
    assert step(b"x\n\n" + FACT.replace(b" -->\n", b" -->\n\n"), flipped(GONE)) is None


@pytest.mark.parametrize("now", [FACT.replace(b"tea", b"tea or coffee"), FACT + FACT])
def test_what_somebody_changed_is_not_removed(now):
    with pytest.raises(ChangedOutside):
        step(b"head\n" + now, GONE)


def test_an_id_that_came_back_with_another_text_is_a_conflict():
    with pytest.raises(Conflict):
        step(FACT.replace(b"tea", b"coffee"), flipped(GONE))


def test_a_longer_line_is_not_taken_for_a_shorter_one():
    item = LinesItem("MEMORY.md", None, 0, b"", b"\n- tea", b"x", b"")
    assert step(b"y\n- tea and more\n", flipped(item)) is None
    assert step(b"y\n- tea\n", flipped(item)) == b"y\n"


def test_hand_written_twins_are_told_apart_by_their_neighbours():
    text = "- a\n- same\n- b\n- same\n- c\n"
    fact = grammar.parse(text).facts[3]
    after, items = line_items("MEMORY.md", text, [(grammar.replace_text(text, fact, "other"), None)])
    assert step(b"# T\n" + after, flipped(items[0])) == b"# T\n" + text.encode()
