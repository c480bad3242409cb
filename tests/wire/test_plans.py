"""What a worker may send, and what is refused before anything of it is looked at."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from remember.wire.plans import MEMOS_IN_MERGE, OPERATIONS, PLAN_BYTES, plan_schema, read_plan

RUN = "20261018T161033123Z-3f9a1c2e"
NAMED = {"id": "aaaa0001", "revision": "0123456789ab"}
GOOD: list[dict[str, Any]] = [
    {"op": "add", "text": "a fact"},
    {"op": "note", "description": "a note", "content": "its body"},
    {"op": "update", **NAMED, "content": "another text"},
    {"op": "merge", "memos": [NAMED, {**NAMED, "id": "aaaa0002"}], "description": "both", "content": "in one"},
    {"op": "forget", **NAMED},
]


def plan(*operations: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"run": RUN, "summary": "tidy", "operations": list(operations), **more}


def encoded(document: Any) -> bytes:
    return json.dumps(document).encode()


def test_a_good_plan_comes_out_as_it_went_in() -> None:
    document = plan(*GOOD)
    jsonschema.Draft202012Validator(json.loads(plan_schema())).validate(document)
    assert read_plan(encoded(document)) == document
    assert read_plan(b"\n " + encoded(plan()) + b"\n")["operations"] == []


BAD = {
    "another run's name": plan(run="latest"),
    "no run": {"summary": "", "operations": []},
    "a further field": plan(shell="rm -rf /"),
    "operations that are none": plan(operations={"op": "add", "text": "x"}),
    "an unknown operation": plan({"op": "exec", "text": "x"}),
    "an operation without a kind": plan({"text": "x"}),
    "a field too many": plan({"op": "add", "text": "x", "path": "../../etc/passwd"}),
    "an empty fact": plan({"op": "add", "text": ""}),
    "a number for a text": plan({"op": "add", "text": 5}),
    "an ID of another form": plan({"op": "forget", "id": "AAAA0001", "revision": "0123456789ab"}),
    "a path for an ID": plan({"op": "forget", "id": "notes/x.md", "revision": "0123456789ab"}),
    "no revision": plan({"op": "forget", "id": "aaaa0001"}),
    "a merge of one": plan({**GOOD[3], "memos": [NAMED]}),
    "a merge of too many": plan({**GOOD[3], "memos": [{**NAMED, "id": f"{n:08x}"} for n in range(MEMOS_IN_MERGE + 1)]}),
    "too many operations": plan(*[{"op": "add", "text": str(n)} for n in range(OPERATIONS + 1)]),
    "a text too long": plan({"op": "add", "text": "x" * 3000}),
    "half a surrogate pair": plan({"op": "add", "text": "\ud800"}),
    "a list": [plan()],
    "nothing": None,
}


@pytest.mark.parametrize("name", BAD)
def test_what_breaks_the_form_is_refused(name: str) -> None:
    with pytest.raises(ValueError):
        read_plan(encoded(BAD[name]))


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty"),
        (b" \n ", "empty"),
        (b"NONE", "exactly one JSON document"),
        (b"Here is the plan:\n" + encoded(plan()), "exactly one JSON document"),
        (b"```json\n" + encoded(plan()) + b"\n```", "exactly one JSON document"),
        (encoded(plan()) + encoded(plan()), "exactly one JSON document"),
        (encoded(plan())[:-2], "exactly one JSON document"),
        (b"\xff\xfe{", "no UTF-8"),
        (b"[" * 200_000, "nested too deeply"),
        (b'{"run": "a", "run": "b"}', "two members of one name"),
        (b'{"run": NaN}', "NaN is no JSON"),
        (encoded(plan(summary="x" * PLAN_BYTES)), f"more than {PLAN_BYTES} bytes"),
    ],
)
def test_what_is_no_single_document_is_refused(data: bytes, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        read_plan(data)


def test_every_bad_place_is_named_and_nothing_is_quoted() -> None:
    hidden = "hunter2hunter2"
    document = plan({"op": hidden}, {"op": "add", "text": 5}, {"op": "forget", "id": hidden, "revision": "0123456789ab"})
    with pytest.raises(ValueError, match="operations 1") as caught:
        read_plan(encoded(document))
    said = str(caught.value)
    assert "operations 2 text" in said and "operations 3 id" in said
    assert hidden not in said


def test_a_flood_of_bad_places_is_cut() -> None:
    with pytest.raises(ValueError, match="and 40 more"):
        read_plan(encoded(plan(*[{"op": "add", "text": 1}] * 50)))


@given(st.binary(max_size=2000))
def test_any_bytes_have_an_answer(data: bytes) -> None:
    with pytest.raises(ValueError):
        read_plan(data)


TREES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(max_size=20)
    | st.sampled_from(["add", RUN, "aaaa0001"]),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["op", "run", "summary", "operations", "text", "id"]), inner)
    ),
    max_leaves=15,
)


@given(TREES)
def test_what_is_taken_fits_the_published_schema(tree: Any) -> None:
    validator = jsonschema.Draft202012Validator(json.loads(plan_schema()))
    try:
        taken = read_plan(encoded(tree))
    except ValueError:
        assert not validator.is_valid(tree)
        return
    assert validator.is_valid(taken)
