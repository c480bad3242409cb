"""`remember move`: another file name, or the other scope."""

from __future__ import annotations

from remember.cli.opening import memory_of, print_change
from remember.cli.options import COMMON, JSON, ROOT, SCOPE, STORE_ONE, WRITER, Argument, Option, Spec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.cli.options import Args
    from remember.cli.output import Output

__all__ = ["SPEC"]


def run(args: Args, out: Output) -> int:
    """Move one memo."""
    change = memory_of(args).move(
        str(args.text("memo")),
        slug=args.text("slug"),
        to=args.text("to"),
        timeout_s=args.seconds("lock_timeout"),
    )
    if args.flag("json"):
        from remember.documents import change_document

        out.json(change_document(change))
    else:
        print_change(change, out, "moved", f" is in {change.store} already" if args.text("to") else " has that name already")
    return 0


SPEC = Spec(
    "move",
    "Rename a note's file (links to it follow), or move a memo to the other scope.",
    run,
    (Argument("memo", "ID|PATH"),),
    (
        Option("slug", ("--slug",), "text", "The file's new name after its date.", metavar="SLUG"),
        Option("to", ("--to",), "text", "The scope to move it to: local or global.", metavar="SCOPE", offers=("local", "global")),
        *WRITER,
        ROOT,
        SCOPE,
        STORE_ONE,
        JSON,
        *COMMON,
    ),
    ("remember move e5f6a7b8 --slug tv-server", "remember move a1b2c3d4 --to global"),
)
