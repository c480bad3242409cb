"""What a try at breaking the commands from the specification alone found, each as its kind."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from console import Console


def test_redo_is_refused_where_the_memo_has_another_name_now(remember: Console) -> None:
    remember("init")
    memo = remember.json("note", "Wandering", "--slug", "wandering", "--body", "text")["id"]
    remember("move", memo, "--to", "global")
    remember("undo")
    remember("move", memo, "--slug", "renamed")
    assert remember.error("redo", expect=3)["code"] == "changed"
    assert [m["path"][-10:] for m in remember.json("list")["memos"] if m["id"] == memo] == ["renamed.md"]


@pytest.mark.parametrize("text", ["- -", "-->", "x -->", "[a]", "--"])
def test_the_line_that_add_names_is_the_fact_s(remember: Console, text: str) -> None:
    remember("init")
    remember("add", "a first fact")
    added = json.loads(remember("add", "--json", "--", text))
    assert {m["id"]: m["line"] for m in remember.json("list")["memos"]}[added["id"]] == added["line"] == 4


def test_parts_of_identifiers_are_neither_missing_nor_passed_over(remember: Console) -> None:
    remember("init")
    remember("add", "call getUserName for the fox")
    (hit,) = remember.json("search", "user", "--all-terms")["hits"]
    assert hit["missing"] == []
    assert remember.json("search", "fox", "--not", "user", expect=1)["hits"] == []


@pytest.mark.parametrize("kind", ["fifo", "folder", "link"])
def test_facts_that_are_not_read_are_not_silently_gone(remember: Console, kind: str) -> None:
    remember("init")
    facts = Path(remember.work, ".pi", "memory", "MEMORY.md")
    facts.unlink()
    {"fifo": lambda: os.mkfifo(facts), "folder": facts.mkdir, "link": lambda: facts.symlink_to("elsewhere")}[kind]()
    assert any("no regular file" in warning for warning in remember.json("list")["warnings"])


def test_a_broken_header_is_warned_of_in_list_and_search(remember: Console) -> None:
    remember("init")
    notes = Path(remember.work, ".pi", "memory", "notes")
    notes.mkdir()
    (notes / "banner.md").write_text("---\n**ACME LLP**\nRe: lease\n---\nbody zebra\n")
    for argv in (("list",), ("search", "zebra")):
        assert any("notes/banner.md" in warning for warning in remember.json(*argv)["warnings"])
