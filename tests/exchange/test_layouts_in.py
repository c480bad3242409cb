"""Directories of other programs, imported through their layouts: what lies in them comes in, and they stay as they are."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from console import TREE
from desk import Desk, snapshot

from remember.exchange.places import harness_name

BASIC = TREE / "tests" / "fixtures" / "exchange" / "basic-memory"


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path / "home")


def twice(desk: Desk, format_name: str, source: Path) -> list[dict[str, object]]:
    """The store after an import, which a second one leaves as it is; the source's bytes stay."""
    folder = source if source.is_dir() else source.parent
    before = snapshot(folder)
    done = desk.bring(format_name, source)
    assert done.count("refused") == 0
    after = snapshot(desk.store)
    again = desk.bring(format_name, source)
    assert {outcome.outcome for outcome in again.outcomes} <= {"duplicate", "skipped"}
    assert snapshot(desk.store) == after
    assert snapshot(folder) == before
    return desk.lines()


def test_what_basic_memory_wrote_itself(desk: Desk) -> None:
    lines = {line["description"]: line for line in twice(desk, "basic-memory", BASIC)}
    assert sorted(lines) == ["Ana Smith", "Package manager", "Repo One"]
    assert lines["Package manager"]["tags"] == ["tooling", "home-lab"]
    assert "- [preference] Uses pnpm #tooling (since 2025)\n" in str(lines["Package manager"]["body"])
    assert '- "works with" [[repo-one|Repo]] (team)\n' in str(lines["Package manager"]["body"])
    assert "[[Package manager]] and [[package-manager|work/people/package-manager]]" in str(lines["Ana Smith"]["body"])
    from remember.memory import Memory

    for name, targets in (("Package manager", {"Ana Smith", "Repo One"}), ("Ana Smith", {"Package manager"})):
        links = Memory(desk.around()).links(str(lines[name]["id"])).links
        assert {memo.description for _, memos in links for memo in memos} == targets
        assert all(memos for _, memos in links)


def test_claude_codes_directory(desk: Desk, tmp_path: Path) -> None:
    topics = tmp_path / "memory"
    (topics / "deep").mkdir(parents=True)
    (topics / "MEMORY.md").write_text("- [Pkg](pkg.md) — use pnpm\n- [Node](deep/node.md) — 22\n\nAsk before you push.\n")
    (topics / "pkg.md").write_text(
        "---\nname: package-manager\ndescription: Which package manager this repo uses\nmetadata:\n  type: project\n---\n"
        "Use pnpm. See [[node-version]].\n"
    )
    (topics / "deep" / "node.md").write_text("---\nname: node-version\ndescription: Node version\ntype: user\n---\nNode 22.\n")
    os.utime(topics / "pkg.md", (1_700_000_000, 1_700_000_000))
    lines = {line["description"]: line for line in twice(desk, "zcode", topics)}
    assert sorted(lines) == ["Node version", "Text of MEMORY.md", "Which package manager this repo uses"]
    package = lines["Which package manager this repo uses"]
    assert package["body"] == "Use pnpm. See [[node|node-version]].\n\n#project\n"
    assert (package["created"], package["path"]) == ("2023-11-14T22:13:20.000Z", "notes/2023-11-14-pkg.md")
    assert lines["Text of MEMORY.md"]["body"] == "Ask before you push.\n"
    assert lines["Node version"]["tags"] == ["user"]


def test_bullets(desk: Desk, tmp_path: Path) -> None:
    folder = tmp_path / "pi"
    folder.mkdir()
    (folder / "other.md").write_text("- Not of this store.\n")
    (folder / "memory.md").write_text("# Memory\n\n- Use the workspace's own environment. #python\n- Backups at 3 am\n")
    os.utime(folder / "memory.md", (1_700_000_000, 1_700_000_000))
    lines = twice(desk, "bullets", folder / "memory.md")
    facts = [line for line in lines if line["kind"] == "fact"]
    assert [line["text"] for line in facts] == ["Use the workspace's own environment. #python", "Backups at 3 am"]
    assert {line["created"] for line in facts} == {"2023-11-14T22:13:20.000Z"}


def test_the_harness_with_its_public_half(desk: Desk, tmp_path: Path) -> None:
    private = tmp_path / "agent" / harness_name(str(desk.work))
    private.mkdir(parents=True)
    (private / "deploy.md").write_text("# Deploy\n\nThe private text.\n")
    (desk.work / ".memory").mkdir()
    (desk.work / ".memory" / "deploy.md").write_text("# Deploy\n\nThe public text.\n")
    (desk.work / ".memory" / "style.md").write_text("# Style\n\nTabs.\n")
    lines = {line["description"]: line for line in twice(desk, "harness", private)}
    assert {name: line["body"] for name, line in lines.items()} == {
        "Deploy": "# Deploy\n\nThe private text.\n",
        "Style": "# Style\n\nTabs.\n",
    }


def test_prose_of_a_native_store_is_not_lost(desk: Desk, tmp_path: Path) -> None:
    other = Desk(tmp_path / "other")
    with open(other.store / "MEMORY.md", "a") as file:
        file.write("# Heading\n\nProse in\ntwo lines.\n\n")
    other.put_facts(("a0000001", 1_000, "A fact."))
    (other.store / "daily").mkdir()
    (other.store / "daily" / "monday.md").write_text("# Monday\n\nWent well.\n")
    lines = twice(desk, "remember", other.store)
    assert [(line["kind"], line.get("text") or line.get("description")) for line in lines] == [
        ("fact", "A fact."),
        ("note", "Text of MEMORY.md"),
        ("note", "Monday"),
    ]
    assert lines[1]["body"] == "# Heading\n\nProse in\ntwo lines.\n"
