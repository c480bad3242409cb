"""Recovery records: unreadable, wide open, never landed, no longer applicable, and a forgotten memo that is back."""

from __future__ import annotations

import os
import time

import pytest
from bench import COMMENT, NOTE

from remember.check.findings import Reporter
from remember.check.identity import Identities
from remember.check.linking import Linking
from remember.check.recovery import _Records
from remember.layouts.native import NATIVE
from remember.store.journal import Journal
from remember.store.records import DONE, Content, FileItem, LinesItem, Record, RenameItem, record_id

SOON_MS, LATE_MS = 1_750_000_000_000, 3_999_999_000_000
TEA = NOTE


def save(bench, *items, action="update", moment_ms=SOON_MS):
    name = record_id(moment_ms, 7, False)
    with Journal(bench.path, bench.file("recovery")) as journal:
        journal.save(Record(name, action, moment_ms, "", DONE, items))
    return f"recovery/{name}.json"


def found(bench):
    return {(f.code, f.severity) for f in bench.check(files_only=True)}


def content(bench):
    return Content(bench.read(TEA))


def test_a_record_that_stands_for_what_is_there(bench):
    save(bench, FileItem(TEA, Content(b"old"), content(bench)))
    assert found(bench) == set()


def test_unreadable_and_of_another_version(bench):
    path = save(bench, FileItem(TEA, None, content(bench)))
    data = bench.read(path)
    bench.write(path, data[:50])
    assert found(bench) in ({("R701", "warning")}, set())  # cut JSON may say by whom it is, or not
    bench.write(path, data.replace(b'"version": 1', b'"version": 9'))
    assert found(bench) == {("R701", "warning")}


def test_wide_open(bench):
    os.chmod(bench.file(save(bench, FileItem(TEA, None, content(bench)))), 0o644)
    assert found(bench) == {("R701", "warning")}


def test_foreign_records_are_never_a_finding(bench):
    bench.write("recovery/1760000000-abc.json", '{"other": true}')
    bench.write("recovery/notes.txt", "x", 0o644)
    assert found(bench) == set()


def later():
    """Beyond the lag of the clock that file times come from."""
    time.sleep(0.12)


NEVER = {
    "a forget": lambda b: FileItem(TEA, content(b), None),
    "an update": lambda b: FileItem(TEA, content(b), Content(b"new")),
    "a note": lambda b: FileItem("notes/2025-10-09-new.md", None, Content(b"new")),
    "a note in a folder that was to be made": lambda b: FileItem("notes/x/y/2025-10-09-new.md", None, Content(b"new")),
    "a fact": lambda b: LinesItem("MEMORY.md", "cccccccc", 0, b"", COMMENT.format("cccccccc").encode() + b"New.\n", b"", b""),
    "a move": lambda b: RenameItem(TEA, "notes/2025-10-09-cocoa.md", 3, "0" * 64),
}


@pytest.mark.parametrize("what", NEVER)
def test_a_change_that_never_happened(bench, what):
    item = NEVER[what](bench)
    later()
    save(bench, item, moment_ms=LATE_MS)
    assert found(bench) == {("R702", "info")}


@pytest.mark.parametrize("what", NEVER)
def test_a_change_that_may_have_happened_is_never_said_not_to_have(bench, what):
    """Its record may be the only copy of what it made: a person who removes the file, or puts an old one back, leaves this."""
    later()
    item = NEVER[what](bench)
    path = save(bench, item)
    later()
    place = bench.file(getattr(item, "path", TEA))
    if os.path.exists(place):  # what stood there before comes back, with its old times
        data = bench.read(getattr(item, "path", TEA))
        os.rename(place, place + "~")
        bench.write(getattr(item, "path", TEA), data)
        os.unlink(place + "~")
        os.utime(place, (1, 1))
    else:
        bench.write(getattr(item, "path", TEA), b"new")
        os.unlink(place)
    codes = {f.code for f in bench.check(files_only=True)}
    assert codes & {"R703", "R704"} and "R702" not in codes
    bench.repair()
    assert os.path.exists(bench.file(path))


def hide_as_link(place):
    os.rename(place, place + "-elsewhere")
    os.symlink(place + "-elsewhere", place)


def hide_as_fifo(place):
    os.unlink(place)
    os.mkfifo(place)


HIDDEN = [(what, hide_as_link) for what in NEVER] + [(what, hide_as_fifo) for what in NEVER if "note" not in what]


@pytest.mark.parametrize(("what", "hide"), HIDDEN)
def test_nothing_is_concluded_of_what_cannot_be_looked_at(bench, what, hide):
    item = NEVER[what](bench)
    later()
    path = save(bench, item, moment_ms=LATE_MS)
    name = getattr(item, "path", TEA)
    hide(bench.file(name if hide is hide_as_fifo else name.partition("/")[0]))
    assert not {f.code for f in bench.check(files_only=True)} & {"R702", "R703", "R704"}
    bench.repair()
    assert os.path.exists(bench.file(path))


def test_a_clone_whose_files_are_all_new_drops_no_record(bench):
    path = save(bench, FileItem(TEA, content(bench), Content(b"new")))
    later()
    bench.write(path, bench.read(path))  # the record is the newest file of all
    assert found(bench) == {("R703", "info")}


def test_what_is_neither_named_nor_written_as_ours_is_foreign(bench):
    path = save(bench, FileItem(TEA, None, content(bench)))
    bench.write("recovery/abc.json", "no JSON {")
    bench.write("recovery/empty.json", "")
    assert found(bench) == set()
    os.rename(bench.file(path), bench.file("recovery/renamed.json"))
    assert found(bench) == {("R701", "warning")}


def test_a_change_that_no_longer_applies(bench):
    save(bench, FileItem(TEA, Content(b"old"), Content(b"new")))
    assert found(bench) == {("R703", "info")}


def test_a_forgotten_note_is_back(bench):
    save(bench, FileItem(TEA, content(bench), None), action="forget")
    assert found(bench) == {("R704", "warning")}


def test_a_forgotten_note_is_back_under_another_name(bench):
    save(bench, FileItem("notes/2025-10-09-old.md", content(bench), None), action="forget")
    assert found(bench) == {("R704", "warning")}


def test_a_forgotten_fact_is_back(bench):
    block = (COMMENT.format("aaaaaaa1") + "The kettle is blue.\n").encode()
    save(bench, LinesItem("MEMORY.md", "aaaaaaa1", 0, block, b"", b"", b""), action="forget")
    assert found(bench) == {("R704", "warning")}


def test_only_the_newest_change_of_a_memo_counts(bench):
    save(bench, FileItem(TEA, None, Content(b"first")), moment_ms=SOON_MS)
    save(bench, FileItem(TEA, Content(b"first"), content(bench)), moment_ms=SOON_MS + 1)
    assert found(bench) == set()


def test_a_store_that_cannot_be_opened_tells_nothing_about_any_record(bench, tmp_path):
    """Two records of one place: the second must not take the place for missing because the first could not look at it."""
    later()
    for number in range(3):
        save(bench, FileItem(f"notes/2025-10-09-new-{number}.md", None, Content(b"new")), moment_ms=SOON_MS + number)
        save(bench, FileItem(f"notes/2025-10-09-new-{number}.md", Content(b"new"), Content(b"newer")), moment_ms=SOON_MS + 10 + number)
    os.rename(bench.path, bench.path + "-elsewhere")
    os.symlink(bench.path + "-elsewhere", bench.path)
    report = Reporter(bench.ref)
    judge = _Records(report, Identities(False, Linking(bench.path, NATIVE.rules)), {})
    with Journal(bench.path + "-elsewhere", bench.path + "-elsewhere/recovery") as journal:
        judge.judge(journal.listing().records)
        judge.judge(journal.listing().records)
    assert report.findings == []


def test_looking_for_a_longer_copy_does_not_hide_ids_that_stand_twice(bench):
    """A note that ends inside its header is looked up in the records before all memos are known."""
    save(bench, FileItem("notes/2025-10-08-cut.md", None, content(bench)))
    bench.write("notes/2025-10-08-cut.md", bench.read(TEA)[:40])
    for name in ("one", "two"):
        bench.note(f"notes/2025-10-09-z-{name}.md", f"Twice {name}", "dddddddd", "text\n")
    codes = {f.code for f in bench.check(files_only=True)}
    assert {"R314", "R501"} <= codes
