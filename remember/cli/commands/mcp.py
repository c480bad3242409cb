"""`remember mcp`: memory for agents on standard input and output."""

from __future__ import annotations

import os
import sys

from remember.cli.options import COMMON, ROOT, Option, Spec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.cli.options import Args
    from remember.cli.output import Output

__all__ = ["SPEC"]


def run(args: Args, out: Output) -> int:
    """Serve until the input ends."""
    from remember.serve.run import serve

    if sys.stdin.isatty():
        out.warn("serving MCP on standard input for an agent; end it with Ctrl-D")
    toolset = args.text("toolset") or "all"
    serve(args.text("root"), args.texts("store"), toolset, args.flag("read_only"), os.environ, os.getcwd())


SPEC = Spec(
    "mcp",
    "Serve memory to an agent over the Model Context Protocol, on standard input and output.",
    run,
    (),
    (
        Option(
            "store",
            ("--store",),
            "multi",
            "A registered store to serve as one more scope (repeatable).",
            metavar="NAME",
            offers=("<store>",),
        ),
        Option("toolset", ("--toolset",), "choice", "Ten tools, one for all, or one like files.", "all", ("all", "single", "files")),
        Option("read_only", ("--read-only",), "flag", "Leave out the tools that change memory."),
        ROOT,
        *COMMON,
    ),
    ("remember mcp", "remember mcp --store docs --read-only"),
)
