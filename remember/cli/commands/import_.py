"""`remember import`: memos of other programs, brought into a native store."""

from __future__ import annotations

import os

from remember.cli.options import COMMON, JSON, ROOT, SCOPE_ONE, STORE_ONE, WRITER, Argument, Option, Spec
from remember.cli.output import safe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.cli.options import Args
    from remember.cli.output import Output
    from remember.exchange.item import ImportResult, Outcome

__all__ = ["SPEC"]

_MARKS = {"imported": "+", "duplicate": "=", "refused": "!", "skipped": "-"}
_STYLES = {"imported": "green", "duplicate": "dim", "refused": "red", "skipped": "dim"}


def run(args: Args, out: Output) -> int:
    """Import what is new; exit status 1 where something was refused."""
    from remember.cli.opening import memory_of
    from remember.errors import RefusedInput
    from remember.memory.exchanging import FORMATS, import_memos

    format_name, path = str(args.text("format")), args.text("path")
    if path is None:
        if format_name in FORMATS:
            raise RefusedInput("the place to import from is missing", f"give it: `remember import {format_name} PATH`")
        formats = "formats are " + ", ".join(FORMATS)
        raise RefusedInput(f"the format of {format_name} is missing", f"put it before: `remember import FORMAT {format_name}`; {formats}")
    result = import_memos(
        memory_of(args).around,
        format_name,
        path,
        args.flag("dry_run"),
        args.flag("allow_secret"),
        args.seconds("lock_timeout"),
    )
    if args.flag("json"):
        from remember.documents import import_document

        out.json(import_document(result))
    else:
        _print(result, out)
        if format_name == "zcode" and not os.path.exists(os.path.join(result.source, "MEMORY.md")):
            out.warn(f"{result.source} has no index MEMORY.md, as zcode memory has; `remember import vault` takes any folder of Markdown")
    return 1 if result.count("refused") else 0


def _print(result: ImportResult, out: Output) -> None:
    for outcome in result.outcomes:
        if not out.quiet or outcome.outcome == "refused":
            out.line(_line(outcome, out))
    facts, notes = result.count("imported", "fact"), result.count("imported", "note")
    parts = [f"{facts} fact{'' if facts == 1 else 's'} and {notes} note{'' if notes == 1 else 's'}"]
    duplicates, refused, skipped = (result.count(outcome) for outcome in ("duplicate", "refused", "skipped"))
    parts += [f"{duplicates} there already"] if duplicates else []
    parts += [f"{refused} refused"] if refused else []
    parts += [f"{skipped} skipped"] if skipped else []
    undo = f"  (undo: {result.recovery_id})" if result.recovery_id else ""
    out.line(f"{'would import' if result.dry_run else 'imported'} {', '.join(parts)}{undo}")


def _line(outcome: Outcome, out: Output) -> str:
    mark = out.style(_MARKS[outcome.outcome], _STYLES[outcome.outcome])
    where = safe(outcome.source)
    if outcome.outcome == "imported":
        return f"{mark} {safe(outcome.title)}  {safe(outcome.path or '')}"
    if outcome.outcome == "duplicate":
        return f"{mark} {safe(outcome.title)}  there already: {safe(outcome.reason)}"
    return f"{mark} {where}: {safe(outcome.reason)}"


SPEC = Spec(
    "import",
    "Bring memos of another program into a native store: remember, zcode (Claude Code too), bullets, harness, vault, basic-memory,"
    " mcp-memory, jsonl, codex.",
    run,
    (Argument("format", "FORMAT"), Argument("path", "PATH", optional=True)),
    (
        Option("dry_run", ("--dry-run",), "flag", "Only say what would be imported."),
        Option("allow_secret", ("--allow-secret",), "flag", "Store what looks like a credential too."),
        *WRITER,
        ROOT,
        SCOPE_ONE,
        STORE_ONE,
        JSON,
        *COMMON,
    ),
    ("remember import vault ./docs --dry-run", "remember import mcp-memory memory.jsonl --scope global"),
)
