"""What every layout keeps: whoever adds one adds a place to PLACES, and all of this holds of it.

Reading, indexing and checking change no byte; what is edited outside is seen at once; a clean store has no finding; where a
layout is written, undo gives every byte back, and nothing but memos is put into a directory that another program owns.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import pytest

from remember.errors import Ambiguous, ChangedOutside, NotFound, RefusedInput
from remember.layouts import LAYOUTS, layout_named
from remember.memory import Memory, open_memory
from remember.model import Memo
from remember.setup import Setup

CREATED = '"2025-10-09T08:53:20.000Z"'
NOTE = f'---\ndescription: "How to make tea"\nmemory-id: "bbbbbbb1"\ncreated-date: {CREATED}\nlast-modified-date: {CREATED}\n---\n'
FACT = "---\nname: {}\ndescription: {}\nmetadata:\n  type: project\n---\n{}\n"


class Given(NamedTuple):
    """A store as another program left it: what is registered, all directories to be watched, and a memo to be looked for."""

    path: Path
    folders: tuple[Path, ...]
    memos: int
    word: str
    place: str
    file: Path
    title: str
    clean: bool = True


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    path.write_bytes(text.encode())
    path.chmod(0o600)
    return path


def native(top: Path) -> Given:
    store = top / "native"
    write(store / "pi-remember.json", '{"version": 1}\n')
    write(store / "MEMORY.md", "<!-- 2025-10-09T08:53:20Z [aaaaaaa1] -->\nThe kettle is blue.\n")
    note = write(store / "notes" / "2025-10-09-tea.md", NOTE + "Boil water, then steep.\n")
    for folder in (store, store / "notes"):
        folder.chmod(0o700)
    return Given(store, (store,), 2, "steep", "notes/2025-10-09-tea.md", note, "How to make tea")


def zcode(top: Path) -> Given:
    store = top / "claude"
    write(store / "MEMORY.md", "# Memory\n\n- [Tea](tea.md) — how to make it\n* **[Coffee](drinks/coffee.md)** - grind first\n")
    file = write(store / "tea.md", FACT.format("tea", "How to make tea", "Boil water, then steep. See [[coffee]], [[nowhere]]."))
    write(store / "drinks" / "coffee.md", FACT.format("coffee", "How to make coffee", "Grind beans."))
    return Given(store, (store,), 2, "steep", "tea.md", file, "How to make tea")


def bullets(top: Path) -> Given:
    folder = top / "pi"
    file = write(folder / "memory.md", "# Memory\r\n\r\n- Tea has to steep.\r\n* Coffee is ground. #kitchen\r\n")
    write(folder / "other.md", "- not ours\n")
    (folder / "link.md").symlink_to("nowhere")
    return Given(file, (folder,), 2, "steep", "memory.md:3", file, "Tea has to steep.")


def harness(top: Path) -> Given:
    work = top / "work"
    private = top / "agent" / "memory" / sha256(os.fsencode(work)).hexdigest()
    write(private / "tea.md", "# How to make tea\n\nOur own way.\n")
    write(work / ".memory" / "tea.md", "# Tea for everybody\n\nShadowed.\n")
    file = write(work / ".memory" / "coffee.md", "# How to make coffee\n\nGrind, then steep.\n")
    write(work / ".memory" / "deeper" / "no.md", "steep\n")
    write(work / ".memory" / "NO.MD", "steep\n")
    return Given(private, (private, work / ".memory"), 2, "steep", ".memory/coffee.md", file, "How to make coffee")


def vault(top: Path) -> Given:
    store = top / "vault"
    text = "---\ntitle: How to make tea\ntags: [kitchen]\n---\nBoil, then steep. ![[Coffee#Beans|beans]]\n"
    file = write(store / "Drinks" / "Tea.md", text)
    write(store / "Coffee.md", "# Coffee\n\n## Beans\n\nGrind. %% steep, hidden %%\n")
    write(store / ".obsidian" / "x.md", "steep")
    write(store / ".trash" / "x.md", "steep")
    return Given(store, (store,), 2, "steep", "Drinks/Tea.md", file, "How to make tea")


PLACES: dict[str, Callable[[Path], Given]] = {"remember": native, "zcode": zcode, "bullets": bullets, "harness": harness, "vault": vault}
WRITABLE = [name for name in LAYOUTS if layout_named(name).writable]


class Bench:
    """A registered store of one layout, and the memory that means it."""

    def __init__(self, top: Path, layout: str) -> None:
        self.layout = layout
        self.home = top / "home"
        self.work = top / "work"
        self.work.mkdir(parents=True)
        self.given = PLACES[layout](top)
        self.environ = {"HOME": str(self.home)}
        done = Setup(self.environ, str(self.work)).store_add("it", str(self.given.path))
        assert done.layout == layout  # recognised, not told

    @property
    def memory(self) -> Memory:
        return open_memory(store="it", environ=self.environ, cwd=str(self.work))

    def bytes(self) -> dict[str, object]:
        """Everything in the store's directories: bytes, times and modes of files, the names of all."""
        found: dict[str, object] = {}
        for folder in self.given.folders:
            for path in [folder, *sorted(folder.rglob("*"))]:
                stat = path.lstat()
                data = path.read_bytes() if path.is_file() and not path.is_symlink() else b""
                found[str(path)] = (stat.st_mode, stat.st_mtime_ns if path.is_file() else 0, data)
        return found

    def contents(self) -> dict[str, object]:
        """The same without times, and without the records of a native store."""
        return {path: (value[0], value[2]) for path, value in self.bytes().items() if "/recovery" not in path}  # type: ignore[index]

    def memos(self) -> dict[str, Memo]:
        return {memo.place: memo for memo in self.memory.list().memos if memo.kind != "text"}


@pytest.fixture(params=LAYOUTS)
def bench(request: pytest.FixtureRequest, tmp_path: Path) -> Bench:
    return Bench(tmp_path.resolve(), request.param)


@pytest.fixture(params=WRITABLE)
def written(request: pytest.FixtureRequest, tmp_path: Path) -> Bench:
    return Bench(tmp_path.resolve(), request.param)


def test_every_layout_is_here() -> None:
    assert set(PLACES) == set(LAYOUTS) and WRITABLE == ["remember", "zcode", "bullets"]


def test_it_is_listed_searched_and_shown_and_no_byte_changes(bench: Bench) -> None:
    before = bench.bytes()
    given, memory = bench.given, bench.memory
    memos = bench.memos()
    assert len(memos) == given.memos and memos[given.place].title == given.title
    (hit,) = memory.search(given.word).hits
    assert (hit.memo.place, hit.memo.id) == (given.place, memos[given.place].id)
    assert hit.memo.id is not None and len(hit.memo.id) == 8
    by_id, by_place = memory.show(hit.memo.id), memory.show(given.place)
    assert by_id.content == by_place.content and given.word in by_id.content and by_id.data == given.file.read_bytes()
    assert Path(hit.memo.store_path, hit.memo.path) == given.file
    memory.tags(), memory.links(given.place), memory.status(), memory.context(), memory.history()
    memory.check(), memory.check(quick=True), memory.check(files_only=True)
    assert bench.bytes() == before


def test_what_is_edited_outside_is_seen_at_once(bench: Bench) -> None:
    given = bench.given
    assert bench.memory.search("zebra").total == 0
    stat = given.file.stat()
    text = given.file.read_bytes()
    given.file.write_bytes(text.replace(b"steep", b"zebra"))
    os.utime(given.file, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert [hit.memo.path for hit in bench.memory.search("zebra").hits] == [given.place.partition(":")[0]]
    assert bench.memory.search("steep").total == 0 and "zebra" in bench.memory.show(given.place).content
    given.file.unlink()
    assert bench.memory.search("zebra").total == 0


def test_a_clean_store_has_no_finding_that_counts(bench: Bench) -> None:
    for _ in range(2):
        checked = bench.memory.check()
        assert [f for f in checked.findings if f.severity not in ("info",)] == [] and checked.exit_status == 0
        bench.memory.list()


def test_the_index_agrees_with_the_files_after_every_way_to_make_it(bench: Bench) -> None:
    bench.memory.list()
    first = bench.memos()
    bench.memory.index_rebuild()
    assert bench.memos() == first
    assert [f.code for f in bench.memory.check().findings if f.code.startswith("R6") and f.code not in ("R600", "R601")] == []


def test_a_derived_id_is_never_written_and_lasts_while_its_place_does(bench: Bench) -> None:
    if layout_named(bench.layout).has_ids:
        return
    ids = {place: memo.id for place, memo in bench.memos().items()}
    assert len(set(ids.values())) == len(ids)
    for memo_id in ids.values():
        assert all(str(memo_id).encode() not in data[2] for data in bench.bytes().values())  # type: ignore[index]
    bench.memory.index_drop()
    assert {place: memo.id for place, memo in bench.memos().items()} == ids


def test_what_is_only_read_says_so_and_stays(bench: Bench) -> None:
    if bench.layout in WRITABLE:
        return
    before = bench.bytes()
    changes: list[Callable[[], object]] = [
        lambda: bench.memory.add("x"),
        lambda: bench.memory.note("x", "y"),
        lambda: bench.memory.update(bench.given.place, "x"),
        lambda: bench.memory.forget(bench.given.place),
    ]
    for change in changes:
        with pytest.raises(RefusedInput, match="read and never written"):
            change()
    assert bench.bytes() == before


def make(bench: Bench, text: str) -> str:
    """A new memo by the verb that its layout has; its place."""
    if bench.layout == "bullets":
        (change,) = bench.memory.add(text)
        return f"{change.path}:{change.line}"
    return str(bench.memory.note(text, "A body.\n").path)


def test_every_change_can_be_undone_and_done_again_byte_for_byte(written: Bench) -> None:
    bench = written
    states = [bench.contents()]
    place = make(bench, "A new thing")
    states.append(bench.contents())
    assert bench.memory.show(place).memo.title == "A new thing"
    assert bench.memory.update(bench.given.place, "Changed, but it may steep.").changed
    states.append(bench.contents())
    assert "Changed" in bench.memory.show(bench.given.place).content
    if bench.layout != "bullets":
        assert bench.memory.update(bench.given.place, description="Another: description").changed
        states.append(bench.contents())
        assert bench.memory.show(bench.given.place).memo.description == "Another: description"
    assert bench.memory.forget(bench.given.place)[1]
    states.append(bench.contents())
    with pytest.raises(NotFound):
        bench.memory.show(place if bench.layout != "bullets" else "memory.md:99")
        bench.memory.show(bench.given.place)
    assert bench.memory.check().exit_status == 0
    for state in reversed(states[:-1]):
        bench.memory.undo()
        assert bench.contents() == state
    for state in states[1:]:
        bench.memory.redo()
        assert bench.contents() == state
    with pytest.raises(NotFound):
        bench.memory.redo()


def test_a_change_that_changes_nothing_writes_nothing(written: Bench) -> None:
    shown = written.memory.show(written.given.place)
    before = written.bytes()
    done = written.memory.update(written.given.place, f"\n{shown.content}\n" if shown.memo.kind == "note" else shown.content)
    assert not done.changed and done.recovery_id is None and written.bytes() == before


def test_another_revision_is_refused(written: Bench) -> None:
    shown = written.memory.show(written.given.place)
    before = written.bytes()
    with pytest.raises(ChangedOutside):
        written.memory.update(written.given.place, "x", if_revision="000000000000")
    assert written.bytes() == before
    done = written.memory.update(written.given.place, "Whatever.", if_revision=shown.revision)
    assert done.revision != shown.revision and written.memory.show(written.given.place).revision == done.revision


def test_records_lie_where_they_belong(written: Bench) -> None:
    before = set(written.contents())
    make(written, "One more")
    new = set(written.contents()) - before
    assert all(path.endswith(".md") for path in new) and len(new) == (0 if written.layout == "bullets" else 1)
    (state,) = written.memory.status()
    records = Path(state["recovery"]["path"])  # type: ignore[index]
    assert len(list(records.glob("*.json"))) == 1 and records.stat().st_mode & 0o077 == 0
    assert (written.given.folders[0] in records.parents) is (written.layout == "remember")


def test_what_others_wrote_since_is_kept_by_an_undo(written: Bench) -> None:
    """An undo touches the memo that was changed; what stands beside it may have changed meanwhile."""
    place = make(written, "A new thing")
    shared = written.given.folders[0] / ("memory.md" if written.layout == "bullets" else "MEMORY.md")
    data = shared.read_bytes()
    shared.write_bytes(b"Above, by hand.\n\n" + data + b"\nBelow, by hand.\n")
    written.memory.undo()
    now = shared.read_bytes()
    assert now.startswith(b"Above, by hand.\n") and now.endswith(b"\nBelow, by hand.\n") and b"new thing" not in now.lower()
    assert written.layout == "bullets" or not (written.given.folders[0] / place).exists()


def test_one_id_of_two_memos_names_both_places(tmp_path: Path) -> None:
    bench = Bench(tmp_path.resolve(), "bullets")
    bench.given.file.write_text("- twice\n- once\n- twice\n")
    first = bench.memos()["memory.md:1"]
    for change in (lambda: bench.memory.show(str(first.id)), lambda: bench.memory.update(str(first.id), "x")):
        with pytest.raises(Ambiguous, match=r"memory.md:1.*memory.md:3"):
            change()
    assert bench.memory.check().exit_status == 0  # a derived ID is no finding
    assert bench.memory.update("memory.md:3", "thrice").changed
    assert bench.given.file.read_text() == "- twice\n- once\n- thrice\n"
