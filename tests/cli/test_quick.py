"""The small parser takes a command line as Click does, or leaves it to Click."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from remember.cli import VERBS, _load
from remember.cli.clickface import group
from remember.cli.options import Args, Option, Spec
from remember.cli.quick import parse

Asked = tuple[Spec, dict[str, Any]]


def leaves(verb: str) -> list[tuple[list[str], Spec]]:
    """The commands of a verb with the words that call them."""
    spec = _load(verb)
    return [([verb, sub.name], sub) for sub in spec.subcommands] if spec.subcommands else [([verb], spec)]


LEAVES = [leaf for verb in VERBS for leaf in leaves(verb)]
WORDS = st.sampled_from(
    ["a", "two words", "-", "--", "", "0", "12", "-5", "1e3", "٣", "7.5", "=", "a=b", "--no-such", "-x", "-qv", "日本", "[", "-h", "--help"]
)


def through_click(words: list[str], argv: list[str]) -> Asked | None:
    """What Click makes of it: the command and its values; None for an error or help."""
    import click

    asked: list[Asked] = []

    def invoke(spec: Spec, args: Args) -> int:
        asked.append((spec, args.values))
        return 0

    try:
        group(VERBS, _load, invoke).main([*words, *argv], prog_name="remember", standalone_mode=False)
    except click.ClickException:
        return None
    return asked[0] if asked else None


def plain(values: dict[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list | tuple) else value for name, value in values.items()}


def given_option(option: Option) -> st.SearchStrategy[list[str]]:
    flag = st.sampled_from(option.flags)
    if option.kind == "flag":
        return flag.map(lambda name: [name])
    value = st.one_of(WORDS, st.sampled_from(option.choices or ("3",)), st.integers(0, 10**12).map(str))
    return st.one_of(
        st.tuples(flag, value).map(list),
        st.tuples(flag, value).map(lambda pair: ["=".join(pair)]),
        flag.map(lambda name: [name]),
    )


@st.composite
def command_lines(draw: st.DrawFn) -> tuple[list[str], Spec, list[str]]:
    words, spec = draw(st.sampled_from(LEAVES))
    parts = [WORDS.map(lambda word: [word]), *(given_option(option) for option in spec.options)]
    argv = [word for part in draw(st.lists(st.one_of(parts), max_size=6)) for word in part]
    return words, spec, argv


@settings(max_examples=300, deadline=None)
@given(command_lines())
@example((["search"], _load("search"), ["a", "--limit", "007"]))
@example((["search"], _load("search"), ["-n5", "a"]))
@example((["add"], _load("add"), ["--", "--scope", "-x"]))
def test_what_the_small_parser_takes_is_what_click_takes(line: tuple[list[str], Spec, list[str]]) -> None:
    words, spec, argv = line
    quick = parse(_load(words[0]), [*words[1:], *argv])
    if quick is None:
        return
    assert quick[0] is spec
    slow = through_click(words, argv)
    assert slow is not None and slow[0] is spec
    assert plain(quick[1].values) == plain(slow[1])


@pytest.mark.parametrize(("words", "spec"), LEAVES, ids=lambda value: " ".join(value) if isinstance(value, list) else "")
def test_whole_command_lines_are_quick(words: list[str], spec: Spec) -> None:
    """Each option once, with all arguments: none of it needs Click."""
    argv = []
    for option in spec.options:
        argv.append(option.flags[-1])
        if option.kind != "flag":
            argv.append(option.choices[0] if option.choices else "7")
    argv += ["x" for argument in spec.arguments]
    found = parse(_load(words[0]), [*words[1:], *argv])
    assert found is not None
    values = found[1].values
    assert all(values[option.dest] for option in spec.options)
    assert all(values[argument.dest] in ("x", ("x",)) for argument in spec.arguments)


@pytest.mark.parametrize(("words", "spec"), LEAVES, ids=lambda value: " ".join(value) if isinstance(value, list) else "")
def test_declarations_are_sound(words: list[str], spec: Spec) -> None:
    flags = [flag for option in spec.options for flag in option.flags]
    assert len(flags) == len(set(flags))
    names = [option.dest for option in spec.options] + [argument.dest for argument in spec.arguments]
    assert len(names) == len(set(names))
    assert spec.help.endswith(".") and all(option.help.endswith((".", ")", ".)")) for option in spec.options)
    assert spec.run is not None and spec.name == words[-1]
    for option in spec.options:
        assert option.kind in ("flag", "text", "multi", "int", "float", "choice")
        assert (option.kind == "choice") == bool(option.choices)
    assert all(not argument.many for argument in spec.arguments[:-1])
