"""Discovery finds other programs' memory by their own path rules, offers it, and takes nothing by itself."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from console import Console

from remember.exchange.agents import Found, find_memories, workspace
from remember.exchange.places import claude_slug, harness_name, zcode_name

TOPIC = "---\nname: pkg\ndescription: Package manager\nmetadata:\n  type: project\n---\nUse pnpm.\n"


class Place:
    """A user's home and one workspace in it."""

    def __init__(self, top: Path) -> None:
        self.home = top.resolve()
        self.root = self.home / "src" / "My Proj (v2)"
        self.root.mkdir(parents=True)
        self.environ: dict[str, str] = {}

    def find(self, here: Path | None = None) -> list[Found]:
        return list(find_memories(workspace(str(here or self.root), str(self.root), str(self.home), self.environ)))

    def one(self, **more: Path) -> Found:
        (found,) = self.find(**more)
        return found

    def topics(self, folder: Path) -> Path:
        folder.mkdir(parents=True)
        (folder / "MEMORY.md").write_text("- [Pkg](pkg.md) — use pnpm\n")
        (folder / "pkg.md").write_text(TOPIC)
        return folder

    def write(self, path: Path, value: object) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(value))


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def git(folder: Path, *words: str) -> None:
    environ = {"PATH": os.environ["PATH"], "HOME": str(folder), "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.org"}
    environ |= {"GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@example.org"}
    subprocess.run(["git", *words], cwd=folder, env=environ, check=True, capture_output=True)


def test_nothing_is_found_where_there_is_nothing(place: Place) -> None:
    assert place.find() == []
    assert sorted(path.name for path in place.home.rglob("*")) == ["My Proj (v2)", "src"]


def test_claude_codes_folder_is_that_of_the_main_working_tree(place: Place, tmp_path: Path) -> None:
    git(place.root, "init", "-q")
    git(place.root, "commit", "-q", "--allow-empty", "-m", "x")
    git(place.root, "worktree", "add", "-q", str(place.home / "linked"))
    memory = place.topics(place.home / ".claude" / "projects" / claude_slug(str(place.root)) / "memory")
    found = place.one()
    assert (found.agent, found.path, found.layout, found.name) == ("Claude Code", str(memory), "zcode", "claude-My-Proj--v2")
    below = place.root / "deep"
    below.mkdir()
    for here in (below, place.home / "linked"):
        (found,) = find_memories(workspace(str(here), str(here), str(place.home), {}))
        assert found.path == str(memory)


def test_claude_codes_overrides(place: Place) -> None:
    place.topics(place.home / ".claude" / "projects" / claude_slug(str(place.root)) / "memory")
    exact, chosen, other = (place.topics(place.home / name) for name in ("exact", "chosen", "other"))
    place.write(place.home / ".claude" / "settings.json", {"autoMemoryDirectory": "~/chosen"})
    assert (place.one().path, place.one().vouched) == (str(chosen), True)
    place.write(place.root / ".claude" / "settings.json", {"autoMemoryDirectory": "relative/is/ignored"})
    assert place.one().path == str(chosen)
    place.write(place.root / ".claude" / "settings.json", {"autoMemoryDirectory": str(other)})
    assert (place.one().path, place.one().vouched) == (str(other), False)
    place.environ["CLAUDE_COWORK_MEMORY_PATH_OVERRIDE"] = str(exact)
    assert place.one().path == str(exact)
    place.environ = {"CLAUDE_CONFIG_DIR": str(place.home / "elsewhere")}
    (place.root / ".claude" / "settings.json").unlink()
    assert place.find() == []
    moved = place.topics(place.home / "elsewhere" / "projects" / claude_slug(str(place.root)) / "memory")
    assert place.one().path == str(moved)


def test_a_folder_name_that_stands_for_two_workspaces_is_said_to(place: Place) -> None:
    folder = place.home / ".claude" / "projects" / claude_slug(str(place.root))
    place.topics(folder / "memory")
    (folder / "one.jsonl").write_text('{"type":"summary"}\n' + json.dumps({"type": "user", "cwd": str(place.root)}) + "\n")
    assert place.one().vouched
    twin = str(place.root).replace(" ", "_")
    (folder / "two.jsonl").write_text("no json\n" + json.dumps({"type": "user", "cwd": twin}) + "\n")
    assert not place.one().vouched
    assert twin in place.one().warnings[0]


def test_zcodes_folder_by_its_hash_then_by_its_slug(place: Place) -> None:
    projects = place.home / ".zcode" / "cli" / "memories" / "projects"
    name = zcode_name(str(place.root))
    odd = place.topics(projects / f"my--proj-{name[-16:]}" / "memory")
    assert (place.one().path, place.one().warnings) == (str(odd), ())
    odd.parent.rename(projects / ("my-proj-v2-" + "0" * 16))
    found = place.one()
    assert (found.vouched, name in found.warnings[0]) == (False, True)
    place.topics(projects / ("my-proj-v2-" + "1" * 16) / "memory")
    assert place.find() == []  # two that may be meant are none
    chosen = place.topics(place.home / "chosen")
    place.write(place.home / ".pi" / "agent" / "extensions" / "zcode-memory.json", {"dir": str(chosen)})
    assert (place.one().path, place.one().vouched) == (str(chosen), True)
    place.write(place.root / ".pi" / "zcode-memory.json", {"dir": str(projects / ("my-proj-v2-" + "1" * 16) / "memory")})
    assert not place.one().vouched


def test_the_memory_tools_of_pi(place: Place) -> None:
    git(place.root, "init", "-q")
    (place.root / ".pi").mkdir()
    (place.root / ".pi" / "memory.md").write_text("- A note\n")
    agent = place.home / "agent"
    private = agent / "memory" / harness_name(str(place.root))
    private.mkdir(parents=True)
    (agent / "memory.md").write_text("- A note\n")
    assert [(one.layout, one.path) for one in place.find()] == [("bullets", str(place.root / ".pi" / "memory.md"))]
    place.environ["PI_CODING_AGENT_DIR"] = str(agent)
    assert [(one.layout, one.path, one.vouched) for one in place.find()] == [
        ("bullets", str(place.root / ".pi" / "memory.md"), False),
        ("bullets", str(agent / "memory.md"), True),
        ("harness", str(private), True),
    ]
    private.rmdir()
    (place.root / ".memory").mkdir()
    assert (place.find()[-1].path, place.find()[-1].vouched) == (str(place.root / ".memory"), False)


def test_a_trusted_workspace_may_say_where_its_memory_is(place: Place) -> None:
    (place.root / ".memory").mkdir()
    place.write(place.root / ".claude" / "settings.json", {"autoMemoryDirectory": str(place.topics(place.home / "other"))})
    for trusted in (False, True):
        found = find_memories(workspace(str(place.root), str(place.root), str(place.home), {}, trusted))
        assert [one.vouched for one in found] == [trusted, trusted]
        assert [any("not trusted" in warning for warning in one.warnings) for one in found] == [not trusted, not trusted]


def test_a_store_of_ours_that_another_program_shares_is_not_found_again(place: Place) -> None:
    ours = place.home / "ours"
    ours.mkdir()
    place.write(place.home / ".claude" / "settings.json", {"autoMemoryDirectory": str(ours)})
    assert place.one().path == str(ours)
    (ours / "pi-remember.json").write_text('{"version": 1}\n')
    assert place.find() == []


def test_basic_memorys_projects(place: Place) -> None:
    (place.home / "notes").mkdir()
    config = place.home / ".basic-memory" / "config.json"
    place.write(config, {"projects": {"main": {"path": str(place.home / "notes"), "mode": "local"}, "gone": {"path": "/nowhere"}}})
    assert [(one.name, one.layout, one.format) for one in place.find()] == [("basic-main", "vault", "basic-memory")]
    place.write(config, {"projects": {"old form": str(place.home / "notes")}})
    assert place.one().name == "basic-old-form"
    place.environ["BASIC_MEMORY_CONFIG_DIR"] = str(place.home / "none")
    assert place.find() == []


def test_the_memory_servers_file_and_codex_are_only_imported(place: Place) -> None:
    for name in ("a.jsonl", "b.jsonl", "c.jsonl"):
        (place.home / name).write_text("{}\n")
    (place.home / ".codex" / "memories").mkdir(parents=True)
    (place.home / ".codex" / "memories" / "MEMORY.md").write_text("# Task Group: x\n")
    server = {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-memory"]}
    place.environ["MEMORY_FILE_PATH"] = str(place.home / "a.jsonl")
    place.write(place.root / ".mcp.json", {"mcpServers": {"m": {**server, "env": {"MEMORY_FILE_PATH": str(place.home / "b.jsonl")}}}})
    own = {"mcpServers": {"m": {**server, "env": {"MEMORY_FILE_PATH": str(place.home / "c.jsonl")}}, "n": server}}
    place.write(place.home / ".claude.json", {"projects": {str(place.root): own, "/other": own}})
    assert [(one.format, os.path.basename(one.path), one.layout, one.vouched) for one in place.find()] == [
        ("mcp-memory", "a.jsonl", "", True),
        ("mcp-memory", "b.jsonl", "", False),
        ("mcp-memory", "c.jsonl", "", True),
        ("codex", "MEMORY.md", "", True),
    ]


@pytest.mark.parametrize("text", ["", "[]", "{", '{"projects": []}', '{"projects": {"a": 1}}', '{"mcpServers": {"a": []}}', "[" * 100_000])
def test_settings_that_are_not_as_they_should_be_find_nothing(place: Place, text: str) -> None:
    files = (
        ".claude/settings.json",
        ".claude.json",
        ".basic-memory/config.json",
        ".pi/agent/mcp.json",
        ".pi/agent/extensions/zcode-memory.json",
    )
    for name in files:
        (place.home / name).parent.mkdir(parents=True, exist_ok=True)
        (place.home / name).write_text(text)
    os.mkfifo(place.root / ".mcp.json")
    assert place.find() == []


def test_the_command_offers_and_registers_only_when_told_to(remember: Console) -> None:
    memory = Place(remember.home / "unused").topics(remember.home / ".claude" / "projects" / claude_slug(str(remember.work)) / "memory")
    (remember.work / ".memory").mkdir()
    before = {path.name: path.read_bytes() for path in memory.iterdir()}
    told = remember("store", "discover")
    assert f"remember store add claude-work {memory} --layout zcode" in told
    assert remember.json("store", "list")["stores"] == []
    remember("store", "discover", "--register")
    (store,) = remember.json("store", "list")["stores"]
    assert (store["name"], store["path"], store["layout"]) == ("claude-work", str(memory), "zcode")
    assert "registered as claude-work" in remember("store", "discover", "--register")
    assert remember.json("search", "--store", "claude-work", "pnpm")["total"] >= 1
    assert {path.name: path.read_bytes() for path in memory.iterdir()} == before


def test_the_line_that_is_printed_does_it(remember: Console) -> None:
    source = remember.home / ".codex" / "memories" / "MEMORY.md"
    source.parent.mkdir(parents=True)
    source.write_text("# Task Group: x\n\n## Reusable knowledge\n\n- The proxy restarts at 4 am [Task 2]\n")
    remember("init")
    (found,) = remember.json("store", "discover")["found"]
    assert remember(*found["command"].split()[1:]).splitlines()[0] == "+ The proxy restarts at 4 am  MEMORY.md"
    assert remember("store", "discover", "--root", str(remember.home / "elsewhere"), expect=2) == ""


def test_a_name_that_is_taken_by_another_store_gets_a_number(remember: Console) -> None:
    Place(remember.home / "unused").topics(remember.home / ".claude" / "projects" / claude_slug(str(remember.work)) / "memory")
    (remember.home / "docs").mkdir()
    remember("store", "add", "claude-work", str(remember.home / "docs"))
    (found,) = remember.json("store", "discover")["found"]
    assert found["name"] == "claude-work-2"


def test_workspaces_whose_paths_are_alike_share_no_memory(remember: Console) -> None:
    pairs = [("t/a-b", "t/a/b"), ("t/my_x", "t/my-x")]
    for names in pairs:
        folders = [remember.home / name for name in names]
        for folder in folders:
            folder.mkdir(parents=True)
            remember("init", cwd=folder)
            remember("add", f"Known in {folder}.", cwd=folder)
        for folder in folders:
            assert [memo["text"] for memo in remember.json("list", cwd=folder)["memos"]] == [f"Known in {folder}."]
        assert len({remember.json("status", "--scope", "local", cwd=folder)["stores"][0]["path"] for folder in folders}) == 2
