"""`remember context`: what an agent sees at the beginning of a session."""

from __future__ import annotations

import os

from remember.cli.opening import memory_of
from remember.cli.options import COMMON, JSON, ROOT, SCOPE, STORES, Option, Spec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.cli.options import Args
    from remember.cli.output import Output

__all__ = ["SPEC"]


_CLIENTS = ("claude", "codex", "gemini", "pi", "opencode")


def run(args: Args, out: Output) -> int:
    """Print the snapshot, or the review reminder."""
    as_json = args.flag("json") or args.text("format") == "json"
    if args.flag("review"):
        from remember.memory.snapshot import review_text

        if as_json:
            out.json({"text": review_text()})
        else:
            out.raw(review_text())
        return 0
    client = args.text("client")
    if client and os.environ.get("REMEMBER_DISABLE_HOOKS"):
        return 0
    found = memory_of(args).context(cap_chars=args.number("max_chars"), client=client)
    for warning in found.warnings:
        out.warn(warning)
    if as_json:
        from remember.documents import context_document

        out.json(context_document(found.snapshot, found.inject, found.warnings))
    elif not (client and found.snapshot.blank):
        out.raw(found.snapshot.text)
    return 0


SPEC = Spec(
    "context",
    "Print what an agent sees when a session begins: facts, then the catalogue of notes, within a budget.",
    run,
    (),
    (
        Option("review", ("--review",), "flag", "Print a request to review memory instead."),
        Option("format", ("--format",), "choice", "How to print.", None, ("text", "json")),
        Option("client", ("--client",), "choice", "Keep within what that agent takes; say nothing where nothing is.", None, _CLIENTS),
        Option("max_chars", ("--max-chars",), "int", "Keep the whole block within so many characters.", metavar="N"),
        ROOT,
        SCOPE,
        *STORES,
        JSON,
        *COMMON,
    ),
    ("remember context", "remember context --scope global --json", "remember context --review"),
)
