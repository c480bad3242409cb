"""What may end a command line: the parts of it without a shell."""

from __future__ import annotations

import shlex
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from remember.cli import VERBS, _load
from remember.cli.expecting import Expected, expect, split_line
from remember.cli.options import Option, Spec
from remember.memory.completing import KINDS

LINES = st.lists(st.sampled_from(["a", "é", " ", "  ", "'", '"', "\\", "=", "\t", "\n"]), max_size=12).map("".join)


def leaves(verb: str) -> list[tuple[list[str], Spec]]:
    spec = _load(verb)
    return [([verb, sub.name], sub) for sub in spec.subcommands] if spec.subcommands else [([verb], spec)]


LEAVES = [leaf for verb in VERBS for leaf in leaves(verb)]


def expected(*words: str) -> Expected:
    return expect(VERBS, _load, words)


def names(found: Expected) -> list[str]:
    return [name for name, _ in found.words]


@given(LINES)
@example('a \'b c\' "d\\"e" f\\ g ')
def test_a_finished_line_is_split_as_a_shell_does(line: str) -> None:
    try:
        words = shlex.split(line.replace("\\\n", "\\ "), posix=True)
    except ValueError:
        split_line(line)  # not finished: any split will do, an exception will not
        return
    if "\\\n" not in line:
        assert split_line(line + " x")[0] == [*words, "x"]


@pytest.mark.parametrize(
    ("line", "last", "quoted"),
    [
        ("r a", "a", False),
        ("r ", "", False),
        ("r 'a b", "a b", True),
        ('r "a', "a", True),
        ("r a\\ b", "a b", False),
        ('r "\\$\\`', "$`", True),
    ],
)
def test_the_last_word_is_the_one_at_the_cursor(line: str, last: str, quoted: bool) -> None:
    words, in_quotes = split_line(line)
    assert (words[-1], in_quotes) == (last, quoted)


def test_verbs_and_subcommands_are_expected_where_they_stand() -> None:
    assert set(names(expected(""))) == {verb for verb in VERBS if not _load(verb).hidden}
    assert names(expected("store", "")) == [sub.name for sub in _load("store").subcommands]
    assert expected("store", "nonsense", "") == Expected() == expected("nonsense", "")
    assert "--version" in names(expected("-"))


@pytest.mark.parametrize(("words", "spec"), LEAVES, ids=lambda value: " ".join(value) if isinstance(value, list) else "")
def test_every_option_is_expected_once(words: list[str], spec: Spec) -> None:
    flags = {flag for option in spec.options for flag in option.flags}
    assert set(names(expected(*words, "--"))) == flags | {"-h", "--help"}
    for option in spec.options:
        after = [option.flags[0]] if option.kind == "flag" else [option.flags[0], "x"]
        left = set(names(expected(*words, *after, "--")))
        assert bool(set(option.flags) & left) == (option.kind == "multi")


@pytest.mark.parametrize(("words", "spec"), LEAVES, ids=lambda value: " ".join(value) if isinstance(value, list) else "")
def test_what_is_offered_exists(words: list[str], spec: Spec) -> None:
    """Kinds of values have a source, and the choices of an option are all offered."""
    known = {"file", "folder", *KINDS}
    for option in spec.options:
        if option.kind != "flag":
            found = expected(*words, option.flags[-1], "")
            assert set(found.kinds) <= known
            assert tuple(names(found)) == option.choices or not option.choices
            assert expected(*words, f"{option.flags[-1]}=a")[1:4] in (
                (found.kinds, f"{option.flags[-1]}=", "a"),
                ((), "", f"{option.flags[-1]}=a"),
            )
    for number in range(len(spec.arguments)):
        assert set(expected(*words, *["x"] * number, "").kinds) <= known


def test_options_that_were_given_say_which_stores_are_meant() -> None:
    found = expected("show", "--root", "/a", "--store=b", "--store", "c", "--json", "")
    assert found.kinds == ("memo",)
    assert found.values == {"root": "/a", "store": ("b", "c"), "json": True}


def test_after_a_double_dash_nothing_is_an_option() -> None:
    found = expected("show", "--", "--a")
    assert (found.kinds, found.typed) == (("memo",), "--a")


@given(
    st.lists(
        st.sampled_from(["show", "list", "store", "add", "--tag", "--root=", "--", "-", "-n", "", "x", "--no", "=", "-qv"]), max_size=6
    )
)
def test_any_line_is_taken(words: list[str]) -> None:
    found: Any = expected(*words)
    assert all(isinstance(name, str) for name in names(found))


def test_an_option_that_takes_text_offers_nothing() -> None:
    option = next(option for option in _load("add").options if option.dest == "lock_timeout")
    assert isinstance(option, Option)
    assert expected("add", "--lock-timeout", "")[:2] == ((), ())
