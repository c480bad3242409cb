"""A small parser for whole, correct command lines; what it does not fully understand goes to Click, which costs 29 ms more."""

from __future__ import annotations

from remember.cli.options import Args, Option, Spec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["forgiven", "parse"]


def parse(spec: Spec, argv: Sequence[str]) -> tuple[Spec, Args] | None:
    """The command that is meant (a group's subcommand) with its arguments, or None: let Click say what is wrong, or help."""
    while spec.subcommands:
        if not argv:
            return None
        found = next((sub for sub in spec.subcommands if sub.name == argv[0]), None)
        if found is None:
            return None
        spec, argv = found, argv[1:]
    by_flag = {flag: option for option in spec.options for flag in option.flags}
    values: dict[str, object] = {
        option.dest: () if option.kind == "multi" else False if option.kind == "flag" else option.default for option in spec.options
    }
    words = _options(list(argv), by_flag, values)
    if words is None or not _arguments(spec, words, values):
        return None
    return spec, Args(values)


def forgiven(spec: Spec, argv: Sequence[str]) -> Args:
    """What can be understood of a command line that has something wrong with it; the rest is `astray`."""
    by_flag = {flag: option for option in spec.options for flag in option.flags}
    values: dict[str, object] = {}
    words: list[str] = []
    astray: list[str] = []
    left = list(argv)
    while left:
        word = left.pop(0)
        name, equals, value = word.partition("=")
        option = by_flag.get(name)
        if not word.startswith("-"):
            words.append(word)
        elif option is None or (bool(equals) if option.kind == "flag" else not equals and not left):
            astray.append(word)
        elif option.kind == "flag":
            values[option.dest] = True
        elif not _put(option, value if equals else left.pop(0), values):
            astray.append(word)
    for argument in spec.arguments:
        values[argument.dest] = tuple(words)
    return Args({**values, "astray": tuple(astray)})


def _options(argv: list[str], by_flag: dict[str, Option], values: dict[str, object]) -> list[str] | None:
    """Put the options' values in place and return the other words; None for anything unknown or malformed."""
    words: list[str] = []
    at = 0
    while at < len(argv):
        word = argv[at]
        at += 1
        if word == "--":
            return words + argv[at:]
        if len(word) < 2 or word[0] != "-":
            words.append(word)
            continue
        flag, equals, value = word.partition("=") if word.startswith("--") else (word, "", "")
        option = by_flag.get(flag)
        if option is None:
            return None
        if option.kind == "flag":
            if equals:
                return None
            values[option.dest] = True
            continue
        if not equals:
            if at == len(argv):
                return None
            value = argv[at]
            at += 1
        if not _put(option, value, values):
            return None
    return words


def _put(option: Option, value: str, values: dict[str, object]) -> bool:
    if option.kind == "multi":
        values[option.dest] = (*values[option.dest], value)  # type: ignore[misc]
    elif option.kind == "int":
        if not (value.isascii() and value.isdigit() and len(value) < 10):
            return False
        values[option.dest] = int(value)
    elif option.kind == "float":
        if not (value.isascii() and value.replace(".", "", 1).isdigit() and len(value) < 20):
            return False
        values[option.dest] = float(value)
    elif option.kind == "choice" and value not in option.choices:
        return False
    else:
        values[option.dest] = value
    return True


def _arguments(spec: Spec, words: list[str], values: dict[str, object]) -> bool:
    for argument in spec.arguments:
        if argument.many:
            if not words and not argument.optional:
                return False
            values[argument.dest] = tuple(words)
            words = []
        elif words:
            values[argument.dest] = words.pop(0)
        elif argument.optional:
            values[argument.dest] = None
        else:
            return False
    return not words
