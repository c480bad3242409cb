"""`remember export`: memos as a file or directory that other programs read."""

from __future__ import annotations

from remember.cli.options import COMMON, JSON, ROOT, SCOPE, STORES, Argument, Option, Spec
from remember.cli.output import safe
from remember.errors import RefusedInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.cli.options import Args
    from remember.cli.output import Output

__all__ = ["SPEC"]


def run(args: Args, out: Output) -> int:
    """Write the memos; what the format cannot hold whole is named on standard error."""
    from remember.cli.opening import memory_of
    from remember.memory.exchanging import export_memos

    path = str(args.text("path"))
    if path == "-" and args.flag("json"):
        raise RefusedInput("--json needs standard output, where the export would go", "name a file")
    result = export_memos(memory_of(args).around, str(args.text("format")), path, args.flag("force"))
    if args.flag("json"):
        from remember.documents import export_document

        out.json(export_document(result))
        return 0
    for warning in result.warnings:
        out.warn(warning)
    for lost in result.lost:
        out.warn(f"{lost.memo.id or lost.memo.place} ({lost.memo.title[:60]}): {lost.reason}")
    if path == "-":
        out.raw(result.text)
    elif not out.quiet:
        files = f" in {result.files} files" if result.files > 1 else ""
        out.line(f"exported {result.memos} memo{'' if result.memos == 1 else 's'}{files}  {safe(result.path)}")
    return 0


SPEC = Spec(
    "export",
    "Write memos as jsonl (nothing is lost), zcode (Claude Code's and ZCode's directory), bullets or markdown; `-` is standard output.",
    run,
    (Argument("format", "FORMAT"), Argument("path", "PATH|-")),
    (
        Option("force", ("--force",), "flag", "Replace a file that is there."),
        ROOT,
        SCOPE,
        *STORES,
        JSON,
        *COMMON,
    ),
    ("remember export jsonl memory.jsonl", "remember export markdown - --scope global"),
)
