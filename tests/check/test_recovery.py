"""Recovery records: unreadable, wide open, never landed, no longer applicable, and a forgotten memo that is back."""

from __future__ import annotations

import os

from bench import COMMENT, NOTE

from remember.store.journal import Journal
from remember.store.records import DONE, Content, FileItem, LinesItem, Record, record_id

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


def test_a_change_that_never_happened(bench):
    save(bench, FileItem(TEA, content(bench), None), action="forget", moment_ms=LATE_MS)
    assert found(bench) == {("R702", "info")}


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
