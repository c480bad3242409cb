"""How an index follows its files: what stays, what is replaced, and that nobody's work is done twice."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from stocking import note

from remember.errors import CacheError
from remember.index import refresh
from remember.index.audit import open_audit
from remember.index.catalogue import Index, open_index
from remember.index.refill import refill
from remember.layouts import layout_named
from remember.model import StoreRef
from remember.store.scan import scan

FACT = "<!-- 2026-01-02T03:04:05Z [{:08x}] -->\nFact number {}.\n"


def rows(index: Index) -> dict[str, tuple[int, int, int]]:
    found = index.connection.execute("SELECT memo_id, id, line, body_line FROM memo WHERE kind = 'fact'")
    return {memo_id: (number, line, body_line) for memo_id, number, line, body_line in found}


def test_facts_that_only_move_stay_in_the_full_text_index(store: StoreRef, cache: str) -> None:
    facts = Path(store.path, "MEMORY.md")
    facts.write_text("".join(FACT.format(n, n) for n in range(1, 6)))
    index = open_index(store, cache)
    before = rows(index)
    facts.write_text(FACT.format(9, 9) + facts.read_text().replace("number 3", "number three"))
    index.refresh()
    after = rows(index)
    for memo_id in ("00000001", "00000002", "00000004", "00000005"):
        number, line, body_line = before[memo_id]
        assert after[memo_id] == (number, line + 2, body_line + 2)
    assert after["00000003"][0] != before["00000003"][0]
    index.close()
    audit, problems = open_audit(store, cache)
    assert audit is not None and not problems
    assert audit.finish() == [] or {p.code for p in audit.problems} <= {"R600"}
    audit.close()


def test_what_another_process_took_in_meanwhile_is_left(store: StoreRef, cache: str) -> None:
    note(store, "a.md", "text")
    index = open_index(store, cache)
    index.connection.execute("UPDATE file SET racy = 0")
    index.connection.execute("UPDATE meta SET value = 0 WHERE key = 'racy'")
    layout = layout_named("remember")
    fresh = refresh.take_in(index.database, store, layout, scan(store.path, layout.rules))
    assert (fresh.changed, fresh.removed) == (0, 0)
    assert not index.connection.in_transaction
    index.close()


def test_a_file_that_cannot_be_read_is_known_and_looked_for_again(tmp_path: Path, cache: str) -> None:
    """A harness reads no file beyond its limit; such a one comes, and then shrinks."""
    place = tmp_path / "memory"
    place.mkdir()
    (place / "MEMORY.md").write_text("# Index\n")
    ref = StoreRef("h", "h", str(place.resolve()), "harness")
    index = open_index(ref, cache)
    limit = layout_named("harness").rules.most_bytes
    assert limit > 0
    (place / "big.md").write_text("x" * (limit + 1))
    fresh = index.refresh()
    assert any("big.md" in warning for warning in fresh.warnings)
    (place / "big.md").write_text("small now\n")
    index.refresh()
    assert index.connection.execute("SELECT body FROM memo JOIN file ON file.id = memo.file WHERE path = 'big.md'").fetchall()
    index.close()


def test_nothing_is_refilled_where_there_is_no_index(store: StoreRef, cache: str) -> None:
    with pytest.raises(CacheError, match="absent"):
        refill(store, cache)
    os.makedirs(cache, exist_ok=True)
    assert os.listdir(cache) == [] or all(name.endswith(".lock") for name in os.listdir(cache))
