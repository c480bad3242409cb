"""The command line declared once, as data: both the fast parser and Click are made from these tables."""

from __future__ import annotations

from remember._named import NamedTuple
from remember.errors import RefusedInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from remember.cli.output import Output

    Run = Callable[["Args", Output], int]

__all__ = ["COMMON", "JSON", "JSONL", "ROOT", "SCOPE", "SCOPE_ONE", "STORES", "STORE_ONE", "WRITER", "Args", "Argument", "Option", "Spec"]


class Args:
    """Parsed arguments by `dest`; what a command has not declared counts as not given."""

    def __init__(self, values: dict[str, object]) -> None:
        self.values = values

    def text(self, name: str) -> str | None:
        """An option's text, None where it was not given."""
        value = self.values.get(name)
        return None if value is None else str(value)

    def texts(self, name: str) -> tuple[str, ...]:
        """All values of a repeatable option or argument."""
        value = self.values.get(name) or ()
        assert isinstance(value, (tuple, list))
        return tuple(str(item) for item in value)

    def flag(self, name: str) -> bool:
        """Whether a flag was given."""
        return bool(self.values.get(name))

    def number(self, name: str) -> int | None:
        """An option's whole number."""
        value = self.values.get(name)
        return None if value is None else int(str(value))

    def seconds(self, name: str) -> float:
        """An option's number of seconds. Raises RefusedInput for none that a clock knows."""
        value = float(str(self.values[name]))
        if not 0 <= value <= 86_400:
            raise RefusedInput(f"{value} is no number of seconds to wait", "give 0 to 86400")
        return value


class Option(NamedTuple):
    """An option: `kind` is `flag`, `text`, `int`, `float`, `choice` or `multi` (repeatable text).

    `offers` is what completion proposes: words, or a kind of value in angle brackets (`<memo>`); where it is empty, what the
    metavar stands for (`remember.cli.expecting`).
    """

    dest: str
    flags: tuple[str, ...]
    kind: str
    help: str
    default: object = None
    choices: tuple[str, ...] = ()
    metavar: str = ""
    offers: tuple[str, ...] = ()


class Argument(NamedTuple):
    """A positional argument; `many` takes all that are left, at least one unless `optional`; `offers` as an option's."""

    dest: str
    metavar: str
    many: bool = False
    optional: bool = False
    offers: tuple[str, ...] = ()


class Spec(NamedTuple):
    """A command: what it takes, what it does, examples that are run as tests; a group has `subcommands` instead of `run`.

    A `forgiving` command is called by programs that must not fail: words it does not know are given to it as `astray`.
    """

    name: str
    help: str
    run: Run | None = None
    arguments: tuple[Argument, ...] = ()
    options: tuple[Option, ...] = ()
    examples: tuple[str, ...] = ()
    subcommands: tuple[Spec, ...] = ()
    hidden: bool = False
    forgiving: bool = False


ROOT = Option("root", ("--root",), "text", "The workspace whose local store is meant.", metavar="DIR")
SCOPE = Option(
    "scope", ("--scope",), "text", "local, global or both (the default).", metavar="SCOPE", offers=("local", "global", "both", "<store>")
)
SCOPE_ONE = Option("scope", ("--scope",), "text", "local (the default) or global.", metavar="SCOPE", offers=("local", "global"))
STORES = (
    Option(
        "store",
        ("--store",),
        "multi",
        "A registered store, or the path of any folder of Markdown.",
        metavar="NAME|PATH",
        offers=("<store>", "<folder>"),
    ),
    Option("all", ("--all",), "flag", "Every store that can be read."),
)
STORE_ONE = Option("store", ("--store",), "multi", "A registered store that can be written.", metavar="NAME", offers=("<store>",))
JSON = Option("json", ("--json",), "flag", "Print one JSON document.")
JSONL = Option("jsonl", ("--jsonl",), "flag", "Print one JSON document a line.")
COMMON = (
    Option("color", ("--color",), "choice", "Colours in text.", None, ("auto", "always", "never")),
    Option("quiet", ("-q", "--quiet"), "flag", "Print less."),
    Option("verbose", ("-v", "--verbose"), "flag", "Say more on standard error."),
)
WRITER = (Option("lock_timeout", ("--lock-timeout",), "float", "Seconds to wait for another writer (10).", 10.0, metavar="S"),)
