"""A recovery record is the same after writing and reading, whatever bytes it holds, and its schema is published."""

from __future__ import annotations

import json
import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from remember.errors import DamagedStore
from remember.store import reading_records
from remember.store.reading_records import from_json, own_record
from remember.store.records import (
    STATES,
    Content,
    FileItem,
    KeptItem,
    LinesItem,
    Record,
    RenameItem,
    as_json,
    is_addition,
    is_record_id,
    record_id,
)
from remember.wire.records import json_schema

paths = st.binary(min_size=1, max_size=20).map(lambda b: b.decode("utf-8", "surrogateescape"))
data = st.binary(max_size=60) | st.text(max_size=40).map(lambda t: t.encode("utf-8", "replace"))
ids = st.integers(0, 2**32 - 1).map(lambda n: f"{n:08x}")
contents = st.builds(Content, data, st.integers(0, 0o777), st.none() | st.integers(0, 2**62))
items = st.one_of(
    st.builds(FileItem, paths, st.none() | contents, st.none() | contents),
    st.builds(LinesItem, paths, st.none() | ids, st.integers(0, 2**40), data, data, data, data, st.booleans()),
    st.builds(RenameItem, paths, paths, st.integers(0, 2**40), st.integers(0, 2**256 - 1).map(lambda n: f"{n:064x}")),
    st.builds(KeptItem, paths, data),
)
moments = st.integers(0, 253_402_300_799_998)
names = st.builds(record_id, moments, st.integers(0, 2**31 - 1), st.booleans())
records = st.builds(
    Record,
    names,
    st.sampled_from(["add", "forget", "some other verb"]),
    moments,
    st.text(st.characters(exclude_categories=["Cs"]), max_size=40),
    st.sampled_from(STATES),
    st.lists(items, max_size=4).map(tuple),
    st.none() | names,
    st.none() | moments,
)


@given(records)
def test_a_record_survives_writing_and_reading(record):
    assert from_json(as_json(record), "x") == record


@given(records)
def test_what_is_written_fits_the_published_schema(record):
    import jsonschema

    validator = jsonschema.Draft202012Validator(json.loads(json_schema()))
    document = json.loads(as_json(record))
    assert list(validator.iter_errors(document)) == []
    assert not validator.is_valid({**document, "state": "nonsense"})
    assert not validator.is_valid({name: value for name, value in document.items() if name != "changes"})


def test_the_schema_in_the_repository_is_the_models(request):
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    with open(os.path.join(root, "schema", "recovery-record.schema.json"), encoding="utf-8") as file:
        assert file.read() == json_schema()


@given(moments, st.integers(0, 2**31 - 1), st.booleans())
def test_ids_sort_by_time_and_tell_additions(moment, bits, addition):
    name = record_id(moment, bits, addition)
    assert is_record_id(name)
    assert is_addition(name) == addition
    assert record_id(moment + 1, 0, False) > name


NAMES = ["", "20261130T221800123Z-3f9a1c2", "20261130T221800123Z-3F9A1C2E", "2026-11-30T22:18:00.123Z-3f9", "x" * 28]


@pytest.mark.parametrize("name", NAMES)
def test_other_names_are_no_ids(name):
    assert not is_record_id(name)


@pytest.mark.parametrize("text", [b"{}", b'{"by": "pi-remember"}', b"[]", b"null", b'{"version": 1}'])
def test_records_of_others_are_foreign(text):
    assert from_json(text, "x") is None


OURS = Record(record_id(0, 0, True), "add", 0, "", "done", ())


@pytest.mark.parametrize(
    "change",
    [
        {"version": 2},
        {"state": "gone"},
        {"id": "x"},
        {"created": "yesterday"},
        {"extra": 1},
        {"changes": [{"type": "other"}]},
        {"changes": [{"type": "kept", "path": "x"}]},
        {"changes": [{"type": "kept", "path": "x", "content": {"base64": "!"}}]},
        {"changes": [{"type": "file", "path": "x", "before": {"text": "", "mode": "7777777", "mtime_ns": None}, "after": None}]},
        {"changes": [{"type": "kept", "path": "\ud800", "content": ""}]},
    ],
)
def test_records_of_ours_that_break_their_form_are_damage(change):
    with pytest.raises(DamagedStore):
        from_json(json.dumps(json.loads(as_json(OURS)) | change).encode(), "x")


@given(st.binary(max_size=200) | st.text(max_size=100).map(lambda t: t.encode("utf-8", "replace")))
def test_any_bytes_have_an_answer(text):
    try:
        assert from_json(text, "x") is None
    except DamagedStore:
        return


ODD = [None, True, False, 0, -1, 1, 1.0, 2**70, [], {}, "", "x", "\ud800", "\u0664", "done", "0600", "0800", "00600", "aaaaaaa1"]
ODD += ["AAAAAAA1", "1970-01-01T00:00:00.000Z", "1970-01-01T00:00:00Z", "1970-01-01T01:00:00.000+01:00", "2025-13-01T00:00:00.000Z"]


def places(value, at=()):
    """Every place in a JSON document."""
    yield at
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, below in inner:
        yield from places(below, (*at, key))


def damaged(draw, document):
    """The document with one value replaced, taken out or put in."""
    *above, last = draw(st.sampled_from([place for place in places(document) if place]))
    inside = document
    for key in above:
        inside = inside[key]
    how = draw(st.sampled_from(["other", "gone", "more"]))
    if how == "other":
        inside[last] = draw(st.sampled_from(ODD))
    elif how == "gone":
        del inside[last]
    elif isinstance(inside, dict):
        inside[draw(st.sampled_from(["extra", "partner", "base64", "id"]))] = draw(st.sampled_from(ODD))


@settings(max_examples=300)
@given(records, st.data())
def test_what_is_read_by_hand_is_what_the_models_give(record, given_by):
    document = json.loads(as_json(record))
    for _ in range(given_by.draw(st.integers(0, 2))):
        damaged(given_by.draw, document)
    text = json.dumps(document).encode()
    own = own_record(text)
    if own is not None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(reading_records, "own_record", lambda _: None)
            assert from_json(text, "x") == own


@given(records)
def test_our_usual_records_need_no_models(record):
    usual = all(isinstance(item, FileItem | LinesItem) for item in record.changes)
    text = as_json(record)
    if usual and b"base64" not in text:
        assert own_record(text) == record
