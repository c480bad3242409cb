"""`remember edit`: the same as update, in the user's editor."""

from __future__ import annotations

from remember.cli.body import from_editor
from remember.cli.opening import memory_of, print_change
from remember.cli.options import COMMON, JSON, ROOT, SCOPE, STORE_ONE, WRITER, Argument, Option, Spec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.cli.options import Args
    from remember.cli.output import Output

__all__ = ["SPEC"]


def run(args: Args, out: Output) -> int:
    """Edit a copy of one memo and store what comes back, if nobody changed the memo meanwhile."""
    from remember.errors import ChangedOutside, RememberError

    memory = memory_of(args)
    shown = memory.show(str(args.text("memo")))
    before = shown.content if shown.memo.kind != "fact" else shown.content + "\n"
    after = from_editor(before, ".md")
    timeout_s = args.seconds("lock_timeout")
    address = shown.memo.id or shown.memo.place
    try:
        change = memory.update(address, after, if_revision=shown.revision, allow_secret=args.flag("allow_secret"), timeout_s=timeout_s)
    except RememberError as error:
        if after != before:
            kept = _kept(after)
            error.hint = f"what you wrote is kept in {kept}" + (f"; {error.hint}" if error.hint else "")
            if isinstance(error, ChangedOutside):
                error.hint += " (`remember update` takes it with --file)"
        raise
    if args.flag("json"):
        from remember.documents import change_document

        out.json(change_document(change))
    else:
        print_change(change, out, "edited")
    return 0


def _kept(text: str) -> str:
    """Where text that could not be stored is kept, so that no work is lost."""
    import os
    import tempfile

    descriptor, path = tempfile.mkstemp(prefix="remember-edit-", suffix=".md")
    with os.fdopen(descriptor, "w", encoding="utf-8", errors="surrogateescape", newline="") as file:
        file.write(text)
    return path


SPEC = Spec(
    "edit",
    "Edit a fact's text or a note's body in $EDITOR, on a copy.",
    run,
    (Argument("memo", "ID|PATH"),),
    (
        Option("allow_secret", ("--allow-secret",), "flag", "Store it although it looks like a credential."),
        *WRITER,
        ROOT,
        SCOPE,
        STORE_ONE,
        JSON,
        *COMMON,
    ),
    ("remember edit e5f6a7b8", "remember edit MEMORY.md:2"),
)
