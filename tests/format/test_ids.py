from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from texts import any_text

from remember.format import ids


@pytest.mark.parametrize("text", ["a1b2c3d4", "00000012", "12345678", "519554e3"])
def test_ids(text: str) -> None:
    assert ids.is_id(text) and ids.is_prefix(text)


@pytest.mark.parametrize("text", ["", "a1b2c3d", "a1b2c3d45", "A1B2C3D4", "a1b2c3g4", "a1b2 c3d", "١2345678", "a1b2c3d\n"])
def test_no_ids(text: str) -> None:
    assert not ids.is_id(text)


@pytest.mark.parametrize(("text", "good"), [("a1b", False), ("a1b2", True), ("a1b2c3d4", True), ("a1b2c3d4e", False), ("A1B2", False)])
def test_prefixes(text: str, good: bool) -> None:
    assert ids.is_prefix(text) is good


@given(st.sets(st.integers(0, 40)), st.lists(st.integers(0, 40), min_size=1))
def test_a_drawn_id_is_never_taken(taken: set[int], chances: list[int]) -> None:
    names = {f"{number:08x}" for number in taken}
    at = iter(range(10_000))
    new = ids.draw(names.__contains__, lambda bits: chances[next(at) % len(chances)] if bits == 32 else -1)
    assert ids.is_id(new) and new not in names


def test_chance_that_repeats_itself_ends_all_the_same() -> None:
    assert ids.draw({"ffffffff", "00000000"}.__contains__, lambda _: 0xFFFFFFFF) == "00000001"


@given(any_text, any_text)
def test_derived_ids_are_ids_and_stable(path: str, text: str) -> None:
    assert ids.is_id(ids.derived("vault", path, text))
    assert ids.derived("vault", path, text) == ids.derived("vault", path, text)


def test_derived_ids_tell_layout_path_and_text_apart() -> None:
    assert (
        len(
            {
                ids.derived("a", "b", "c"),
                ids.derived("ab", "", "c"),
                ids.derived("a", "bc"),
                ids.derived("a", "b"),
                ids.derived("x", "b", "c"),
            }
        )
        == 5
    )
