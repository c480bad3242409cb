"""`remember undo` where the other half of a move lies in another workspace."""

from __future__ import annotations

from pathlib import Path

from console import Console


def moved(remember: Console) -> tuple[str, Path]:
    """A note that went to the global store, and another workspace that has a store too."""
    remember("init")
    memo_id = str(remember.json("note", "One", "--body", "first")["id"])
    remember("move", memo_id, "--to", "global")
    elsewhere = remember.home / "elsewhere"
    elsewhere.mkdir()
    remember("init", cwd=elsewhere)
    return memo_id, elsewhere


def test_the_advice_of_an_undo_from_elsewhere_works(remember: Console) -> None:
    _, elsewhere = moved(remember)
    done = remember.raw("undo", cwd=elsewhere)
    assert done.returncode == 3 and str(remember.store) in done.stderr.decode()
    advised = done.stderr.decode().rpartition("`remember ")[2].rpartition("`")[0]
    assert remember(*advised.split(), cwd=elsewhere).startswith("undone: move One")
    assert [memo["scope"] for memo in remember.json("list")["memos"]] == ["local"]
    again = remember.raw("redo", cwd=elsewhere)
    advised = again.stderr.decode().rpartition("`remember ")[2].rpartition("`")[0]
    assert remember(*advised.split(), cwd=elsewhere).startswith("applied again: move One")


def test_a_call_for_one_scope_is_told_of_both(remember: Console) -> None:
    moved(remember)
    for scope in ("local", "global"):
        error = remember.error("undo", "--scope", scope, expect=3)
        assert error["hint"] == "repeat the command with --scope both"
    assert "in global" in remember("undo", "--scope", "both")


def test_where_the_workspace_is_gone_the_move_stays_and_others_can_be_undone(remember: Console) -> None:
    _, elsewhere = moved(remember)
    remember.work.rename(remember.home / "gone")
    error = remember.raw("undo", cwd=elsewhere)
    assert error.returncode == 3 and b"history" in error.stderr


def test_half_of_a_move_there_and_back_names_what_came_after(remember: Console) -> None:
    memo_id, _ = moved(remember)
    first = next(r["recovery_id"] for r in remember.json("history")["records"] if r["action"] == "move-out")
    remember("move", memo_id, "--to", "local")
    error = remember.error("restore", first, expect=3)
    assert "somebody else" not in error["message"] and "undo what came after it first" in error["hint"]


def test_a_move_to_where_it_is_says_so(remember: Console) -> None:
    memo_id, _ = moved(remember)
    assert remember("move", memo_id, "--to", "global") == f"nothing to change: {memo_id} is in global already\n"
    assert remember.json("move", memo_id, "--to", "global")["changed"] is False
    assert remember.error("move", "deadbeef", "--to", "global", expect=1)["code"] == "not_found"
