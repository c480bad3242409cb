"""`remember history`: the recovery records."""

from __future__ import annotations

from remember.cli.opening import memory_of
from remember.cli.options import COMMON, JSON, JSONL, ROOT, SCOPE, STORES, WRITER, Argument, Option, Spec
from remember.cli.output import safe
from remember.format.counts import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.cli.options import Args
    from remember.cli.output import Output

__all__ = ["SPEC"]


def run(args: Args, out: Output) -> int:
    """`history`, `history show ID`, `history prune ID… | --older-than AGE`."""
    from remember.errors import RefusedInput

    words = args.texts("words")
    if not words or words == ("list",):
        return show_all(args, out)
    if words[0] == "show" and len(words) == 2:
        return show_one(words[1], args, out)
    if words[0] == "prune":
        return prune(words[1:], args, out)
    raise RefusedInput(f"unexpected argument {words[0]!r}", "`remember history`, `history show ID` or `history prune ID`")


def show_all(args: Args, out: Output) -> int:
    """List the records, newest first."""
    document = memory_of(args).history(args.number("limit"))
    records: list[dict[str, object]] = document["records"]  # type: ignore[assignment]
    for warning in document["warnings"] if not args.flag("json") else ():  # type: ignore[attr-defined]
        out.warn(warning)
    if args.flag("json"):
        out.json(document)
        return 0
    if args.flag("jsonl"):
        for record in records:
            out.json(record)
        return 0
    several = len({record["store"] for record in records}) > 1
    for record in records:
        state = "" if record["state"] == "done" else out.style(f"  ({record['state']})", "yellow")
        store = f"  {safe(str(record['store']))}" if several else ""
        out.line(f"{out.style(str(record['recovery_id']), 'cyan')}{store}  {record['action']:8} {safe(str(record['summary']))}{state}")
    foreign: list[dict[str, str]] = document["foreign"]  # type: ignore[assignment]
    for file in foreign:
        out.line(out.style(f"foreign: {safe(file['file'])} in {safe(file['store'])}", "dim"))
    unreadable: list[dict[str, str]] = document["unreadable"]  # type: ignore[assignment]
    for file in unreadable:
        out.warn(f"{file['store']}: {file['file']} cannot be read: {file['reason']}")
    return 0


def show_one(recovery_id: str, args: Args, out: Output) -> int:
    """Show one record as a diff."""
    document = memory_of(args).history_show(recovery_id)
    if args.flag("json"):
        out.json(document)
        return 0
    out.line(f"{document['action']}  {safe(str(document['summary']))}  {document['created']}  {document['state']}")
    styles = {"+": "green", "-": "red", "@": "cyan"}
    for line in str(document["diff"]).splitlines():
        style = styles.get(line[:1])
        out.line(out.style(safe(line), style) if style else safe(line))
    return 0


def prune(ids: tuple[str, ...], args: Args, out: Output) -> int:
    """Drop records for good."""
    gone = memory_of(args).history_prune(ids, older_than=args.text("older_than"), timeout_s=args.seconds("lock_timeout"))
    if args.flag("json"):
        out.json({"pruned": gone})
        return 0
    out.line(f"{counted(len(gone), 'record')} dropped; what git has committed of them stays in its history")
    return 0


SPEC = Spec(
    "history",
    "List recovery records; `history show ID` prints one as a diff, `history prune` drops some for good.",
    run,
    (Argument("words", "[show ID | prune [ID]]", many=True, optional=True, offers=("show", "prune", "<record>")),),
    (
        Option("older_than", ("--older-than",), "text", "With prune: all records older than this (90d).", metavar="AGE"),
        Option("limit", ("--limit", "-n"), "int", "How many records.", metavar="N"),
        *WRITER,
        ROOT,
        SCOPE,
        *STORES,
        JSON,
        JSONL,
        *COMMON,
    ),
    ("remember history", "remember history show 20261130T221800123Z-3f9a1c2e", "remember history prune --older-than 90d"),
)
