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
