"""The three-way merge as a function: laws that hold for any texts, and for stores that people change on both sides."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from texts import file_texts

from remember.format import facts as grammar
from remember.format.merge import KINDS, merge
from remember.format.mergekinds import READERS
from remember.format.mergeorder import aligned, kept_order, matched
from remember.format.mergeparts import Chunk
from remember.format.problems import conflict_lines

A = "<!-- 2026-10-18T16:10:33Z [a1b2c3d4] -->\nfact a\n"
B = "<!-- 2026-10-18T16:10:34Z [b1b2c3d4] -->\nfact b\n"
C = "<!-- 2026-10-18T16:10:35Z [c1b2c3d4] -->\nfact c\n"
D = "<!-- 2026-10-18T16:10:36Z [d1b2c3d4] -->\nfact d\n"

NOTE = (
    '---\ndescription: "d"\nmemory-id: "e5f6a7b8"\ncreated-date: "2026-10-18T16:10:33.000Z"\n'
    'last-modified-date: "2026-10-18T16:10:33.000Z"\n---\nfirst\n\nmiddle\n\nlast\n'
)


def conflicting(base: str, ours: str, theirs: str) -> list[Chunk]:
    """The coarsest merge by lines that there can be: whatever both sides changed is in conflict."""
    return [Chunk(ours, theirs)]


def text_of(kind: str, base: str, ours: str, theirs: str) -> str:
    merged = merge(kind, base, ours, theirs, conflicting)
    assert merged.conflicts == (), merged.text
    return merged.text


# Laws.

kinds = st.sampled_from(KINDS)


@given(kinds, file_texts, file_texts)
def test_a_side_that_changed_nothing_has_no_say(kind: str, base: str, other: str) -> None:
    assert merge(kind, base, base, other, conflicting) == (other, ())
    assert merge(kind, base, other, base, conflicting) == (other, ())
    assert merge(kind, base, other, other, conflicting) == (other, ())


def named(kind: str, text: str) -> dict[str, tuple[str, ...]]:
    return {piece.key: piece.core for piece in READERS[kind](text) if piece.name}


@settings(max_examples=400)
@given(kinds, file_texts, file_texts, file_texts)
def test_whatever_the_texts_no_line_of_one_side_is_lost(kind: str, base: str, ours: str, theirs: str) -> None:
    merged = merge(kind, base, ours, theirs, conflicting)
    if merged.conflicts:
        assert conflict_lines(merged.text.replace("\r\n", "\n"))
    old = {line.strip() for line in base.split("\n")}
    kept = {line.strip() for line in merged.text.split("\n")}
    other = {line.strip() for line in theirs.split("\n")} | old
    for line in ours.split("\n"):
        # A line that only ours has, and that is no part of a header, is there, in the open or inside a conflict.
        if line.strip() not in other and "date" not in line:
            assert line.strip().removeprefix("\ufeff") in {word.removeprefix("\ufeff") for word in kept} or kind == "note"


facts_lists = st.lists(st.integers(0, 30), unique=True, max_size=8)


def block(number: int, text: str = "") -> str:
    return f"<!-- 2026-10-18T16:{number:02}:33Z [{number:08x}] -->\n{text or f'fact {number}'}\n"


@st.composite
def histories(draw: st.DrawFn) -> tuple[list[int], dict[int, str], dict[int, str], list[int], list[int]]:
    """A base, and on each side what becomes of its facts (text, or "" for removed) and which are added."""
    base = draw(st.lists(st.integers(0, 20), unique=True, max_size=8))
    changes = st.dictionaries(st.sampled_from(base), st.sampled_from(["", "edited", "edited too"])) if base else st.just({})
    added = st.lists(st.integers(21, 59), unique=True, max_size=5)
    return base, draw(changes), draw(changes), draw(added), draw(added)


def side_of(base: list[int], changes: dict[int, str], added: list[int], where: int) -> str:
    blocks = [block(n, changes.get(n, "")) for n in base if changes.get(n) != ""]
    at = min(where, len(blocks))
    return "".join(blocks[:at] + [block(n) for n in added] + blocks[at:])


@settings(max_examples=400)
@given(histories(), st.integers(0, 9), st.integers(0, 9))
def test_every_fact_that_is_not_in_conflict_is_there_once(
    history: tuple[list[int], dict[int, str], dict[int, str], list[int], list[int]], here: int, there: int
) -> None:
    base, mine, yours, my_new, your_new = history
    texts = "".join(block(n) for n in base), side_of(base, mine, my_new, here), side_of(base, yours, your_new, there)
    merged = merge("facts", *texts, conflicting)
    mirrored = merge("facts", texts[0], texts[2], texts[1], conflicting)
    really = {n for n in base if n in mine and n in yours and mine[n] != yours[n]}
    assert sorted(merged.conflicts) == sorted(mirrored.conflicts) == sorted(f"{n:08x}" for n in really)
    found = [fact.id for fact in grammar.parse(merged.text).facts]
    for n in {*base, *my_new, *your_new}:
        gone = mine.get(n) == "" or yours.get(n) == ""
        if n not in really:
            assert found.count(f"{n:08x}") == (0 if gone else 1)
        else:
            assert found.count(f"{n:08x}") == (1 if gone else 2)
    if not really:
        assert sorted(found) == sorted(fact.id for fact in grammar.parse(mirrored.text).facts)
        for n in base:
            if mine.get(n):
                assert f"[{n:08x}] -->\n{mine[n]}\n" in merged.text


@given(histories())
def test_both_directions_give_the_same_bytes_where_both_appended(history: tuple[list[int], object, object, list[int], list[int]]) -> None:
    base, _, _, mine, yours = history
    texts = "".join(block(n) for n in base), side_of(base, {}, sorted(mine), 99), side_of(base, {}, sorted(yours), 99)
    assert merge("facts", *texts, conflicting) == merge("facts", texts[0], texts[2], texts[1], conflicting)


@given(st.lists(st.integers(0, 40), max_size=12), st.lists(st.integers(0, 40), max_size=12))
def test_lines_are_aligned_with_equal_lines_in_order(old: list[int], new: list[int]) -> None:
    became = aligned([str(n) for n in old], [str(n) for n in new])
    hits = [n for n in became if n >= 0]
    assert hits == sorted(set(hits))
    assert all(old[at] == new[n] for at, n in enumerate(became) if n >= 0)


@given(st.permutations(range(9)))
def test_the_longest_run_in_order_is_found(order: list[int]) -> None:
    places = {str(n): at for n, at in enumerate(order)}
    kept = [places[name] for name in kept_order(list(places), places)]
    assert kept == sorted(kept)
    chosen = ([n for at, n in enumerate(order) if mask >> at & 1] for mask in range(512))
    assert len(kept) == max(len(some) for some in chosen if some == sorted(some))


@given(st.lists(st.text("ab ", max_size=4), max_size=8), st.lists(st.text("ab ", max_size=4), max_size=8))
def test_names_of_lines_are_unique_and_those_of_the_base_stand_for_it(base: list[str], changed: list[str]) -> None:
    names = matched(base, changed)
    assert len(set(names)) == len(changed)
    for name, line in zip(names, changed, strict=True):
        if name[0] == "+":
            assert base.count(line) < changed.count(line)
    assert matched(base, base) == [f"~{n}" for n in range(len(base))]
