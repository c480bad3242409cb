"""`remember list`: the catalogue of facts and notes, newest first."""

from __future__ import annotations

from remember.cli.commands.search import FILTERS, filtered
from remember.cli.opening import label, memory_of, stamp
from remember.cli.options import COMMON, JSON, JSONL, ROOT, SCOPE, STORES, Option, Spec
from remember.cli.output import safe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from remember.cli.options import Args
    from remember.cli.output import Output
    from remember.model import Catalogue

__all__ = ["SPEC"]


def run(args: Args, out: Output) -> int:
    """Print the catalogue; an empty one is no error."""
    found = memory_of(args).list(
        kind=args.text("kind"),
        tags=args.texts("tag"),
        since=args.text("since"),
        until=args.text("until"),
        match=args.text("match"),
        sort=args.text("sort") or "modified",
        limit=args.number("limit"),
        refresh=not args.flag("no_refresh"),
        progress=out.progress(),
    )
    if args.flag("json") or args.flag("jsonl"):
        from remember.documents import catalogue_document, memo_document

        if args.flag("json"):
            out.json(catalogue_document(found))
            return 0
        for memo in found.memos:
            out.json(memo_document(memo))
    else:
        out.page(_lines(found, out))
        if not found.memos and (filters := filtered(args)):
            out.warn(f"nothing found{safe(filters)}")
    for warning in found.warnings:
        out.warn(warning)
    for remark in found.remarks:
        out.remark(remark) if found.memos else out.warn(remark)
    return 0


def _lines(found: Catalogue, out: Output) -> Iterator[str]:
    several = len(found.stores) > 1
    for memo in found.memos:
        where = f" {out.style(safe(memo.store), 'dim')}" if several else ""
        broken = out.style("  (header broken)", "yellow") if memo.broken else ""
        kind = "" if memo.kind == "fact" else f"  {out.style(safe(memo.path), 'dim')}"
        text = "(text)" if memo.kind == "text" else safe(memo.title)
        yield f"{label(memo, out)}{where}  {stamp(memo) or '-':16}  {text}{kind}{broken}"
    if found.truncated and out.terminal:
        yield out.style(f"{len(found.memos)} of {found.total}", "dim")


SPEC = Spec(
    "list",
    "List facts and notes, newest first.",
    run,
    (),
    (
        *FILTERS,
        Option("match", ("--match",), "text", "Only memos with this text in their line or metadata.", metavar="SUBSTRING"),
        Option("limit", ("--limit", "-n"), "int", "How many (all).", metavar="N"),
        Option("sort", ("--sort",), "choice", "Order.", "modified", ("created", "modified", "path")),
        Option("no_refresh", ("--no-refresh",), "flag", "Do not look whether files have changed."),
        ROOT,
        SCOPE,
        *STORES,
        JSON,
        JSONL,
        *COMMON,
    ),
    ("remember list", "remember list --kind note --since 7d", "remember list --tag lesson --json"),
)
