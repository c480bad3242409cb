"""Stores of other programs over MCP, through a real server: the memory tools on fact files, the one tool on bullets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from serving import Bench

Told = tuple[str, dict[str, Any], bool]
Ask = Callable[..., Told]

FACT = "---\nname: package-manager\ndescription: Which one\nmetadata:\n  type: project\n---\nUse pnpm.\n"


@pytest.fixture
def other(made: Bench) -> Bench:
    claude = made.home / "claude"
    claude.mkdir()
    (claude / "MEMORY.md").write_text("- [Package manager](package-manager.md) — pnpm\n")
    (claude / "package-manager.md").write_text(FACT)
    (made.home / "memory.md").write_text("- Uses pnpm.\n- Deploys late.\n- Uses pnpm.\n")
    made.run("store", "add", "claude", str(claude))
    made.run("store", "add", "team", str(made.home / "memory.md"))
    return made


@contextmanager
def asking(bench: Bench, *options: str, era: str = "legacy") -> Iterator[Ask]:
    """Calls of one server over both stores, each as (text, structured content, whether it is an error)."""
    with bench.talking(era, "--store", "claude", "--store", "team", *options) as call:

        def ask(name: str, **arguments: Any) -> Told:
            answer = call(name, **arguments)
            return answer.content[0].text, answer.structured_content, bool(answer.is_error)

        yield ask


def test_fact_files_are_listed_read_searched_and_written(other: Bench) -> None:
    with asking(other) as ask:
        claude = other.home / "claude"
        text, listed, _ = ask("memory_read", scope="claude")
        assert "Which one" in text and [memo["path"] for memo in listed["memos"]] == ["package-manager.md"]
        assert ask("memory_search", scope="claude", query="pnpm")[1]["total"] == 1
        assert ask("memory_read", scope="claude", id="package-manager")[1]["content"] == "Use pnpm.\n"

        def store(**more: Any) -> tuple[str, dict[str, Any], bool]:
            return ask("memory_store", scope="claude", title="Node: 22", slug="node", **{"content": "Node 22.", **more})

        _, made, failed = store(type="reference")
        assert not failed and made["path"] == "node.md" and made["warnings"] == []
        assert (claude / "node.md").read_text() == (
            '---\nname: node\ndescription: "Node: 22"\nmetadata:\n  node_type: memory\n  type: reference\n---\nNode 22.\n'
        )
        assert (claude / "MEMORY.md").read_text().splitlines()[1] == "- [Node](node.md) — Node: 22"
        text, _, failed = store()
        assert failed and text.startswith("path_taken: ") and "upsert" in text
        assert store(mode="create", type="user")[2]
        _, done, failed = store(mode="upsert", type="user", content="Node 24.")
        assert not failed and "  type: user\n---\nNode 24.\n" in (claude / "node.md").read_text()
        assert store(mode="upsert", content="... existing content ...")[0].startswith("elided: ")
        assert store(mode="upsert", type="song")[2]
        assert ask("memory_restore", scope="claude", recoveryId=done["recovery_id"])[2] is False
        assert "  type: reference\n---\nNode 22.\n" in (claude / "node.md").read_text()
        assert ask("memory_write", scope="claude", content="a fact")[0].startswith("refused_input: ")
        assert ask("memory_forget", scope="claude", id="node")[1]["recovery_ids"]
        assert not (claude / "node.md").exists() and (claude / "MEMORY.md").read_text().count("\n") == 1


@pytest.mark.parametrize("era", ["legacy", "2026-07-28"])
def test_bullets_by_exact_text(other: Bench, era: str) -> None:
    with asking(other, "--toolset", "single", era=era) as ask:
        file = other.home / "memory.md"

        def act(action: str, **more: Any) -> tuple[str, dict[str, Any], bool]:
            return ask("memory", action=action, scope="team", **more)

        assert act("list")[1]["total"] == 3
        text, document, failed = act("add", text="uses PNPM!")
        assert not failed and document["changed"] is False and document["existing"] == "Uses pnpm." and "Uses pnpm." in text
        assert act("add", text="a\x1b[31m  b\nc")[1]["changed"] is True
        assert file.read_text().endswith("- a [31m b c\n")
        assert act("add", text="x" * 501)[2] and act("add", text=" \t")[2]
        assert act("update", text="Deploys", to="x")[0].startswith("not_found: ")
        assert act("update", text="deploys late.", to="x")[0].startswith("not_found: ")
        assert act("update", text="Uses pnpm.")[0].startswith("refused_input: ")
        assert act("update", text="  Uses pnpm. ", to="Uses npm.")[1]["changed"] is True
        assert file.read_text() == "- Uses npm.\n- Deploys late.\n- Uses npm.\n- a [31m b c\n"
        assert act("update", text="Uses npm.", to="Uses npm.")[1]["changed"] is False
        assert act("forget", text="Uses")[0].startswith("not_found: ")
        assert len(act("forget", text="Uses npm.")[1]["memos"]) == 2
        assert file.read_text() == "- Deploys late.\n- a [31m b c\n"
        assert act("remove", text="x")[2]


def test_the_only_store_served_is_meant_where_the_workspace_has_none(bench: Bench) -> None:
    (bench.home / "memory.md").write_text("- one\n")
    bench.run("store", "add", "team", str(bench.home / "memory.md"))

    async def talk(client: Any) -> Any:
        await client.call_tool("memory", {"action": "add", "text": "two"})
        return await client.call_tool("memory", {"action": "list"})

    answer = bench.talk(talk, "legacy", "--store", "team", "--toolset", "single")
    assert answer.structured_content["total"] == 2
    assert (bench.home / "memory.md").read_text() == "- one\n- two\n"


def test_a_note_goes_to_no_store_of_bullets(other: Bench) -> None:
    with asking(other) as ask:
        text, _, failed = ask("memory_store", scope="team", title="x", content="y")
        assert failed and "memory_write" in text
        assert ask("memory_write", scope="team", content="z")[1]["changed"] is True
        assert (other.home / "memory.md").read_text().endswith("- z\n")
