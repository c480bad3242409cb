"""IDs used twice, links and descriptions: red fixtures and green twins."""

from __future__ import annotations

import os

import pytest
from bench import COMMENT, NOTE, Bench

from remember.check.run import Ask, check


def places(bench, code, **more):
    return [(f.path, f.line, f.severity) for f in bench.check(files_only=True, **more) if f.code == code]


def test_one_id_in_two_notes(bench):
    bench.note("notes/2025-10-09-copy.md", "A copy", "bbbbbbb1", "x\n")
    assert places(bench, "R501") == [(NOTE, 0, "error")]


def test_one_id_in_a_fact_and_a_note(bench):
    bench.append("MEMORY.md", COMMENT.format("bbbbbbb1") + "x\n")
    assert places(bench, "R502") == [("MEMORY.md", 6, "error")]


def test_one_id_in_both_scopes(two):
    local, there = two
    there.write("MEMORY.md", COMMENT.format("aaaaaaa1") + "Elsewhere.\n")
    for path in (NOTE, "notes/2025-10-09-coffee.md"):
        os.unlink(there.file(path))
    found = check([local.subject(), there.subject()], Ask(local.cache, 4_000_000_000_000, files_only=True))
    assert [(f.code, f.store, f.path, f.line) for f in found] == [("R503", "local", "MEMORY.md", 2)]
    there.write("MEMORY.md", COMMENT.format("aaaaaaa9") + "Elsewhere.\n")
    assert check([local.subject(), there.subject()], Ask(local.cache, 4_000_000_000_000, files_only=True)) == []


@pytest.mark.parametrize(
    ("link", "severity"),
    [
        ("aaaaaaa1", None),
        ("bbbbbbb1", None),
        ("notes/2025-10-09-tea", None),
        ("2025-10-09-tea.md", None),
        ("Tea", None),
        ("how to make TEA", None),
        ("tea#heading|shown", None),
        ("picture.png", None),
        ("assets/picture.png", None),
        ("nothing", "info"),
        ("2025-10-09-nothing", "info"),
    ],
)
def test_links(bench, link, severity):
    bench.write("assets/picture.png", b"\x89PNG")
    bench.note("notes/2025-10-09-link.md", "Links", "ccccccc1", f"[[{link}]]\n")
    assert places(bench, "R504") == ([("notes/2025-10-09-link.md", 7, severity)] if severity else [])


def test_a_link_to_several(bench):
    bench.note("notes/2025-10-10-tea.md", "Another tea", "ccccccc1", "[[tea]]\n")
    assert places(bench, "R504") == [("notes/2025-10-10-tea.md", 7, "warning")]


def test_a_link_in_code_is_none(bench):
    bench.note("notes/2025-10-09-code.md", "Code", "ccccccc1", "`[[nothing]]`\n\n```\n[[nothing]]\n```\n")
    assert places(bench, "R504") == []


def test_near_equal_descriptions(bench):
    bench.note("notes/2025-10-09-twin.md", "how to  make TEA.", "ccccccc1", "x\n")
    assert [severity for _, _, severity in places(bench, "R505")] == ["info"]


def test_links_in_a_vault_are_information(tmp_path):
    vault = Bench(str(tmp_path), layout="vault")
    vault.write("a/Page.md", "x [[Page]]\n")
    vault.write("b/Page.md", "y [[Nowhere]] ![[pic.png]]\n")
    vault.write("pic.png", b"\x89PNG")
    assert {(f.code, f.severity) for f in vault.check(files_only=True) if f.code.startswith("R5")} == {("R504", "info")}


def test_a_link_to_nothing_comes_with_its_line(bench):
    bench.note("notes/2025-10-09-new.md", "New", "cccccccc", "one\n[[bbbbbbb1]]\n[[nowhere|there]] and `[[code]]`\n\n[[elsewhere#part]]\n")
    for ways in ({"files_only": True}, {}):
        found = [(f.path, f.line, f.message.split(",")[0]) for f in bench.check(**ways) if f.code == "R504"]
        assert found == [("notes/2025-10-09-new.md", 9, "links to nowhere"), ("notes/2025-10-09-new.md", 11, "links to elsewhere")]


def test_accents_are_the_same_however_they_are_written(bench):
    bench.note("notes/2025-10-09-cafe\u0301.md", "Crème brûlée", "cccccccc", "[[Crème Brûlée]] [[café]] [[CAFÉ]]\n")
    assert places(bench, "R504") == []
