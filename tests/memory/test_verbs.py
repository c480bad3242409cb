"""The verbs over both scopes, as a program calls them: order, filters, freshness, addresses, and bytes that stay."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

import remember
from remember.errors import Ambiguous, Conflict, FormatError, NotFound, RefusedInput, UnsafePath
from remember.memory import Memory
from remember.setup import Setup

FACT = "<!-- 2025-10-18T16:10:33Z [{}] -->\n{}\n"
HEADER = (
    '---\ndescription: "{}"\nmemory-id: "{}"\ncreated-date: "2025-10-18T16:10:33.000Z"\n'
    'last-modified-date: "2025-10-2{}T16:10:33.000Z"\n---\n'
)


class Desk:
    """A user's memory: a home with a global store and a workspace with a local one."""

    def __init__(self, home: Path) -> None:
        self.environ = {"HOME": str(home)}
        self.work = home / "work"
        self.work.mkdir()
        Setup(self.environ, str(self.work)).init()
        self.local = self.work / ".pi/memory"
        self.glob = home / ".pi/agent/memory"
        self.put(self.glob, "pi-remember.json", '{"version": 1}\n')
        self.put(self.glob, "MEMORY.md", "")

    def put(self, store: Path, path: str, text: str) -> Path:
        place = store / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text.encode("utf-8", "surrogateescape"))
        return place

    def memory(self, **more: str) -> Memory:
        return remember.open(environ=self.environ, cwd=str(self.work), **more)  # type: ignore[arg-type]


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def ids(memos: tuple[remember.Memo, ...]) -> list[str | None]:
    return [memo.id for memo in memos]


def test_the_catalogue_is_newest_first_over_both_scopes(desk: Desk) -> None:
    desk.put(desk.local, "MEMORY.md", FACT.format("aaaaaaa1", "x") + FACT.replace("18T", "25T").format("aaaaaaa2", "y"))
    desk.put(desk.glob, "MEMORY.md", FACT.replace("18T", "22T").format("aaaaaaa3", "z"))
    desk.put(desk.local, "notes/a.md", HEADER.format("N", "aaaaaaa4", 3) + "b\n")
    desk.put(desk.glob, "notes/b.md", HEADER.format("M", "aaaaaaa5", 1) + "b\n")
    memory = desk.memory()
    assert ids(memory.list().memos) == ["aaaaaaa2", "aaaaaaa4", "aaaaaaa3", "aaaaaaa5", "aaaaaaa1"]
    assert ids(memory.list(sort="created").memos) == ["aaaaaaa2", "aaaaaaa3", "aaaaaaa1", "aaaaaaa4", "aaaaaaa5"]
    assert ids(memory.list(sort="path").memos) == ["aaaaaaa3", "aaaaaaa1", "aaaaaaa2", "aaaaaaa4", "aaaaaaa5"]
    cut = memory.list(limit=2)
    assert (ids(cut.memos), cut.total, cut.truncated) == (["aaaaaaa2", "aaaaaaa4"], 5, True)
    assert ids(desk.memory(scope="global").list().memos) == ["aaaaaaa3", "aaaaaaa5"]


def test_filters_hold_together(desk: Desk) -> None:
    text = (
        FACT.format("aaaaaaa1", "#a #b zebra") + FACT.format("aaaaaaa2", "#A zebra") + FACT.replace("18T", "25T").format("aaaaaaa3", "#a")
    )
    desk.put(desk.local, "MEMORY.md", text)
    memory = desk.memory()
    assert ids(memory.list(tags=["a", "#b"]).memos) == ["aaaaaaa1"]
    assert sorted(map(str, ids(memory.list(tags=["a"]).memos))) == ["aaaaaaa1", "aaaaaaa2", "aaaaaaa3"]
    assert ids(memory.list(since="2025-10-25").memos) == ["aaaaaaa3"]
    assert ids(memory.list(until="2025-10-18", match="ZEBRA", tags=["b"]).memos) == ["aaaaaaa1"]
    assert sorted(hit.id or "" for hit in memory.search("zebra", tags=["a"], until="2025-10-18").hits) == ["aaaaaaa1", "aaaaaaa2"]
    assert memory.search("zebra", kind="note").total == 0
    assert memory.list(kind="note").memos == () and memory.list(match="%").memos == () and memory.list(match="_").memos == ()


def test_what_another_program_does_is_seen_at_once(desk: Desk) -> None:
    memory = desk.memory()
    place = desk.put(desk.local, "notes/a.md", HEADER.format("N", "aaaaaaa1", 3) + "aaaa\n")
    for word in ("bbbb", "cccc", "dddd"):
        before = place.stat()
        place.write_text(place.read_text()[:-5] + word + "\n")
        os.utime(place, ns=(before.st_atime_ns, before.st_mtime_ns))
        assert memory.search(word).total == 1, word
    os.rename(place, desk.local / "notes" / "b.md")
    assert memory.search("dddd").hits[0].memo.path == "notes/b.md"
    (desk.local / "notes" / "b.md").unlink()
    assert memory.search("dddd").total == 0


def test_without_a_refresh_the_index_answers(desk: Desk) -> None:
    memory = desk.memory()
    desk.put(desk.local, "MEMORY.md", FACT.format("aaaaaaa1", "zebra"))
    assert memory.search("zebra").total == 1
    desk.put(desk.local, "MEMORY.md", FACT.format("aaaaaaa1", "zebra") + FACT.format("aaaaaaa2", "zebra too"))
    assert memory.search("zebra", refresh=False).total == 1
    assert memory.search("zebra").total == 2


def test_addresses(desk: Desk) -> None:
    desk.put(desk.local, "MEMORY.md", FACT.format("abcd0001", "one") + FACT.format("abcd0002", "two") + "\n- by hand\n")
    desk.put(desk.local, "notes/caf\u00e9.md", HEADER.format("N", "beef0001", 3) + "body\n")
    desk.put(desk.glob, "MEMORY.md", FACT.format("beef0002", "three"))
    memory = desk.memory()
    for address, memo_id in {
        "abcd0001": "abcd0001",
        "ABCD0001": "abcd0001",
        "MEMORY.md:4": "abcd0002",
        "MEMORY.md:3": "abcd0002",
        "beef0001": "beef0001",
        "notes/caf\u00e9.md": "beef0001",
        "notes/cafe\u0301.md": "beef0001",
        "./notes/caf\u00e9.md": "beef0001",
        str(desk.local / "notes" / "caf\u00e9.md"): "beef0001",
        " beef0002 ": "beef0002",
    }.items():
        assert memory.show(address).memo.id == memo_id, address
    assert memory.show("MEMORY.md:6").content == "by hand"
    for address in ("abcd", "beef"):
        with pytest.raises(Ambiguous):
            memory.show(address)
    for address in ("abc", "abcd0003", "MEMORY.md:5", "notes/none.md", "nothing", ""):
        with pytest.raises(NotFound):
            memory.show(address)
    for address in ("../MEMORY.md", "notes/../../x.md", "notes/\0.md", "/etc/passwd", "/MEMORY.md:4", str(desk.local.parent / "x.md")):
        for call in (memory.show, memory.forget, memory.links, lambda named: memory.update(named, "x")):
            with pytest.raises(UnsafePath):
                call(address)
    with pytest.raises(NotFound):
        memory.show(str(desk.local / "notes" / "none.md"))
    desk.put(desk.local, "MEMORY.md", FACT.format("abcd0004", "keep /etc/hosts short"))
    assert [change.id for change in memory.forget("/etc/hosts")[0]] == ["abcd0004"]


def test_one_id_in_two_stores_is_ambiguous_until_one_is_named(desk: Desk) -> None:
    desk.put(desk.local, "MEMORY.md", FACT.format("aaaaaaa1", "here"))
    desk.put(desk.glob, "MEMORY.md", FACT.format("aaaaaaa1", "there"))
    with pytest.raises(Ambiguous) as caught:
        desk.memory().update("aaaaaaa1", "x")
    assert len(caught.value.candidates) == 2
    assert desk.memory(scope="local").show("aaaaaaa1").content == "here"
    desk.memory(scope="global").update("aaaaaaa1", "elsewhere")
    assert (desk.local / "MEMORY.md").read_text() == FACT.format("aaaaaaa1", "here")
    assert (desk.glob / "MEMORY.md").read_text() == FACT.format("aaaaaaa1", "elsewhere")


ODD_FACTS = (
    "\ufeff# Mine\r\n\r\nprose \udcff with bytes\r\n\r\n<!-- 2025-10-18T16:10:33Z [aaaaaaa1] -->\r\nfact\r\n"
    "<!-- 2026-02-15 14:30:00 [session8] -->\r\nforeign\r\n- [x] task\r\nend"
)


def test_an_edit_of_a_fact_changes_its_span_only(desk: Desk) -> None:
    place = desk.put(desk.local, "MEMORY.md", ODD_FACTS)
    before = place.read_bytes()
    memory = desk.memory()
    memory.update("aaaaaaa1", "another text")
    assert place.read_bytes() == before.replace(b"\r\nfact\r\n", b"\r\nanother text\r\n")
    memory.undo()
    assert place.read_bytes() == before
    memory.forget("aaaaaaa1")
    assert place.read_bytes() == before.replace(b"<!-- 2025-10-18T16:10:33Z [aaaaaaa1] -->\r\nfact\r\n", b"")
    memory.undo()
    (added,) = memory.add("last")
    assert place.read_bytes().startswith(before + b"\r\n<!-- ") and place.read_bytes().endswith(f"[{added.id}] -->\r\nlast".encode())
    memory.undo()
    assert place.read_bytes() == before


ODD_NOTE = (
    "\ufeff---\r\n# a comment\r\ncitekey:   odd & 'kept'\r\ndescription: Plain, not quoted\r\nauthor: {name: X,\r\n  y: z}\r\n"
    "memory-id: '00000012'\r\n\r\ncreated-date: 2025-10-18T16:10:33Z\r\nlast-modified-date: 2025-10-19T16:10:33+02:00\r\n"
    "---\r\n\r\nBody \udcff\r\n\r\nend"
)


def test_an_edit_of_a_note_changes_its_lines_only(desk: Desk) -> None:
    place = desk.put(desk.local, "notes/odd.md", ODD_NOTE)
    place.chmod(0o640)
    before = place.read_bytes()
    memory = desk.memory()
    memory.update("00000012", description="Quoted: now")
    after = place.read_bytes().split(b"\r\n")
    old = before.split(b"\r\n")
    assert [n for n, (a, b) in enumerate(zip(old, after, strict=True)) if a != b] == [3, 9]
    assert after[3] == b'description: "Quoted: now"' and after[9].startswith(b'last-modified-date: "20')
    assert place.stat().st_mode & 0o777 == 0o640
    memory.undo()
    assert place.read_bytes() == before
    memory.update("00000012", "New\nbody\n")
    assert place.read_bytes().split(b"---\r\n")[2] == b"\r\nNew\r\nbody"
    assert place.read_bytes().split(b"\r\n")[:9] == old[:9]


def test_a_broken_header_is_listed_searched_and_not_edited(desk: Desk) -> None:
    place = desk.put(desk.local, "notes/broken.md", "---\ndescription: x\n**ACME LLP**\n---\nzebra\n")
    before = place.read_bytes()
    memory = desk.memory()
    (memo,) = memory.list().memos
    assert memo.broken and memo.path == "notes/broken.md"
    assert memory.search("zebra").total == memory.search("ACME").total == 1
    with pytest.raises((FormatError, Conflict)):
        memory.update("notes/broken.md", description="y")
    assert place.read_bytes() == before
    place.write_text("---\ndescription: good now\n---\nzebra\n")
    assert memory.list().memos[0].broken == ""


def test_duplicates_and_their_other_scope(desk: Desk) -> None:
    memory = desk.memory()
    (first,) = memory.add("Use UV.")
    before = (desk.local / "MEMORY.md").stat()
    for same in ("use uv", "USE  UV!", "Use ＵＶ。"):
        (again,) = memory.add(same)
        assert (again.changed, again.duplicate_of) == (False, first.id)
    after = (desk.local / "MEMORY.md").stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)
    (other,) = desk.memory(scope="global").add("Use UV.")
    assert other.changed and other.warnings


def test_texts_that_look_like_something_else(desk: Desk) -> None:
    memory = desk.memory()
    texts = [
        "2026-05-26",
        "null",
        "~",
        "1e5",
        "[]",
        "# of retries is 5",
        "```",
        "---",
        "=======",
        "| a |",
        "a --> b",
        "#tag",
        "日本語 👩‍👩‍👧",
    ]
    changes = [memory.add(text)[0] for text in texts]
    for text, change in zip(texts, changes, strict=True):
        assert memory.show(str(change.id)).content == text
    notes = [memory.note(text, f"body of {text}\n", slug=f"n{n}") for n, text in enumerate(f"{t} note" for t in texts)]
    for text, note in zip(texts, notes, strict=True):
        found = memory.show(str(note.id))
        assert found.memo.description == f"{text} note" and found.content == f"body of {text} note\n"
    assert memory.check(secrets=True).exit_status == 0


def test_files_of_others_are_never_touched(desk: Desk) -> None:
    kept = [desk.put(desk.local, path, "foreign\n") for path in ("daily/x.md", "x.txt", "notes/y.rst", "recovery/z.json", ".hidden/a.md")]
    memory = desk.memory()
    (change,) = memory.add("one")
    memory.note("two", "body")
    memory.forget("o", by="text", agreed=lambda memos: False)
    memory.forget(str(change.id))
    memory.undo()
    memory.history_prune(older_than="2099-01-01")
    assert [place.read_text() for place in kept] == ["foreign\n"] * 5
    assert memory.search("foreign").total == 1, "daily/x.md is a note without an ID"


def test_history_is_newest_first_and_pruned_for_good(desk: Desk) -> None:
    memory = desk.memory()
    for text in ("one", "two", "three"):
        memory.add(text)
        time.sleep(0.002)
    document = memory.history(limit=2)
    records = document["records"]
    assert isinstance(records, list) and [record["summary"] for record in records] == ["three", "two"] and document["total"] == 3
    assert "+one" in str(memory.history_show(memory.history()["records"][2]["recovery_id"])["diff"])  # type: ignore[index]
    assert memory.history_prune([records[0]["recovery_id"]]) == [records[0]["recovery_id"]]
    with pytest.raises(NotFound):
        memory.restore(records[0]["recovery_id"])
    with pytest.raises(RefusedInput):
        memory.history_prune()
    assert memory.undo().summary == "two"
