"""`remember ui`: the terminal picker."""

from __future__ import annotations

import os
import sys

from remember.cli.options import COMMON, ROOT, SCOPE, Option, Spec
from remember.cli.output import safe
from remember.errors import RefusedInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.cli.options import Args
    from remember.cli.output import Output

__all__ = ["SPEC"]


def run(args: Args, out: Output) -> int:
    """Run the picker until the person leaves."""
    from remember.tui.run import run_picker

    if not (out.terminal and sys.stdin.isatty()):
        raise RefusedInput("the picker needs a terminal to draw on", "use `remember list` and `remember search` in pipes")
    if not out.colored:
        os.environ["NO_COLOR"] = "1"  # Textual asks the environment, when it is imported
    run_picker(args.text("root"), args.text("scope"), args.texts("store"), safe)
    return 0


SPEC = Spec(
    "ui",
    "Pick, read, add, edit and forget memos in the terminal; filters as you type (needs the extra `tui`).",
    run,
    (),
    (
        ROOT,
        SCOPE,
        Option(
            "store",
            ("--store",),
            "multi",
            "A registered store, or any folder of Markdown.",
            metavar="NAME|PATH",
            offers=("<store>", "<folder>"),
        ),
        *COMMON,
    ),
    ("remember ui", "remember ui --scope global"),
)
