"""Any plan on any store: all of it or nothing, every other memo as it was, and one undo gives back every byte."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parents[1] / "change"))

from shop import Shop

from remember.change import undo
from remember.change.add import add
from remember.change.note import note
from remember.consolidate.apply import apply_plan
from remember.consolidate.picture import memos_of
from remember.errors import RememberError

RUN = "20261018T161033123Z-3f9a1c2e"
WORDS = st.sampled_from(
    ["proxy", "Backups run at 3 am", "日本語の事実", "#tag and more", "- listed", "é", "x" * 299, "# of retries is 5", "```"]
)
BODIES = st.sampled_from(["one line", "# Heading\n\ntext\n", "\n\nblank first\n", "crlf\r\nlines\r\n", "```\ncode\n```"])
PROSE = st.sampled_from([b"", b"# Mine\n\n", b"\xef\xbb\xbf", b"prose in\ntwo lines\n\n", b"- by hand\n", b"\r\n"])
OPERATION = st.tuples(st.sampled_from(["add", "note", "update", "merge", "forget"]), st.integers(0, 6), st.integers(0, 6), WORDS, BODIES)


def operation(kind: str, first: dict[str, str], second: dict[str, str], text: str, body: str) -> dict[str, Any]:
    return {
        "add": {"op": "add", "text": text},
        "note": {"op": "note", "description": text, "content": body},
        "update": {"op": "update", **first, "content": text},
        "merge": {"op": "merge", "memos": [first, second], "description": text, "content": body},
        "forget": {"op": "forget", **first},
    }[kind]


def named(shop: Shop) -> list[dict[str, str]]:
    memos = memos_of({path: data for path, data in shop.files().items() if path.endswith(".md")})
    return [{"id": memo.id, "revision": memo.revision} for memo in memos.values()]


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    PROSE,
    st.lists(WORDS, max_size=4, unique=True),
    st.lists(st.tuples(WORDS, BODIES), max_size=3, unique_by=lambda pair: pair[0]),
    st.booleans(),
    st.lists(OPERATION, max_size=5),
)
def test_all_or_nothing_and_back(prose: bytes, facts: list[str], notes: list[Any], unended: bool, wanted: list[Any]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        shop = Shop(folder)
        try:
            shop.write(prose)
            add(shop.target, facts, shop.terms())
            for description, body in notes:
                note(shop.target, description, body, shop.terms(allow_duplicate=True))
            if unended:
                shop.write(shop.read().rstrip(b"\r\n"))
            memos = named(shop) or [{"id": "0000000f", "revision": "0" * 12}]
            plan = [operation(k, memos[a % len(memos)], memos[b % len(memos)], text, body) for k, a, b, text, body in wanted]
            before, saved = shop.files(), shop.records()
            try:
                done = apply_plan(shop.target, {"run": RUN, "summary": "s", "operations": plan}, shop.terms())
            except RememberError:
                assert shop.files() == before and shop.records() == saved
                return
            after = shop.files()
            assert (done.recovery_id is not None) == (after != before) == any(outcome.changed for outcome in done.outcomes)
            touched = {memo_id for outcome in done.outcomes for memo_id in outcome.ids}
            untouched = [memo for memo in memos if memo["id"] not in touched]
            assert all(memo in named(shop) for memo in untouched if memo["id"] != "0000000f")
            if done.recovery_id is not None:
                undo.restore([shop.target], done.recovery_id, shop.terms())
                assert shop.files() == before
                undo.redo([shop.target], shop.terms())
                assert shop.files() == after
        finally:
            shop.index.close()
