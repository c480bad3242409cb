from __future__ import annotations

import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remember.format.graphemes import boundary
from remember.format.text import cut

CLUSTERS = [
    "a",
    "e\u0301",
    "👩‍👩‍👧",
    "🇩🇪",
    "👍🏽",
    "각",
    "\u1112\u1161\u11ab",
    "क्ष",
    "नि",
    "ก\u0e33",
    "\r\n",
    "☎\ufe0f",
    "🏴\U000e0067\U000e007f",
    " ",
]


def places(text: str) -> list[int]:
    """Every place at which the text may be cut."""
    return sorted({boundary(text, at, -1) for at in range(len(text) + 1)})


@pytest.mark.parametrize("cluster", CLUSTERS)
def test_one_cluster_is_never_parted(cluster: str) -> None:
    assert places(cluster) == [0, len(cluster)]


@given(st.lists(st.sampled_from([c for c in CLUSTERS if c != "क्ष"]), max_size=6))
def test_clusters_side_by_side_are_parted_between_them_only(clusters: list[str]) -> None:
    text = "".join(clusters)
    between = {sum(map(len, clusters[:n])) for n in range(len(clusters) + 1)}
    assert set(places(text)) <= between


@given(st.text(st.sampled_from("a\u0301\u200d🇩🇪🏽\r\n\u094dक\u1161\u1100")), st.integers(-3, 20))
def test_both_directions_find_the_same_places(text: str, at: int) -> None:
    down, up = boundary(text, at, -1), boundary(text, at, 1)
    inside = max(0, min(len(text), at))
    assert down <= inside <= up and boundary(text, down, 1) == down and boundary(text, up, -1) == up
    assert all(boundary(text, place, -1) == place for place in (down, up))
    assert (down == up) == (inside == down)
    assert all(low < high for low, high in pairwise(places(text)))


@given(st.text(max_size=30), st.integers(0, 40))
def test_a_cut_is_a_beginning_of_no_more_than_the_limit(text: str, limit: int) -> None:
    short = cut(text, limit)
    assert text.startswith(short) and len(short) <= limit
    assert short == text or boundary(text, len(short), -1) == len(short)


def test_a_fact_of_299_characters_and_a_family() -> None:
    assert cut("x" * 299 + "👩‍👩‍👧", 300) == "x" * 299


@pytest.mark.parametrize("char", ["\u0301", "🇩", "\u200d", "\u1161"])
def test_time_grows_with_length_alone(char: str) -> None:
    began = time.process_time()
    boundary(char * 100_000, 50_001, -1)
    assert time.process_time() - began < 1
