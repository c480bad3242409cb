"""`remember harvest`: the durable facts of a conversation, as a model names them."""

from __future__ import annotations

import sys

from remember.cli.opening import memory_of, print_change
from remember.cli.options import COMMON, JSON, ROOT, Option, Spec
from remember.errors import IOFailure, RefusedInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.cli.options import Args
    from remember.cli.output import Output
    from remember.memory.harvesting import Harvested

__all__ = ["SPEC"]


def run(args: Args, out: Output) -> int:
    """Read a transcript on standard input, ask, and add what is new; a model's failure is told and is no failure of ours."""
    from remember.memory.harvesting import Wish, harvest, read_tail

    around = memory_of(args).around
    around.scope = None  # `auto` is no scope of a store; `harvest` chooses one
    if sys.stdin.isatty():
        raise RefusedInput("there is no transcript", "give one on standard input: remember harvest < session.jsonl")
    timeout_s = args.seconds("timeout") if args.text("timeout") is not None else 0.0
    wish = Wish(args.text("worker") or "", args.text("model") or "", args.text("scope") or "", timeout_s)
    try:
        transcript = read_tail(sys.stdin.buffer)
    except OSError as error:
        raise IOFailure("standard input", error) from error
    found = harvest(around, transcript, wish)
    if found.skipped is not None:
        out.warn(f"nothing was harvested: {found.skipped}")
    if args.flag("json"):
        out.json(_document(found))
        return 0
    for change in found.changes:
        print_change(change, out, "added")
    for reason, count in sorted(found.dropped.items()):
        out.remark(f"{count} line{'s' if count > 1 else ''} dropped: {reason}")
    if found.skipped is None and not found.changes and not out.quiet:
        out.line("nothing worth remembering")
    return 0


def _document(found: Harvested) -> dict[str, object]:
    from remember.documents import change_document

    return {
        "skipped": found.skipped,
        "scope": found.scope,
        "added": [change_document(change) for change in found.changes],
        "dropped": [{"reason": reason, "lines": count} for reason, count in sorted(found.dropped.items())],
        "warnings": sorted({warning for change in found.changes for warning in change.warnings}),
    }


SPEC = Spec(
    "harvest",
    "Ask a model for the durable facts of a conversation (text, or the session file of Claude Code, Codex or pi, on standard input).",
    run,
    (),
    (
        Option("worker", ("--worker",), "text", "The command that answers the prompt (summary_command).", metavar="COMMAND"),
        Option("model", ("--model",), "text", "A model of the llm library instead (needs the extra `llm`).", metavar="NAME"),
        Option("timeout", ("--timeout",), "float", "Seconds that it may take (exit_summary_timeout_ms).", metavar="S"),
        Option("scope", ("--scope",), "text", "auto (local where the workspace has memory), local or global.", metavar="SCOPE"),
        ROOT,
        JSON,
        *COMMON,
    ),
    ("remember harvest --worker 'claude -p --tools \"\"'", "remember harvest --worker 'claude -p --tools \"\"' --scope global"),
)
