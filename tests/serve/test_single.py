"""The one tool with actions."""

from __future__ import annotations

import pytest

from remember.serve.single import SingleToolset


@pytest.fixture
def memory(caller):
    toolset = SingleToolset()

    def run(failed: bool = False, **arguments) -> str:
        answer = toolset.call(caller, "memory", arguments)
        assert answer.failed is failed, answer.text
        return answer.text

    return run


def test_add_update_list_forget(memory, made) -> None:
    memory(action="add", text="Tea is green.")
    memory(action="add", text="Coffee is green too.", scope="global")
    memory(action="update", text="tea is", to="Tea is black.")
    listed = memory(action="list")
    assert "Tea is black." in listed and "Coffee" in listed
    assert "Coffee" not in memory(action="list", text="tea")
    memory(action="forget", text="Tea is black.")
    assert "Tea" not in memory(action="list")


def test_what_fits_several_or_nothing_changes_nothing(memory, made) -> None:
    memory(action="add", text="old one")
    memory(action="add", text="old two")
    assert memory(True, action="forget", text="old").startswith("ambiguous: ")
    assert memory(True, action="update", text="older", to="x").startswith("not_found: ")
    assert memory(True, action="update", text="old one").startswith("refused_input: ")
    assert memory(True, action="remove", text="x").startswith("refused_input: ")
    assert made.run("list").count("old ") == 2


def test_read_only_can_only_list(caller) -> None:
    answer = SingleToolset(True).call(caller, "memory", {"action": "add", "text": "x"})
    assert answer.failed and "none of list" in answer.text


def test_no_answer_names_a_tool_that_is_not_offered(memory, caller, made) -> None:
    made.run("note", "Long", "--body", "A line of the long note.\n" * 60)
    answers = [
        memory(action="add", text="Tea is green."),
        memory(action="update", text="Tea is green.", to="Tea is black."),
        memory(True, action="update", text="Long", to="[rest unchanged]"),
        memory(action="forget", text="Tea is black."),
        memory(True, action="forget", text="nothing such"),
        memory(True, action="add"),
    ]
    made.run("add", "-", data="\n".join(f"a fact {n} of many words that take room in a listing of them" for n in range(300)))
    answers.append(memory(action="list"))
    assert "not shown: " in answers[-1]
    assert not [answer for answer in answers if "memory_" in answer]
    assert "remember restore" in answers[0]
    memory(action="add", text="Undo with memory_restore recoveryId of the answer.")
    assert "Undo with memory_restore recoveryId of the answer." in memory(action="list", text="recoveryId")
