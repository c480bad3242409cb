"""`remember forget`: recoverable deletion."""

from __future__ import annotations

from remember.cli.opening import label, memory_of
from remember.cli.options import COMMON, JSON, ROOT, SCOPE, STORE_ONE, WRITER, Argument, Option, Spec
from remember.cli.output import safe
from remember.errors import RefusedInput
from remember.format.counts import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from remember.cli.options import Args
    from remember.cli.output import Output
    from remember.model import Change, Memo

__all__ = ["SPEC"]


def run(args: Args, out: Output) -> int:
    """Remove memos; more than one only with --yes or a yes."""
    named, by = _named(args)
    dry, as_json = args.flag("dry_run"), args.flag("json")

    def agreed(memos: Sequence[Memo]) -> bool:
        if dry:
            return False
        if len(memos) == 1 or args.flag("yes"):
            return True
        if not as_json:  # there standard error is for one JSON document
            _show(memos, out, "would go")
        return bool(out.confirm(f"Forget these {counted(len(memos), 'memo')}?"))

    memos, changes = memory_of(args).forget(*named, by=by, agreed=agreed, timeout_s=args.seconds("lock_timeout"))
    if changes is None and not dry:
        places = ", ".join(memo.id or memo.place for memo in memos[:20])
        shown = f"{counted(len(memos), 'memo')} ({places}{' …' if len(memos) > 20 else ''})"
        raise RefusedInput(f"{' '.join(named)!r} means {shown}; nothing was forgotten", "pass --yes")
    if as_json:
        from remember.documents import change_document, memo_document

        out.json({"dry_run": dry, "memos": [memo_document(memo) for memo in memos], "changes": [change_document(c) for c in changes or ()]})
        return 0
    if changes is None:
        _show(memos, out, "would be forgotten")
    else:
        _report(memos, changes, out)
    return 0


def _named(args: Args) -> tuple[tuple[str, ...], str]:
    words, text, memo_id = args.texts("memo"), args.text("text"), args.text("id")
    given = [value for value in (words or None, text, memo_id) if value is not None]
    if len(given) != 1:
        message = "what to forget is said twice" if given else "it is not said what to forget"
        raise RefusedInput(message, "give an ID, a place or a text")
    if words:
        return words, ""
    return (text or memo_id or "",), "id" if text is None else "text"


def _show(memos: Sequence[Memo], out: Output, what: str) -> None:
    stream = out.warn if what == "would go" else out.line
    for memo in memos:
        stream(f"{what}: {memo.id or safe(memo.place)}  {safe(memo.title)}")


def _report(memos: Sequence[Memo], changes: Sequence[Change], out: Output) -> None:
    if not out.quiet:
        for memo in memos:
            out.line(f"forgotten {label(memo, out)}  {safe(memo.title)}")
        records = dict.fromkeys(change.recovery_id for change in changes if change.recovery_id)
        out.line("undo: " + ", ".join(f"remember restore {record}" for record in records))
    for change in changes:
        for warning in change.warnings:
            out.warn(warning)


SPEC = Spec(
    "forget",
    "Forget memos so that they can be brought back: IDs, paths, MEMORY.md:LINE, or a text (not looked for in notes' bodies).",
    run,
    (Argument("memo", "ID|PATH|TEXT", many=True, optional=True),),
    (
        Option("text", ("--text",), "text", "Take it as a text, whatever it looks like.", metavar="TEXT"),
        Option("id", ("--id",), "text", "Take it as an ID or a place.", metavar="ID"),
        Option("dry_run", ("--dry-run",), "flag", "Only say what would go."),
        Option("yes", ("--yes", "-y"), "flag", "Do not ask where it is more than one."),
        *WRITER,
        ROOT,
        SCOPE,
        STORE_ONE,
        JSON,
        *COMMON,
    ),
    (
        "remember forget a1b2c3d4",
        "remember forget a1b2c3d4 e5f6a7b8 --yes",
        'remember forget "old proxy" --dry-run',
        "remember forget MEMORY.md:12",
    ),
)
