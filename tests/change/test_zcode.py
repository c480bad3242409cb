"""Changes of a zcode store: file and index line together, names, types, links, and agents that write the index meanwhile."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from shop import NOW_MS

from remember.change import forget, undo
from remember.change.note import note
from remember.change.target import Target, Terms, Wanted
from remember.change.update import update
from remember.errors import Ambiguous, ChangedOutside, FormatError, NotFound, PathTaken, RefusedInput, SecretRefused, UnsafePath
from remember.index.catalogue import open_index
from remember.layouts.zcode_index import index_lines
from remember.model import Change, StoreRef
from remember.store import commit

FACT = "---\nname: {}\ndescription: {}\nmetadata:\n  node_type: memory\n  type: project\n  originSessionId: 77\n---\n\n{}\n"


class Claude:
    """A zcode store with two facts, one of them in a folder, and what tests ask of it."""

    def __init__(self, top: Path) -> None:
        self.path = top / "claude"
        (self.path / "sub").mkdir(parents=True)
        self.put("MEMORY.md", "# Memory\n\nKept by hand.\n\n- [Tea](tea.md) — make it\n1. *[Cup](sub/cup.md)*: white\n\nBelow.\n")
        self.put("tea.md", FACT.format("tea", "How to make tea", "Boil."))
        self.put("sub/cup.md", FACT.format("the-cup", "Which cup", "The white one."))
        self.ref = StoreRef("it", "it", str(self.path), "zcode")
        self.index = open_index(self.ref, str(top / "cache"))
        self.target = Target(self.index, str(top / "recovery"))
        self.now_ms = NOW_MS

    def put(self, path: str, text: str) -> None:
        (self.path / path).write_bytes(text.encode())

    def text(self, path: str = "MEMORY.md") -> str:
        return (self.path / path).read_bytes().decode()

    def files(self) -> dict[str, bytes]:
        return {str(p.relative_to(self.path)): p.read_bytes() for p in sorted(self.path.rglob("*")) if p.is_file()}

    @property
    def terms(self) -> Terms:
        self.now_ms += 1000
        return Terms(self.now_ms, lambda count: self.now_ms % (1 << count))

    def note(self, description: str, body: str = "Body.", slug: str | None = None, kind: str = "", upsert: bool = False) -> Change:
        return note(self.target, description, body, self.terms, slug, (), kind, upsert)

    def update(self, named: str, *wanted: str | None) -> Change:
        return update([self.target], named, Wanted(*wanted), self.terms)

    def forget(self, named: str) -> tuple[Change, ...]:
        return forget.forget(forget.select([self.target], named), self.terms)

    def undo(self) -> None:
        undo.undo([self.target], self.terms)


@pytest.fixture
def claude(tmp_path: Path) -> Iterator[Claude]:
    made = Claude(tmp_path.resolve())
    yield made
    made.index.close()


def test_a_new_fact_is_a_file_and_a_line_behind_the_last(claude: Claude) -> None:
    before = claude.text()
    change = claude.note("Node: 22", "Use it.\n\n\n", "node-version", "reference")
    assert claude.text("node-version.md") == (
        '---\nname: node-version\ndescription: "Node: 22"\nmetadata:\n  node_type: memory\n  type: reference\n---\nUse it.\n'
    )
    assert claude.text() == before.replace("white\n", "white\n- [Node version](node-version.md) — Node: 22\n")
    assert (claude.path / "node-version.md").stat().st_mode & 0o777 == 0o600
    assert (change.path, change.kind, len(str(change.id))) == ("node-version.md", "note", 8)
    assert claude.note("Fotos für später").path == "fotos-für-später.md"


def test_an_index_is_made_where_there_is_none_and_goes_again(claude: Claude) -> None:
    (claude.path / "MEMORY.md").unlink()
    before = claude.files()
    claude.note("A thing", slug="thing")
    assert claude.text() == "- [Thing](thing.md) — A thing\n"
    claude.undo()
    assert claude.files() == before


@pytest.mark.parametrize("index", ["", "# Memory", "# Memory\n", "no line end", "- [Tea](tea.md)", "- [Tea](tea.md)\r\n", "\ufeff"])
def test_any_index_gets_its_line_and_gives_it_back(claude: Claude, index: str) -> None:
    claude.put("MEMORY.md", index)
    before = claude.files()
    claude.note("A thing", slug="a-thing")
    after = claude.text()
    assert after.startswith(index) and index_lines(after)[-1].targets == ("a-thing.md",)
    assert after.splitlines()[-1].startswith("- [A thing]")
    claude.undo()
    assert claude.files() == before


def test_a_name_in_use_is_refused_wherever_its_file_lies(claude: Claude) -> None:
    before = claude.files()
    for slug in ("tea", "TEA", "cup", "the-cup"):
        with pytest.raises(PathTaken, match=r"tea\.md|sub/cup\.md"):
            claude.note("x", slug=slug)
    assert claude.files() == before
    claude.put("notes.md", FACT.format("tea", "Another", "x"))
    with pytest.raises(PathTaken):
        claude.note("x", slug="notes")
    with pytest.raises(Ambiguous):
        claude.note("x", slug="tea", upsert=True)


def test_upsert_replaces_by_spans_and_keeps_what_it_does_not_know(claude: Claude) -> None:
    before = claude.files()
    claude.note("Which cup: blue", "The blue one.", "the-cup", "user", upsert=True)
    assert claude.text("sub/cup.md") == FACT.format("the-cup", '"Which cup: blue"', "The blue one.").replace("type: project", "type: user")
    assert "1. *[Cup](sub/cup.md)*: Which cup: blue\n" in claude.text()
    claude.undo()
    assert claude.files() == before
    assert claude.note("Saucer", "New.", "saucer", upsert=True).changed and "  type: project\n" in claude.text("saucer.md")
    same = claude.note("Saucer", "New.", "saucer", upsert=True)
    assert not same.changed and same.recovery_id is None


def test_types_wherever_they_stand(claude: Claude) -> None:
    for header, after in (
        ("name: x\ntype: user", "name: x\ntype: feedback"),
        ("name: x\nmetadata: {type: user}", "name: x\nmetadata:\n  node_type: memory\n  type: feedback"),
        ("name: x\nmetadata:\n    node_type: memory", "name: x\nmetadata:\n    node_type: memory\n    type: feedback"),
        ("name: x", "name: x\ndescription: d\nmetadata:\n  node_type: memory\n  type: feedback"),
        ("name: x\nmetadata:\n  type: user # old", "name: x\nmetadata:\n  type: feedback"),
    ):
        claude.put("x.md", f"---\n{header}\n---\nb\n")
        claude.note("d", "b", "x", "feedback", upsert=True)
        got = claude.text("x.md")
        assert "description: d\n" in got
        assert got.replace("description: d\n", "") == f"---\n{after}\n---\nb\n".replace("description: d\n", "")
    with pytest.raises(RefusedInput):
        claude.note("d", "b", "y", "song")


def test_updates_change_what_they_name(claude: Claude) -> None:
    claude.update("tea", "Boil, then wait.")
    assert claude.text("tea.md") == FACT.format("tea", "How to make tea", "Boil, then wait.") and "— make it\n" in claude.text()
    claude.update("tea.md", None, "How to make good tea")
    assert "description: How to make good tea\n" in claude.text("tea.md") and "- [Tea](tea.md) — How to make good tea\n" in claude.text()
    assert not claude.update("tea", "\nBoil, then wait.\n\n").changed
    claude.put("plain.md", "just text\n")
    claude.update("plain.md", "other text")
    assert claude.text("plain.md") == "other text\n" and "- [Plain](plain.md)\n" in claude.text()
    claude.update("plain.md", None, "It has one now")
    plain = claude.text("plain.md")
    assert plain.startswith("---\nname: plain\ndescription: It has one now\n") and plain.endswith("\n---\nother text\n")
    assert "- [Plain](plain.md) — It has one now\n" in claude.text()


def test_a_header_that_cannot_be_read_is_not_edited(claude: Claude) -> None:
    claude.put("open.md", "---\nname: open\nno end\n")
    before = claude.files()
    with pytest.raises(FormatError):
        claude.update("open.md", None, "x")
    with pytest.raises(FormatError):
        claude.note("x", "y", "open", upsert=True)
    assert claude.files() == before


def test_line_ends_stay_those_of_the_file(claude: Claude) -> None:
    claude.put("crlf.md", FACT.format("crlf", "d", "a").replace("\n", "\r\n"))
    claude.update("crlf", "b\nc", "e")
    assert claude.text("crlf.md") == FACT.format("crlf", "e", "b\nc").replace("\n", "\r\n")


def test_forgetting_takes_the_line_and_no_other_byte(claude: Claude) -> None:
    before = claude.files()
    claude.forget("the-cup")
    assert claude.text() == before["MEMORY.md"].decode().replace("1. *[Cup](sub/cup.md)*: white\n", "")
    claude.forget("tea.md")
    assert claude.text() == "# Memory\n\nKept by hand.\n\n\nBelow.\n" and not (claude.path / "tea.md").exists()
    claude.undo()
    claude.undo()
    assert claude.files() == before
    with pytest.raises(NotFound):
        claude.forget("nothing-of-this-name")


def test_what_may_not_be_stored(claude: Claude) -> None:
    before = claude.files()
    for slug in ("MEMORY", "memory", "../x", "a/b", "-x", "x" * 81):
        with pytest.raises((RefusedInput, UnsafePath, PathTaken)):
            claude.note("d", "b", slug)
    with pytest.raises(SecretRefused):
        claude.note("d", "ghp_" + "a1B2" * 9, "key")
    with pytest.raises(RefusedInput):
        claude.note("d", "---\nx: y\n---\n", "two-headers")
    assert claude.files() == before


def test_links_are_neither_read_nor_written_through(claude: Claude, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere.md"
    elsewhere.write_text(FACT.format("linked", "Elsewhere", "secret"))
    (claude.path / "linked.md").symlink_to(elsewhere)
    claude.index.refresh()
    assert "linked.md" not in {memo.path for memo in claude.index.all()}
    with pytest.raises((PathTaken, UnsafePath)):
        claude.note("x", slug="linked", upsert=True)
    index = tmp_path / "index.md"
    os.rename(claude.path / "MEMORY.md", index)
    (claude.path / "MEMORY.md").symlink_to(index)
    before = claude.files()
    with pytest.raises(UnsafePath):
        claude.note("x", slug="fresh")
    with pytest.raises(UnsafePath):
        claude.forget("tea")
    assert claude.files() == before and elsewhere.read_text().endswith("secret\n")


@pytest.mark.parametrize("times", [1, 9])
def test_an_agent_that_writes_the_index_meanwhile_is_not_overwritten(claude: Claude, monkeypatch: pytest.MonkeyPatch, times: int) -> None:
    """The other writer saves just before ours is put in place: once is taken in, again and again is refused, and nothing is left over."""
    exchange, saved = commit.exchange, []

    def meanwhile(spot: object, *rest: object) -> object:
        if str(spot.name) == "MEMORY.md" and len(saved) < times:  # type: ignore[attr-defined]
            saved.append(1)
            claude.put("MEMORY.md", claude.text() + f"- [New {len(saved)}](new{len(saved)}.md) — by the agent\n")
        return exchange(spot, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(commit, "exchange", meanwhile)
    before = claude.text()
    if times == 1:
        claude.note("A thing", slug="thing")
        assert "(new1.md)" in claude.text() and claude.text().endswith("- [Thing](thing.md) — A thing\n")
        claude.undo()
        assert claude.text() == before + "- [New 1](new1.md) — by the agent\n" and not (claude.path / "thing.md").exists()
        return
    with pytest.raises(ChangedOutside):
        claude.note("A thing", slug="thing")
    assert len(saved) == 2 and not (claude.path / "thing.md").exists() and "thing.md" not in claude.text() and "(new2.md)" in claude.text()
    assert not [name for name in os.listdir(claude.target.recovery) if "keep" not in name]
