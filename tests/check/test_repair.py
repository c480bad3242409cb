"""Repairs: what can lose no byte is mended, saved for undo first, the same as planned, once; the rest is left alone."""

from __future__ import annotations

import fcntl
import os
import random
import time

import pytest
from bench import COMMENT, CREATED_MS, NOTE, NOW_MS

from remember.change.target import Target, Terms
from remember.change.undo import restore
from remember.check.repair import apply_repairs, plan_repairs
from remember.check.steps import Means
from remember.format import facts, notes
from remember.index.catalogue import open_index
from remember.store.journal import Journal
from remember.store.records import DONE, FileItem, Record, record_id

STAMP = '"2025-10-09T08:53:20.000Z"'


def means(bench, selected=()):
    return Means(bench.cache, NOW_MS, random.Random(1).getrandbits, 1.0, frozenset(selected))


def repair(bench, *selected):
    """Repair what is found; the steps that were planned must be those that were made."""
    found = bench.check()
    planned = plan_repairs(bench.subject(), found, means(bench, selected))
    before = {path: bench.read(path) for path in ("MEMORY.md", NOTE)}
    assert before == {path: bench.read(path) for path in before}
    done = apply_repairs(bench.subject(), found, means(bench, selected))
    assert [step._replace(done=None, recovery_id=None, memo="") for step in done] == [step._replace(memo="") for step in planned]
    return done


def header(description='"x y"', memo_id='"cccccccc"', created=STAMP, modified=STAMP):
    lines = [("description", description), ("memory-id", memo_id), ("created-date", created), ("last-modified-date", modified)]
    return "---\n" + "".join(f"{key}: {value}\n" for key, value in lines if value is not None) + "---\n"


NEW = "notes/2025-10-09-new.md"
MENDED = [
    ("R204", "MEMORY.md", lambda b: b.append("MEMORY.md", COMMENT.format("aaaaaaa3")), ()),
    ("R208", "MEMORY.md", lambda b: b.append("MEMORY.md", COMMENT.format("aaaaaaa1") + "The kettle is blue.\n"), ()),
    ("R210", "MEMORY.md", lambda b: b.append("MEMORY.md", COMMENT.format("bbbbbbb1") + f"#note [[{NOTE}]] How to make tea\n"), ()),
    ("R205", "MEMORY.md", lambda b: b.append("MEMORY.md", "\n- by hand\n- another\n\nalone\n"), ("R205",)),
    ("R301", NEW, lambda b: b.write(NEW, "# Title here\n\nText\n"), ("R301",)),
    ("R301", NEW, lambda b: b.write(NEW, b"\xef\xbb\xbfText\r\nmore\r\n"), ("R301",)),
    ("R304", NEW, lambda b: b.write(NEW, header(created=None) + "body\n"), ()),
    ("R304", NEW, lambda b: b.write(NEW, header(None, None, None, None) + "# Title\n"), ()),
    ("R304", NEW, lambda b: b.write(NEW, header(description='""', modified="") + "body"), ()),
    ("R305", NEW, lambda b: b.write(NEW, header(memo_id="00000012", created="2025-10-09T08:53:20Z # when") + "body\n"), ()),
    ("R308", NEW, lambda b: b.write(NEW, header(memo_id='"ABCDEF12"') + "body\n"), ()),
    ("R308", NEW, lambda b: b.write(NEW, header(memo_id='"nope"') + "body\n"), ()),
]


@pytest.mark.parametrize(("code", "path", "damage", "selected"), MENDED, ids=[f"{c[0]}-{n}" for n, c in enumerate(MENDED)])
def test_metadata_is_mended_once_and_can_be_undone(bench, code, path, damage, selected):
    damage(bench)
    bench.index()
    damaged = bench.read(path)
    assert code in {f.code for f in bench.check()}
    done = [step for step in repair(bench, *selected) if step.code == code]
    assert done
    assert all(step.done and step.recovery_id for step in done)
    assert code not in {f.code for f in bench.check()}
    assert {f.severity for f in bench.check()} <= {"info"}
    assert [step for step in repair(bench, *selected) if step.code[1] in "23"] == []
    with open_index(bench.ref, bench.cache) as index:
        restore([Target(index, bench.file("recovery"))], done[0].recovery_id, Terms(NOW_MS + 1, random.getrandbits))
    assert bench.read(path) == damaged


@pytest.mark.parametrize("case", [case for case in MENDED if case[3]], ids=lambda case: case[0])
def test_what_must_be_selected_is_left_alone_otherwise(bench, case):
    code, path, damage, _ = case
    damage(bench)
    bench.index()
    before = bench.read(path)
    assert repair(bench) == []
    assert bench.read(path) == before
    assert code in {f.code for f in bench.check()}


def test_other_bytes_stay(bench):
    text = b"\xef\xbb\xbf---\r\ndescription: 'x  y'   # why\r\nmemory-id: 00000012\r\n# note\r\nextra: \"kept\"\r\n"
    bench.write(NEW, text + b"created-date: " + STAMP.encode() + b"\r\nlast-modified-date: " + STAMP.encode() + b"\r\n---\r\nbody\xff")
    bench.index()
    before = bench.read(NEW)
    repair(bench)
    assert bench.read(NEW) == before.replace(b"memory-id: 00000012", b'memory-id: "00000012"')


def test_a_given_header_says_what_the_file_says(bench):
    bench.write(NEW, "# Title here\n\nText\n")
    os.utime(bench.file(NEW), (CREATED_MS // 1000 + 86_400 * 3,) * 2)
    bench.index()
    repair(bench, "R301")
    note = notes.parse(bench.read(NEW).decode())
    assert note.description == "Title here"
    assert note.created_ms == CREATED_MS // 86_400_000 * 86_400_000
    assert bench.read(NEW).endswith(b"---\n# Title here\n\nText\n")


def test_facts_by_hand_keep_their_text(bench):
    bench.append("MEMORY.md", "\n- by hand\n- another\n\nalone\n")
    bench.index()
    before = [fact.text for fact in facts.parse(bench.read("MEMORY.md").decode()).facts]
    repair(bench, "R205")
    after = facts.parse(bench.read("MEMORY.md").decode()).facts
    assert [fact.text for fact in after] == before
    assert len({fact.id for fact in after} - {None}) == len(after)


@pytest.mark.parametrize(
    "damage",
    [
        lambda b: b.append("MEMORY.md", COMMENT.format("aaaaaaa1") + "The kettle is red.\n"),
        lambda b: b.append("MEMORY.md", "<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n"),
        lambda b: b.write(NEW, '---\ndescription: "x"\nno field\n---\nb\n'),
        lambda b: b.note(NEW, "A copy", "bbbbbbb1", "x\n"),
        lambda b: b.write("pi-remember.json", "{"),
        lambda b: b.append("MEMORY.md", COMMENT.format("aaaaaaa3") + COMMENT.format("aaaaaaa4") + "x\ny\n"),
    ],
)
def test_what_needs_judgement_is_left(bench, damage):
    damage(bench)
    bench.index()
    before = {path: bench.read(path) for path in ("MEMORY.md", NOTE, "pi-remember.json")}
    assert repair(bench) == []
    assert {path: bench.read(path) for path in before} == before
    assert "error" in {f.severity for f in bench.check()}


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE memo SET description = 'x' WHERE memo_id = 'bbbbbbb1'",
        "DELETE FROM memo WHERE memo_id = 'bbbbbbb1'",
        "INSERT INTO words (words) VALUES ('delete-all')",
        "UPDATE file SET sha256 = x'00' WHERE id = 1",
        "PRAGMA user_version = 77",
        "UPDATE meta SET value = x'2f' WHERE key = 'store'",
    ],
)
def test_the_index_is_made_anew(bench, damage):
    bench.index()
    bench.sql(damage)
    done = repair(bench)
    assert [step.action for step in done] == ["makes the index anew from the files"]
    assert bench.codes() == set()
    assert repair(bench) == []


def test_the_index_is_made_anew_while_others_have_it_open(bench):
    bench.index()
    with open_index(bench.ref, bench.cache) as index:
        bench.sql("INSERT INTO words (words) VALUES ('delete-all')", "DELETE FROM memo WHERE memo_id = 'bbbbbbb1'")
        assert [step.done for step in repair(bench)] == [True]
        assert index.by_id("bbbbbbb1")
    assert {severity for _, severity in bench.codes()} <= {"info"}


def test_an_index_of_no_database_is_made_anew(bench):
    bench.index()
    with open(bench.cache_file, "wb") as file:
        file.write(b"x" * 9000)
    assert all(step.done for step in repair(bench))
    assert bench.codes() == set()


def test_changed_files_are_taken_in(bench):
    bench.index()
    bench.append("MEMORY.md", COMMENT.format("aaaaaaa3") + "New.\n")
    assert [step.code for step in repair(bench)] == ["R600"]
    assert bench.codes() == set()


def test_permissions_become_private(bench):
    bench.index()
    os.chmod(bench.path, 0o755)
    os.chmod(bench.file("notes"), 0o755)
    os.chmod(bench.file(NOTE), 0o644)
    assert "R107" in [step.code for step in repair(bench)]
    assert [os.stat(path).st_mode & 0o777 for path in (bench.path, bench.file("notes"), bench.file(NOTE))] == [0o700, 0o700, 0o600]
    assert "R107" not in {f.code for f in bench.check()}


def test_a_dead_writers_file_goes_into_a_record(bench):
    bench.write("notes/.remember-1-abcdef.tmp", b"half\xff")
    os.utime(bench.file("notes/.remember-1-abcdef.tmp"), (1_760_000_000,) * 2)
    bench.index()
    (step,) = [step for step in repair(bench) if step.code == "R406"]
    assert not os.path.exists(bench.file("notes/.remember-1-abcdef.tmp"))
    with Journal(bench.path, bench.file("recovery")) as journal:
        assert journal.load(step.recovery_id).changes[0].data == b"half\xff"
    assert {f.code for f in bench.check()} <= {"R600"}


def test_the_record_of_what_never_happened_goes(bench):
    bench.index()
    name = record_id(NOW_MS - 1, 7, False)
    from remember.store.records import Content

    time.sleep(0.12)  # the clock of file times lags behind
    with Journal(bench.path, bench.file("recovery")) as journal:
        journal.save(Record(name, "forget", NOW_MS - 1, "", DONE, (FileItem(NOTE, Content(bench.read(NOTE)), None),)))
    assert [step.code for step in repair(bench)] == ["R702"]
    assert os.listdir(bench.file("recovery")) == []
    assert os.path.exists(bench.file(NOTE))


def test_a_left_over_lock_goes_unless_it_is_held(bench):
    path = bench.file(".pi-remember-migration.lock")
    bench.write(".pi-remember-migration.lock", "1")
    bench.index()
    with open(path) as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        (step,) = repair_as_it_comes(bench)
        assert (step.done, bool(step.error)) == (False, True)
    assert all(step.done for step in repair(bench))
    assert not os.path.exists(path)


def repair_as_it_comes(bench):
    return [step for step in apply_repairs(bench.subject(), bench.check(), means(bench)) if step.code == "R801"]


def test_a_held_store_is_said_and_nothing_done(bench):
    bench.append("MEMORY.md", COMMENT.format("aaaaaaa3"))
    bench.index()
    folder = os.open(bench.path, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        found = bench.check()  # takes no lock
        assert ("R204", "warning") in {(f.code, f.severity) for f in found}
        (step,) = apply_repairs(bench.subject(), found, means(bench)._replace(timeout_s=0.1))
        assert step.done is False
        assert "locked" in step.error
    finally:
        os.close(folder)


@pytest.mark.parametrize("others", [["abcdef12"], ["ABCDEF12"]])
def test_an_id_in_upper_case_is_not_made_one_that_another_memo_has(bench, others):
    """The repair must not turn one finding into another that only a person can settle."""
    bench.write(NEW, header(memo_id='"ABCDEF12"') + "body\n")
    for number, memo_id in enumerate(others):
        bench.write(f"notes/2025-10-09-other-{number}.md", header('"other"', f'"{memo_id}"') + "body\n")
    bench.index()
    assert {step.code for step in repair(bench)} == {"R308"}
    found = [notes.parse(bench.read(path).decode()).id for path in (NEW, "notes/2025-10-09-other-0.md")]
    assert None not in found and len(set(found)) == 2 and "abcdef12" in found
    assert bench.codes() == set()


def test_an_id_in_upper_case_that_is_a_facts_is_drawn_anew(bench):
    bench.append("MEMORY.md", COMMENT.format("abcdef12") + "A fact.\n")
    bench.write(NEW, header(memo_id='"ABCDEF12"') + "body\n")
    bench.index()
    assert [step.action for step in repair(bench)] == ["gives the note a new ID"]
    assert bench.codes() == set()


def test_the_temporary_file_of_a_dead_writer_among_the_records_is_kept_in_a_record(bench):
    bench.write("recovery/.remember-1-abcdef.tmp", '{"by": "remem')
    os.utime(bench.file("recovery/.remember-1-abcdef.tmp"), (1_760_000_000, 1_760_000_000))
    bench.index()
    (step,) = repair(bench)
    assert (step.code, step.path, step.done) == ("R406", "recovery/.remember-1-abcdef.tmp", True)
    assert os.listdir(bench.file("recovery")) == [f"{step.recovery_id}.json"]
    assert b"remem" in bench.read(f"recovery/{step.recovery_id}.json")
    assert repair(bench) == [] and bench.codes() == set()


def test_a_lock_file_that_this_system_does_not_need_goes(bench):
    bench.write(".remember-lock", "")
    bench.index()
    (step,) = repair(bench)
    assert (step.code, step.done) == ("R801", True) and not os.path.exists(bench.file(".remember-lock"))
    assert repair(bench) == []


def test_an_empty_temporary_file_goes_without_a_record(bench):
    bench.write("notes/.remember-1-abcdef.tmp", "")
    os.utime(bench.file("notes/.remember-1-abcdef.tmp"), (1_760_000_000, 1_760_000_000))
    bench.index()
    (step,) = repair(bench)
    assert (step.code, step.done, step.recovery_id) == ("R406", True, None)
    assert bench.codes() == set()
