"""Sync programs' conflict copies in a search: the main copy stands for them and says so; what only a copy says is still found."""

from __future__ import annotations

from pathlib import Path

import pytest
from console import Console

NOTE = '---\ndescription: "Router"\nmemory-id: "aaaaaaaa"\ncreated-date: "2026-01-01T00:00:00Z"\nlast-modified-date: "{}"\n---\n{}\n'
NAMES = (
    "2026-01-01-router.sync-conflict-20260102-030405-ABCDEFG.md",
    "2026-01-01-router (Ann's conflicted copy 2026-01-02).md",
    "2026-01-01-router (conflicted copy 2026-01-02 030405).md",
    "2026-01-01-router_conflict-20260102-030405.md",
    "2026-01-01-router-DESKTOP-AB12CD3.md",
    "2026-01-01-router 2.md",
    "2026-01-01-router (1).md",
)


def hits(remember: Console, *words: str) -> list[dict[str, object]]:
    found: list[dict[str, object]] = remember.json("search", *words)["hits"]
    return found


@pytest.fixture
def notes(remember: Console) -> Path:
    remember("init")
    return remember.work / ".pi" / "memory" / "notes"


def write(path: Path, body: str, day: int = 1) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(NOTE.format(f"2026-01-{day:02}T00:00:00Z", body), encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_the_main_copy_is_returned_and_flagged(remember: Console, notes: Path, name: str) -> None:
    write(notes / "2026-01-01-router.md", "The channel is 6.")
    write(notes / name, "The channel is 11. The channel of the guests is 1.", 2)
    for words in (["channel"], ["aaaaaaaa"]):
        (hit,) = hits(remember, *words)
        assert hit["path"] == "notes/2026-01-01-router.md"
        assert hit["conflict_copies"] == [f"notes/{name}"]
    text = remember("search", "channel")
    assert f"conflict copies: notes/{name}" in text.splitlines()[0]


@pytest.mark.parametrize("name", NAMES)
def test_what_only_the_copy_says_is_found_in_the_copy(remember: Console, notes: Path, name: str) -> None:
    write(notes / "2026-01-01-router.md", "The channel is 6.")
    write(notes / name, "The password lies under the router's foot.", 2)
    (hit,) = hits(remember, "foot")
    assert (hit["path"], hit["conflict_copy_of"]) == (f"notes/{name}", "notes/2026-01-01-router.md")


def test_all_copies_of_a_note_leave_one_hit_even_where_a_copy_is_the_better(remember: Console, notes: Path) -> None:
    write(notes / "2026-01-01-router.md", "Somewhere far down it says channel.")
    for n, name in enumerate(NAMES):
        write(notes / name, "channel " * (n + 2))
    (notes / "2026-01-01-other.md").write_text(NOTE.format("x", "A channel.").replace("aaaaaaaa", "bbbbbbbb").replace("Router", "TV"))
    found = remember.json("search", "channel", "--limit", "1")
    assert [hit["path"] for hit in found["hits"]] == ["notes/2026-01-01-router.md"]
    assert found["total"] == 2
    assert sorted(found["hits"][0]["conflict_copies"]) == sorted(f"notes/{name}" for name in NAMES)
    scores = [hit["score"] for hit in hits(remember, "channel")]
    assert scores == sorted(scores, reverse=True)


def test_numbered_chapters_are_no_copies(remember: Console, notes: Path) -> None:
    write(notes / "2026-01-01-router.md", "The channel is 6.")
    (notes / "2026-01-01-router 2.md").write_text(NOTE.format("x", "The channel, second part.").replace("aaaaaaaa", "bbbbbbbb"))
    found = hits(remember, "channel")
    assert len(found) == 2
    assert not any("conflict_copies" in hit or "conflict_copy_of" in hit for hit in found)


def test_a_copy_of_the_facts_file_is_flagged_and_so_are_the_facts(remember: Console, notes: Path) -> None:
    remember("add", "The channel is 6.")
    (notes.parent / "MEMORY.sync-conflict-20260102-030405-ABCDEFG.md").write_text("The channel is 11.\n")
    found = {hit["path"]: hit for hit in hits(remember, "channel")}
    assert found["MEMORY.md"]["conflict_copies"] == ["MEMORY.sync-conflict-20260102-030405-ABCDEFG.md"]
    assert found["MEMORY.sync-conflict-20260102-030405-ABCDEFG.md"]["conflict_copy_of"] == "MEMORY.md"


def test_a_copy_whose_original_is_gone_is_a_memo_like_any_other(remember: Console, notes: Path) -> None:
    write(notes / NAMES[0], "The channel is 11.")
    (hit,) = hits(remember, "channel")
    assert "conflict_copy_of" not in hit
