"""A folder named by a SHA-256 in a native store is another memory program's: it is not read, not listed and not judged."""

from __future__ import annotations

from console import Console

from remember.exchange.places import harness_name
from remember.layouts.layout import Rules
from remember.layouts.native import NATIVE

HASH = harness_name("/home/ana/src/remember")


def test_only_a_whole_hash_at_the_top_is_skipped() -> None:
    assert NATIVE.rules.skips_top(HASH)
    assert not NATIVE.rules.skips_top(HASH[:63])
    assert not NATIVE.rules.skips_top(HASH[:63] + "g")
    assert not NATIVE.rules.skips_top(HASH.upper())
    assert not Rules().skips_top(HASH)


def test_it_is_out_of_sight_for_scan_index_and_check(remember: Console) -> None:
    remember("add", "--scope", "global", "A fact of ours.")
    store = remember.home / ".pi" / "agent" / "memory"
    for place in (HASH, f"topics/{HASH}"):
        (store / place).mkdir(parents=True)
        (store / place / "zebra.md").write_text("---\nname: zebra\n---\nA zebra of another program.\n")
    listed = remember.json("list", "--scope", "global")
    assert [memo["path"] for memo in listed["memos"] if memo["kind"] == "note"] == [f"topics/{HASH}/zebra.md"]
    assert [hit["path"] for hit in remember.json("search", "--scope", "global", "zebra")["hits"]] == [f"topics/{HASH}/zebra.md"]
    found = remember.raw("check", "--scope", "global", "--json").stdout.decode()
    assert f'"{HASH}/' not in found
    assert remember.error("show", "--scope", "global", f"{HASH}/zebra.md", expect=1)["code"] == "not_found"
    before = remember.raw("list", "--scope", "global", "--json").stdout
    (store / HASH / "zebra.md").write_text("Another text.\n")
    assert remember.raw("list", "--scope", "global", "--json").stdout == before
