"""What may stand at the end of an unfinished command line, by the same tables that parse the finished one."""

from __future__ import annotations

from remember._named import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from remember.cli.options import Argument, Option, Spec

__all__ = ["Expected", "expect", "split_line"]

_STANDS_FOR = {
    "AGENT": ("<agent>",),
    "CODE": ("<code>",),
    "CODES": ("<code>",),
    "DIR": ("<folder>",),
    "FILE": ("<file>",),
    "ID": ("<memo>",),
    "ID|PATH": ("<memo>",),
    "ID|PATH|TEXT": ("<memo>",),
    "KEY": ("<key>",),
    "LAYOUT": ("<layout>",),
    "PATH": ("<file>",),
    "RECOVERY_ID": ("<record>",),
    "ROOT": ("<folder>",),
    "TAG": ("<tag>",),
}
_HELP = (("-h", "Show this message and exit."), ("--help", "Show this message and exit."))
_VERSION = ("--version", "Print the version.")


class Expected(NamedTuple):
    """What fits the last word: `words` with their help are known from the tables, `kinds` of values are to be asked for.

    `prefix` is the part of the word before the value (`--tag=`), `typed` the beginning of the value; `values` are the options
    given so far, by `dest`; `taken` the arguments.
    """

    words: tuple[tuple[str, str], ...] = ()
    kinds: tuple[str, ...] = ()
    prefix: str = ""
    typed: str = ""
    values: dict[str, object] = {}  # noqa: RUF012 (it is never changed)
    taken: tuple[str, ...] = ()


def expect(verbs: Iterable[str], load: Callable[[str], Spec], words: Sequence[str]) -> Expected:
    """What the last of `words` (those after the program's name) may become; the last one is "" where it is not begun."""
    *before, typed = words or [""]
    if not before:
        if typed.startswith("-"):
            return Expected((_VERSION, *_HELP), (), "", typed)
        specs = [load(verb) for verb in verbs]
        return Expected(tuple((spec.name, spec.help) for spec in specs if not spec.hidden), (), "", typed)
    if before[0] not in set(verbs):
        return Expected()
    spec, at = load(before[0]), 1
    while spec.subcommands:
        if at == len(before):
            names = tuple((sub.name, sub.help) for sub in spec.subcommands if not sub.hidden)
            return Expected(_HELP if typed.startswith("-") else names, (), "", typed)
        found = next((sub for sub in spec.subcommands if sub.name == before[at]), None)
        if found is None:
            return Expected()
        spec, at = found, at + 1
    return _inside(spec, before[at:], typed)


def _inside(spec: Spec, before: Sequence[str], typed: str) -> Expected:
    """What may follow inside a command."""
    by_flag = {flag: option for option in spec.options for flag in option.flags}
    values: dict[str, object] = {}
    taken: list[str] = []
    waiting: Option | None = None
    ended = False
    for word in before:
        if waiting is not None:
            _put(values, waiting, word)
            waiting = None
        elif ended or len(word) < 2 or word[0] != "-":
            taken.append(word)
        elif word == "--":
            ended = True
        else:
            flag, equals, value = word.partition("=")
            option = by_flag.get(flag)
            if option is not None and option.kind == "flag":
                values[option.dest] = True
            elif option is not None and equals:
                _put(values, option, value)
            else:
                waiting = option
    so_far = Expected((), (), "", typed, values, tuple(taken))
    if waiting is not None:
        return _offered(so_far, waiting)
    flag, equals, value = typed.partition("=")
    if not ended and flag.startswith("--") and equals:
        option = by_flag.get(flag)
        return so_far if option is None or option.kind == "flag" else _offered(so_far._replace(prefix=flag + "=", typed=value), option)
    if not ended and typed.startswith("-"):
        return so_far._replace(words=(*_flags(spec, values), *_HELP))
    argument = _argument(spec, len(taken))
    return so_far if argument is None else _offered(so_far, argument)


def _put(values: dict[str, object], option: Option, value: str) -> None:
    if option.kind == "multi":
        given = values.get(option.dest, ())
        assert isinstance(given, tuple)
        values[option.dest] = (*given, value)
    else:
        values[option.dest] = value


def _flags(spec: Spec, values: dict[str, object]) -> list[tuple[str, str]]:
    """The options that are not given yet; of their names the long one first."""
    free = [option for option in spec.options if option.kind == "multi" or option.dest not in values]
    return [(flag, option.help) for option in free for flag in sorted(option.flags, key=len, reverse=True)]


def _argument(spec: Spec, place: int) -> Argument | None:
    if place < len(spec.arguments):
        return spec.arguments[place]
    return spec.arguments[-1] if spec.arguments and spec.arguments[-1].many else None


def _offered(so_far: Expected, what: Option | Argument) -> Expected:
    choices = getattr(what, "choices", ())
    offers = choices or what.offers or _STANDS_FOR.get(what.metavar, ())
    words = tuple((offer, "") for offer in offers if not offer.startswith("<") and offer not in so_far.taken)
    return so_far._replace(words=words, kinds=tuple(offer[1:-1] for offer in offers if offer.startswith("<")))


def split_line(line: str) -> tuple[list[str], bool]:
    """A command line up to the cursor as the words of a POSIX shell, and whether the last one is in quotes.

    Nothing is expanded; the last word is "" after a blank; a quote or backslash that is not finished counts as it stands.
    """
    words: list[str] = []
    word: str | None = None
    quoted = False
    at = 0
    while at < len(line):
        char = line[at]
        at += 1
        if char in " \t\n":
            if word is not None:
                words.append(word)
            word, quoted = None, False
        elif char == "'":
            end = line.find("'", at)
            end = len(line) if end < 0 else end
            word, quoted = (word or "") + line[at:end], True
            at = end + 1
        elif char == '"':
            inside, at = _double_quoted(line, at)
            word, quoted = (word or "") + inside, True
        elif char == "\\":
            word = (word or "") + line[at : at + 1]
            at += 1
        else:
            word = (word or "") + char
    return [*words, word or ""], quoted


def _double_quoted(line: str, at: int) -> tuple[str, int]:
    """The text from `at` to the closing double quote (or the end), and the place after it."""
    inside = ""
    while at < len(line) and line[at] != '"':
        if line[at] == "\\" and line[at + 1 : at + 2] in ('"', "\\", "$", "`"):
            at += 1
        inside += line[at : at + 1]
        at += 1
    return inside, at + 1
