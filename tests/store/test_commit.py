"""The record is durable before the files, and a failure half-way leaves everything as it was."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from remember.errors import ChangedOutside, IOFailure, PathTaken, UnknownStore
from remember.files import atomic
from remember.files.atomic import NotDurable
from remember.store.commit import FileEdit, Plan, Writer, commit, file_item
from remember.store.create import create_store
from remember.store.journal import ADDITIONS_KEPT, Journal
from remember.store.records import DONE, FileItem


def filled(path):
    create_store(path)
    for name, data in (("a.md", b"a\n"), ("b.md", b"b\n"), ("c.md", b"c\n")):
        Path(path, name).write_bytes(data)
    return path


@pytest.fixture
def store(tmp_path):
    return filled(str(tmp_path / "store"))


def files(path):
    return {name: Path(path, name).read_bytes() for name in sorted(os.listdir(path)) if name.endswith(".md")}


def records(path):
    with Journal(path, os.path.join(path, "recovery")) as journal:
        return journal.listing().records


def three(view):
    """Change a, remove b, make d, move c."""
    edits = (FileEdit("a.md", b"A\n"), FileEdit("b.md", None), FileEdit("d.md", b"d\n"), FileEdit("c.md", None, to="e.md"))
    return Plan(edits, tuple(file_item(view, edit) for edit in edits if not edit.to), "result", "summary")


def change(path, plan=three, **more):
    given = {"action": "test", "now_ms": 1_792_339_833_000, "bits": random.Random(1).getrandbits, **more}
    return commit(path, os.path.join(path, "recovery"), plan, **given)


AFTER = {"MEMORY.md": b"", "a.md": b"A\n", "d.md": b"d\n", "e.md": b"c\n"}


def test_everything_is_changed_and_recorded(store):
    made = change(store)
    assert files(store) == AFTER
    (record,) = records(store)
    assert (made.result, made.recovery_id, record.state, record.summary) == ("result", record.id, DONE, "summary")
    first = record.changes[0]
    assert isinstance(first, FileItem) and first.before is not None and first.before.data == b"a\n"
    made_file = record.changes[2]
    assert isinstance(made_file, FileItem) and made_file.after is not None
    assert made_file.after.mode == os.stat(os.path.join(store, "d.md")).st_mode & 0o777 == 0o600


def test_a_plan_without_edits_saves_nothing(store):
    assert change(store, lambda view: Plan((), (), 7)) == (7, None)
    assert records(store) == ()
    assert not os.path.exists(os.path.join(store, "recovery"))


def test_a_refusal_of_the_plan_saves_nothing(store):
    def refuse(view):
        raise PathTaken("x")

    with pytest.raises(PathTaken):
        change(store, refuse)
    assert not os.path.exists(os.path.join(store, "recovery"))
    with pytest.raises(UnknownStore):
        change(store + "x")


def failing(monkeypatch, name, number, error):
    """The nth call of a function fails; how many calls there were is counted."""
    real, calls = getattr(os, name), []

    def call(*args, **kwargs):
        calls.append(1)
        if len(calls) == number:
            raise OSError(error, os.strerror(error))
        return real(*args, **kwargs)

    monkeypatch.setattr(os, name, call)
    return calls


@pytest.mark.parametrize("name", ["open", "write", "fsync", "fchmod", "unlink", "mkdir"])
@pytest.mark.parametrize("error", [5, 13, 28, 30])
def test_any_call_may_fail_once(tmp_path, monkeypatch, name, error):
    for number in range(1, 60):
        store = filled(str(tmp_path / str(number)))
        before = files(store)
        full = True
        with monkeypatch.context() as patch:
            calls = failing(patch, name, number, error)
            try:
                change(store)
            except IOFailure as failure:
                full = isinstance(failure, NotDurable)
        if len(calls) < number:
            assert number > 1 and full
            return
        assert files(store) == (AFTER if full else before), (number, full)
        assert len(records(store)) == 1 if full else all(record.state == DONE for record in records(store))
        assert change(store, lambda view: Plan((), (), 7)).result == 7
    raise AssertionError("never came to an end")


def test_a_save_between_the_files_makes_the_plan_anew(store, monkeypatch):
    real, done = atomic.rename_new, []

    def held(folder, old, new, to_folder=-1):
        if new == "d.md" and not done:
            done.append(1)
            with open(os.path.join(store, "d.md"), "wb") as file:
                file.write(b"somebody else's")
        return real(folder, old, new, to_folder)

    monkeypatch.setattr(atomic, "rename_new", held)

    def plan(view):
        name = "d2.md" if view.exists("d.md") else "d.md"
        edits = (FileEdit("a.md", b"A\n"), FileEdit(name, b"d\n"))
        return Plan(edits, tuple(file_item(view, edit) for edit in edits), name)

    assert change(store, plan).result == "d2.md"
    assert files(store)["d.md"] == b"somebody else's"
    assert files(store)["d2.md"] == b"d\n"
    (record,) = records(store)
    assert [item.path for item in record.changes] == ["a.md", "d2.md"]


def test_somebody_who_writes_all_the_time_is_a_conflict(store, monkeypatch):
    real, count = atomic.exchange_names, []

    def held(folder, one, other):
        if other == "a.md":
            if len(count) % 2 == 0:
                Path(store, "a.md").write_bytes(b"save %d" % len(count))
            count.append(1)
        return real(folder, one, other)

    monkeypatch.setattr(atomic, "exchange_names", held)
    with pytest.raises(ChangedOutside):
        change(store)
    assert files(store)["a.md"].startswith(b"save")
    assert records(store) == ()


def test_foreign_bytes_are_kept_in_a_record_of_their_own(store):
    with Writer(store, os.path.join(store, "recovery"), 0, random.Random(1).getrandbits) as writer:
        writer._keeper("a.md")(b"saved \xff")
    (record,) = records(store)
    assert (record.action, record.changes[0].data) == ("keep", b"saved \xff")


def test_old_additions_are_dropped_and_nothing_else(store):
    recovery = os.path.join(store, "recovery")
    bits = random.Random(3).getrandbits
    with Journal(store, recovery) as journal:
        from remember.store.records import Record

        keep = journal.new_id(0, bits, False)
        journal.save(Record(keep, "forget", 0, "", DONE, ()))
        for number in range(ADDITIONS_KEPT):
            name = f"2026010{number // 100 + 1}T0000{number % 60:02}{number:03}Z-0000000{number % 8 * 2:x}.json"
            Path(recovery, name).write_text('{"by": "remember"}')
        Path(recovery, "20000101T000000000Z-00000000.json").write_text('{"by": "another program"}')

    def plan(view):
        edit = FileEdit("a.md", (view.read("a.md") or b"") + b"+")
        return Plan((edit,), (file_item(view, edit),), None)

    for _ in range(3):
        change(store, plan, addition=True, bits=bits)
    names = os.listdir(recovery)
    assert f"{keep}.json" in names and "20000101T000000000Z-00000000.json" in names
    # Of 503 additions the oldest three of ours go; the foreign one is the oldest and is only counted.
    assert len(names) == ADDITIONS_KEPT + 2


def test_a_store_is_made_marker_first_and_never_over_anything(tmp_path):
    path = str(tmp_path / "a" / "b")
    assert create_store(path)
    assert not create_store(path)
    assert sorted(os.listdir(path)) == ["MEMORY.md", "pi-remember.json"]
    assert os.stat(path).st_mode & 0o777 == 0o700
    os.unlink(os.path.join(path, "MEMORY.md"))
    assert create_store(path)
    legacy = tmp_path / "legacy"
    (legacy / "notes").mkdir(parents=True)
    assert not create_store(str(legacy))
    assert os.listdir(legacy) == ["notes"]


def failing_write(monkeypatch, name, meanwhile=lambda: None, error=None):
    """Writing the file of that name fails for good, after something else has happened."""
    real = Writer._write

    def write(self, edit, before, durable=True):
        if edit.path == name and edit.data == b"new\n":
            meanwhile()
            raise error or IOFailure(name, OSError(28, os.strerror(28)))
        return real(self, edit, before, durable)

    monkeypatch.setattr(Writer, "_write", write)


def plan_of(*edits):
    return lambda view: Plan(edits, tuple(file_item(view, edit) for edit in edits if not edit.to), None)


def test_a_rename_is_taken_back_where_a_later_file_fails(store, monkeypatch):
    before = files(store)
    failing_write(monkeypatch, "a.md")
    with pytest.raises(IOFailure):
        change(store, plan_of(FileEdit("c.md", None, to="e.md"), FileEdit("b.md", None), FileEdit("a.md", b"new\n")))
    assert files(store) == before and records(store) == ()


def test_a_rename_that_cannot_be_taken_back_leaves_its_record(store, monkeypatch):
    """Somebody took the old name meanwhile; nothing of theirs is touched, and what was moved stays where it is."""
    failing_write(monkeypatch, "a.md", lambda: Path(store, "b.md").write_bytes(b"theirs\n"))
    with pytest.raises(IOFailure) as caught:
        change(store, plan_of(FileEdit("b.md", None), FileEdit("c.md", None, to="e.md"), FileEdit("a.md", b"new\n")))
    assert getattr(caught.value, "half_done", False)
    assert files(store) == {"MEMORY.md": b"", "a.md": b"a\n", "b.md": b"theirs\n", "c.md": b"c\n"}
    assert len(records(store)) == 1  # what b.md held is in it


@pytest.mark.parametrize("kind", [ChangedOutside, PathTaken])
def test_a_conflict_that_leaves_something_written_is_not_tried_again(store, monkeypatch, kind):
    calls = []

    def meanwhile():
        calls.append(1)
        Path(store, "b.md").write_bytes(b"theirs\n")

    failing_write(monkeypatch, "a.md", meanwhile, kind("a.md"))
    with pytest.raises(kind) as caught:
        change(store, plan_of(FileEdit("b.md", b"B\n"), FileEdit("a.md", b"new\n")))
    assert getattr(caught.value, "half_done", False) and len(calls) == 1
    assert files(store)["b.md"] == b"theirs\n" and len(records(store)) == 1
