"""The tools' own rules, without a wire."""

from __future__ import annotations

import json

import pytest

from remember.memory.served import Caller
from remember.serve.call import call


@pytest.fixture
def ask(caller: Caller):
    def run(name: str, failed: bool = False, **arguments):
        answer = call(caller, name, arguments)
        assert answer.failed is failed, answer.text
        return answer.document if not failed else answer.document["error"]

    return run


def test_an_error_has_the_code_and_hint_of_the_command_line(ask, made) -> None:
    error = ask("memory_update", True, id="00000000", content="x")
    assert error["code"] == "not_found"
    error = ask("memory_write", True, content="")
    assert error["code"] == "refused_input"
    assert ask("no_such", True)["hint"].startswith("tools are memory_search")


def test_a_secret_is_refused_and_not_echoed(ask, made) -> None:
    error = ask("memory_write", True, content="the key is sk-ant-" + "a1" * 20)
    assert error["code"] == "secret" and "a1a1" not in json.dumps(error)


def test_a_stored_secret_is_masked_everywhere(ask, made) -> None:
    secret = "ghp_" + "a1B2" * 10
    made.run("note", "Deploy key", "--body", f"use {secret} here", "--allow-secret")
    found = ask("memory_search", query="deploy")
    memo_id = found["hits"][0]["id"]
    assert secret not in json.dumps([found, ask("memory_read", id=memo_id), ask("memory_search", query="use here")])
    shown = ask("memory_read", id=memo_id)["content"]
    assert ask("memory_update", True, id=memo_id, content=shown + " and there")["code"] == "elided"


def test_a_duplicate_fact_is_not_stored_twice(ask) -> None:
    first = ask("memory_write", content="Use tabs.")
    second = ask("memory_write", content="use  TABS")
    assert second["changed"] is False and second["duplicate_of"] == first["id"]


def test_a_note_of_a_description_in_use_is_created_by_upsert_only(ask) -> None:
    first = ask("memory_store", title="Backups", content="nightly")
    again = ask("memory_store", title="Backups", content="hourly")
    assert again["changed"] is False and again["duplicate_of"] == first["id"] and "update" in again["hint"]
    assert ask("memory_store", title="Backups", content="hourly", mode="upsert")["id"] == first["id"]
    assert ask("memory_read", id=first["id"])["content"].strip() == "hourly"


def test_an_update_of_a_part_needs_confirmation(ask) -> None:
    note = ask("memory_store", title="Long", content="A line of the long note.\n" * 60)
    assert ask("memory_update", True, id=note["id"], content="A line.")["code"] == "elided"
    assert ask("memory_update", id=note["id"], content="A line.", confirm="true")["changed"] is True


def test_an_update_at_another_revision_is_a_conflict(ask) -> None:
    note = ask("memory_store", title="N", content="one")
    ask("memory_update", id=note["id"], content="two")
    assert ask("memory_update", True, id=note["id"], content="three", revision=note["revision"])["code"] == "changed"


def test_a_memo_of_the_other_scope_is_named(ask) -> None:
    made = ask("memory_write", content="a global fact", scope="global")
    error = ask("memory_update", True, id=made["id"], content="x")
    assert error["code"] == "not_found" and "'global'" in error["hint"]
    assert "'global'" in ask("memory_forget", True, id=made["id"])["hint"]


def test_forgetting_several_needs_confirmation_and_one_undo_brings_all_back(ask) -> None:
    for text in ("old proxy one", "old proxy two"):
        ask("memory_write", content=text)
    error = ask("memory_forget", True, text="old proxy")
    assert error["code"] == "refused_input" and "confirm" in error["hint"]
    done = ask("memory_forget", text="old proxy", confirm=True)
    assert len(done["memos"]) == 2 and len(done["recovery_ids"]) == 1
    ask("memory_restore", recoveryId=done["recovery_ids"][0])
    assert ask("memory_read")["total"] == 2
    assert ask("memory_forget", True)["code"] == "refused_input"


def test_a_person_s_edit_between_two_calls_is_seen_and_kept(ask, made) -> None:
    fact = ask("memory_write", content="an older fact")
    with open(made.store / "MEMORY.md", "a") as file:
        file.write("\n# By hand\n\n- a bullet by hand\n\nprose zebra\n")
    ask("memory_update", id=fact["id"], content="a newer fact")
    text = (made.store / "MEMORY.md").read_text()
    assert "# By hand\n\n- a bullet by hand\n\nprose zebra\n" in text and "a newer fact" in text
    assert ask("memory_search", query="zebra")["hits"]


def test_listings_are_bounded_and_say_so(ask, made) -> None:
    lines = "\n".join(f"fact number {n} about a zebra with a good many words in it, so that it takes its room" for n in range(500))
    made.run("add", "-", data=lines)
    for document in (ask("memory_read"), ask("memory_search", query="zebra", limit=500)):
        rows = document.get("memos") or document["hits"]
        assert document["truncated"] is True and document["total"] == 500 and 0 < len(rows) < 500
        assert len(json.dumps(document, ensure_ascii=False).encode()) <= 24_000


@pytest.mark.parametrize("line", ["short", "a long line of words that goes on " * 8])
def test_a_long_note_is_read_in_parts_that_join_to_the_whole(ask, line: str) -> None:
    body = "".join(f"{n} {line}\n" for n in range(1500))
    note = ask("memory_store", title="Long", content=body)
    part = ask("memory_read", id=note["id"])
    whole = part["content"]
    while part["truncated"]:
        assert len(json.dumps(part, ensure_ascii=False).encode()) <= 30_000 and part["content"].count("\n") <= 600
        part = ask("memory_read", path=part["rest"].rpartition(" ")[2])
        whole += part["content"]
    assert whole.strip() == body.strip()


def test_bounds_hold_for_text_too(caller: Caller, made) -> None:
    made.run("add", "-", data="\n".join(f"a zebra {n} " + "w" * 200 for n in range(300)))
    for name, arguments in (("memory_read", {}), ("memory_search", {"query": "zebra", "limit": 300})):
        text = call(caller, name, arguments).text
        assert len(text.encode()) <= 20_000 and text.count("\n") < 400
