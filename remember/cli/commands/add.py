"""`remember add`: facts, one line each."""

from __future__ import annotations

import sys

from remember.cli.opening import memory_of, print_change
from remember.cli.options import COMMON, JSON, ROOT, SCOPE_ONE, STORE_ONE, WRITER, Argument, Option, Spec
from remember.errors import RefusedInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.cli.options import Args
    from remember.cli.output import Output

__all__ = ["SPEC"]


def run(args: Args, out: Output) -> int:
    """Append facts; from standard input each line that is not blank is one."""
    words = args.texts("text")
    if words == ("-",):
        texts = [line for line in sys.stdin.buffer.read().decode("utf-8", "surrogateescape").split("\n") if line.strip()]
        if not texts:
            raise RefusedInput("standard input holds no fact", "give one fact a line")
    else:
        texts = [" ".join(words)]
        if "\n" in texts[0].strip():
            out.warn("the lines were joined to one fact; `remember add -` takes one fact a line from standard input")
    changes = memory_of(args).add(*texts, allow_secret=args.flag("allow_secret"), timeout_s=args.seconds("lock_timeout"))
    if args.flag("json"):
        from remember.documents import change_document

        documents = [change_document(change) for change in changes]
        out.json(documents[0] if words != ("-",) else {"changes": documents})
        return 0
    for change in changes:
        print_change(change, out, "added")
    return 0


SPEC = Spec(
    "add",
    "Add a fact: one line of at most 300 characters. `-` reads one fact a line from standard input.",
    run,
    (Argument("text", "TEXT", many=True),),
    (
        Option("allow_secret", ("--allow-secret",), "flag", "Store it although it looks like a credential."),
        *WRITER,
        ROOT,
        SCOPE_ONE,
        STORE_ONE,
        JSON,
        *COMMON,
    ),
    ('remember add "#lesson Restart the proxy after renewing certificates."', 'remember add --scope global "I prefer tabs."'),
)
