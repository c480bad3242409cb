"""`remember search`: ranked hits, best first."""

from __future__ import annotations

from remember.cli.opening import label, memory_of
from remember.cli.options import COMMON, JSON, JSONL, ROOT, SCOPE, STORES, Argument, Option, Spec
from remember.cli.output import safe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.cli.options import Args
    from remember.cli.output import Output
    from remember.model import Hit, SearchResult

__all__ = ["FILTERS", "SPEC", "filtered"]

FILTERS = (
    Option("kind", ("--kind",), "choice", "Only memos of this kind.", None, ("fact", "note", "text")),
    Option("tag", ("--tag",), "multi", "Only memos with this tag (repeatable: all must hold).", metavar="TAG"),
    Option("since", ("--since",), "text", "Changed on or after a day, or so long ago (7d, 2w, 3mo, 1y).", metavar="WHEN"),
    Option("until", ("--until",), "text", "Changed on or before a day.", metavar="WHEN"),
)
_ORDERS = ("score", "created", "modified", "path")


def run(args: Args, out: Output) -> int:
    """Search and print; exit status 1 when nothing is found."""
    import os

    query = " ".join(args.texts("query"))
    if query == "-":
        import sys

        query = sys.stdin.read().strip()
    result = memory_of(args).search(
        query,
        limit=args.number("limit") or 0,
        kind=args.text("kind"),
        tags=args.texts("tag"),
        since=args.text("since"),
        until=args.text("until"),
        sort=args.text("sort") or "score",
        exact=args.flag("exact"),
        all_terms=args.flag("all_terms"),
        without=args.texts("without"),
        explain=args.flag("explain"),
        refresh=not args.flag("no_refresh"),
        progress=out.progress(),
    )
    if args.flag("json") or args.flag("jsonl"):
        _as_json(result, args, out)
    elif args.flag("paths") or args.flag("null"):
        end = "\0" if args.flag("null") else "\n"
        for path in dict.fromkeys(os.path.join(hit.memo.store_path, hit.memo.path) for hit in result.hits):
            out.path(path, end)
    else:
        _as_text(result, args, out)
    if not (args.flag("json") or args.flag("jsonl")):
        for warning in result.warnings:
            out.warn(warning)
        for remark in result.remarks:
            out.remark(remark) if result.hits else out.warn(remark)
    return 0 if result.hits else 1


def filtered(args: Args) -> str:
    """The filters that were given, to be put behind what was not found; "" for none."""
    given = [f"{flag} {value}" for flag in ("kind", "since", "until", "match") if (value := args.text(flag)) is not None]
    given += [f"tag {tag}" for tag in args.texts("tag")] + [f"not {term}" for term in args.texts("without")]
    given += [flag for flag in ("exact", "all-terms") if args.flag(flag.replace("-", "_"))]
    return f" (with --{', --'.join(given)})" if given else ""


def _as_json(result: SearchResult, args: Args, out: Output) -> None:
    from remember.documents import hit_document, search_document

    if args.flag("json"):
        out.json(search_document(result))
        return
    for hit in result.hits:
        out.json(hit_document(hit))
    for warning in result.warnings:
        out.warn(warning)


def _as_text(result: SearchResult, args: Args, out: Output) -> None:
    if not result.hits:
        out.warn(f"nothing found for {result.query}{safe(filtered(args))}")
        return
    several = len(result.stores) > 1
    for hit in result.hits:
        _print(hit, out, several)
    if out.terminal and not out.quiet:
        stores = ", ".join(safe(store.store) for store in result.stores)
        shown = f"{len(result.hits)} of {result.total}" if result.truncated else str(result.total)
        out.line(out.style(f"{shown} found in {stores}  ({result.elapsed_ms:g} ms)", "dim"))


def _print(hit: Hit, out: Output, several: bool) -> None:
    memo = hit.memo
    head = label(memo, out)
    if several:
        head += out.style(f" {safe(memo.store)}", "dim")
    if memo.broken:
        head += out.style(" (header broken)", "yellow")
    if memo.stale:
        head += out.style(" (file cannot be read now)", "yellow")
    if hit.conflict_copy_of is not None:
        head += out.style(f" (conflict copy of {safe(hit.conflict_copy_of)})", "yellow")
    if hit.conflict_copies:
        head += out.style(f" (conflict copies: {', '.join(safe(path) for path in hit.conflict_copies)})", "yellow")
    more = ""
    if hit.more_lines:
        from remember.format.counts import counted

        more = f"  (+{counted(hit.more_lines, 'more line')})"
    place = f"{safe(memo.path)}:{hit.snippet_line}"
    passage = _marked(hit, out)
    if memo.kind == "fact":
        out.line(f"{head}  {passage}")
    else:
        out.line(_fit(f"{head}  {out.style(safe(memo.title), 'bold')}", out))
        out.line(f"    {out.style(place, 'dim')}  {passage}{out.style(more, 'dim')}")
    if hit.explanation:
        parts = "  ".join(f"{name} {amount:.2f}" for name, amount in hit.explanation if isinstance(amount, float))
        out.line(out.style(f"    score {hit.score:.2f} = {parts}", "dim"))


def _fit(line: str, out: Output) -> str:
    """A line that is no longer than the terminal is wide; escape sequences count nothing."""
    if not out.width or out.colored or len(line) <= out.width:
        return line
    return line[: out.width - 1] + "…"


def _marked(hit: Hit, out: Output) -> str:
    """The snippet in one line, matches in colour."""
    parts = []
    at = 0
    for start, end in hit.highlights:
        parts.append(safe(hit.snippet[at:start].replace("\n", " ")))
        parts.append(out.style(safe(hit.snippet[start:end].replace("\n", " ")), "bold", "red"))
        at = end
    parts.append(safe(hit.snippet[at:].replace("\n", " ")))
    return "".join(parts)


SPEC = Spec(
    "search",
    "Find facts and notes by words, best first. Any text is a query; quotes raise what has the phrase.",
    run,
    (Argument("query", "QUERY", many=True),),
    (
        *FILTERS,
        Option("without", ("--not",), "multi", "Leave out what has this word or phrase.", metavar="TERM"),
        Option("exact", ("--exact",), "flag", "Quoted phrases (or the whole query) must be there as they are."),
        Option("all_terms", ("--all-terms",), "flag", "Every word must be there."),
        Option("limit", ("--limit", "-n"), "int", "How many hits (20; at most 1000).", 20, metavar="N"),
        Option("sort", ("--sort",), "choice", "Order of the hits.", "score", _ORDERS),
        Option("explain", ("--explain",), "flag", "Say where each score comes from."),
        Option("paths", ("-l", "--paths"), "flag", "Print absolute paths only."),
        Option("null", ("-0",), "flag", "The same, separated by NUL."),
        Option("no_refresh", ("--no-refresh",), "flag", "Do not look whether files have changed."),
        ROOT,
        SCOPE,
        *STORES,
        JSON,
        JSONL,
        *COMMON,
    ),
    ('remember search "tv server"', "remember search max_body_size --kind note", "remember search --store ./docs retry policy"),
)
