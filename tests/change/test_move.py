"""A note's file gets another name and links follow; a memo goes to the other scope and comes back whole."""

from __future__ import annotations

import os

import pytest

from remember.change.add import add
from remember.change.forget import forget, select
from remember.change.move import move, rename
from remember.change.note import note
from remember.change.relink import Renaming
from remember.change.undo import redo, undo
from remember.errors import Conflict, Duplicate, NotFound, RefusedInput
from remember.format.spans import apply


def test_a_rename_keeps_bytes_date_and_time(shop):
    made = note(shop.target, "TV server", "body", shop.terms())
    os.utime(shop.file(made.path), ns=(1, 1_600_000_000_000_000_001))
    before = shop.files()
    change = rename([shop.target], made.id, "television", shop.terms())
    assert change.path == "notes/2026-10-18-television.md"
    assert shop.files() == {**{p: d for p, d in before.items() if p != made.path}, change.path: before[made.path]}
    assert os.stat(shop.file(change.path)).st_mtime_ns == 1_600_000_000_000_000_001
    undo([shop.target], shop.terms())
    assert shop.files() == before
    redo([shop.target], shop.terms())
    assert shop.memos("note")[0].path == change.path


def test_the_same_slug_changes_nothing_and_a_taken_one_gets_a_number(shop):
    one = note(shop.target, "one", "body", shop.terms())
    note(shop.target, "two", "body", shop.terms())
    assert not rename([shop.target], one.id, "one", shop.terms()).changed
    assert rename([shop.target], one.id, "two", shop.terms()).path == "notes/2026-10-18-two-2.md"
    with pytest.raises(RefusedInput):
        rename([shop.target], one.id, "../x", shop.terms())
    (fact,) = add(shop.target, ["tea"], shop.terms())
    with pytest.raises(RefusedInput):
        rename([shop.target], fact.id, "x", shop.terms())
    with pytest.raises(NotFound):
        rename([shop.target], "nothing", "x", shop.terms())


def test_links_follow_in_notes_facts_and_prose(shop):
    made = note(shop.target, "TV server", "body", shop.terms())
    stem = "2026-10-18-tv-server"
    linking = note(shop.target, "other", f"[[tv-server]] [[{stem}#part|it]] [x]({stem}.md#a) `[[tv-server]]` [[tv-server-2]]", shop.terms())
    (fact,) = add(shop.target, [f"see [[notes/{stem}.md]] and [[{made.id}]]"], shop.terms())
    shop.write(shop.read() + b"\n# Prose\n\n> [[tv-server]]\n")
    before = shop.files()
    rename([shop.target], made.id, "television", shop.terms())
    assert shop.read(linking.path).decode().split("---\n")[2] == (
        "[[television]] [[2026-10-18-television#part|it]] [x](2026-10-18-television.md#a) `[[tv-server]]` [[tv-server-2]]\n"
    )
    assert f"see [[notes/2026-10-18-television.md]] and [[{made.id}]]".encode() in shop.read()
    assert b"> [[television]]" in shop.read()
    assert len(shop.records()) == 4
    undo([shop.target], shop.terms())
    assert shop.files() == before
    assert fact.id


def test_a_link_that_may_mean_another_note_stays(shop):
    one = note(shop.target, "one", "body", shop.terms(), slug="same")
    shop.write(b"---\ndescription: b\n---\nx\n", "notes/2020-01-01-same.md")
    linking = note(shop.target, "other", "[[same]]", shop.terms())
    before = shop.read(linking.path)
    rename([shop.target], one.id, "different", shop.terms())
    assert shop.read(linking.path) == before


def test_a_link_in_a_subfolder_is_relative_to_it():
    renaming = Renaming("notes/a/2026-10-18-x.md", "notes/a/2026-10-18-y.md", True)
    text = "[1](2026-10-18-x.md) [2](../a/2026-10-18-x.md) [3](notes/a/2026-10-18-x.md) [4](other/2026-10-18-x.md)"
    assert apply(text, renaming.edits(text, "notes/a/z.md")) == (
        "[1](2026-10-18-y.md) [2](../a/2026-10-18-y.md) [3](notes/a/2026-10-18-y.md) [4](other/2026-10-18-x.md)"
    )


def test_a_note_moves_with_id_bytes_and_dates(two):
    local, everywhere = two
    made = note(local.target, "d", "body", local.terms())
    linking = note(local.target, "other", "[[d]]", local.terms())
    before = local.files(), everywhere.files()
    change = move([local.target], made.id, everywhere.target, local.terms())
    assert everywhere.read(change.path) == before[0][made.path]
    assert made.path not in local.files()
    assert change.id == made.id and linking.path in change.warnings[0]
    undo([local.target, everywhere.target], local.terms())
    assert (local.files(), everywhere.files()) == before
    redo([local.target, everywhere.target], local.terms())
    assert everywhere.read(change.path) == before[0][made.path]
    assert made.path not in local.files()


def test_a_fact_moves_with_id_and_creation_date(two):
    local, everywhere = two
    (fact, _) = add(local.target, ["tea", "water"], local.terms())
    everywhere.write(b"prose\r\n")
    before = local.files(), everywhere.files()
    change = move([local.target, everywhere.target], fact.id, everywhere.target, local.terms())
    assert everywhere.read() == f"prose\r\n<!-- 2026-10-18T16:10:34Z [{fact.id}] -->\r\ntea\r\n".encode()
    assert [memo.text for memo in local.memos("fact")] == ["water"]
    assert change.line == 3
    undo([everywhere.target, local.target], local.terms())
    assert (local.files(), everywhere.files()) == before


def test_undoing_half_a_move_needs_both_stores(two):
    local, everywhere = two
    (fact,) = add(local.target, ["tea"], local.terms())
    move([local.target], fact.id, everywhere.target, local.terms())
    before = local.files(), everywhere.files()
    with pytest.raises(Conflict, match="other half"):
        undo([local.target], local.terms())
    assert (local.files(), everywhere.files()) == before


def test_what_is_there_already_does_not_move(two):
    local, everywhere = two
    (fact,) = add(local.target, ["tea"], local.terms())
    (other,) = add(everywhere.target, ["Tea."], everywhere.terms())
    before = local.files(), everywhere.files()
    with pytest.raises(Duplicate):
        move([local.target], fact.id, everywhere.target, local.terms())
    forget(select([everywhere.target], other.id), everywhere.terms())
    everywhere.write(f"<!-- 2026-02-15T14:30:00Z [{fact.id}] -->\nother\n".encode())
    with pytest.raises(Conflict):
        move([local.target], fact.id, everywhere.target, local.terms())
    assert local.files() == before[0]
    assert not move([local.target], fact.id, local.target, local.terms()).changed


def test_a_move_that_cannot_arrive_leaves_everything(two, monkeypatch):
    from remember.errors import IOFailure
    from remember.files import atomic

    local, everywhere = two
    made = note(local.target, "d", "body", local.terms())
    before = local.files(), everywhere.files()
    real = atomic.rename_new

    def full(folder, old, new, to_folder=-1):
        if new.startswith("2026") and new.endswith(".md") and os.readlink(f"/proc/self/fd/{folder}").startswith(everywhere.path):
            raise OSError(28, "No space left on device")
        return real(folder, old, new, to_folder)

    monkeypatch.setattr(atomic, "rename_new", full)
    with pytest.raises(IOFailure):
        move([local.target], made.id, everywhere.target, local.terms())
    assert (local.files(), everywhere.files()) == before
    assert len(local.records()) == 1 and everywhere.records() == []


def test_what_is_no_memo_of_its_own_is_not_moved(two):
    shop, other = two
    shop.write(b"# Of this project\n\nProse that\ngoes over lines.\n")
    with pytest.raises(RefusedInput, match="no memo of its own"):
        move([shop.target, other.target], "MEMORY.md", other.target, shop.terms())
    add(shop.target, ["a fact"], shop.terms())
    with pytest.raises(RefusedInput, match="no note"):
        rename([shop.target], shop.memos("fact")[0].id, "slug", shop.terms())


def test_memos_of_other_layouts_stay_where_they_are(tmp_path):
    from shop import Shop

    shop, other = Shop(str(tmp_path)), Shop(str(tmp_path), "theirs")
    try:
        note(shop.target, "A note", "body", shop.terms())
        shop.index.ref = shop.index.ref._replace(layout="vault")
        for act in (
            lambda named: move([shop.target], named, other.target, shop.terms()),
            lambda named: rename([shop.target], named, "x", shop.terms()),
        ):
            with pytest.raises(RefusedInput, match="layout vault"):
                act(shop.memos("note")[0].id)
    finally:
        shop.index.close()
        other.index.close()


def test_a_note_whose_name_is_taken_over_there_gets_a_number(two):
    shop, other = two
    made = note(shop.target, "One", "first body", shop.terms(), slug="same")
    for number, words in enumerate(("Two", "Three")):
        other.write(
            f'---\ndescription: "{words}"\nmemory-id: "0000000{number}"\n---\nx\n'.encode(),
            made.path.replace(".md", ["", "-2"][number] + ".md"),
        )
    change = move([shop.target, other.target], made.id, other.target, shop.terms())
    assert change.path == made.path.replace(".md", "-3.md")
    assert [memo.title for memo in other.memos("note") if memo.id == made.id] == ["One"]
    undo([shop.target, other.target], shop.terms())
    assert [memo.path for memo in shop.memos("note")] == [made.path]


def test_a_move_that_cannot_arrive_is_taken_back(two, monkeypatch):
    shop, other = two
    made = note(shop.target, "One", "first body", shop.terms())
    before = shop.files(), other.files()
    from remember.store import commit

    plain = commit.Writer.write

    def write(self, view, edits):
        if self.path == other.path:
            raise OSError(28, "No space left on device")
        return plain(self, view, edits)

    monkeypatch.setattr(commit.Writer, "write", write)
    with pytest.raises(OSError, match="No space"):
        move([shop.target, other.target], made.id, other.target, shop.terms())
    assert (shop.files(), other.files()) == before
    assert len(shop.records()) == 1 and other.records() == []


def test_only_files_that_link_are_named(shop):
    from shop import Shop

    other = Shop(os.path.dirname(shop.path), "elsewhere")
    try:
        made = note(shop.target, "Pipe", "body", shop.terms())
        linking = note(shop.target, "Linker", "see [[pipe]]", shop.terms())
        note(shop.target, "Plumbing", "a pipe, `[[pipe]]` and pipe.md", shop.terms())
        add(shop.target, ["Smoke a pipe."], shop.terms())
        warnings = move([shop.target], made.id, other.target, shop.terms()).warnings
        assert warnings == (f"{linking.path} in local still links to it",)
    finally:
        other.index.close()


def test_a_place_means_the_store_that_it_is_to_leave(shop):
    from shop import Shop

    other = Shop(os.path.dirname(shop.path), "elsewhere")
    try:
        add(other.target, ["there"], shop.terms())
        (here,) = add(shop.target, ["here"], shop.terms())
        assert move([shop.target], "MEMORY.md:2", other.target, shop.terms()).id == here.id
        assert not move([shop.target], "MEMORY.md:2", other.target, shop.terms()).changed
    finally:
        other.index.close()
