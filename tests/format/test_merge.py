"""The three-way merge as a function: laws that hold for any texts, and for stores that people change on both sides."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from texts import file_texts

from remember.format import facts as grammar
from remember.format.merge import KINDS, merge, whole_conflict
from remember.format.mergekinds import READERS
from remember.format.mergeorder import aligned, kept_order, matched
from remember.format.mergeparts import Chunk, hunks
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


@given(
    st.permutations(range(6)),
    st.dictionaries(st.integers(0, 5), st.sampled_from(["", "edited"])),
    st.lists(st.integers(21, 25), unique=True),
)
def test_a_new_order_on_one_side_and_changes_on_the_other(order: list[int], changes: dict[int, str], added: list[int]) -> None:
    base = "".join(block(n) for n in range(6))
    moved = "".join(block(n) for n in order)
    changed = side_of(list(range(6)), changes, added, 99)
    for ours, theirs in ((moved, changed), (changed, moved)):
        merged = merge("facts", base, ours, theirs, conflicting)
        assert merged.conflicts == ()
        found = [int(fact.id or "", 16) for fact in grammar.parse(merged.text).facts]
        assert [n for n in found if n < 6] == [n for n in order if changes.get(n) != ""]
        assert sorted(n for n in found if n > 20) == sorted(added)
        assert all(block(n, "edited") in merged.text for n, text in changes.items() if text)


items = st.lists(st.sampled_from([f"- thing {word}\n" for word in ("one", "two", "three", "four", "five", "six")]), unique=True, max_size=6)


@given(items, items, items)
def test_bullets_that_one_side_added_are_there_once_and_those_removed_are_gone(base: list[str], ours: list[str], theirs: list[str]) -> None:
    texts = "".join(base), "".join(ours), "".join(theirs)
    merged, mirrored = merge("bullets", *texts, conflicting), merge("bullets", texts[0], texts[2], texts[1], conflicting)
    assert bool(merged.conflicts) == bool(mirrored.conflicts)
    if not merged.conflicts:
        lines = merged.text.splitlines(keepends=True)
        assert sorted(lines) == sorted(mirrored.text.splitlines(keepends=True))
        assert len(lines) == len(set(lines)) or set(ours) != set(theirs)
        for line in {*ours, *theirs} - set(base):
            assert line in lines
    assert all(line in merged.text for line in {*ours, *theirs} - set(base))


def test_a_note_keeps_fields_and_bytes_that_are_not_ours() -> None:
    base = NOTE.replace("---\nfirst", "# a comment\ntags:\n  - x\n---\nfirst")
    ours = base.replace("  - x", "  - x\n  - y").replace('description: "d"', "description: 'd'")
    theirs = base.replace("# a comment", "# another comment").replace("last\n", "the last\n")
    text = text_of("note", base, ours, theirs)
    assert "# another comment\ntags:\n  - x\n  - y\n---\nfirst" in text and text.endswith("the last\n") and "description: 'd'" in text


def test_a_broken_header_is_merged_by_lines() -> None:
    broken = NOTE.replace("memory-id", "no field here\nmemory-id")
    assert merge("note", broken, broken + "a\n", broken + "b\n", conflicting).conflicts == ("",)
    assert merge("note", broken, NOTE, broken + "b\n", conflicting).conflicts == ("",)
    assert merge("note", "", "text\n", "other\n", conflicting).text == "<<<<<<< ours\ntext\n=======\nother\n>>>>>>> theirs\n"


def test_one_note_from_two_places_under_one_name() -> None:
    """The same ID on both sides and no base: a note that was carried over by hand; only what differs is in conflict."""
    merged = merge("note", "", NOTE, NOTE.replace('"d"', '"e"'), conflicting)
    assert merged.conflicts == ("e5f6a7b8, description",)
    assert merged.text.count("memory-id") == 1


def test_prose_conflicts_leave_facts_outside() -> None:
    base = f"# One\n\nsome words here that are\nmore than one line\n\n{A}"
    merged = merge("facts", base, base.replace("some", "ours") + B, base.replace("some", "theirs") + C, conflicting)
    assert merged.conflicts == ("",)
    assert merged.text.endswith(A + B + C) and merged.text.index(">>>>>>>") < merged.text.index("fact a")


def test_a_fact_that_both_sides_changed_in_different_parts() -> None:
    ours, theirs = A.replace("fact a", "fact A"), A.replace("16:10:33Z", "17:10:33Z")
    assert text_of("facts", A, ours, theirs) == ours.replace("16:10:33Z", "17:10:33Z")


def test_ids_that_stand_twice_stay_twice() -> None:
    twice = A + A.replace("fact a", "other text")
    merged = merge("facts", twice, twice + B, twice + C, conflicting)
    assert merged.conflicts == () and merged.text == twice + B + C


def test_new_sentences_that_stand_alone_are_kept_apart() -> None:
    text = text_of("facts", f"# A\n\n{A}", f"# A\n\n{A}\nfirst sentence\n", f"# A\n\n{A}\nsecond sentence\n")
    assert [fact.text for fact in grammar.parse(text).facts] == ["fact a", "first sentence", "second sentence"]


def test_a_conflict_is_told_from_what_stands_in_it() -> None:
    inner = f"{A}<<<<<<< x\nfact\n=======\n>>>>>>> y\n"
    merged = merge("note", "", inner, D, conflicting)
    assert merged.text.startswith("<<<<<<<<< ours\n")
    numbers = conflict_lines(merged.text)
    assert {1, len(merged.text.split("\n")) - 1} <= set(numbers) and hunks(merged.text)[-1] == (0, len(merged.text))
    assert whole_conflict("a", "").text == "<<<<<<< ours\na\n=======\n>>>>>>> theirs\n"


@pytest.mark.parametrize(
    ("line", "target"),
    [
        ("- [Tea](tea.md) — make it", "tea.md"),
        ("- [site](https://example.org) and [Tea](./sub/tea.md#top)", "sub/tea.md"),
        ("- [a](b) [c](d) [Tea](<my tea.md>)", "my tea.md"),
        ("- [a](b.txt)", ""),
        ("[Tea](tea.md)", ""),
        ("- no link", ""),
    ],
)
def test_the_file_of_an_index_line_is_the_first_that_is_markdown(line: str, target: str) -> None:
    from remember.format.mergekinds import _target

    assert _target(line) == target
