"""What is exported as jsonl and imported into an empty store is the same memos, and importing it again adds nothing."""

from __future__ import annotations

import tempfile
from pathlib import Path

from desk import Desk, snapshot
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from remember.errors import RefusedInput
from remember.format.text import check_body, clean_description, clean_fact

MOMENT = st.integers(0, 4_102_444_800)
TEXT = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=120)


def _fits(make: object, text: str) -> bool:
    try:
        return bool(make(text))  # type: ignore[operator]
    except RefusedInput:
        return False


FACT = TEXT.filter(lambda text: _fits(clean_fact, text)).map(clean_fact)
DESCRIPTION = TEXT.filter(lambda text: _fits(clean_description, text)).map(clean_description)
ODD = st.sampled_from(["# A\n\n[[b]] #tag\n", "no end", "crlf\r\nhere\r\n", "\n\nblank before\n", "```\n[[x]]\n```\n", "\n"])
BODY = st.one_of(TEXT, ODD).filter(lambda text: not text.strip() or _fits(check_body, text))
NOTE = st.tuples(DESCRIPTION, BODY, MOMENT, MOMENT)
Notes = list[tuple[str, str, int, int]]


@given(st.lists(st.tuples(FACT, MOMENT), max_size=6), st.lists(NOTE, max_size=4), st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_the_same_memos_come_back(facts: list[tuple[str, int]], notes: Notes, chance: object) -> None:
    ids = iter(f"{number:08x}" for number in chance.sample(range(1 << 32), 10))  # type: ignore[attr-defined]
    with tempfile.TemporaryDirectory() as folder:
        one, other = Desk(Path(folder) / "one"), Desk(Path(folder) / "other")
        one.put_facts(*((next(ids), at * 1000, text) for text, at in facts))
        for number, (description, body, first, second) in enumerate(notes):
            created, modified = sorted((first * 1000 + number, second * 1000))
            one.put_note(f"notes/2026-01-0{number + 1}-n.md", next(ids), created, modified, description, body)
        given_out = one.lines()
        one.give("jsonl", Path(folder) / "out.jsonl")
        first_time = other.bring("jsonl", Path(folder) / "out.jsonl")
        assert {outcome.outcome for outcome in first_time.outcomes} <= {"imported"}
        assert other.lines() == given_out
        before = snapshot(other.store)
        again = other.bring("jsonl", Path(folder) / "out.jsonl")
        assert {outcome.outcome for outcome in again.outcomes} <= {"duplicate"}
        assert again.recovery_id is None
        assert snapshot(other.store) == before


@given(st.lists(st.tuples(FACT, MOMENT), max_size=6), st.lists(NOTE, max_size=4))
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_a_store_that_is_imported_as_a_store_gives_the_same_too(facts: list[tuple[str, int]], notes: Notes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        one, other = Desk(Path(folder) / "one"), Desk(Path(folder) / "other")
        one.put_facts(*((f"a000000{number}", at * 1000, text) for number, (text, at) in enumerate(facts)))
        for number, (description, body, first, second) in enumerate(notes):
            created, modified = sorted((first * 1000, second * 1000))
            one.put_note(f"notes/deep/2026-01-0{number + 1}-n.md", f"b000000{number}", created, modified, description, body)
        before = snapshot(one.store)
        other.bring("remember", one.store)
        assert snapshot(one.store) == before
        assert other.lines() == one.lines()
