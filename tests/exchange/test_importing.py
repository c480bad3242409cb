"""Imports as a user sees them: what comes in, what is kept out and why, and that one undo takes all of it back."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import jsonschema
import pytest
from console import TREE, Console
from desk import Desk, snapshot

from remember.errors import FutureFormat, NotFound, RefusedInput
from remember.exchange.item import ImportResult

FIXTURES = TREE / "tests" / "fixtures" / "exchange"
GRAPH = FIXTURES / "server-memory.jsonl"
TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path / "home")


def ends(result: ImportResult) -> list[tuple[str, str]]:
    return [(outcome.outcome, outcome.source) for outcome in result.outcomes]


def vault(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        path = folder / (name.replace("__", "/") + ".md")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def samples(tmp_path: Path) -> list[tuple[str, Path]]:
    """A source of each format with something new, something twice, and something broken."""
    tmp_path = tmp_path / "sources"
    tmp_path.mkdir()
    (tmp_path / "lines.jsonl").write_text(
        '{"kind": "fact", "id": "a1b2c3d4", "text": "A fact.", "created": "2026-01-02T03:04:05Z"}\n'
        '{"kind": "fact", "text": "a fact"}\nno json\n{"kind": "note", "description": "N", "body": "B\\n"}\n{"kind": "odd"}\n[]\n'
    )
    graph = GRAPH.read_text() + '\n{"type":"entity"}\n{"type":"other"}\n'
    graph += '{"type":"relation","from":"Bob","to":"Ana","relationType":"knows"}\n'
    (tmp_path / "graph.jsonl").write_text(graph)
    docs = vault(tmp_path / "docs", a="# Same\n\none\n", b__a="# Same\n\ntwo\n", c="# Same\n\none\n", empty="")
    (docs / "latin.md").write_bytes(b"caf\xe9\n")
    other = Desk(tmp_path / "other")
    other.put_facts(("00000001", 1_000_000, "From another store."), ("00000002", 2_000_000, "A second one."))
    other.put_note("notes/2026-01-01-x.md", "00000003", 3_000_000, 4_000_000, "X", "The body.\n")
    codex = tmp_path / "MEMORY.md"
    codex.write_text("# Task Group: t\nscope: x\n\n## Task 1: y\n\n### keywords\n\n- none\n\n## User preferences\n\n- Use tabs [Task 1]\n")
    return [
        ("jsonl", tmp_path / "lines.jsonl"),
        ("mcp-memory", tmp_path / "graph.jsonl"),
        ("vault", docs),
        ("basic-memory", docs),
        ("remember", other.store),
        ("codex", codex),
    ]


@pytest.mark.parametrize("number", range(6))
def test_dry_run_says_what_the_run_does_undo_takes_it_back_and_a_second_run_adds_nothing(desk: Desk, tmp_path: Path, number: int) -> None:
    format_name, source = samples(tmp_path)[number]
    desk.put_facts(("ffffffff", 1_000, "What was there."))
    folder = source if source.is_dir() else source.parent
    source_before, home_before, store_before = snapshot(folder), snapshot(desk.home), snapshot(desk.store)
    planned = desk.bring(format_name, source, dry_run=True)
    assert {path for path in snapshot(desk.home) if not path.startswith(".cache")} == set(home_before)
    done = desk.bring(format_name, source)
    assert [outcome._replace(id=None) for outcome in done.outcomes] == list(planned.outcomes)
    assert planned.recovery_id is None and done.recovery_id is not None
    assert done.count("imported") > 0
    again = desk.bring(format_name, source)
    assert again.count("imported") == 0 and again.recovery_id is None
    assert again.count("duplicate") == done.count("imported") + done.count("duplicate")
    assert (again.count("refused"), again.count("skipped")) == (done.count("refused"), done.count("skipped"))
    undone = desk_memory(desk).undo()
    assert undone.recovery_id == done.recovery_id
    assert snapshot(desk.store) == store_before
    assert snapshot(folder) == source_before


def desk_memory(desk: Desk):  # type: ignore[no-untyped-def]
    from remember.memory import Memory

    return Memory(desk.around())


def test_broken_items_are_named_and_the_rest_comes_in(desk: Desk, tmp_path: Path) -> None:
    found = {name: ends(desk.bring(name, path, dry_run=True)) for name, path in samples(tmp_path)}
    assert found["jsonl"] == [
        ("imported", "lines.jsonl:1"),
        ("duplicate", "lines.jsonl:2"),
        ("refused", "lines.jsonl:3"),
        ("imported", "lines.jsonl:4"),
        ("skipped", "lines.jsonl:5"),
        ("refused", "lines.jsonl:6"),
    ]
    assert found["mcp-memory"][-2:] == [("refused", "graph.jsonl:6"), ("skipped", "graph.jsonl:7")]
    assert found["vault"] == [
        ("imported", "a.md"),
        ("imported", "b/a.md"),
        ("duplicate", "c.md"),
        ("skipped", "empty.md"),
        ("refused", "latin.md:1"),
    ]


def test_the_reference_servers_own_file_becomes_notes_with_tags_and_links(desk: Desk) -> None:
    desk.bring("mcp-memory", GRAPH)
    lines = {line["description"]: line for line in desk.lines()}
    assert lines["Ana"]["body"] == "- likes pnpm\n- Prefers short commit messages, says why.\n- maintains [[remember]]\n\n#person\n"
    assert lines["tv-server"]["tags"] == ["server"]
    memory = desk_memory(desk)
    links = memory.links(lines["Ana"]["id"]).links
    assert [(target, [memo.description for memo in memos]) for target, memos in links] == [("remember", ["remember"])]


def test_a_secret_is_kept_out_item_by_item_and_never_repeated(remember: Console) -> None:
    remember("init")
    vault(remember.work / "docs", a="# Fine\n\nText.\n", b=f"---\ntitle: B\n---\n\nkey\n\ntoken {TOKEN} here\n", c=f"# {TOKEN}\n\nText\n")
    done = remember.raw("import", "vault", "docs", "--json")
    assert done.returncode == 1
    assert TOKEN.encode() not in done.stdout + done.stderr
    document = json.loads(done.stdout)
    jsonschema.validate(document, json.loads((TREE / "schema" / "import.schema.json").read_text()))
    assert document["counts"] == {"imported": 1, "facts": 0, "notes": 1, "duplicates": 0, "refused": 2, "skipped": 0}
    assert [item["reason"] for item in document["items"]] == [
        "",
        "line 7 looks like a GitHub token",
        "the description looks like a GitHub token",
    ]
    shown = remember.raw("import", "vault", "docs")
    assert shown.returncode == 1
    assert TOKEN.encode() not in shown.stdout + shown.stderr
    assert TOKEN not in "".join(path.read_text() for path in (remember.store).rglob("*") if path.is_file())
    assert remember.json("import", "vault", "docs", "--allow-secret")["counts"]["imported"] == 2


@pytest.mark.parametrize("format_name", ["vault", "jsonl", "mcp-memory"])
def test_a_secret_is_found_wherever_it_stands_and_never_printed(remember: Console, format_name: str) -> None:
    remember("init")
    docs = remember.work / "docs"
    if format_name == "vault":
        vault(docs, **{TOKEN: "---\ntitle: A\n---\nText\n", "b": f"---\ntags: [{TOKEN}]\n---\n# B\n\nText\n", "c": f"# C\n\n{TOKEN}\n"})
    elif format_name == "jsonl":
        lines = [{"text": TOKEN}, {"text": "x", "tags": [TOKEN]}, {"description": "d", "body": "b", "path": f"notes/{TOKEN}.md"}]
        docs.write_text("".join(json.dumps(line) + "\n" for line in lines))
    else:
        entities = [{"name": TOKEN}, {"name": "A", "entityType": TOKEN}, {"name": "B", "observations": [TOKEN]}]
        docs.write_text("".join(json.dumps({"type": "entity", **line}) + "\n" for line in entities))
    for more in ([], ["--dry-run"], ["--json"]):
        done = remember.raw("import", format_name, "docs", *more)
        assert done.returncode == 1
        assert TOKEN.encode() not in done.stdout + done.stderr
    assert remember.json("list")["memos"] == []
    assert not any(TOKEN.lower().replace("_", "-") in str(path).lower() for path in remember.store.rglob("*"))


def test_dates_are_kept_those_of_the_header_first(desk: Desk, tmp_path: Path) -> None:
    docs = vault(tmp_path / "docs", a="---\ncreated: 2024-03-01T10:00:00Z\nupdated: 2025-03-01T10:00:00Z\n---\nText A\n", b="Text B\n")
    os.utime(docs / "b.md", (1_700_000_000, 1_700_000_000))
    desk.bring("vault", docs)
    dates = {line["description"]: (line["created"], line["modified"]) for line in desk.lines()}
    assert dates == {
        "a": ("2024-03-01T10:00:00.000Z", "2025-03-01T10:00:00.000Z"),
        "b": ("2023-11-14T22:13:20.000Z", "2023-11-14T22:13:20.000Z"),
    }
    assert [line["path"] for line in desk.lines()] == ["notes/2023-11-14-b.md", "notes/2024-03-01-a.md"]


def test_tags_of_a_header_are_written_into_the_text_once(desk: Desk, tmp_path: Path) -> None:
    docs = vault(tmp_path / "docs", a='---\ntags: [home lab, "#infra", 2024, work/client]\n---\n# A\n\nText with #infra.\n')
    desk.bring("vault", docs)
    (line,) = desk.lines()
    assert line["body"] == "# A\n\nText with #infra.\n\n#home-lab 2024 #work/client\n"
    assert line["tags"] == ["infra", "home-lab", "work/client"]


def test_two_files_of_one_title_are_two_memos_and_a_changed_file_is_named(desk: Desk, tmp_path: Path) -> None:
    docs = vault(tmp_path / "docs", linux__ls="# ls\n\nlinux\n", osx__ls="# ls\n\nosx\n")
    desk.bring("vault", docs)
    assert sorted(line["description"] for line in desk.lines()) == ["ls", "ls (osx/ls.md)"]
    (docs / "linux" / "ls.md").write_text("# ls\n\nchanged\n")
    result = desk.bring("vault", docs)
    ours = next(line["id"] for line in desk.lines() if line["description"] == "ls")
    assert [outcome.outcome for outcome in result.outcomes] == ["refused", "duplicate"]
    assert result.outcomes[0].reason == f"{ours} has this description with other content; `remember update {ours}` changes it"


def test_links_follow_the_memos_to_their_new_names(desk: Desk, tmp_path: Path) -> None:
    docs = vault(
        tmp_path / "docs",
        People__Bob_Smith="---\ntitle: Robert\naliases: [Bobby]\n---\nBob.\n",
        log="# Log\n\n[[People/Bob_Smith]] and [[bobby|him]], [[Robert]], ![[Bob_Smith#Born]]; `[[bobby]]`, [[nobody]]\n\n"
        "| a |\n|---|\n| [[bobby]] |\n\n[file](People/Bob_Smith.md) [web](https://x.org/a.md)\n",
    )
    os.utime(docs / "People" / "Bob_Smith.md", (1_700_000_000, 1_700_000_000))
    desk.bring("vault", docs)
    log = next(line for line in desk.lines() if line["description"] == "Log")
    assert log["body"] == (
        "# Log\n\n[[bob-smith|People/Bob_Smith]] and [[bob-smith|him]], [[Robert]], ![[bob-smith#Born|Bob_Smith#Born]];"
        " `[[bobby]]`, [[nobody]]\n\n"
        "| a |\n|---|\n| [[bob-smith\\|bobby]] |\n\n[file](2023-11-14-bob-smith.md) [web](https://x.org/a.md)\n"
    )
    found = desk_memory(desk).links(log["id"]).links
    assert [(target, [memo.description for memo in memos]) for target, memos in found] == [
        ("bob-smith", ["Robert"]),
        ("Robert", ["Robert"]),
        ("nobody", []),
    ]
    assert desk.bring("vault", docs).count("duplicate") == 2


def test_a_fact_that_is_too_long_becomes_a_note(desk: Desk, tmp_path: Path) -> None:
    long = "word " * 80
    (tmp_path / "x.jsonl").write_text(json.dumps({"kind": "fact", "text": long}) + "\n")
    result = desk.bring("jsonl", tmp_path / "x.jsonl")
    (line,) = desk.lines()
    assert result.outcomes[0].kind == line["kind"] == "note"
    assert line["body"] == long.strip() + "\n"
    assert len(line["description"]) <= 121
    assert desk.bring("jsonl", tmp_path / "x.jsonl").count("duplicate") == 1


def test_an_id_of_the_other_scope_is_not_given_again(desk: Desk, tmp_path: Path) -> None:
    desk.put_facts(("a1b2c3d4", 1_000, "Local knowledge."))
    desk.give("jsonl", tmp_path / "out.jsonl")
    result = desk.bring("jsonl", tmp_path / "out.jsonl", "global")
    (outcome,) = result.outcomes
    assert outcome.outcome == "imported" and outcome.id != "a1b2c3d4"
    assert desk.bring("jsonl", tmp_path / "out.jsonl", "global").outcomes[0].outcome == "duplicate"
    assert desk_memory(desk).show("a1b2c3d4").memo.scope == "local"


def test_a_memo_that_was_changed_since_is_not_brought_back_beside_itself(desk: Desk, tmp_path: Path) -> None:
    desk.put_facts(("a1b2c3d4", 1_000, "The old text."))
    desk.give("jsonl", tmp_path / "out.jsonl")
    desk_memory(desk).update("a1b2c3d4", "The new text.")
    (outcome,) = desk.bring("jsonl", tmp_path / "out.jsonl").outcomes
    assert (outcome.outcome, "a1b2c3d4" in outcome.reason) == ("refused", True)
    assert [line["text"] for line in desk.lines()] == ["The new text."]


def test_a_dry_run_makes_no_global_store(desk: Desk) -> None:
    assert desk.bring("mcp-memory", GRAPH, "global", dry_run=True).count("imported") == 3
    assert not (desk.home / ".pi").exists()
    assert desk.bring("mcp-memory", GRAPH, "global").count("imported") == 3
    assert (desk.home / ".pi" / "agent" / "memory" / "MEMORY.md").exists()


def test_what_leads_out_of_the_source_is_not_read(desk: Desk, tmp_path: Path) -> None:
    docs = vault(tmp_path / "docs", a="# A\n\nText.\n")
    (tmp_path / "secret.md").write_text("# Elsewhere\n\nnot yours\n")
    (docs / "link.md").symlink_to(tmp_path / "secret.md")
    (docs / "folder").symlink_to(tmp_path)
    os.mkfifo(docs / "pipe.md")
    assert ends(desk.bring("vault", docs)) == [("imported", "a.md")]


@pytest.mark.parametrize(
    ("format_name", "path", "error"),
    [
        ("vault", "nowhere", NotFound),
        ("jsonl", "nowhere.jsonl", NotFound),
        ("vault", "file.jsonl", RefusedInput),
        ("jsonl", "folder", RefusedInput),
        ("jsonl", "pipe", RefusedInput),
        ("word", "file.jsonl", RefusedInput),
        ("remember", "work/.pi/memory", RefusedInput),
    ],
)
def test_a_source_of_another_kind_is_refused(desk: Desk, format_name: str, path: str, error: type[Exception]) -> None:
    (desk.home / "file.jsonl").write_text("{}\n")
    (desk.home / "folder").mkdir()
    os.mkfifo(desk.home / "pipe")
    with pytest.raises(error):
        desk.bring(format_name, desk.home / path)


def test_a_source_that_is_refused_makes_no_store(desk: Desk) -> None:
    with pytest.raises(NotFound):
        desk.bring("jsonl", desk.home / "nowhere.jsonl", "global")
    assert not (desk.home / ".pi").exists()


def test_a_store_of_a_newer_format_is_not_guessed_at(desk: Desk, tmp_path: Path) -> None:
    other = Desk(tmp_path / "other")
    other.put_facts(("a0000001", 1_000, "A fact."))
    (other.store / "pi-remember.json").write_text('{"version": 2}\n')
    with pytest.raises(FutureFormat):
        desk.bring("remember", other.store)


def test_a_dry_run_migrates_nothing(remember: Console) -> None:
    shutil.copytree(TREE / "tests" / "fixtures" / "legacy", remember.store)
    before = snapshot(remember.store)
    remember("trust", "add")
    assert remember.json("import", "mcp-memory", str(GRAPH), "--dry-run")["counts"]["imported"] == 3
    assert snapshot(remember.store) == before


def test_what_is_too_large_is_refused_before_it_is_read(desk: Desk, tmp_path: Path) -> None:
    for name, size in (("all.jsonl", 300 << 20), ("line.jsonl", 20 << 20), ("docs/note.md", 70 << 20), ("docs/small.md", 0)):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.touch()
        os.truncate(path, size)  # a hole takes no room
    with pytest.raises(RefusedInput):
        desk.bring("jsonl", tmp_path / "all.jsonl")
    with open(tmp_path / "line.jsonl", "a") as file:
        file.write('\n{"text": "A fact after the long line."}\n')
    assert ends(desk.bring("jsonl", tmp_path / "line.jsonl")) == [("imported", "line.jsonl:2"), ("refused", "line.jsonl:1")]
    assert ends(desk.bring("vault", tmp_path / "docs")) == [("refused", "note.md"), ("skipped", "small.md")]


def test_only_a_native_store_takes_memos_in(remember: Console) -> None:
    (remember.work / "docs").mkdir()
    remember("store", "add", "docs", "docs")
    remember.error("import", "mcp-memory", str(GRAPH), "--store", "docs", expect=2)
    assert remember.error("import", "mcp-memory", str(GRAPH), expect=2)["code"] == "not_initialised"


def test_an_import_that_is_killed_can_be_undone(remember: Console) -> None:
    remember("init")
    remember("add", "What was there.")
    vault(remember.work / "docs", **{f"n{number}": f"# Note {number}\n\nBody {number}\n" for number in range(600)})
    before = snapshot(remember.store)
    process = subprocess.Popen(
        [sys.executable, "-m", "remember", "import", "vault", "docs"], cwd=remember.work, env=remember.environ, stdout=subprocess.DEVNULL
    )
    notes = remember.store / "notes"
    limit = time.monotonic() + 50
    while time.monotonic() < limit and process.poll() is None and not (notes.is_dir() and len(os.listdir(notes)) > 5):
        time.sleep(0.001)
    process.kill()
    process.wait()
    assert len([path for path in notes.iterdir() if path.suffix == ".md"]) > 0
    remember("undo", "-q")
    for left in notes.glob(".remember-*"):
        left.unlink()  # the temporary file of a killed writer, which `check` names
    assert snapshot(remember.store) == before
