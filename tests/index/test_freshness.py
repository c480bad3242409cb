"""A read is never stale: hundreds of random edits against an oracle that reads the files, and each kind of edit by itself."""

from __future__ import annotations

import os
import random
import shutil
import time
from pathlib import Path

import pytest
from stocking import note

from remember.index.catalogue import Filters, open_index
from remember.index.search import Request, search
from remember.index.session import with_indexes
from remember.model import StoreRef


def found(store: StoreRef, cache: str, query: str) -> list[str]:
    result = with_indexes([store], cache, lambda indexes: search(indexes, Request(query, 1000), Filters()))
    return sorted(hit.memo.path for hit in result.hits)


def indexed(store: StoreRef, cache: str) -> dict[str, str]:
    def ask(indexes: list) -> dict[str, str]:
        rows = indexes[0].connection.execute("SELECT file.path, memo.body FROM memo JOIN file ON file.id = memo.file WHERE kind = 'note'")
        return dict(rows.fetchall())

    return with_indexes([store], cache, ask)


def on_disk(store: StoreRef) -> dict[str, str]:
    top = Path(store.path)
    files = (p for p in top.rglob("*.md") if p.is_file() and not p.is_symlink() and p.name != "MEMORY.md")
    return {str(p.relative_to(top)): p.read_text().split("---\n", 2)[-1] for p in files}


def test_every_kind_of_edit_is_seen_by_the_next_read(store: StoreRef, cache: str) -> None:
    rng = random.Random(20261201)
    notes = Path(store.path, "notes")
    words = [f"word{n:04d}" for n in range(40)]

    def some() -> Path | None:
        files = [p for p in notes.rglob("*.md") if p.is_file()]
        return rng.choice(files) if files else None

    def fresh() -> None:
        folder = rng.choice(["", "", "sub", "sub/deep"])
        note(store, os.path.join(folder, f"n{rng.randrange(60)}.md"), rng.choice(words), f"{rng.getrandbits(32):08x}")

    def in_place() -> None:
        if (path := some()) is not None:
            text = path.read_text()
            with path.open("r+") as file:  # the same inode and size
                file.seek(len(text) - 9)
                file.write(rng.choice(words))

    def old_time() -> None:
        if (path := some()) is not None:
            stat = path.stat()
            path.write_text(path.read_text().replace("word", "werd"))
            os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns - rng.choice([0, 10**9, 10**12])))

    def over() -> None:
        if (path := some()) is not None:
            side = path.with_suffix(".new")
            side.write_text(path.read_text().replace("word", "wurd"))
            side.rename(path)

    def rename() -> None:
        if (path := some()) is not None:
            path.rename(path.with_name(f"r{rng.randrange(60)}.md"))

    def delete() -> None:
        if (path := some()) is not None:
            path.unlink()

    def move_folder() -> None:
        folder = notes / "sub"
        if folder.is_dir():
            target = notes / f"moved{rng.randrange(3)}"
            if target.exists():
                shutil.rmtree(target)
            folder.rename(target)

    def swap() -> None:
        one, other = some(), some()
        if one is not None and other is not None and one != other:
            side = one.with_suffix(".swap")
            one.rename(side)
            other.rename(one)
            side.rename(other)

    edits = [fresh, fresh, fresh, in_place, in_place, old_time, over, rename, delete, move_folder, swap]
    for step in range(300):
        for _ in range(rng.choice([1, 1, 2, 5])):
            rng.choice(edits)()
        assert indexed(store, cache) == on_disk(store), step
    word = rng.choice(words)
    assert found(store, cache, word) == sorted(path for path, body in on_disk(store).items() if word in body.split())


def test_two_edits_within_one_tick_are_both_seen(store: StoreRef, cache: str) -> None:
    path = note(store, "a.md", "aaaa")
    for body in ("bbbb", "cccc", "dddd", "eeee") * 20:
        stat = path.stat()
        with path.open("r+") as file:
            file.seek(len(path.read_text()) - 5)
            file.write(body)
        os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
        assert indexed(store, cache)["notes/a.md"] == body + "\n"


@pytest.mark.parametrize("step_ns", [1, 10**9])
def test_a_file_is_not_vouched_for_while_its_time_proves_nothing(store: StoreRef, cache: str, step_ns: int) -> None:
    path = note(store, "a.md", "aaaa")
    now = time.time_ns() // step_ns * step_ns
    os.utime(path, ns=(now, now))
    with open_index(store, cache) as index:
        assert index.connection.execute("SELECT racy FROM file WHERE path = 'notes/a.md'").fetchone() == (1,)


def test_an_old_file_is_read_once_only(store: StoreRef, cache: str, monkeypatch: pytest.MonkeyPatch) -> None:
    note(store, "a.md", "aaaa")
    for path in Path(store.path).rglob("*"):
        os.utime(path, ns=(10**18, 10**18))
    with open_index(store, cache):
        pass
    later = time.time_ns() + 10**10  # ctime cannot be set, so the clock is moved on
    monkeypatch.setattr(time, "time_ns", lambda: later)
    with open_index(store, cache) as index:
        assert index.database.meta["racy"] == 0
    opened: list[object] = []
    monkeypatch.setattr("remember.store.read._take", lambda *a: opened.append(a))
    with open_index(store, cache) as index:
        assert index.freshness.changed == 0
    assert opened == []


def test_a_note_made_while_a_walk_is_under_way_is_not_taken_for_deleted(store: StoreRef, cache: str) -> None:
    from remember.index.refresh import take_in
    from remember.layouts import layout_named
    from remember.store.scan import scan

    note(store, "a.md", "aaaa")
    layout = layout_named("remember")
    with open_index(store, cache) as index:
        old_walk = scan(store.path, layout.rules)
        note(store, "b.md", "bbbb", "0000000b")
        index.refresh()
        take_in(index.database, store, layout, old_walk)
        assert {memo.path for memo in index.all()} == {"notes/a.md", "notes/b.md"}


def test_what_cannot_be_read_is_never_taken_for_gone(store: StoreRef, cache: str, monkeypatch: pytest.MonkeyPatch) -> None:
    note(store, "sub/a.md", "findable")
    assert found(store, cache, "findable") == ["notes/sub/a.md"]
    real = os.scandir

    def refused(descriptor: int) -> object:
        if os.readlink(f"/proc/self/fd/{descriptor}").endswith("/sub"):
            raise PermissionError(13, "Permission denied")
        return real(descriptor)

    monkeypatch.setattr(os, "scandir", refused)
    with open_index(store, cache) as index:
        memos = list(index.all())
        assert [(m.path, m.stale) for m in memos] == [("notes/sub/a.md", True)]
        assert any("Permission denied" in warning for warning in index.freshness.warnings)
    monkeypatch.undo()
    with open_index(store, cache) as index:
        assert [(m.path, m.stale) for m in index.all()] == [("notes/sub/a.md", False)]


def test_an_emptied_mount_point_keeps_its_rows(store: StoreRef, cache: str) -> None:
    note(store, "a.md", "findable")
    with open_index(store, cache) as index:
        index.connection.execute("UPDATE meta SET value = value + 1 WHERE key = 'device'")
    shutil.rmtree(Path(store.path, "notes"))
    Path(store.path, "MEMORY.md").unlink()
    with open_index(store, cache) as index:
        assert [m.path for m in index.all()] == ["notes/a.md"]
        assert index.freshness.unreadable
