"""`remember watch`: keep the indexes fresh until interrupted."""

from __future__ import annotations

import sys

from remember.cli.opening import memory_of
from remember.cli.options import COMMON, JSON, ROOT, SCOPE, STORES, Spec
from remember.cli.output import safe
from remember.format.counts import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.cli.options import Args
    from remember.cli.output import Output
    from remember.memory.watching import Refreshed

__all__ = ["SPEC"]


def run(args: Args, out: Output) -> int:
    """Watch the stores; a line for each refresh that took something in."""
    from remember.watch import watch

    def say(done: Refreshed) -> None:
        for warning in (*done.warnings, *((done.trouble,) if done.trouble else ())):
            out.warn(f"{done.store}: {warning}")
        if args.flag("json"):
            out.json(done._asdict())
        elif not out.quiet and not done.trouble:
            out.line(_told(done))
        sys.stdout.flush()

    watch(memory_of(args).around, say, out.remark)
    return 0


def _told(done: Refreshed) -> str:
    how = "walked" if done.full else "heard"
    return f"{safe(done.store)}: {done.read} read, {done.removed} removed ({how}, {counted(done.files, 'file')}, {done.elapsed_ms} ms)"


SPEC = Spec(
    "watch",
    "Keep the indexes fresh until interrupted, so that a search need not look at every file; prints a line a refresh.",
    run,
    (),
    (ROOT, SCOPE, *STORES, JSON._replace(help="Print one JSON document a refresh, each on its line."), *COMMON),
    ("remember watch --all", "remember watch --scope local"),
)
