"""Whole lines within a budget, the beginning and mostly the end."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from remember.context.choose import Chosen, choose


def chosen_of(lengths: list[int], budget: int) -> Chosen:
    return choose(len(lengths), lengths.__getitem__, budget)


def test_all_lines_stand_where_they_fit() -> None:
    assert chosen_of([9, 9, 9], 30) == ((0, 1, 2), (), ())


def test_about_a_fifth_of_the_beginning_and_the_rest_of_the_end_are_kept() -> None:
    chosen = chosen_of([9] * 100, 500)
    assert chosen.head == tuple(range(10))
    assert chosen.tail == tuple(range(60, 100))
    assert chosen.missing == tuple(range(10, 60))


def test_one_giant_at_the_end_does_not_hide_the_others() -> None:
    chosen = chosen_of([9, 9, 9, 5000], 100)
    assert set(chosen.head + chosen.tail) == {0, 1, 2}
    assert chosen.missing == (3,)


@given(st.lists(st.integers(0, 400), max_size=60), st.integers(0, 3000))
def test_every_line_is_shown_or_missing_and_the_budget_holds(lengths: list[int], budget: int) -> None:
    chosen = chosen_of(lengths, budget)
    assert sorted((*chosen.head, *chosen.tail, *chosen.missing)) == list(range(len(lengths)))
    assert sum(lengths[at] + 1 for at in (*chosen.head, *chosen.tail)) <= budget
    assert list(chosen.tail) == sorted(chosen.tail)


def test_only_lines_that_may_be_shown_are_looked_at() -> None:
    asked = set()

    def length(at: int) -> int:
        asked.add(at)
        return 99

    choose(100_000, length, 3000)
    assert len(asked) < 100
