"""An update replaces what it must and keeps every other byte."""

from __future__ import annotations

import os

import pytest
from shop import NOW_MS

from remember.change.add import add
from remember.change.note import note
from remember.change.undo import undo
from remember.change.update import Wanted, update
from remember.errors import Ambiguous, ChangedOutside, FormatError, NotFound, RefusedInput, SecretRefused
from remember.files import atomic
from remember.format import notes as notes_format


def test_a_fact_keeps_comment_marker_and_surroundings(shop):
    shop.write(b"# T\r\n\r\n<!-- 2026-02-15T14:30:00Z [aaaaaaaa] -->\r\n\r\n  old text  \r\nprose\xff")
    change = update([shop.target], "aaaaaaaa", Wanted("new text"), shop.terms())
    assert shop.read() == b"# T\r\n\r\n<!-- 2026-02-15T14:30:00Z [aaaaaaaa] -->\r\n\r\n  new text  \r\nprose\xff"
    assert (change.changed, change.line) == (True, 5)


def test_a_fact_written_by_hand_is_updated_by_its_place(shop):
    shop.write(b"# T\n\n- one\n- two\n- two\n")
    update([shop.target], "MEMORY.md:3", Wanted("three"), shop.terms())
    assert shop.read() == b"# T\n\n- three\n- two\n- two\n"
    update([shop.target], "MEMORY.md:5", Wanted("five"), shop.terms())
    assert shop.read() == b"# T\n\n- three\n- two\n- five\n"
    undo([shop.target], shop.terms())
    undo([shop.target], shop.terms())
    assert shop.read() == b"# T\n\n- one\n- two\n- two\n"


def test_equal_content_changes_nothing(shop):
    (fact,) = add(shop.target, ["tea"], shop.terms())
    made = note(shop.target, "d", "body\n", shop.terms())
    before, records = shop.files(), shop.records()
    for named, wanted in ((fact.id, Wanted(" tea ")), (made.id, Wanted("\nbody")), (made.id, Wanted("body", "d"))):
        change = update([shop.target], named, wanted, shop.terms())
        assert (change.changed, change.recovery_id) == (False, None)
        assert change.revision
    assert (shop.files(), shop.records()) == (before, records)


def test_a_note_keeps_foreign_fields_line_ends_and_mode(shop):
    shop.write(
        b"\xef\xbb\xbf---\r\ncitekey: x # c\r\ndescription: old\r\nauthor: {a: b}\r\nmemory-id: '00000012'\r\n"
        b"created-date: 2026-10-18T16:10:33Z\r\nlast-modified-date: 2026-10-18T16:10:33Z\r\n---\r\nbody",
        "notes/x.md",
    )
    os.chmod(shop.file("notes/x.md"), 0o644)
    update([shop.target], "00000012", Wanted(None, "new"), shop.terms())
    update([shop.target], "notes/x.md", Wanted("a\nb\n"), shop.terms())
    assert shop.read("notes/x.md") == (
        b"\xef\xbb\xbf---\r\ncitekey: x # c\r\ndescription: \"new\"\r\nauthor: {a: b}\r\nmemory-id: '00000012'\r\n"
        b'created-date: 2026-10-18T16:10:33Z\r\nlast-modified-date: "2026-10-18T16:10:35.000Z"\r\n---\r\na\r\nb'
    )
    assert os.stat(shop.file("notes/x.md")).st_mode & 0o777 == 0o644


def test_a_broken_header_is_refused_with_its_place(shop):
    data = b"---\ndescription: a\ndescription: b\nmemory-id: abcdef12\n---\nbody\n"
    shop.write(data, "notes/x.md")
    for wanted in (Wanted("new"), Wanted(None, "new")):
        with pytest.raises(FormatError, match=r"notes/x\.md"):
            update([shop.target], "notes/x.md", wanted, shop.terms())
    assert shop.read("notes/x.md") == data
    assert shop.records() == []


def test_compare_and_swap(shop):
    made = note(shop.target, "d", "one", shop.terms())
    second = update([shop.target], made.id, Wanted("two", revision=made.revision), shop.terms())
    with pytest.raises(ChangedOutside):
        update([shop.target], made.id, Wanted("three", revision=made.revision), shop.terms())
    assert second.revision == notes_format.revision_of(shop.read(made.path))
    (fact,) = add(shop.target, ["tea"], shop.terms())
    changed = update([shop.target], fact.id, Wanted("coffee", revision=fact.revision), shop.terms())
    with pytest.raises(ChangedOutside):
        update([shop.target], fact.id, Wanted("water", revision=fact.revision), shop.terms())
    assert update([shop.target], fact.id, Wanted("water", revision=changed.revision), shop.terms()).changed


@pytest.mark.parametrize("wanted", [Wanted(), Wanted(""), Wanted("x" * 301), Wanted("x", "d"), Wanted("\ud800")])
def test_what_cannot_be_a_fact_is_refused(shop, wanted):
    (fact,) = add(shop.target, ["tea"], shop.terms())
    with pytest.raises(RefusedInput):
        update([shop.target], fact.id, wanted, shop.terms())
    with pytest.raises(SecretRefused):
        update([shop.target], fact.id, Wanted("AKIA" + "ABCDEFGHIJ234567"), shop.terms())


def test_unknown_and_ambiguous_names_change_nothing(two):
    local, everywhere = two
    (fact,) = add(local.target, ["Routing Test B"], local.terms())
    everywhere.write(f"<!-- 2026-02-15T14:30:00Z [{fact.id}] -->\nother\n".encode())
    both = [local.target, everywhere.target]
    before = local.files(), everywhere.files()
    with pytest.raises(Ambiguous) as caught:
        update(both, fact.id, Wanted("x"), local.terms())
    assert len(caught.value.candidates) == 2
    with pytest.raises(NotFound) as missing:
        update(both, "Routing Test X", Wanted("x"), local.terms())
    assert "Routing Test B" in missing.value.hint
    for named in ("ffffffff", "abcd", "notes/none.md", "MEMORY.md:99"):
        with pytest.raises(NotFound):
            update(both, named, Wanted("x"), local.terms())
    assert (local.files(), everywhere.files()) == before


def test_every_spelling_of_a_place_is_the_same_memo(shop):
    (fact,) = add(shop.target, ["tea"], shop.terms())
    made = note(shop.target, "é", "body", shop.terms())
    assert made.path.endswith("é.md")
    import unicodedata

    named = (fact.id[:4], fact.id.upper(), "MEMORY.md:2", shop.path + "/MEMORY.md:2")
    for number, name in enumerate(named):
        assert update([shop.target], name, Wanted(f"tea {number}"), shop.terms()).id == fact.id
    named = (made.path, "./" + made.path, shop.path + "/" + made.path, made.path + ":9", unicodedata.normalize("NFD", made.path))
    for number, name in enumerate(named):
        assert update([shop.target], name, Wanted(f"body {number}"), shop.terms()).id == made.id


def while_writing(monkeypatch, act):
    """Call `act` just before the first exchange that concerns a memory file."""
    real, done = atomic.exchange_names, []

    def held(folder, one, other):
        if other.endswith(".md") and not done:
            done.append(1)
            act()
        return real(folder, one, other)

    monkeypatch.setattr(atomic, "exchange_names", held)


def test_a_save_of_other_lines_meanwhile_is_kept_and_the_update_made(shop, monkeypatch):
    add(shop.target, ["tea"], shop.terms())
    (fact,) = add(shop.target, ["coffee"], shop.terms())
    saved = b"five more lines\n\n" + shop.read()

    def save():
        with open(shop.file(), "wb") as file:
            file.write(saved)

    while_writing(monkeypatch, save)
    assert update([shop.target], fact.id, Wanted("water"), shop.terms()).changed
    assert shop.read() == saved.replace(b"coffee", b"water")
    undo([shop.target], shop.terms())
    assert shop.read() == saved
    assert len(shop.records()) == 3


def test_a_save_of_the_same_memo_meanwhile_is_a_conflict(shop, monkeypatch):
    (fact,) = add(shop.target, ["coffee"], shop.terms())
    saved = shop.read().replace(b"coffee", b"espresso")

    def save():
        with open(shop.file(), "wb") as file:
            file.write(saved)

    while_writing(monkeypatch, save)
    with pytest.raises(ChangedOutside):
        update([shop.target], fact.id, Wanted("water"), shop.terms())
    assert shop.read() == saved
    assert len(shop.records()) == 1


def test_a_description_follows_a_body_saved_meanwhile_but_a_body_does_not(shop, monkeypatch):
    made = note(shop.target, "d", "body", shop.terms())
    saved = shop.read(made.path).replace(b"body", b"another body")

    def save():
        with open(shop.file(made.path), "wb") as file:
            file.write(saved)

    while_writing(monkeypatch, save)
    update([shop.target], made.id, Wanted(None, "e"), shop.terms())
    assert b"another body" in shop.read(made.path)
    monkeypatch.undo()
    saved = shop.read(made.path).replace(b"another body", b"a third body")
    while_writing(monkeypatch, save)
    with pytest.raises(ChangedOutside):
        update([shop.target], made.id, Wanted("mine"), shop.terms())
    assert shop.read(made.path) == saved


def test_text_that_is_no_memo_and_nothing_to_change_are_refused(shop):
    shop.write(b"# Prose\n\nSome text.\n")
    made = note(shop.target, "d", "body", shop.terms())
    with pytest.raises(RefusedInput, match="nothing to change"):
        update([shop.target], made.id, Wanted(None, None), shop.terms())
    with pytest.raises(RefusedInput, match="no memo of its own"):
        update([shop.target], "MEMORY.md", Wanted("other"), shop.terms())
    assert shop.read() == b"# Prose\n\nSome text.\n"


def test_a_file_beside_the_notes_is_replaced_as_a_whole(shop):
    shop.write(b"first\n", "SCRATCH.md")
    assert not update([shop.target], "SCRATCH.md", Wanted("first"), shop.terms()).changed
    update([shop.target], "SCRATCH.md", Wanted("second\n"), shop.terms())
    assert shop.read("SCRATCH.md") == b"second\n"
    undo([shop.target], shop.terms())
    assert shop.read("SCRATCH.md") == b"first\n"


def test_a_name_that_is_no_utf8_is_addressed_as_it_was_printed(shop):
    path = os.fsdecode(b"notes/caf\xe9.md")
    for number, place in enumerate((path, "notes/x\\x41.md")):
        shop.write(notes_format.render("A title", f"0000000{number}", NOW_MS, "first\n").encode(), place)
    for printed, place in (("notes/caf\\xe9.md", path), ("notes/x\\x41.md", "notes/x\\x41.md")):
        update([shop.target], printed, Wanted("second\n"), shop.terms())
        assert shop.read(place).endswith(b"---\nsecond\n")
