"""`remember note`: a note with a description and a Markdown body."""

from __future__ import annotations

import sys

from remember.cli.body import body_from
from remember.cli.opening import memory_of, print_change
from remember.cli.options import COMMON, JSON, ROOT, SCOPE_ONE, STORE_ONE, WRITER, Argument, Option, Spec
from remember.errors import RefusedInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.cli.options import Args
    from remember.cli.output import Output
    from remember.model import Change

__all__ = ["SPEC"]

_TYPES = ("user", "feedback", "project", "reference")


def run(args: Args, out: Output) -> int:
    """Create a note; without a body on a terminal, the editor asks for it."""
    body = body_from(args.text("body"), args.text("file"), args.text("dash"))
    if body is None:
        if not (sys.stdin.isatty() and out.error_terminal):
            raise RefusedInput("the note has no body", "give it with --body TEXT, --file F, or - for standard input")
        from remember.cli.body import from_editor

        body = from_editor("", ".md")
    change = _put(args, body) if args.text("type") or args.flag("upsert") else _note(args, body)
    if args.flag("json"):
        from remember.documents import change_document

        out.json(change_document(change))
    else:
        print_change(change, out, "noted")
    return 0


def _note(args: Args, body: str) -> Change:
    return memory_of(args).note(
        str(args.text("description")),
        body,
        slug=args.text("slug"),
        allow_secret=args.flag("allow_secret"),
        allow_duplicate=args.flag("allow_duplicate"),
        timeout_s=args.seconds("lock_timeout"),
    )


def _put(args: Args, body: str) -> Change:
    from remember.memory.changing import with_terms
    from remember.memory.noting import Draft, put_note

    draft = Draft(str(args.text("description")), body, args.text("slug"), args.text("type") or "", args.flag("upsert"))
    terms = with_terms(args.seconds("lock_timeout"), args.flag("allow_secret"), args.flag("allow_duplicate"))
    return put_note(memory_of(args).around, draft, terms)


SPEC = Spec(
    "note",
    "Create a note from a one-line description and a Markdown body (`-`: from standard input).",
    run,
    (Argument("description", "DESCRIPTION"), Argument("dash", "-", optional=True)),
    (
        Option("slug", ("--slug",), "text", "Name of the file after its date; in a zcode store the whole name.", metavar="SLUG"),
        Option("type", ("--type",), "choice", "What kind of fact it is, for zcode stores.", None, _TYPES),
        Option("upsert", ("--upsert",), "flag", "Replace the note of that name (zcode) or description, if there is one."),
        Option("body", ("--body",), "text", "The body.", metavar="TEXT"),
        Option("file", ("--file",), "text", "Read the body from a file.", metavar="FILE"),
        Option("allow_secret", ("--allow-secret",), "flag", "Store it although it looks like a credential."),
        Option("allow_duplicate", ("--allow-duplicate",), "flag", "Store it although its description is in use."),
        *WRITER,
        ROOT,
        SCOPE_ONE,
        STORE_ONE,
        JSON,
        *COMMON,
    ),
    ('remember note "TV server configuration" --body "Port 8096, behind the proxy."', 'remember note "Release steps" --file release.md'),
)
