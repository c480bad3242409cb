"""`remember complete`: what the completion scripts ask for when a key is pressed."""

from __future__ import annotations

from remember.cli.expecting import expect, split_line
from remember.cli.options import Argument, Option, Spec
from remember.cli.output import safe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.cli.expecting import Expected
    from remember.cli.options import Args
    from remember.cli.output import Output

__all__ = ["SPEC"]

_HELP_MOST = 100
_PLACES = ("file", "folder")


def run(args: Args, out: Output) -> int:
    """A candidate a line, a tab and its description; `:file` and `:folder` where the shell is to name paths itself."""
    line = args.text("line")
    words, quoted = (list(args.texts("words")), False) if line is None else split_line(line)
    if line is not None:
        words = words[1:]
    expected = _expected(words)
    cut = 0 if quoted else _kept_by_shell(words[-1] if words else "", args.text("breaks") or "")
    for value, help_text in _candidates(expected):
        whole = expected.prefix + value
        if whole == safe(whole) and not whole.startswith(":"):  # a name with a line feed in it cannot be told in a line
            out.line(f"{whole[cut:]}\t{_short(help_text)}")
    for kind in expected.kinds:
        if kind in _PLACES:
            out.line(f":{kind}")
    return 0


def _expected(words: list[str]) -> Expected:
    from remember.cli import VERBS, _load

    return expect(VERBS, _load, words)


def _kept_by_shell(word: str, breaks: str) -> int:
    """How much of the word bash takes for words before it, since they end in one of its break characters."""
    return max((word.rfind(char) + 1 for char in ":=@" if char in breaks), default=0)


def _candidates(expected: Expected) -> list[tuple[str, str]]:
    from remember.memory.completing import KINDS, complete_value
    from remember.memory.context import Surroundings

    found = [pair for pair in expected.words if pair[0].startswith(expected.typed)]
    kinds = [kind for kind in expected.kinds if kind in KINDS]
    if kinds:
        given = expected.values
        root, scope, stores = given.get("root"), given.get("scope"), given.get("store", ())
        around = Surroundings(
            None if root is None else str(root),
            None if scope is None else str(scope),
            stores if isinstance(stores, tuple) else (),
            bool(given.get("all")),
        )
        for kind in kinds:
            found += [pair for pair in complete_value(around, kind, expected.typed) if pair[0] not in expected.taken]
    return found


def _short(text: str) -> str:
    text = safe(text.replace("\n", " "))
    return text if len(text) <= _HELP_MOST else text[: _HELP_MOST - 1] + "…"


SPEC = Spec(
    "complete",
    "Say what may follow on an unfinished command line, for the scripts of `remember completion`.",
    run,
    (Argument("words", "WORD", many=True, optional=True),),
    (
        Option("line", ("--line",), "text", "The line up to the cursor, with the program's name.", metavar="LINE"),
        Option("breaks", ("--breaks",), "text", "The characters at which bash ends a word.", metavar="CHARS"),
    ),
    ("remember complete -- show --sc", 'remember complete --line "remember li"'),
    hidden=True,
)
