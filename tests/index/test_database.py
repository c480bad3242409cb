"""The cache is dirt: whatever happens to its file, answers stay the same, and what is not ours is not touched."""

from __future__ import annotations

import os
import random
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from stocking import note

from remember.errors import CacheError
from remember.index import catalogue
from remember.index.catalogue import Filters, drop, open_index, rebuild
from remember.index.database import cache_path
from remember.index.search import Request, search
from remember.index.session import with_indexes
from remember.model import StoreRef


@pytest.fixture
def filled(store: StoreRef) -> StoreRef:
    for n in range(40):
        note(store, f"n{n:02d}.md", f"body number{n} common " + "filler " * 200, f"{n:08x}", f"Note number {n}")
    return store


def answers(store: StoreRef, cache: str) -> list[tuple[str, ...]]:
    def ask(indexes: list) -> list[tuple[str, ...]]:
        hits = [tuple(h.memo.path for h in search(indexes, Request(q), Filters()).hits) for q in ("common", "number7", "note number 33")]
        return [*hits, tuple(sorted(m.title for m in indexes[0].all()))]

    return with_indexes([store], cache, ask)


def test_indexing_writes_nothing_into_the_store(filled: StoreRef, cache: str) -> None:
    def state() -> dict[str, tuple[int, int, bytes]]:
        files = Path(filled.path).rglob("*")
        return {str(p): (p.stat().st_mtime_ns, p.stat().st_ino, p.read_bytes() if p.is_file() else b"") for p in files}

    before = state()
    answers(filled, cache)
    rebuild(filled, cache)
    assert state() == before


def test_every_page_damaged_gives_the_same_answers(filled: StoreRef, cache: str) -> None:
    expected = answers(filled, cache)
    path = Path(cache_path(cache, filled.path))
    whole = path.read_bytes()
    rng = random.Random(7)
    pages = len(whole) // 4096
    for page in range(0, pages, max(1, pages // 12)):
        for kind in ("zero", "random", "cut"):
            data = bytearray(whole)
            if kind == "cut":
                del data[page * 4096 :]
            else:
                data[page * 4096 : page * 4096 + 4096] = bytes(4096) if kind == "zero" else rng.randbytes(4096)
            path.write_bytes(data)
            assert answers(filled, cache) == expected, (page, kind)
            path.write_bytes(whole)


def test_flipped_bits_in_shown_values_are_noticed(filled: StoreRef, cache: str) -> None:
    expected = answers(filled, cache)
    path = Path(cache_path(cache, filled.path))
    connection = sqlite3.connect(path)
    connection.execute("UPDATE memo SET description = 'Note number 8' WHERE memo_id = '00000007'")
    connection.commit()
    connection.close()
    assert answers(filled, cache) == expected


@pytest.mark.parametrize(
    "sql",
    [
        "ALTER TABLE memo DROP COLUMN parts",
        "DROP TABLE words; CREATE TABLE words (description, labels, body, parts)",
        "PRAGMA user_version = 99",
        "PRAGMA application_id = 1",
        "UPDATE meta SET value = '0/old' WHERE key = 'program'",
        "DELETE FROM meta WHERE key = 'digest'",
        "DROP INDEX memo_memo_id",
        "UPDATE meta SET value = 'x' WHERE key = 'store'",
    ],
)
def test_a_cache_of_another_shape_is_made_anew(filled: StoreRef, cache: str, sql: str) -> None:
    expected = answers(filled, cache)
    path = cache_path(cache, filled.path)
    connection = sqlite3.connect(path)
    connection.executescript("DROP VIEW memo_words;" + sql if "COLUMN" in sql else sql)
    connection.close()
    assert answers(filled, cache) == expected
    with open_index(filled, cache) as index:
        assert index.database.path == path


@pytest.mark.parametrize("content", [b"", b"no database at all", b"SQLite format 3\x00" + bytes(5000)])
def test_a_foreign_file_in_its_place_is_replaced(filled: StoreRef, cache: str, content: bytes) -> None:
    expected = answers(filled, cache)
    Path(cache_path(cache, filled.path)).write_bytes(content)
    assert answers(filled, cache) == expected


def test_a_link_in_its_place_is_refused_and_its_target_untouched(filled: StoreRef, cache: str, tmp_path: Path) -> None:
    expected = answers(filled, cache)
    path = Path(cache_path(cache, filled.path))
    victim = tmp_path / "victim"
    victim.write_text("precious")
    for make in (path.symlink_to, path.hardlink_to):
        path.unlink()
        make(victim)
        assert answers(filled, cache) == expected
        assert victim.read_text() == "precious"
        with open_index(filled, cache) as index:
            assert index.database.path is None
            assert index.freshness.warnings
        with pytest.raises(CacheError):
            rebuild(filled, cache)


def test_without_a_cache_directory_the_index_is_in_memory(filled: StoreRef, tmp_path: Path) -> None:
    blocked = tmp_path / "blocked"
    blocked.write_text("a file, no directory")
    with open_index(filled, str(blocked / "cache")) as index:
        assert index.database.path is None
        assert "in memory" in index.freshness.warnings[0]
        assert index.count() == 40


def test_deleting_it_at_any_moment_costs_time_only(filled: StoreRef, cache: str) -> None:
    expected = answers(filled, cache)
    with open_index(filled, cache) as index:
        assert drop(filled, cache)
        assert index.count() == 40
    assert answers(filled, cache) == expected


def test_a_cache_that_somebody_reads_is_not_replaced_under_them(filled: StoreRef, cache: str) -> None:
    with open_index(filled, cache), pytest.raises(CacheError):
        rebuild(filled, cache)


def test_many_processes_at_once_all_answer(filled: StoreRef, cache: str) -> None:
    code = (
        "import sys, os\n"
        "from pathlib import Path\n"
        "from remember.index.catalogue import Filters\n"
        "from remember.index.search import Request, search\n"
        "from remember.index.session import with_indexes\n"
        "from remember.model import StoreRef\n"
        "ref = StoreRef('global', 'global', sys.argv[1], 'remember')\n"
        "me = sys.argv[3]\n"
        "for n in range(15):\n"
        "    Path(ref.path, 'notes', f'p{me}.md').write_text(f'own{me} turn{n}\\n')\n"
        "    found = with_indexes([ref], sys.argv[2], lambda i: search(i, Request(f'own{me} turn{n}', all_terms=True), Filters()))\n"
        "    assert [h.memo.path for h in found.hits] == [f'notes/p{me}.md'], (me, n, found)\n"
    )
    running = [
        subprocess.Popen([sys.executable, "-c", code, filled.path, cache, str(n)], stderr=subprocess.PIPE, env={**os.environ})
        for n in range(6)
    ]
    for process in running:
        _, errors = process.communicate(timeout=120)
        assert process.returncode == 0, errors.decode()


def test_building_tells_how_far_it_is(filled: StoreRef, cache: str) -> None:
    told: list[tuple[int, int]] = []
    rebuild(filled, cache, lambda done, total: told.append((done, total)))
    assert told[0] == (0, 41) and told[-1] == (41, 41)


def test_what_fails_in_the_full_text_is_not_lost_on_its_thread(filled: StoreRef, cache: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from remember.index import build

    monkeypatch.setattr(build, "INDEX_WORDS", "INSERT INTO nowhere SELECT ?, ?")
    with pytest.raises(sqlite3.OperationalError, match="nowhere"):
        rebuild(filled, cache)
    monkeypatch.undo()
    assert os.listdir(cache) == [] or not any(name.endswith(".tmp") for name in os.listdir(cache))
    assert answers(filled, cache)[0]


def test_files_that_vanish_or_cannot_be_read_while_an_index_is_built(filled: StoreRef, cache: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from remember.store.read import Reader

    plain = Reader.read

    def read(self: Reader, path: str) -> object:
        if path.endswith("n03.md"):
            os.unlink(os.path.join(filled.path, path))
        if path.endswith("n05.md"):
            raise OSError(5, "Input/output error")
        return plain(self, path)

    monkeypatch.setattr(Reader, "read", read)
    files, warnings = rebuild(filled, cache)
    assert files == 40 and [w for w in warnings if "n05.md: Input/output error" in w]
    monkeypatch.undo()

    def titles(indexes: list) -> set[str]:
        return {memo.title for memo in indexes[0].all()}

    found = with_indexes([filled], cache, titles)
    assert "Note number 3" not in found and "Note number 5" in found and len(found) == 39


def test_a_fact_that_moves_down_is_found_in_its_line(filled: StoreRef, cache: str) -> None:
    memory = Path(filled.path) / "MEMORY.md"
    fact = "<!-- 2025-01-01T00:00:00Z [aaaaaaaa] -->\nThe kettle is blue.\n"
    memory.write_text(fact)
    answers(filled, cache)

    def row(indexes: list) -> tuple[int, int]:
        return tuple(indexes[0].connection.execute("SELECT id, line FROM memo WHERE memo_id = 'aaaaaaaa'").fetchone())

    first = with_indexes([filled], cache, row)
    memory.write_text("<!-- 2025-01-01T00:00:00Z [bbbbbbbb] -->\nThe cup is white.\n" + fact)
    assert first[1] == 2 and with_indexes([filled], cache, row)[1] == 4


def test_an_index_whose_lock_cannot_be_made_is_made_in_memory(filled: StoreRef, cache: str) -> None:
    os.makedirs(cache)
    os.symlink("/nowhere", cache_path(cache, filled.path) + ".lock")
    with_warnings = with_indexes([filled], cache, lambda indexes: list(indexes[0].freshness.warnings))
    assert answers(filled, cache)[0]
    assert isinstance(with_warnings, list)


@pytest.mark.parametrize("said", ["database is locked", "disk I/O error"])
def test_an_index_that_is_busy_or_breaks_while_it_is_opened(
    filled: StoreRef, cache: str, monkeypatch: pytest.MonkeyPatch, said: str
) -> None:
    from remember.index import database

    expected = answers(filled, cache)
    plain, left = database._verify, [1]

    def verify(connection: sqlite3.Connection, ref: StoreRef) -> object:
        if left[0]:
            left[0] -= 1
            raise sqlite3.OperationalError(said)
        return plain(connection, ref)

    monkeypatch.setattr(database, "_verify", verify)
    assert answers(filled, cache) == expected


def test_an_older_index_that_takes_the_place_of_the_one_just_built_is_not_believed(
    filled: StoreRef, cache: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two processes build at once; the one whose walk was earlier may put its index in place last."""
    open_index(filled, cache).close()
    path = Path(cache_path(cache, filled.place))
    older = path.read_bytes()
    path.unlink()
    note(filled, "new.md", "a word that came later", "cccccccc")
    real, calls = catalogue._after_build, []

    def overtaken(*args: Any) -> Any:
        if not calls:
            path.unlink()
            path.write_bytes(older)
        calls.append(1)
        return real(*args)

    monkeypatch.setattr(catalogue, "_after_build", overtaken)
    with open_index(filled, cache) as index:
        assert [memo.path for memo in index.by_id("cccccccc")] == ["notes/new.md"]
    assert calls
