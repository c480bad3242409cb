"""Undo, redo and restore: exact, refused where somebody changed the memo since, and finished where they were cut short."""

from __future__ import annotations

import json
import os
import threading

import pytest

from remember.change import undo as undo_module
from remember.change.add import add
from remember.change.forget import forget, select
from remember.change.note import note
from remember.change.target import Target, Terms
from remember.change.undo import redo, restore, undo
from remember.change.update import Wanted, update
from remember.errors import ChangedOutside, Conflict, DamagedStore, NotFound, PathTaken, UnsafePath
from remember.index.catalogue import open_index
from remember.store.journal import Journal
from remember.store.records import DONE, UNDOING, UNDONE


def state(shop, number=-1):
    with open(shop.file(f"recovery/{shop.records()[number]}")) as file:
        return json.load(file)["state"]


def rewrite(shop, **fields):
    """Change the newest record as a forger or a kill would leave it."""
    path = shop.file(f"recovery/{shop.records()[-1]}")
    with open(path) as file:
        record = json.load(file)
    record.update(fields)
    with open(path, "w") as file:
        json.dump(record, file)


def test_an_undo_makes_no_record_and_marks_its_own(shop):
    add(shop.target, ["tea"], shop.terms())
    turned = undo([shop.target], shop.terms())
    assert (turned.action, turned.summary, turned.state, state(shop)) == ("add", "tea", UNDONE, UNDONE)
    assert len(shop.records()) == 1
    with pytest.raises(NotFound):
        undo([shop.target], shop.terms())
    with pytest.raises(Conflict, match="undone already"):
        restore([shop.target], turned.recovery_id, shop.terms())


def test_redo_goes_forward_again_in_order(shop):
    states = [shop.read()]
    for text in ("one", "two", "three"):
        add(shop.target, [text], shop.terms())
        states.append(shop.read())
    for before in states[-2::-1]:
        undo([shop.target], shop.terms())
        assert shop.read() == before
    for after in states[1:]:
        redo([shop.target], shop.terms())
        assert shop.read() == after
    with pytest.raises(NotFound):
        redo([shop.target], shop.terms())


def test_redo_in_one_millisecond_goes_in_order_too(shop):
    terms = shop.terms()
    for text in ("one", "two"):
        add(shop.target, [text], terms)
    after = shop.read()
    undo([shop.target], terms)
    undo([shop.target], terms)
    redo([shop.target], terms)
    redo([shop.target], terms)
    assert shop.read() == after


def test_order_survives_a_clock_that_goes_back(shop):
    states = []
    for text in ("one", "two", "three"):
        states.append(shop.read())
        add(shop.target, [text], shop.terms())
        shop.now_ms -= 5_000_000
    for before in reversed(states):
        undo([shop.target], shop.terms())
        assert shop.read() == before


def test_an_addition_that_was_edited_is_not_removed(shop):
    (fact,) = add(shop.target, ["tea"], shop.terms())
    shop.write(shop.read().replace(b"tea", b"tea or coffee"))
    before = shop.files()
    with pytest.raises(ChangedOutside):
        restore([shop.target], fact.recovery_id, shop.terms())
    with pytest.raises(ChangedOutside):
        undo([shop.target], shop.terms())
    assert shop.files() == before
    assert state(shop) == DONE


def test_an_addition_that_was_reformatted_is_still_that_addition(shop):
    add(shop.target, ["tea", "coffee"], shop.terms())
    shop.write(shop.read().replace(b" -->\n", b" -->\n\n"))
    undo([shop.target], shop.terms())
    assert shop.read().strip() == b""


def test_an_addition_that_is_gone_is_refused_by_restore_and_passed_over_by_undo(shop):
    (first,) = add(shop.target, ["tea"], shop.terms())
    before = shop.read()
    (second,) = add(shop.target, ["coffee"], shop.terms())
    shop.write(before)
    with pytest.raises(ChangedOutside):
        restore([shop.target], second.recovery_id, shop.terms())
    turned = undo([shop.target], shop.terms())
    assert turned.recovery_id == first.recovery_id
    assert second.recovery_id in turned.warnings[0]


def test_a_path_in_use_is_not_overwritten(shop):
    made = note(shop.target, "d", "body", shop.terms())
    forget(select([shop.target], made.id), shop.terms())
    shop.write(b"somebody else's\n", made.path)
    with pytest.raises(PathTaken):
        undo([shop.target], shop.terms())
    assert shop.read(made.path) == b"somebody else's\n"
    assert state(shop) == DONE


def test_an_id_in_use_does_not_come_back(shop):
    made = note(shop.target, "d", "body", shop.terms())
    (fact,) = add(shop.target, ["tea"], shop.terms())
    note_bytes = shop.read(made.path)
    forget(select([shop.target], made.id), shop.terms())
    shop.write(note_bytes, "notes/copy.md")
    with pytest.raises(Conflict):
        undo([shop.target], shop.terms())
    os.unlink(shop.file("notes/copy.md"))
    undo([shop.target], shop.terms())
    assert shop.read(made.path) == note_bytes
    forget(select([shop.target], fact.id), shop.terms())
    shop.write(f"<!-- 2026-02-15T14:30:00Z [{fact.id}] -->\nother\n".encode())
    with pytest.raises(Conflict):
        undo([shop.target], shop.terms())


def test_an_update_is_undone_only_on_what_it_left(shop):
    made = note(shop.target, "d", "body", shop.terms())
    update([shop.target], made.id, Wanted("second"), shop.terms())
    shop.write(shop.read(made.path) + b"more\n", made.path)
    before = shop.files()
    with pytest.raises(ChangedOutside):
        undo([shop.target], shop.terms())
    assert shop.files() == before


def test_a_half_done_removal_is_restored(shop):
    (fact,) = add(shop.target, ["x fact"], shop.terms())
    made = [note(shop.target, f"x {n}", "body", shop.terms()) for n in range(3)]
    before = shop.files()
    forget(select([shop.target], "x "), shop.terms())
    shop.write(before[made[1].path], made[1].path)  # as if the kill had come before it
    undo([shop.target], shop.terms())
    assert shop.files() == before
    assert fact.id in before["MEMORY.md"].decode()


def test_a_change_that_never_happened_is_passed_over(shop):
    (first,) = add(shop.target, ["tea"], shop.terms())
    files = shop.files()
    made = note(shop.target, "d", "body", shop.terms())
    os.unlink(shop.file(made.path))
    turned = undo([shop.target], shop.terms())
    assert turned.recovery_id == first.recovery_id
    assert files["MEMORY.md"] != shop.read()


def test_a_killed_undo_is_finished_not_doubled(shop):
    (first,) = add(shop.target, ["tea"], shop.terms())
    before = shop.read()
    (second,) = add(shop.target, ["coffee"], shop.terms())
    rewrite(shop, state=UNDOING)
    undone_by_hand = before
    shop.write(undone_by_hand)
    turned = undo([shop.target], shop.terms())
    assert turned.recovery_id == second.recovery_id
    assert shop.read() == before
    assert undo([shop.target], shop.terms()).recovery_id == first.recovery_id


def test_a_killed_redo_is_finished(shop):
    add(shop.target, ["tea"], shop.terms())
    undo([shop.target], shop.terms())
    rewrite(shop, state="redoing")
    redo([shop.target], shop.terms())
    assert [memo.text for memo in shop.memos("fact")] == ["tea"]
    assert state(shop) == DONE


FORGED = ["../outside.md", "/tmp/outside.md", "recovery/x.md", "pi-remember.json", ".hidden.md", "notes/../../x.md"]


@pytest.mark.parametrize("path", FORGED)
def test_a_forged_record_cannot_write_elsewhere(shop, path, tmp_path):
    add(shop.target, ["tea"], shop.terms())
    after = {"text": "forged", "mode": "0777", "mtime_ns": None}
    rewrite(shop, changes=[{"type": "file", "path": path, "before": after, "after": None}])
    before = shop.files()
    with pytest.raises(UnsafePath):
        undo([shop.target], shop.terms())
    assert shop.files() == before
    assert not (tmp_path / "outside.md").exists()


def test_a_forged_mode_gives_no_rights_beyond_the_usual(shop):
    add(shop.target, ["tea"], shop.terms())
    shop.write(b"")
    before = {"text": "x", "mode": "0777", "mtime_ns": None}
    rewrite(shop, changes=[{"type": "file", "path": "notes/x.md", "before": before, "after": None}])
    undo([shop.target], shop.terms())
    assert os.stat(shop.file("notes/x.md")).st_mode & 0o7000 == 0


def test_a_record_that_calls_itself_otherwise_or_breaks_its_form_is_left_alone(shop):
    add(shop.target, ["tea"], shop.terms())
    (change,) = add(shop.target, ["coffee"], shop.terms())
    rewrite(shop, id="20200101T000000000Z-00000000")
    with pytest.raises(DamagedStore):
        restore([shop.target], change.recovery_id, shop.terms())
    rewrite(shop, id=change.recovery_id, changes=[{"type": "file", "path": "x.md"}])
    with pytest.raises(DamagedStore):
        restore([shop.target], change.recovery_id, shop.terms())
    turned = undo([shop.target], shop.terms())
    assert change.recovery_id in turned.warnings[0]


def test_records_of_other_programs_are_passed_over(shop):
    add(shop.target, ["tea"], shop.terms())
    for name in ("20991130T221800123Z-3f9a1c2e.json", "other.json", "note.txt"):
        with open(shop.file("recovery/" + name), "w") as file:
            file.write('{"by": "other"}')
    assert undo([shop.target], shop.terms()).action == "add"
    assert len(shop.records()) == 4


def test_undo_takes_the_newest_of_all_scopes(two):
    local, everywhere = two
    both = [local.target, everywhere.target]
    add(local.target, ["tea"], local.terms())
    everywhere.now_ms = local.now_ms
    add(everywhere.target, ["coffee"], everywhere.terms())
    assert undo(both, local.terms()).summary == "coffee"
    assert undo(both, local.terms()).summary == "tea"


def test_a_recovery_id_in_two_stores_is_ambiguous(two):
    local, everywhere = two
    (change,) = add(local.target, ["tea"], local.terms())
    os.makedirs(everywhere.file("recovery"))
    with open(everywhere.file(f"recovery/{change.recovery_id}.json"), "wb") as copy:
        copy.write(local.read(f"recovery/{change.recovery_id}.json"))
    with pytest.raises(Conflict, match="2 stores"):
        restore([local.target, everywhere.target], change.recovery_id, local.terms())
    for nothing in ("", "x", "../../etc/passwd", "20200101T000000000Z-00000000"):
        with pytest.raises(NotFound):
            restore([local.target], nothing, local.terms())


def test_bytes_that_are_no_utf8_come_back(shop):
    data = b"---\ndescription: x\nmemory-id: abcdef12\n---\nbody \xff\xfe\n"
    shop.write(data, "notes/x.md")
    shop.write(b"- one \xff\n- two\n")
    forget(select([shop.target], "abcdef12"), shop.terms())
    forget(select([shop.target], "MEMORY.md:1"), shop.terms())
    assert shop.read() == b"- two\n"
    undo([shop.target], shop.terms())
    undo([shop.target], shop.terms())
    assert (shop.read("notes/x.md"), shop.read()) == (data, b"- one \xff\n- two\n")
    with Journal(shop.path, shop.target.recovery) as journal:
        assert len(journal.listing().records) == 2


A = b"<!-- 2025-10-18T16:10:33Z [aaaaaaa1] -->\n"
TWINS = {
    "other text": b"# M\n\n" + A + b"one\n\n" + A + b"two\n\nend\n",
    "same text": b"# M\n\n" + A + b"one\n\n" + A + b"one\n\nend\n",
    "side by side": A + b"one\n" + A + b"one\n",
    "three": A + b"one\n" + A + b"two\n" + A + b"one\n",
}


def places(shop):
    return [memo.place for memo in shop.memos("fact") if memo.id == "aaaaaaa1"]


@pytest.mark.parametrize("name", TWINS)
@pytest.mark.parametrize("number", [0, 1])
def test_what_shares_its_id_comes_back_to_its_place(shop, name, number):
    shop.write(TWINS[name])
    place = sorted(places(shop))[number]
    forget(select([shop.target], place), shop.terms())
    after = shop.read()
    undo([shop.target], shop.terms())
    assert shop.read() == TWINS[name]
    redo([shop.target], shop.terms())
    assert shop.read() == after
    undo([shop.target], shop.terms())
    assert shop.read() == TWINS[name]


@pytest.mark.parametrize("name", TWINS)
def test_all_that_share_an_id_come_back(shop, name):
    shop.write(TWINS[name])
    chosen = [pair for place in places(shop) for pair in select([shop.target], place)]
    forget(chosen, shop.terms())
    assert places(shop) == []
    undo([shop.target], shop.terms())
    assert shop.read() == TWINS[name]


def test_what_shares_its_id_comes_back_beside_later_changes(shop):
    shop.write(TWINS["other text"])
    forget(select([shop.target], "MEMORY.md:4"), shop.terms())
    shop.write(b"new first line\n" + shop.read() + b"new last line\n")
    undo([shop.target], shop.terms())
    assert shop.read() == b"new first line\n" + TWINS["other text"] + b"new last line\n"


def test_a_fact_that_shares_its_id_with_a_note_comes_back(shop):
    change = note(shop.target, "Tea", "body", shop.terms())
    shop.write(A.replace(b"aaaaaaa1", change.id.encode()) + b"one\n")
    before = shop.read()
    forget(select([shop.target], "MEMORY.md:2"), shop.terms())
    undo([shop.target], shop.terms())
    assert shop.read() == before


def test_a_fact_whose_id_was_its_own_does_not_come_back_beside_another(shop):
    shop.write(A + b"one\n")
    forget(select([shop.target], "aaaaaaa1"), shop.terms())
    shop.write(A + b"other\n")
    with pytest.raises(Conflict):
        undo([shop.target], shop.terms())
    assert shop.read() == A + b"other\n"


def test_what_was_kept_of_somebody_elses_save_is_shown_and_undoes_nothing(shop):
    from remember.store.records import KeptItem, Record

    name = "20261018T161033001Z-0000000a"
    with Journal(shop.path, shop.target.recovery) as journal:
        journal.save(Record(name, "keep", shop.now_ms, "what somebody else saved", DONE, (KeptItem("MEMORY.md", b"theirs\n"),)))
    with pytest.raises(Conflict, match="undoes nothing") as caught:
        restore([shop.target], name, shop.terms())
    assert f"history show {name}" in caught.value.hint


def test_the_other_half_of_a_move_must_be_at_hand(tmp_path):
    from shop import Shop

    from remember.change.move import move

    shop, other, third = Shop(str(tmp_path)), Shop(str(tmp_path), "global"), Shop(str(tmp_path), "third")
    try:
        made = note(shop.target, "One", "first body", shop.terms())
        move([shop.target, other.target], made.id, other.target, shop.terms())
        for at_hand in ([shop.target], [shop.target, third.target]):
            with pytest.raises(Conflict, match="the other half") as caught:
                undo(at_hand, shop.terms())
            assert caught.value.partner in [name.removesuffix(".json") for name in shop.records() + other.records()]
        undo([shop.target, third.target, other.target], shop.terms())
        assert [memo.id for memo in shop.memos("note")] == [made.id] and other.memos("note") == []
    finally:
        for one in (shop, other, third):
            one.index.close()


@pytest.mark.parametrize("times", [1, 99])
def test_a_file_that_changes_while_it_is_undone_is_looked_at_again(shop, monkeypatch, times):
    from remember.store import commit

    add(shop.target, ["one"], shop.terms())
    add(shop.target, ["two"], shop.terms())
    plain, left = commit.Writer.write, [times]

    def write(self, view, edits):
        if left[0]:
            left[0] -= 1
            with open(shop.file(), "ab") as file:
                file.write(b"\nby hand %d\n" % left[0])
        return plain(self, view, edits)

    monkeypatch.setattr(commit.Writer, "write", write)
    if times == 1:
        undo([shop.target], shop.terms())
        assert b"by hand 0" in shop.read() and b"two" not in shop.read()
        return
    with pytest.raises(ChangedOutside):
        undo([shop.target], shop.terms())
    assert state(shop) == DONE and b"two" in shop.read()


def renamed(shop, data=b"text\n"):
    """A record that says that a file was renamed, and the file where the rename left it."""
    from hashlib import sha256

    from remember.store.records import Record, RenameItem

    name = "20261018T161033001Z-0000000b"
    shop.write(data, "notes/new.md")
    item = RenameItem("notes/old.md", "notes/new.md", len(data), sha256(data).hexdigest())
    with Journal(shop.path, shop.target.recovery) as journal:
        journal.save(Record(name, "move", shop.now_ms, "renamed", DONE, (item,)))
    return name


def test_a_rename_is_undone(shop):
    name = renamed(shop)
    restore([shop.target], name, shop.terms())
    assert shop.read("notes/old.md") == b"text\n" and not os.path.exists(shop.file("notes/new.md"))
    redo([shop.target], shop.terms())
    assert shop.read("notes/new.md") == b"text\n" and not os.path.exists(shop.file("notes/old.md"))


@pytest.mark.parametrize(
    ("meanwhile", "error"),
    [
        (lambda shop: shop.write(b"other", "notes/new.md"), ChangedOutside),
        (lambda shop: shop.write(b"next\n", "notes/new.md"), ChangedOutside),  # of the same size
        (lambda shop: os.unlink(shop.file("notes/new.md")), ChangedOutside),
        (lambda shop: shop.write(b"mine", "notes/old.md"), PathTaken),
    ],
)
def test_a_rename_that_was_overtaken_is_not_undone(shop, meanwhile, error):
    name = renamed(shop)
    meanwhile(shop)
    before = shop.files()
    with pytest.raises(error):
        restore([shop.target], name, shop.terms())
    assert shop.files() == before and state(shop) == DONE


def test_a_rename_that_never_happened_changes_nothing(shop):
    name = renamed(shop)
    os.rename(shop.file("notes/new.md"), shop.file("notes/old.md"))
    shop.index.refresh()
    before = shop.files()
    restore([shop.target], name, shop.terms())
    assert shop.files() == before and state(shop) == UNDONE


def test_what_was_not_undone_is_not_redone(shop):
    add(shop.target, ["tea"], shop.terms())
    with pytest.raises(NotFound):
        redo([shop.target], shop.terms())


def test_undos_at_once_take_one_change_each(shop):
    """Each picks the newest before it has the lock; whoever comes second takes the next."""
    for word in ("a", "b", "c", "d"):
        add(shop.target, [word], shop.terms())
    gate, errors = threading.Barrier(4), []

    def one(number):
        target = Target(open_index(shop.ref, shop.path + f"-cache{number}"), shop.target.recovery)
        try:
            gate.wait()
            undo([target], Terms(shop.now_ms + number, shop.random.getrandbits))
        except Exception as error:
            errors.append(error)
        finally:
            target.index.close()

    threads = [threading.Thread(target=one, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == [] and [state(shop, n) for n in range(4)] == [UNDONE] * 4
    shop.index.refresh()
    assert shop.memos("fact") == []


def test_what_was_picked_and_turned_meanwhile_is_left_to_whoever_did_it(shop, monkeypatch):
    for word in ("a", "b"):
        add(shop.target, [word], shop.terms())
    real, calls = undo_module._turn, []

    def overtaken(*args, **more):
        calls.append(1)
        if len(calls) == 1:
            undo([shop.target], shop.terms())
        return real(*args, **more)

    monkeypatch.setattr(undo_module, "_turn", overtaken)
    assert undo([shop.target], shop.terms()).summary == "a"
    calls.clear()
    real_redo = undo_module._turn
    assert real_redo is overtaken

    def overtaken_redo(*args, **more):
        calls.append(1)
        if len(calls) == 1:
            redo([shop.target], shop.terms())
        return real(*args, **more)

    monkeypatch.setattr(undo_module, "_turn", overtaken_redo)
    redo([shop.target], shop.terms())
    assert [state(shop, n) for n in range(2)] == [DONE, DONE]


def test_undo_takes_back_what_was_applied_again_last(shop):
    add(shop.target, ["one"], shop.terms())
    undo([shop.target], shop.terms())
    add(shop.target, ["two"], shop.terms())
    before = shop.read()
    for _ in range(2):
        redo([shop.target], shop.terms())
        assert undo([shop.target], shop.terms()).summary == "one"
        assert shop.read() == before
    assert undo([shop.target], shop.terms()).summary == "two"


def test_what_was_turned_is_read_from_the_head_of_a_record_alone(shop):
    def turns():
        with Journal(shop.path, shop.target.recovery) as journal:
            return journal.turns()

    assert turns() == {}
    add(shop.target, ['"turned": "2030-01-01T00:00:00.000Z"'], shop.terms())
    rewrite(shop, summary='x\n "turned": "2030-01-01T00:00:00.000Z"')
    (file,) = shop.records()
    assert turns() == {}
    terms = shop.terms()
    undo([shop.target], terms)
    assert turns() == {file.removesuffix(".json"): terms.now_ms}
    os.unlink(shop.file(f"recovery/{file}"))
    os.symlink("/dev/null", shop.file(f"recovery/{file}"))
    assert turns() == {}


def test_a_move_is_named_as_move_named_it(tmp_path):
    from shop import Shop

    from remember.change.move import move

    shop, other = Shop(str(tmp_path)), Shop(str(tmp_path), "global")
    try:
        made = note(shop.target, "One", "first body", shop.terms())
        moved = move([shop.target], made.id, other.target, shop.terms())
        both = [shop.target, other.target]
        for turned in (undo(both, shop.terms()), redo(both, shop.terms())):
            assert (turned.recovery_id, turned.action) == (moved.recovery_id, "move-out")
        partner = other.records()[0].removesuffix(".json")
        assert restore(both, partner, shop.terms()).recovery_id == partner
    finally:
        for one in (shop, other):
            one.index.close()
