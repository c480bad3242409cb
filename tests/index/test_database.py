"""The cache is dirt: whatever happens to its file, answers stay the same, and what is not ours is not touched."""

from __future__ import annotations

import os
import random
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from stocking import note

from remember.errors import CacheError
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
