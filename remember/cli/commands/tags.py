"""`remember tags`: every tag with its count."""

from __future__ import annotations

from remember.cli.opening import memory_of
from remember.cli.options import COMMON, JSON, ROOT, SCOPE, STORES, Spec
from remember.cli.output import safe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.cli.options import Args
    from remember.cli.output import Output

__all__ = ["SPEC"]


def run(args: Args, out: Output) -> int:
    """Print tags, most frequent first."""
    counts = memory_of(args).tags()
    if args.flag("json"):
        out.json({"tags": [{"tag": count.tag, "memos": count.memos} for count in counts]})
        return 0
    for count in counts:
        out.line(f"{count.memos:6}  {out.style('#' + safe(count.tag), 'cyan')}")
    return 0


_OPTIONS = (ROOT, SCOPE, *STORES, JSON, *COMMON)

SPEC = Spec(
    "tags", "List tags with the number of memos that have them.", run, (), _OPTIONS, ("remember tags", "remember tags --store ./docs")
)
