"""The command line: a table of verbs, imported when they are called, and the one place where errors become messages."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn

    from remember.cli.options import Args, Spec
    from remember.cli.output import Output
    from remember.errors import RememberError

__all__ = ["VERBS", "leave", "main"]

VERBS = {
    "init": "init",
    "add": "add",
    "note": "note",
    "list": "list",
    "show": "show",
    "search": "search",
    "update": "update",
    "edit": "edit",
    "forget": "forget",
    "undo": "undo",
    "redo": "redo",
    "restore": "restore",
    "history": "history",
    "move": "move",
    "tags": "tags",
    "links": "links",
    "stats": "stats",
    "status": "status",
    "check": "check",
    "manifest": "manifest",
    "import": "import_",
    "export": "export",
    "migrate": "migrate",
    "mirror": "mirror",
    "consolidate": "consolidate",
    "harvest": "harvest",
    "context": "context",
    "mcp": "mcp",
    "hook": "hook",
    "hooks": "hooks",
    "index": "index",
    "watch": "watch",
    "store": "store",
    "config": "config",
    "trust": "trust",
    "git": "git",
    "ui": "ui",
    "browse": "browse",
    "completion": "completion",
    "complete": "complete",
}
"""Each verb and the module in `remember.cli.commands` that has its SPEC, in the order of `--help`."""


def _load(verb: str) -> Spec:
    """A verb's declaration."""
    # `importlib` would bring `warnings` in, for nothing else.
    spec: Spec = __import__(f"remember.cli.commands.{VERBS[verb]}", fromlist=["SPEC"]).SPEC
    return spec


def leave() -> NoReturn:
    """`main`, and the end of the process.

    Taking an interpreter down costs a tenth of a search. Where no thread can be waiting and `main` has flushed what was
    printed, nobody needs that; files, locks and connections are closed by then.
    """
    status = main()
    if "threading" in sys.modules:
        sys.exit(status)
    _stderr("")
    os._exit(status)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line; the exit status. Prints messages, never a traceback for what a user can cause."""
    _fill_descriptors()
    if argv is None:
        _leave_ascii()
    argv = list(sys.argv[1:] if argv is None else argv)
    if argv in (["--version"], ["version"]):
        from remember import __version__

        try:
            sys.stdout.write(f"remember {__version__}\n")
        except OSError as error:
            return _output_lost(error)
        return _finish(0)
    try:
        return _finish(_dispatch(argv))
    except KeyboardInterrupt:
        return _finish(130)
    except BrokenPipeError:
        _silence()
        return 0  # whoever read the output has had enough of it


def _leave_ascii() -> None:
    """Begin anew in Python's UTF-8 mode where names and arguments would be read as ASCII (LC_ALL=C with PYTHONUTF8=0).

    Memory is UTF-8 and so are its file names, whatever the locale says; the mode can only be chosen before Python starts.
    """
    if sys.getfilesystemencoding() not in ("ascii", "us-ascii") or os.environ.get("PYTHONUTF8") == "1":
        return
    os.execve(sys.executable, [sys.executable, *sys.orig_argv[1:]], {**os.environ, "PYTHONUTF8": "1"})


def _fill_descriptors() -> None:
    """Open the null device on standard descriptors that are closed, or the next file opened would become one of them."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    if sys.stdout is None:
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115 (it lives as long as the process)
    if sys.stdin is None:
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115


def _finish(status: int) -> int:
    """Flush what was printed; where that fails, the exit status says so (a change has been made by then)."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _silence()
        return status
    except OSError as error:
        return _output_lost(error)
    return status


def _output_lost(error: OSError) -> int:
    _silence()
    _stderr(f"remember: standard output cannot be written: {error.strerror}\nhint: what was to be done has been done\n")
    return 4


def _stderr(text: str) -> None:
    """A message where possible; the exit status tells all the same where it is not."""
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except OSError:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


def _silence() -> None:
    """Keep Python from complaining about standard output at exit."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.close(null)


def _dispatch(argv: list[str]) -> int:
    if not argv:
        argv = ["status", "--brief"]
    if argv[0] == "help":
        argv = [*argv[1:], "--help"]
    verb = argv[0]
    if verb in VERBS:
        from remember.cli.quick import forgiven, parse

        spec = _load(verb)
        parsed = parse(spec, argv[1:])
        if parsed is None and spec.forgiving:
            args = forgiven(spec, argv[1:])
            parsed = (spec, args) if set(args.texts("astray")) - {"-h", "--help"} else None
        if parsed is not None:
            return _run(*parsed)
    return _through_click(argv)


def _through_click(argv: list[str]) -> int:
    import click

    from remember.cli.clickface import group

    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        status = group(VERBS, _load, _run).main(argv, prog_name="remember", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        _stderr(error.format_message() + "\n")
        return 2
    except click.ClickException as error:
        return _usage(error, argv)
    except click.exceptions.Abort:
        return 130
    except BrokenPipeError:
        raise
    except OSError as error:
        return _output_lost(error)
    return status if isinstance(status, int) else 0


def _usage(error: object, argv: list[str]) -> int:
    """A wrong command line: a sentence and where to look, exit status 2."""
    import click

    from remember.cli.clickface import explained
    from remember.errors import UsageError

    assert isinstance(error, click.ClickException)
    context = getattr(error, "ctx", None)
    if isinstance(error, click.NoSuchOption) and (context is None or context.parent is None):
        placed = _misplaced(error.option_name, argv)
        if placed is not None:
            return _fail(placed, _wants_json(argv), None)
    words = argv[: argv.index("--")] if "--" in argv else argv
    return _fail(UsageError(*explained(error, argv[0] if argv[0] in VERBS else "")), _wants_json(words), None)


def _misplaced(option: str, argv: Sequence[str]) -> RememberError | None:
    """What to say of an option that stands before the command and belongs behind it; None for one that no command has."""
    from remember.cli.options import COMMON, JSON, ROOT, SCOPE, STORES
    from remember.errors import UsageError

    common = {flag for one in (*COMMON, JSON, ROOT, SCOPE, *STORES) for flag in one.flags}
    verb = next((word for word in argv if word in VERBS), "COMMAND")
    known = common | ({flag for spec in _commands(verb) for one in spec.options for flag in one.flags} if verb in VERBS else set())
    if option not in known:
        return None
    return UsageError(f"{option} stands before the command", f"write it behind: `remember {verb} … {option}`")


def _commands(verb: str) -> Sequence[Spec]:
    spec = _load(verb)
    return (spec, *spec.subcommands)


def _wants_json(words: Sequence[str]) -> bool:
    return "--json" in words or "--jsonl" in words


def _run(spec: Spec, args: Args) -> int:
    from remember.cli.output import Output
    from remember.errors import IOFailure, RefusedInput, RememberError

    out = Output(args.text("color") or _color(), args.flag("quiet"), args.flag("verbose"))
    as_json = args.flag("json") or args.flag("jsonl")
    assert spec.run is not None
    try:
        return spec.run(args, out)
    except RememberError as error:
        return _fail(error, as_json, out)
    except BrokenPipeError:
        raise
    except UnicodeEncodeError as error:
        return _fail(RefusedInput(f"text that is not valid UTF-8 ({error.reason})", "give it in UTF-8"), as_json, out)
    except OSError as error:
        return _fail(IOFailure(os.fsdecode(error.filename) if error.filename else "the operating system", error), as_json, out)
    except RecursionError:
        return _fail(RememberError("the input is nested too deeply", "simplify it"), as_json, out)


def _color() -> str:
    """When to use colours, as NO_COLOR, the environment and the user's file say; the file is read only where there is one."""
    if os.environ.get("NO_COLOR"):
        return "auto"
    chosen = os.environ.get("REMEMBER_COLOR", "")
    if chosen in ("auto", "always", "never"):
        return chosen
    from remember.memory.context import user_color

    return user_color(os.environ)


def _fail(error: RememberError, as_json: bool, out: Output | None) -> int:
    if as_json:
        import json

        document = {"error": {"code": error.code, "message": error.message, "hint": error.hint}}
        _stderr(json.dumps(document) + "\n")
    else:
        if out is None:
            from remember.cli.output import Output

            out = Output()
        out.error(error.message, error.hint)
    return error.exit_status
