"""Each state of a mirrored memo, from every combination of what was written, what is private and what lies in public."""

from __future__ import annotations

import itertools

import pytest

from remember.mirror.rows import LEFT, Listed, Private, Public, judge

OLD, NEW, OTHER = "0" * 64, "1" * 64, "2" * 64
TABLE = {
    # (written last, private now, public now): state
    (None, NEW, None): "unwritten",
    (None, NEW, NEW): "same",
    (None, NEW, OTHER): "taken",
    (None, None, None): "gone",
    (None, None, OTHER): "edited",
    (OLD, NEW, OLD): "behind",
    (OLD, NEW, NEW): "same",
    (OLD, NEW, OTHER): "edited",
    (OLD, NEW, None): "missing",
    (OLD, None, OLD): "gone",
    (OLD, None, OTHER): "edited",
    (OLD, None, None): "gone",
    (OLD, OLD, OLD): "same",
    (OLD, OLD, OTHER): "edited",
    (OLD, OLD, None): "missing",
}


@pytest.mark.parametrize(("written", "private", "public"), list(TABLE))
def test_the_state(written: str | None, private: str | None, public: str | None) -> None:
    row = judge("aaaa0001", Listed("a.md", written), Private(None if private is None else b"x", private), Public(public))
    assert row.state == TABLE[written, private, public]
    assert bool(row.reason) == (row.state != "same")


@pytest.mark.parametrize(("written", "private", "public"), list(itertools.product([None, OLD], [None, OLD, NEW], [None, OLD, NEW, OTHER])))
def test_what_is_not_as_it_was_written_is_always_left(written: str | None, private: str | None, public: str | None) -> None:
    state = judge("aaaa0001", Listed("a.md", written), Private(None if private is None else b"x", private), Public(public)).state
    if public is not None and public not in (written, private):
        assert state in LEFT


def test_trouble_comes_first() -> None:
    listed = Listed("a.md", OLD)
    assert judge("a", listed, Private(b"x", None, ("secret", "line 3")), Public(OLD)).state == "secret"
    assert judge("a", listed, Private(b"x", OLD), Public(None, "is a symbolic link"))[2:] == ("unreadable", "is a symbolic link")
