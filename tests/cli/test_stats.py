"""A memory in numbers, as JSON and as a chart."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from console import Console
from hypothesis import given
from hypothesis import strategies as st

from remember.cli.commands.stats import _between, _bytes

FACT = "<!-- {}T10:00:00Z [{}] -->\n{}\n"
NOTE = '---\ndescription: "{0}"\nmemory-id: "{1}"\ncreated-date: "{2}T10:00:00.000Z"\nlast-modified-date: "{2}T10:00:00.000Z"\n---\n{3}'


@pytest.fixture
def aged(remember: Console) -> Console:
    """A store of three years: facts, notes with and without links to them, a file without a time of its own, prose."""
    remember("init")
    facts = FACT.format("2023-01-15", "aaaa0001", "#Work über #x") + FACT.format(
        "2025-06-30", "aaaa0002", "#work see [[alone-not]] \x1b[2J"
    )
    (remember.store / "MEMORY.md").write_text(facts + "\n# Heading\n\nProse in\ntwo lines.\n")
    notes = remember.store / "notes"
    notes.mkdir(exist_ok=True)
    (notes / "2025-06-01-alone-not.md").write_text(NOTE.format("Linked", "bbbb0001", "2025-06-01", "y" * 5000))
    (notes / "2025-08-01-alone.md").write_text(NOTE.format("Alone", "bbbb0002", "2025-08-01", "[[alone]] itself"))
    return remember


def test_the_numbers_are_those_of_the_files(aged: Console) -> None:
    found = aged.json("stats")
    assert found["memos"] == sum(kind["memos"] for kind in found["kinds"]) == sum(size["memos"] for size in found["sizes"]) == 5
    assert {kind["kind"]: kind["memos"] for kind in found["kinds"]} == {"fact": 2, "note": 2, "text": 1}
    assert found["bytes"] == sum(kind["bytes"] for kind in found["kinds"])
    fact = len("#Work über #x".encode()) + len("#work see [[alone-not]] \x1b[2J")
    assert {kind["kind"]: kind["bytes"] for kind in found["kinds"]}["fact"] == fact
    assert {tag["tag"]: tag["memos"] for tag in found["tags"]} == {"Work": 2, "x": 1}
    months = {month["month"]: (month["memos"], month["total_memos"]) for month in found["months"]}
    assert months["2023-01"] == (1, 1) and months["2025-06"] == (2, 3) and months["2025-08"] == (1, 4)
    assert found["months"][-1]["total_memos"] + found["undated"] == 5
    assert [memo["id"] for memo in found["oldest"][:2]] == ["aaaa0001", "bbbb0001"]
    assert found["largest"][0]["memo"]["id"] == "bbbb0001" and found["largest"][0]["bytes"] == 5000


def test_a_note_that_links_to_itself_is_still_unreferenced(aged: Console) -> None:
    found = aged.json("stats")
    assert [memo["id"] for memo in found["unreferenced"]] == ["bbbb0002"]
    assert aged.json("stats", "--limit", "0")["unreferenced"] == []
    assert aged.json("stats", "--limit", "0")["unreferenced_total"] == 1


def test_the_chart_is_plain_in_a_pipe_and_fits_its_width(aged: Console) -> None:
    told = aged("stats")
    assert "\x1b" not in told and "\\x1b" in told
    assert all(len(line) <= 80 for line in told.splitlines())
    lengths = {line.split()[0]: line.count("#") for line in told.splitlines() if re.match(r"  20\d\d-\d\d  ", line)}
    assert lengths["2025-06"] > lengths["2023-01"] > 0 and lengths["2025-07"] == 0
    assert "  …" in told.splitlines()
    assert "\x1b[" in aged("stats", "--color", "always")


def test_an_empty_memory_has_no_numbers(remember: Console) -> None:
    remember("init")
    assert remember("stats") == "0 memos, 0 B of text\n"
    assert remember.json("stats")["months"] == []


def test_times_that_no_calendar_knows_do_no_harm(aged: Console) -> None:
    (aged.store / "notes" / "far.md").write_text(NOTE.format("Far", "bbbb0003", "9999-12-31", "x"))
    (aged.store / "notes" / "old.md").write_text(NOTE.format("Old", "bbbb0004", "0001-01-01", "x"))
    found = aged.json("stats")
    assert found["memos"] == 7
    assert found["months"][-1]["total_memos"] + found["undated"] == 7
    aged("stats")


def test_any_folder_has_numbers(remember: Console) -> None:
    docs: Path = remember.work / "docs"
    docs.mkdir()
    (docs / "a.md").write_text("# A\n[[b]]\n")
    (docs / "b.md").write_text("# B\n")
    found = remember.json("stats", "--store", "./docs")
    assert found["memos"] == 2 and [memo["path"] for memo in found["unreferenced"]] == ["a.md"]


@given(st.integers(0, 1 << 45))
def test_a_size_is_told_in_few_characters(size: int) -> None:
    number, unit = _bytes(size).split(" ")
    factor = 1024 ** ("B", "KiB", "MiB", "GiB").index(unit)
    assert abs(float(number) * factor - size) <= factor * 0.1
    assert float(number) < 1024 + 0.1 or unit == "GiB"


@given(st.integers(1, 9000 * 12), st.integers(1, 40))
def test_gaps_between_months_are_filled_or_cut(first: int, step: int) -> None:
    def name(at: int) -> str:
        return f"{at // 12:04}-{at % 12 + 1:02}"

    rows = _between(name(first), name(first + step))
    assert rows == [(name(at), 0, "") for at in range(first + 1, first + step)] if step <= 4 else rows == [("…", -1, "")]
