"""`remember forget` as scripts call it: one JSON document on standard error, or one on standard output."""

from __future__ import annotations

import json

from console import Console


def test_several_matches_are_one_json_error(remember: Console) -> None:
    remember("init")
    for text in ("aa common", "bb common"):
        remember("add", text)
    done = remember.raw("forget", "common", "--json")
    assert (done.returncode, done.stdout) == (2, b"")
    error = json.loads(done.stderr)["error"]
    assert error["code"] == "refused_input" and "2 memos" in error["message"] and "--yes" in error["hint"]
    shown = remember.raw("forget", "common")
    assert shown.returncode == 2 and shown.stderr.count(b"would go: ") == 2
    assert len(remember.json("list")["memos"]) == 2
    assert len(json.loads(remember("forget", "common", "--yes", "--json"))["memos"]) == 2


def test_several_ids_and_places_are_forgotten_together(remember: Console) -> None:
    remember("init")
    first, second = (remember.json("add", text)["id"] for text in ("tea", "milk"))
    kept = remember.json("add", "water")
    note = remember.json("note", "Cups", "--body", "blue")
    before = (remember.store / "MEMORY.md").read_bytes()
    gone = remember.json("forget", first, "MEMORY.md:4", note["path"], first, "--yes")
    assert [memo["id"] for memo in gone["memos"]] == [first, second, note["id"]]
    assert [memo["id"] for memo in remember.json("list")["memos"]] == [kept["id"]]
    assert len({change["recovery_id"] for change in gone["changes"]}) == 1
    remember("undo")
    assert (remember.store / "MEMORY.md").read_bytes() == before and (remember.store / note["path"]).exists()


def test_one_word_that_names_nothing_keeps_all(remember: Console) -> None:
    remember("init")
    first = remember.json("add", "tea with milk")["id"]
    before = (remember.store / "MEMORY.md").read_bytes()
    error = remember.error("forget", first, "deadbeef", "nothere", "--yes", expect=1)
    assert "deadbeef and nothere" in error["message"] and first not in error["message"] and "nothing was forgotten" in error["hint"]
    assert (remember.store / "MEMORY.md").read_bytes() == before
    assert "would be forgotten" in remember("forget", "TEA", "with", "--dry-run")


def test_words_that_are_an_id_in_a_text_are_still_a_text(remember: Console) -> None:
    remember("init")
    first = remember.json("add", "tea")["id"]
    second = remember.json("add", f"like {first} said")["id"]
    gone = remember.json("forget", first, "said")
    assert [memo["id"] for memo in gone["memos"]] == [second]
