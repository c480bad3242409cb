"""Exports as their readers see them: nothing is overwritten, what a format cannot hold is named, and the files are whole."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from console import Console
from desk import Desk, snapshot

from remember.errors import NotFound, PathTaken, RefusedInput, UnsafePath
from remember.exchange.exporting import EXPORTS
from remember.exchange.texts import as_markdown
from remember.exchange.topics import index_text

NOTE = "# Heading\n\nSee [[x]].\n\n```\n# code\n```\n"


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    desk = Desk(tmp_path / "home")
    desk.put_facts(("a0000001", 1_700_000_000_000, "#feedback Ask before you push."), ("a0000002", 1_600_000_000_000, "Backups at 3 am."))
    desk.put_note("notes/2026-01-01-tv-server.md", "b0000001", 1_700_000_000_000, 1_800_000_000_000, "TV server", NOTE)
    desk.put_note("notes/2026-01-02-short.md", "b0000002", 1_700_000_000_000, 1_700_000_000_000, "Router", "It is at 10.0.0.1\n")
    return desk


@pytest.mark.parametrize("format_name", EXPORTS)
def test_what_is_there_is_not_overwritten(desk: Desk, tmp_path: Path, format_name: str) -> None:
    path = tmp_path / "out"
    desk.give(format_name, path)
    before = snapshot(tmp_path)
    with pytest.raises(PathTaken) as caught:
        desk.give(format_name, path)
    assert "--force" in caught.value.hint
    assert snapshot(tmp_path) == before
    desk.give(format_name, path, force=True)
    assert snapshot(tmp_path) == before
    assert [name for name in os.listdir(tmp_path) if name.startswith(".remember-")] == []


@pytest.mark.parametrize("format_name", EXPORTS)
def test_a_place_that_cannot_be_is_refused(desk: Desk, tmp_path: Path, format_name: str) -> None:
    with pytest.raises(NotFound):
        desk.give(format_name, tmp_path / "no" / "such")
    (tmp_path / "file").write_text("x")
    with pytest.raises(PathTaken):
        desk.give(format_name, tmp_path / "file")
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    with pytest.raises(PathTaken):
        desk.give(format_name, tmp_path / "link")
    assert not (tmp_path / "nowhere").exists()


def test_formats_and_places_that_do_not_fit(desk: Desk) -> None:
    with pytest.raises(RefusedInput):
        desk.give("word", "-")
    with pytest.raises(RefusedInput):
        desk.give("zcode", "-")


def test_an_export_is_for_the_user_alone(desk: Desk, tmp_path: Path) -> None:
    desk.give("jsonl", tmp_path / "out.jsonl")
    desk.give("zcode", tmp_path / "topics")
    assert stat.S_IMODE((tmp_path / "out.jsonl").stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "topics").stat().st_mode) == 0o700


def test_bullets_hold_a_line_a_memo_and_name_the_rest(desk: Desk) -> None:
    result = desk.give("bullets")
    assert result.text == "- #feedback Ask before you push.\n- Backups at 3 am.\n- TV server\n- Router: It is at 10.0.0.1\n"
    assert [(lost.memo.id, lost.reason) for lost in result.lost] == [
        ("b0000001", "its body takes several lines; only the description is there")
    ]


def test_markdown_keeps_headings_of_bodies_inside_their_section_and_code_as_it_is(desk: Desk) -> None:
    text = desk.give("markdown").text
    assert "## TV server\n\n*created 2023-11-14, changed 2027-01-15*\n\n### Heading\n" in text
    assert "```\n# code\n```" in text
    assert [line for line in text.split("\n") if line.startswith("# ")] == ["# Memory (local)", "# code"]
    assert as_markdown([]) == ("", [])


def test_topics_are_what_claude_code_and_zcode_read(desk: Desk, tmp_path: Path) -> None:
    topics = tmp_path / "topics"
    desk.give("zcode", topics)
    assert (topics / "MEMORY.md").read_text().split("\n") == [
        "- [TV server](tv-server.md) — Heading",
        "- [Feedback ask before you push](feedback-ask-before-you-push.md) — #feedback Ask before you push.",
        "- [Router](short.md) — It is at 10.0.0.1",
        "- [Backups at 3 am](backups-at-3-am.md) — Backups at 3 am.",
        "",
    ]
    assert (topics / "tv-server.md").read_text() == (
        f'---\nname: tv-server\ndescription: "TV server"\nmetadata:\n  node_type: memory\n  type: project\n---\n{NOTE}'
    )
    assert "type: feedback\n" in (topics / "feedback-ask-before-you-push.md").read_text()
    assert (topics / "tv-server.md").stat().st_mtime == 1_800_000_000


def test_topics_are_a_store_without_a_finding_and_come_back(remember: Console) -> None:
    remember("init")
    remember("add", "-", stdin='true\n"Quoted: yes" # and a hash\n[brackets](x.md)\n日本語のメモ\n123\n')
    remember("note", "A: B", "--body", "- a\n---\nb\n")
    remember("export", "zcode", "topics")
    remember("list", "--store", "./topics")
    assert remember.json("check", "--store", "./topics")["findings"] == []
    listed = {memo["description"] for memo in remember.json("list", "--store", "./topics")["memos"]}
    assert listed == {"true", '"Quoted: yes" # and a hash', "[brackets](x.md)", "日本語のメモ", "123", "A: B"}


def test_force_puts_files_beside_those_that_are_there(desk: Desk, tmp_path: Path) -> None:
    topics = tmp_path / "topics"
    topics.mkdir()
    (topics / "MEMORY.md").write_text("- [Own](own.md) — mine\nText.\n- [Old](tv-server.md) — old\n")
    (topics / "own.md").write_text("mine\n")
    with pytest.raises(PathTaken):
        desk.give("zcode", topics)
    desk.give("zcode", topics, force=True)
    lines = (topics / "MEMORY.md").read_text().split("\n")
    assert lines[:3] == ["- [Own](own.md) — mine", "Text.", "- [TV server](tv-server.md) — Heading"]
    assert (topics / "own.md").read_text() == "mine\n"
    (topics / "tv-server.md").unlink()
    (topics / "tv-server.md").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UnsafePath):
        desk.give("zcode", topics, force=True)
    assert not (tmp_path / "elsewhere").exists()
    assert index_text("", []) == ""


def test_an_index_that_is_longer_than_its_readers_read_is_said_to_be(desk: Desk, tmp_path: Path) -> None:
    desk.put_facts(*((f"c{number:07x}", 1_500_000_000_000 + number, f"Fact number {number}.") for number in range(200)))
    (warning,) = desk.give("zcode", tmp_path / "topics").warnings
    assert "204 lines" in warning
    assert len(list((tmp_path / "topics").iterdir())) == 205


def test_both_scopes_are_told_apart(desk: Desk) -> None:
    desk.bring("remember", desk_of(desk, "elsewhere").store, "global")
    text = desk.give("markdown", scope="both").text
    assert text.index("# Memory (global)") < text.index("# Memory (local)")
    assert "- From elsewhere.\n" in text


def desk_of(desk: Desk, name: str) -> Desk:
    other = Desk(desk.home / name)
    other.put_facts(("d0000001", 1_000, f"From {name}."))
    return other


def test_json_needs_a_file(remember: Console) -> None:
    remember("init")
    assert remember.error("export", "jsonl", "-", expect=2)["code"] == "refused_input"
    assert remember("export", "jsonl", "-") == ""


@pytest.mark.parametrize("format_name", EXPORTS)
@pytest.mark.parametrize("place", ["MEMORY.md", "notes/new", "", "recovery/out", "new/deep/out"])
def test_no_export_is_written_into_a_store(stocked: Console, format_name: str, place: str) -> None:
    """It would change memory without a record, and no undo would bring back what stood there."""
    before = {path: path.read_bytes() for path in stocked.store.rglob("*") if path.is_file()}
    found = stocked.raw("export", format_name, str(stocked.store / place), "--force")
    assert found.returncode == 2 and b"is in the store" in found.stderr and b"outside" in found.stderr
    os.symlink(stocked.store, stocked.work / "link")
    assert stocked.raw("export", format_name, f"link/{place}", "--force").returncode == 2
    assert {path: path.read_bytes() for path in stocked.store.rglob("*") if path.is_file()} == before
