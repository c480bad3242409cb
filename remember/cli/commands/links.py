"""`remember links`: what a memo links to, and what links to it."""

from __future__ import annotations

from remember.cli.opening import label, memory_of
from remember.cli.options import COMMON, JSON, ROOT, SCOPE, STORES, Argument, Spec
from remember.cli.output import safe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.cli.options import Args
    from remember.cli.output import Output

__all__ = ["SPEC"]


def run(args: Args, out: Output) -> int:
    """Print both directions."""
    found = memory_of(args).links(str(args.text("memo")))
    if args.flag("json"):
        from remember.documents import memo_document

        out.json(
            {
                "memo": memo_document(found.memo),
                "links": [{"target": target, "memos": [memo_document(m) for m in memos]} for target, memos in found.links],
                "backlinks": [memo_document(m) for m in found.backlinks],
            }
        )
        return 0
    for target, memos in found.links:
        where = ", ".join(f"{label(m, out)} {safe(m.title)}" for m in memos) or out.style("nothing of that name", "yellow")
        out.line(f"-> [[{safe(target)}]]  {where}")
    for memo in found.backlinks:
        out.line(f"<- {label(memo, out)}  {safe(memo.title)}")
    return 0


SPEC = Spec(
    "links",
    "What a memo links to with [[…]], and what links to it.",
    run,
    (Argument("memo", "ID|PATH"),),
    (ROOT, SCOPE, *STORES, JSON, *COMMON),
    ("remember links e5f6a7b8", "remember links notes/2026-10-18-tv-server.md --json"),
)
