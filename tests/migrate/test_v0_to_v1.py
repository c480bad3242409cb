"""The first step's rules, each by the sentence of the specification (section 11) that demands it."""

from __future__ import annotations

import json
import os

import legacy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from remember.errors import FormatError
from remember.format import facts, notes
from remember.migrate.step import load
from remember.store.reading_records import from_json

STEP = load(0)


def planned(files, **more):
    """The edits for files given as text, by path."""
    rows = {path: STEP.File(text.encode("utf-8", "surrogateescape"), 0o640, legacy.MTIME_NS) for path, text in files.items()}
    return {
        edit.path: None if edit.data is None else edit.data.decode("utf-8", "surrogateescape") for edit in STEP.plan(rows, ()).edits
    }


def test_references_and_their_comments_leave_the_fact_file_and_go_into_the_note():
    edits = planned({"MEMORY.md": "# M\n" + legacy.REFERENCE + legacy.FACT, "notes/2026-01-02-env.md": legacy.NOTE})
    assert edits["MEMORY.md"] == "# M\n" + legacy.FACT
    assert edits["notes/2026-01-02-env.md"] == legacy.header() + "body one\n\n# The author's heading\n"


@pytest.mark.parametrize("name", [name for name in legacy.REFUSED if "marker" not in name])
def test_malformed_dangling_unsafe_duplicate_or_conflicting_things_stop_it_naming_each(name):
    with pytest.raises(FormatError) as caught:
        planned(legacy.files(name))
    assert [text for text in legacy.REFUSED[name] if text not in caught.value.message] == []


def test_every_bad_place_is_named_at_once():
    with pytest.raises(FormatError) as caught:
        planned({"MEMORY.md": "#note [[notes/no.md]] x\n" + legacy.FACT * 2, f"recovery/{legacy.RECORD}.json": "{"})
    assert len(caught.value.problems) == 3


def test_only_the_generated_comment_heading_and_blank_line_are_stripped():
    stamp = f"<!-- {legacy.STAMP} -->\n"
    for text, body in {
        stamp + "# Python env\n\n\n# Own\n": "\n# Own\n",
        stamp + "# Python env\ntext\n": "text\n",
        stamp + "# My own title\n\ntext\n": "# My own title\n\ntext\n",
        stamp + "text\n": "text\n",
        "# Python env\n\ntext\n": "# Python env\n\ntext\n",
        "<!-- a remark -->\n# Python env\n\ntext\n": "<!-- a remark -->\n# Python env\n\ntext\n",
        "": "",
    }.items():
        edits = planned({"MEMORY.md": legacy.REFERENCE, "notes/2026-01-02-env.md": text})
        assert edits["notes/2026-01-02-env.md"] == legacy.header() + body


def test_a_valid_header_stays_byte_for_byte():
    text = "---\ndescription: 'mine'\nmemory-id: 00000012\nextra: [1]\n---\n"
    assert planned({"MEMORY.md": "", "notes/a.md": text}) == {}


def test_a_header_that_lacks_fields_gets_them_from_the_reference():
    edits = planned({"MEMORY.md": legacy.REFERENCE, "notes/2026-01-02-env.md": "---\ntitle: kept\n---\nx\n"})
    lines = legacy.header().split("\n")
    assert edits["notes/2026-01-02-env.md"] == "\n".join(["---", "title: kept", *lines[1:5], "---", "x\n"])


def test_notes_without_reference_get_an_id_and_an_inferred_description_and_dates():
    note = notes.parse(planned({"notes/2026-01-02-a_b-c.md": "only text\n"})["notes/2026-01-02-a_b-c.md"])
    assert note.description == "a b c"
    assert note.created_ms == note.modified_ms == legacy.MTIME_NS // 1_000_000
    assert note.id is not None
    assert notes.parse(planned({"notes/a.md": "x\n# Head\n"})["notes/a.md"]).description == "Head"
    stamped = notes.parse(planned({"notes/a.md": f"<!-- {legacy.STAMP} [bbbb0001] -->\n# Title\n\nx\n"})["notes/a.md"])
    assert (stamped.id, stamped.description) == ("bbbb0001", "Title")
    assert stamped.created_ms == 1767323045000


def test_creation_comes_from_the_old_metadata_and_modification_from_mtime():
    note = notes.parse(planned(legacy.BASIC)["notes/2026-01-02-env.md"])
    assert (note.created_ms, note.modified_ms) == (1767323045000, legacy.MTIME_NS // 1_000_000)


def test_fact_bytes_and_unrelated_bytes_are_kept():
    prose = "\ufeff---\nx: y\n---\r\n```\n#note [[notes/a.md]] in code\n```\n| a |\n\udcff\n#note [[an idea]] is a fact\n"
    edits = planned({"MEMORY.md": prose + legacy.REFERENCE + legacy.FACT.rstrip(), "notes/2026-01-02-env.md": legacy.NOTE})
    assert edits["MEMORY.md"] == prose + legacy.FACT.rstrip()


def test_a_blank_line_between_comment_and_reference_does_not_part_them():
    text = legacy.REFERENCE.replace("-->\n", "-->\n\n")
    edits = planned({"MEMORY.md": text, "notes/2026-01-02-env.md": legacy.NOTE})
    assert edits["MEMORY.md"] == "\n"
    assert '"aaaa0001"' in edits["notes/2026-01-02-env.md"]


def test_line_ends_and_byte_order_marks_are_kept():
    text = "\ufeff" + legacy.NOTE.replace("\n", "\r\n")
    edits = planned({"MEMORY.md": legacy.REFERENCE, "notes/2026-01-02-env.md": text})
    whole = legacy.header() + "body one\n\n# The author's heading\n"
    assert edits["notes/2026-01-02-env.md"] == "\ufeff" + whole.replace("\n", "\r\n")


def test_forgotten_notes_stay_forgotten_and_go_into_the_record():
    gone = legacy.REFERENCE.replace("2026-01-02-env", "gone").replace("aaaa0001", "aaaa0009")
    path = f"recovery/{legacy.RECORD}.json"
    edits = planned({"MEMORY.md": legacy.FACT, "notes/gone.md": legacy.NOTE, path: legacy.record(legacy.span(gone))})
    assert edits["notes/gone.md"] is None
    record = from_json(edits[path].encode(), path)
    assert record is not None
    (item,) = record.changes
    assert item.path == "notes/gone.md"
    assert item.before.data.decode() == legacy.header(memo_id="aaaa0009") + "body one\n\n# The author's heading\n"
    assert item.after is None
    assert item.before.mode == 0o640
    assert "MEMORY.md" not in edits


def test_an_undone_deletion_forgets_nothing():
    record = legacy.record(legacy.span(legacy.REFERENCE), state="undone")
    files = {"MEMORY.md": legacy.REFERENCE, "notes/2026-01-02-env.md": legacy.NOTE, f"recovery/{legacy.RECORD}.json": record}
    assert planned(files)["notes/2026-01-02-env.md"] == legacy.header() + "body one\n\n# The author's heading\n"


def test_records_without_version_and_snapshots_of_legacy_notes_are_converted():
    path = f"recovery/{legacy.RECORD}.json"
    record = from_json(planned(legacy.BASIC)[path].encode(), path)
    assert record is not None
    (item,) = record.changes
    assert item.before.data.decode() == legacy.header("Gone", "aaaa0009") + "# Python env\n\nbody one\n\n# The author's heading\n"


def test_the_snapshot_of_an_added_note_is_what_the_note_becomes():
    path = f"recovery/{legacy.RECORD}.json"
    note = legacy.whole("notes/2026-01-02-env.md", None, legacy.NOTE, mtime_ns=None)
    edits = planned({**legacy.BASIC, path: legacy.record(legacy.span("", legacy.REFERENCE), note, action="note")})
    record = from_json(edits[path].encode(), path)
    assert record is not None
    assert [item.after.data.decode() for item in record.changes] == [edits["notes/2026-01-02-env.md"]]


def test_a_foreign_record_is_backed_up_and_left_alone():
    files = {path: STEP.File(text.encode(), 0o640, 0) for path, text in legacy.BASIC.items()}
    plan = STEP.plan(files, ())
    assert plan.kept == (f"recovery/{legacy.FOREIGN}",)
    assert f"recovery/{legacy.FOREIGN}" not in [edit.path for edit in plan.edits]


def test_records_come_first_then_notes_then_the_fact_file():
    kinds = [path.partition("/")[0] for path in planned(legacy.BASIC)]
    assert kinds == sorted(kinds, key=["recovery", "notes", "MEMORY.md"].index)


def test_read_only_files_and_links_are_named_before_anything_is_done():
    files = {"MEMORY.md": STEP.File(legacy.REFERENCE.encode(), 0o440, 0), "notes/2026-01-02-env.md": STEP.File(b"x", 0o600, 0, 2)}
    with pytest.raises(FormatError, match=r"notes/l.md: is a symbolic link.*second name.*MEMORY.md: is read-only"):
        STEP.plan(files, ["notes/l.md"])


_LINES = ["text\n", "\n", "# H\n", legacy.FACT, "- item\n", "\r\n", "```\n", "~~~\n", "---\n", legacy.REFERENCE, "é\udcff\n"]
_PARTS = [f"<!-- {legacy.STAMP} -->\n", "# Python env\n", "\n", "text\n", "---\n", "memory-id: x\n", "\ufeff", "\r\n"]


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(_LINES), max_size=8), st.lists(st.sampled_from(_PARTS), max_size=6))
def test_whatever_is_accepted_loses_no_fact_and_leaves_nothing_to_convert(lines, note):
    files = {"MEMORY.md": "".join(lines), "notes/2026-01-02-env.md": "".join(note)}
    try:
        edits = planned(files)
    except FormatError:
        return
    after = {path: edits.get(path, text) for path, text in files.items()}
    assert planned(after) == {}
    old = [fact.text for fact in facts.parse(files["MEMORY.md"]).facts if fact.id and not fact.text.startswith("#note [[notes/")]
    assert [fact.text for fact in facts.parse(after["MEMORY.md"]).facts if fact.id] == old


def test_the_plan_is_pure(tmp_path):
    before = os.listdir(tmp_path)
    assert planned(legacy.BASIC) == planned(legacy.BASIC)
    assert os.listdir(tmp_path) == before
    assert json.loads(planned(legacy.BASIC)[f"recovery/{legacy.RECORD}.json"])["version"] == 1
