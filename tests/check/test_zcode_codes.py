"""Each code about a zcode store has a damage that turns it red; the store without it stays green, and other layouts too."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from remember.check.findings import Finding
from remember.check.repair import apply_repairs, plan_repairs
from remember.check.run import Ask, Subject, check
from remember.check.steps import Means
from remember.model import StoreRef

NOW_MS = 4_000_000_000_000
FACT = "---\nname: {0}\ndescription: About {0}\nmetadata:\n  type: project\n---\nBody of {0}, see [[nowhere]].\n"


class Bench:
    def __init__(self, top: Path) -> None:
        self.path = top / "claude"
        (self.path / "sub").mkdir(parents=True)
        self.put("MEMORY.md", "# Memory\n\n- [Tea](tea.md) — x\n* **[Cup](sub/cup.md)** - y\n- [Site](https://example.org/x.md)\n")
        self.put("tea.md", FACT.format("tea"))
        self.put("sub/cup.md", FACT.format("cup"))
        self.subject = Subject(StoreRef("it", "it", str(self.path), "zcode"), str(top / "recovery"))
        self.cache = str(top / "cache")

    def put(self, path: str, text: str) -> None:
        (self.path / path).write_text(text, encoding="utf-8")

    def add(self, text: str) -> None:
        self.put("MEMORY.md", (self.path / "MEMORY.md").read_text(encoding="utf-8") + text)

    def found(self, quick: bool = False, files_only: bool = True) -> list[Finding]:
        return [f for f in check([self.subject], Ask(self.cache, NOW_MS, quick, files_only)) if f.severity != "info" or f.code[0] == "Z"]

    def codes(self) -> list[tuple[str, str, int]]:
        return [(f.code, f.path, f.line) for f in self.found()]


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path.resolve())


DAMAGES: list[tuple[str, Callable[[Bench], None], list[tuple[str, str, int]]]] = [
    ("Z101", lambda b: b.add("1) [Gone](gone.md): was here\n"), [("Z101", "MEMORY.md", 6)]),
    ("Z101", lambda b: os.unlink(b.path / "sub" / "cup.md"), [("Z101", "MEMORY.md", 4)]),
    ("Z102", lambda b: b.put("new.md", FACT.format("new")), [("Z102", "new.md", 0)]),
    ("Z102", lambda b: os.unlink(b.path / "MEMORY.md"), [("Z102", "sub/cup.md", 0), ("Z102", "tea.md", 0)]),
    ("Z103", lambda b: b.put("tea.md", "no header\n"), [("Z103", "tea.md", 1)]),
    ("Z103", lambda b: b.put("tea.md", "---\nname: tea\n" + "k: v\n" * 30 + "---\n"), [("Z103", "tea.md", 1)]),
    ("Z103", lambda b: b.put("tea.md", "---\nmetadata:\n  type: user\n---\nx\n"), [("Z103", "tea.md", 1)]),
    ("Z104", lambda b: b.add("text\n" * 200), [("Z104", "MEMORY.md", 0)]),
    ("Z104", lambda b: b.add("x" * 25_000 + "\n"), [("Z104", "MEMORY.md", 0)]),
    ("Z104", lambda b: b.add("text\n" * 195), []),
]


@pytest.mark.parametrize(("code", "damage", "expected"), DAMAGES)
def test_each_damage_is_named(bench: Bench, code: str, damage: Callable[[Bench], None], expected: list[tuple[str, str, int]]) -> None:
    assert bench.codes() == []
    damage(bench)
    assert bench.codes() == expected
    assert [(f.code, f.path, f.line) for f in bench.found(quick=True, files_only=False) if f.code[0] == "Z"] == expected


def test_what_could_not_be_looked_at_is_not_called_gone(bench: Bench) -> None:
    (bench.path / "sub" / "cup.md").rename(bench.path / "sub" / "real.txt")
    (bench.path / "sub" / "cup.md").symlink_to("real.txt")
    assert [code for code, _, _ in bench.codes()] == ["R407"]


def test_a_missing_line_is_put_in_and_nothing_else(bench: Bench) -> None:
    bench.put("b.md", FACT.format("b"))
    bench.put("c (1).md", "plain\n")
    before = (bench.path / "MEMORY.md").read_text(encoding="utf-8")
    means = Means(bench.cache, NOW_MS, lambda count: 7)
    planned = plan_repairs(bench.subject, bench.found(), means)
    assert [(step.code, step.path) for step in planned] == [("Z102", "b.md"), ("Z102", "c (1).md")]
    assert (bench.path / "MEMORY.md").read_text(encoding="utf-8") == before
    done = apply_repairs(bench.subject, bench.found(), means)
    assert all(step.done and step.recovery_id for step in done) and len(done) == 2
    after = (bench.path / "MEMORY.md").read_text(encoding="utf-8")
    assert after == before.replace("- y\n", "- y\n- [B](b.md) — About b\n- [C (1)](<c (1).md>)\n")
    assert [f.code for f in bench.found()] == ["Z103"]
    assert apply_repairs(bench.subject, bench.found(), means) == []
