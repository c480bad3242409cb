"""What a person is told who asked for what is not there, or gave what is taken otherwise than meant."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from console import Console


def test_a_search_that_a_filter_emptied_names_the_filter(remember: Console) -> None:
    remember("init")
    remember("add", "I prefer tabs. #style")
    for filters, said in (
        (("--not", "prefer"), "(with --not prefer)"),
        (("--kind", "note", "--tag", "x"), "(with --kind note, --tag x)"),
        (("--until", "2020-01-01", "--all-terms"), "(with --until 2020-01-01, --all-terms)"),
    ):
        done = remember.raw("search", "tabs", *filters)
        assert (done.returncode, done.stderr.decode().splitlines()[0]) == (1, f"remember: nothing found for tabs {said}")
    assert b"(with" not in remember.raw("search", "spaces").stderr
    done = remember.raw("list", "--until", "2020-01-01")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"remember: nothing found (with --until 2020-01-01)\n")


def test_lines_that_become_one_fact_are_said(remember: Console) -> None:
    remember("init")
    done = remember.raw("add", "two facts\non two lines")
    assert done.returncode == 0 and b"joined to one fact" in done.stderr
    assert b"joined" not in remember.raw("add", "one line\n").stderr
    assert len(remember("add", "-", stdin="third\nfourth\n").splitlines()) == 2


def test_no_editor_is_begun_where_there_is_no_terminal(remember: Console) -> None:
    remember("init")
    remember("add", "tea")
    error = remember.error("edit", "MEMORY.md:2", expect=2)
    assert "no terminal" in error["message"] and "EDITOR" in error["hint"]
    assert remember("edit", "MEMORY.md:2", EDITOR="true").startswith("nothing to change")


@pytest.mark.parametrize("given", ["a", "ab", "0af"])
def test_too_little_of_an_id_is_said_to_be_so(remember: Console, given: str) -> None:
    remember("init")
    for command in (("show", given), ("update", given, "--content", "x"), ("move", given, "--slug", "x")):
        assert "four digits" in remember.error(*command, expect=1)["hint"]


def test_an_id_that_stands_twice_leads_to_the_check(remember: Console) -> None:
    remember("init")
    memo = remember.json("add", "tea")
    facts = remember.store / "MEMORY.md"
    facts.write_bytes(facts.read_bytes() + b"\n" + facts.read_bytes().replace(b"tea", b"milk"))
    before = facts.read_bytes()
    for named in (memo["id"], "MEMORY.md:2"):
        error = remember.error("update", named, "--content", "x", expect=3)
        assert error["code"] == "ambiguous" and "remember check" in error["hint"] and facts.read_bytes() == before
    remember("check", expect=1)
    assert remember.json("show", "MEMORY.md:5")["content"] == "milk"
    remember("forget", "MEMORY.md:5")
    assert remember("update", memo["id"], "--content", "coffee").startswith("updated")


def test_a_fact_is_found_by_the_line_of_its_comment(remember: Console) -> None:
    remember("init")
    first, second = (remember.json("add", text)["id"] for text in ("tea", "milk"))
    assert remember.json("show", "MEMORY.md:1")["id"] == first
    assert remember.json("show", "MEMORY.md:3")["id"] == second
    assert remember.error("show", "MEMORY.md:5", expect=1)["code"] == "not_found"


def test_an_import_by_the_name_of_a_program(remember: Console, tmp_path: Path) -> None:
    remember("init")
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain" / "retry.md").write_text("# Retry\n\nBack off.\n")
    for name, meant in (("claude", "zcode"), ("Obsidian", "vault"), ("mcp", "mcp-memory")):
        assert f"that is {meant}: `remember import {meant} PATH`" in remember.error("import", name, str(tmp_path), expect=2)["hint"]
    done = remember.raw("import", "zcode", str(tmp_path / "plain"), "--dry-run")
    assert b"has no index MEMORY.md" in done.stderr and b"import vault" in done.stderr
    assert b"index" not in remember.raw("import", "vault", str(tmp_path / "plain"), "--dry-run").stderr


def test_one_advice_is_given_once(remember: Console) -> None:
    remember("init")
    facts = remember.store / "MEMORY.md"
    remember("add", "tea")
    ours, theirs = facts.read_bytes(), facts.read_bytes().replace(b"tea", b"milk")
    facts.write_bytes(b"<<<<<<< HEAD\n" + ours + b"=======\n" + theirs + b">>>>>>> other\n")
    said = remember("check", "--files-only", expect=1)
    assert said.count("R203  error") == 3 and said.count("Keep the lines of both sides") == 1


def test_what_an_agent_does_not_see_is_said_with_the_setting(remember: Console) -> None:
    remember("init")
    remember("add", "-", stdin="".join(f"Fact number {n} says something of its own.\n" for n in range(80)))
    remember("list")  # the index sees it
    said = remember("check")
    assert "`remember context`) leaves out" in said and "inject_chars_local is 3000" in said
    assert "no findings" in remember("check", "--select", "R5")


def test_a_file_is_no_root(remember: Console) -> None:
    (remember.work / "n.md").write_text("x\n")
    error = remember.error("list", "--root", "n.md", expect=2)
    assert "is no directory" in error["message"] and "create" not in error["hint"]
    assert os.path.isfile(remember.work / "n.md")


def test_a_mistyped_directory_is_not_made(remember: Console) -> None:
    remember("init")
    remember("add", "tea")
    for command in (("manifest", "write"), ("export", "jsonl"), ("export", "bullets")):
        error = remember.raw(*command, "nowhere/file")
        assert error.returncode == 1 and b"nowhere" in error.stderr, command
    assert not (remember.work / "nowhere").exists()


def test_help_is_pointed_to_where_it_is(remember: Console) -> None:
    remember("init")
    assert remember.raw("list", "--scope").stderr.endswith(b"hint: see `remember list --help`\n")
    assert "its line as in MEMORY.md:2" in remember.error("show", "MEMORY.md", expect=1)["hint"]
    assert "both --slug and --to" in remember.error("move", "x", "--to", "local", "--slug", "x", expect=2)["message"]
