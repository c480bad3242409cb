"""Transcripts of three agents and plain text; what is not said by user or assistant is passed over."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remember.harvest.transcript import TRANSCRIPT_CHARS, Turn, conversation, turns_of


def lines(*documents: Any) -> bytes:
    return b"".join(json.dumps(document).encode() + b"\n" for document in documents)


CLAUDE = [
    {"type": "summary", "summary": "not this"},
    {"type": "user", "isSidechain": False, "cwd": "/x", "message": {"role": "user", "content": "Which port?"}},
    {
        "type": "assistant",
        "isSidechain": False,
        "message": {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "hidden"},
                {"type": "text", "text": "8096."},
                {"type": "tool_use", "input": {"text": "no"}},
            ],
        },
    },
    {"type": "user", "isSidechain": False, "message": {"role": "user", "content": [{"type": "tool_result", "content": "a file's text"}]}},
    {"type": "user", "isSidechain": True, "message": {"role": "user", "content": "a sidechain"}},
    {"type": "user", "isSidechain": False, "isMeta": True, "message": {"role": "user", "content": "a caveat"}},
    {"type": "system", "content": "a notice"},
]
CODEX = [
    {"type": "session_meta", "payload": {"id": "x", "instructions": "be good"}},
    {"type": "response_item", "payload": {"type": "message", "role": "developer", "content": [{"type": "input_text", "text": "rules"}]}},
    {
        "type": "response_item",
        "payload": {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "<environment_context>\n/x"}]},
    },
    {"type": "response_item", "payload": {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Which port?"}]}},
    {"type": "response_item", "payload": {"type": "reasoning", "content": None}},
    {"type": "response_item", "payload": {"type": "function_call_output", "output": "no"}},
    {"type": "response_item", "payload": {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "8096."}]}},
    {"type": "event_msg", "payload": {"type": "agent_message", "message": "8096."}},
]
PI = [
    {"type": "session", "id": "s", "cwd": "/x"},
    {"type": "model_change", "id": "a", "parentId": None},
    {"type": "message", "id": "b", "parentId": "a", "message": {"role": "user", "content": [{"type": "text", "text": "Which port?"}]}},
    {"type": "message", "id": "x", "parentId": "b", "message": {"role": "assistant", "content": "a branch that was left"}},
    {"type": "message", "id": "c", "parentId": "b", "message": {"role": "assistant", "content": [{"type": "text", "text": "8096."}]}},
    {"type": "message", "id": "d", "parentId": "c", "message": {"role": "toolResult", "content": [{"type": "text", "text": "no"}]}},
]
SAID = [Turn("user", "Which port?"), Turn("assistant", "8096.")]


@pytest.mark.parametrize("document", [CLAUDE, CODEX, PI], ids=["claude", "codex", "pi"])
def test_what_was_said_is_read(document: list[Any]) -> None:
    assert turns_of(lines(*document)) == SAID
    assert conversation(turns_of(lines(*document))) == "User: Which port?\n\nAssistant: 8096."


@pytest.mark.parametrize("document", [CLAUDE, CODEX, PI], ids=["claude", "codex", "pi"])
def test_a_cut_first_line_garbage_between_and_windows_line_ends_cost_nothing(document: list[Any]) -> None:
    data = b'ssistant", "message": {}}\n' + lines(*document[:3]) + b"\xff\xfe{]\n[1]\n{}\n" + lines(*document[3:])
    assert turns_of(data) == SAID
    assert turns_of(b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n")) == SAID


def test_a_session_without_names_is_read_in_order() -> None:
    plain = [{key: value for key, value in line.items() if key not in ("id", "parentId")} for line in PI]
    assert [turn.text for turn in turns_of(lines(*plain))] == ["Which port?", "a branch that was left", "8096."]


def test_a_session_that_goes_in_circles_ends() -> None:
    data = lines(
        {"type": "message", "id": "a", "parentId": "b", "message": {"role": "user", "content": "one"}},
        {"type": "message", "id": "b", "parentId": "a", "message": {"role": "user", "content": "two"}},
        {"type": "message", "id": "c", "parentId": "c", "message": {"role": "user", "content": "three"}},
    )
    assert [turn.text for turn in turns_of(data)] == ["three"]
    assert [turn.text for turn in turns_of(data[: data.rindex(b'{"type"')])] == ["one", "two"]


@pytest.mark.parametrize("text", ["We use pnpm here.\nAlways.", '{"a": 1}', "- a list\n- of things", '[{"type": "user"}]'])
def test_other_text_is_taken_as_it_is(text: str) -> None:
    assert turns_of(text.encode()) == [Turn("", text)]
    assert conversation(turns_of(text.encode())) == text


@pytest.mark.parametrize(
    "data", [b"", b" \n\t\n", lines(*CLAUDE[3:]), b"GIF89a\0\1\2 text"], ids=["empty", "blank", "nothing said", "no text"]
)
def test_nothing_said_is_nothing(data: bytes) -> None:
    assert conversation(turns_of(data)) == ""


def test_only_the_end_is_kept_from_the_start_of_a_line() -> None:
    turns = [Turn("user", f"line {number:06}") for number in range(5000)]
    text = conversation(turns)
    assert (len(text) <= TRANSCRIPT_CHARS and text.startswith("User: line ")) or text.startswith("\nUser: line ")
    assert text.endswith("line 004999") and len(text) > TRANSCRIPT_CHARS - 50
    assert conversation([Turn("", "x" * 50_000)]) == "x" * TRANSCRIPT_CHARS


@given(st.binary(max_size=500))
def test_any_bytes_have_an_answer(data: bytes) -> None:
    assert len(conversation(turns_of(data), 100)) <= 100


TREES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=8)
    | st.sampled_from(["user", "assistant", "message", "text", "response_item"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["type", "message", "content", "role", "payload", "text", "id", "parentId"]), inner)
    ),
    max_leaves=12,
)


@given(st.lists(TREES, max_size=6))
def test_any_json_has_an_answer(trees: list[Any]) -> None:
    for turn in turns_of(lines(*trees)):
        assert turn.text.strip()
