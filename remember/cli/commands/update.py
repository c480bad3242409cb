"""`remember update`: a fact's text, a note's body or its description, in place."""

from __future__ import annotations

from remember.cli.body import body_from
from remember.cli.opening import memory_of, print_change
from remember.cli.options import COMMON, JSON, ROOT, SCOPE, STORE_ONE, WRITER, Argument, Option, Spec
from remember.errors import RefusedInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.cli.options import Args
    from remember.cli.output import Output

__all__ = ["SPEC"]


def run(args: Args, out: Output) -> int:
    """Change one memo."""
    content = body_from(args.text("content"), args.text("file"), args.text("dash"), 'give the new text with --content "…"')
    description = args.text("description")
    if content is None and description is None:
        raise RefusedInput("there is nothing to change", "give --content TEXT, --file F, - for standard input, or --description TEXT")
    change = memory_of(args).update(
        str(args.text("memo")),
        content,
        description=description,
        if_revision=args.text("if_revision"),
        allow_secret=args.flag("allow_secret"),
        timeout_s=args.seconds("lock_timeout"),
    )
    if args.flag("json"):
        from remember.documents import change_document

        out.json(change_document(change))
    else:
        print_change(change, out, "updated")
    return 0


SPEC = Spec(
    "update",
    "Replace a fact's text, a note's body or its description (`-`: from standard input).",
    run,
    (Argument("memo", "ID|PATH"), Argument("dash", "-", optional=True)),
    (
        Option("content", ("--content",), "text", "The fact's new text, or the note's whole new body.", metavar="TEXT"),
        Option("file", ("--file",), "text", "Read it from a file.", metavar="FILE"),
        Option("description", ("--description",), "text", "The note's new description.", metavar="TEXT"),
        Option("if_revision", ("--if-revision",), "text", "Only if the memo is still at this revision.", metavar="R"),
        Option("allow_secret", ("--allow-secret",), "flag", "Store it although it looks like a credential."),
        *WRITER,
        ROOT,
        SCOPE,
        STORE_ONE,
        JSON,
        *COMMON,
    ),
    ('remember update a1b2c3d4 --content "The proxy restarts itself."', 'remember update e5f6a7b8 --description "TV server, new box"'),
)
