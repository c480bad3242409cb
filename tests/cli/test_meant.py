"""What is called otherwise elsewhere leads to what it is called here, and every word that is advised exists."""

from __future__ import annotations

import pytest
from console import Console

from remember.cli import VERBS, _load
from remember.cli.meant import _COMMANDS, _OPTIONS, _SUBCOMMANDS, INSTEAD, command_meant, option_meant


def flags(command: str) -> list[str]:
    return [flag for option in _load(command).options for flag in option.flags]


def test_every_command_that_is_advised_exists_and_no_command_is_advised_against() -> None:
    for word, command in _COMMANDS.items():
        assert word not in VERBS, word
        verb, *rest = command.split()
        if verb == "--version":
            continue
        spec = _load(verb)
        for part in rest:
            assert part in flags(verb) or part in [sub.name for sub in spec.subcommands], command
    for group, words in _SUBCOMMANDS.items():
        names = [sub.name for sub in _load(group).subcommands]
        assert set(words.values()) <= set(names) and not set(words) & set(names), group
    assert set(INSTEAD) <= set(VERBS)


def test_no_option_that_a_command_has_is_advised_against() -> None:
    for option, said in _OPTIONS.items():
        for command in said:
            assert command == "" or option not in flags(command), (option, command)


def test_general_advice_is_given_only_where_it_holds() -> None:
    assert option_meant("--global", "show", flags("show")) == "use --scope global"
    assert option_meant("--global", "init", flags("init")).startswith("the first `remember add --scope global")
    assert "--scope" not in option_meant("--global", "manifest", ["--quiet"])
    assert option_meant("--tag", "undo", flags("undo")) == ""  # `--store` is not nearly so written
    assert option_meant("-x", "list", flags("list")) == ""


@pytest.mark.parametrize(
    ("word", "group", "meant"),
    [
        ("find", "", ["search"]),
        ("Delete", "", ["forget"]),
        ("rm", "", ["forget"]),
        ("serch", "", ["search"]),
        ("merge", "git", ["sync"]),
        ("get", "config", ["show"]),
        ("xyzzy", "", []),
    ],
)
def test_a_command_that_is_none(word: str, group: str, meant: list[str]) -> None:
    names = [sub.name for sub in _load(group).subcommands if not sub.hidden] if group else list(VERBS)
    assert command_meant(word, names, group) == meant


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("find tabs", "did you mean search?"),
        ("check --fix", "use --repair"),
        ("add --tag foo hello", "write #TAG in the text"),
        ("context --budget 500", "use --max-chars"),
        ("init --scope global", "add --scope global"),
        ("git merge", "did you mean sync?"),
        ("git merge-drive", "see `remember git --help`"),
        ("undo 20261201T163717709Z-cd0f106f", "remember restore RECOVERY_ID"),
        ("init elsewhere", "--root DIR"),
    ],
)
def test_what_a_person_typed_who_came_from_elsewhere(remember: Console, line: str, hint: str) -> None:
    error = remember.error(*line.split(), expect=2)
    assert hint in error["hint"] and "merge-driver" not in error["hint"]


def test_help_and_version_as_words(remember: Console) -> None:
    assert remember("help", "add") == remember("add", "--help")
    assert remember("help") == remember("--help")
    assert remember("version") == remember("--version")
    assert "[ID|PATH|TEXT]..." in remember("help", "forget") and "DESCRIPTION [-]" in remember("help", "note")
