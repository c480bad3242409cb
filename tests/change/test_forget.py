"""What is forgotten is exactly what was named, and all of it comes back."""

from __future__ import annotations

import os

import pytest

from remember.change.add import add
from remember.change.forget import forget, select
from remember.change.note import note
from remember.change.undo import restore, undo
from remember.errors import Ambiguous, ChangedOutside, NotFound, RefusedInput, UnsafePath


def gone(shop, named, by=""):
    return forget(select([shop.target], named, by), shop.terms())


def test_a_fact_goes_with_its_comment_and_the_rest_stays(shop):
    shop.write(b"head\n\n<!-- 2026-02-15T14:30:00Z [aaaaaaaa] -->\n\none\n<!-- 2026-02-15T14:30:00Z [bbbbbbbb] -->\ntwo\ntail")
    before = shop.read()
    gone(shop, "aaaaaaaa")
    assert shop.read() == b"head\n\n<!-- 2026-02-15T14:30:00Z [bbbbbbbb] -->\ntwo\ntail"
    undo([shop.target], shop.terms())
    assert shop.read() == before


def test_a_note_comes_back_with_bytes_mode_and_time(shop):
    made = note(shop.target, "d", "body", shop.terms())
    os.chmod(shop.file(made.path), 0o640)
    os.utime(shop.file(made.path), ns=(1, 1_600_000_000_123_456_789))
    before = shop.read(made.path)
    gone(shop, made.path)
    assert not os.path.exists(shop.file(made.path))
    undo([shop.target], shop.terms())
    found = os.stat(shop.file(made.path))
    assert shop.read(made.path) == before
    assert (found.st_mode & 0o777, found.st_mtime_ns) == (0o640, 1_600_000_000_123_456_789)


def test_a_substring_means_text_description_path_id_and_creation_date_but_no_body(shop):
    add(shop.target, ["Tea at five", "nothing"], shop.terms())
    note(shop.target, "Coffee", "tea in the body", shop.terms())
    assert [memo.title for _, memo in select([shop.target], "TEA")] == ["Tea at five"]
    assert [memo.title for _, memo in select([shop.target], "coff")] == ["Coffee"]
    assert [memo.title for _, memo in select([shop.target], "18-coffee")] == ["Coffee"]
    assert [memo.title for _, memo in select([shop.target], "16:10:35")] == ["Coffee"]
    with pytest.raises(NotFound):
        select([shop.target], "in the body")


def test_an_id_means_just_that_and_no_prefix(shop):
    (fact,) = add(shop.target, ["Tea"], shop.terms())
    made = note(shop.target, f"about {fact.id}", "body", shop.terms())
    assert [memo.id for _, memo in select([shop.target], fact.id)] == [fact.id]
    assert [memo.id for _, memo in select([shop.target], fact.id, "text")] == [made.id]
    with pytest.raises(NotFound):
        select([shop.target], "ffffffff")
    with pytest.raises(NotFound):
        select([shop.target], "Tea", "id")
    for nothing in ("", "  "):
        with pytest.raises(RefusedInput):
            select([shop.target], nothing)


def test_places(shop):
    shop.write(b"- one\n- two\n\n| prose |\n")
    with pytest.raises(RefusedInput):
        select([shop.target], "MEMORY.md")
    with pytest.raises(NotFound):
        select([shop.target], "MEMORY.md:4")
    with pytest.raises(UnsafePath):
        select([shop.target], "../MEMORY.md")
    gone(shop, "MEMORY.md:1")
    assert shop.read() == b"- two\n\n| prose |\n"


def test_several_memos_of_several_files_are_one_record(shop):
    add(shop.target, ["x one", "y", "x two"], shop.terms())
    note(shop.target, "x three", "body", shop.terms())
    before = shop.files()
    changes = gone(shop, "x ")
    assert len({change.recovery_id for change in changes}) == 1
    assert len(changes) == 3
    assert [memo.title for memo in shop.memos()] == ["y"]
    undo([shop.target], shop.terms())
    assert shop.files() == before


def test_each_scope_keeps_its_own(two):
    local, everywhere = two
    for shop in two:
        add(shop.target, ["tea"], shop.terms())
    before = everywhere.files()
    gone(local, "tea")
    assert everywhere.files() == before
    assert everywhere.records() and len(local.records()) == 2


def test_two_memos_of_one_id_are_not_guessed_about(shop):
    shop.write(b"<!-- 2026-02-15T14:30:00Z [aaaaaaaa] -->\none\n<!-- 2026-02-15T14:30:00Z [aaaaaaaa] -->\ntwo\n")
    with pytest.raises(Ambiguous):
        select([shop.target], "aaaaaaaa")
    gone(shop, "MEMORY.md:4")
    assert shop.read() == b"<!-- 2026-02-15T14:30:00Z [aaaaaaaa] -->\none\n"


def test_what_was_changed_since_it_was_chosen_is_not_removed(shop):
    (fact,) = add(shop.target, ["tea"], shop.terms())
    made = note(shop.target, "d", "body", shop.terms())
    for path, old, new, named in (("MEMORY.md", b"tea", b"coffee", fact.id), (made.path, b'"d"', b'"e"', made.id)):
        chosen = select([shop.target], named)
        shop.write(shop.read(path).replace(old, new), path)
        before = shop.files()
        with pytest.raises(ChangedOutside):
            forget(chosen, shop.terms())
        assert shop.files() == before


def test_a_fact_returns_between_its_neighbours(shop):
    add(shop.target, ["one", "two", "three"], shop.terms())
    (change,) = gone(shop, "two")
    shop.write(b"# Title\n\n" + shop.read() + b"more prose\n")
    restore([shop.target], change.recovery_id, shop.terms())
    assert [memo.text for memo in sorted(shop.memos("fact"), key=lambda m: m.line)] == ["one", "two", "three"]
    assert shop.read().startswith(b"# Title\n\n") and shop.read().endswith(b"more prose\n")


@pytest.mark.parametrize("left", [["three"], ["one"]])
def test_one_neighbour_is_enough(shop, left):
    add(shop.target, ["zero", "one", "two", "three", "four"], shop.terms())
    (change,) = gone(shop, "two")
    for text in {"zero", "one", "three", "four"} - set(left):
        gone(shop, text)
    shop.write(b"- new first\n\n" + shop.read() + b"\n- new last\n")
    restore([shop.target], change.recovery_id, shop.terms())
    facts = [memo.text for memo in sorted(shop.memos("fact"), key=lambda m: m.line)]
    assert facts == ["new first", *(["two", "three"] if left == ["three"] else ["one", "two"]), "new last"]


def test_without_neighbours_it_returns_to_the_end(shop):
    add(shop.target, ["one", "two", "three"], shop.terms())
    (change,) = gone(shop, "two")
    shop.write(b"all new\r\n\r\nno newline at the end")
    restore([shop.target], change.recovery_id, shop.terms())
    assert shop.read() == b"all new\r\n\r\nno newline at the end\r\n" + f"<!-- 2026-10-18T16:10:34Z [{change.id}] -->\ntwo".encode()
