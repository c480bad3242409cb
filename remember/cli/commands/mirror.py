"""`remember mirror`: memos named on purpose, copied to `.memory/` of the workspace for committing."""

from __future__ import annotations

from remember.cli.opening import memory_of
from remember.cli.options import COMMON, JSON, ROOT, WRITER, Argument, Option, Spec
from remember.cli.output import safe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.cli.options import Args
    from remember.cli.output import Output

    Document = dict[str, object]

__all__ = ["SPEC"]


def add(args: Args, out: Output) -> int:
    """Name memos and copy them."""
    from remember.memory.mirroring import mirror_add

    return _tell(mirror_add(memory_of(args).around, args.texts("memo"), args.seconds("lock_timeout")), args, out)


def remove(args: Args, out: Output) -> int:
    """Take memos off the list and their copies away."""
    from remember.memory.mirroring import mirror_remove

    return _tell(mirror_remove(memory_of(args).around, args.texts("memo"), args.seconds("lock_timeout")), args, out)


def sync(args: Args, out: Output) -> int:
    """Bring the copies up to the private memos; exit status 1 where a person has to look at one."""
    from remember.memory.mirroring import mirror_sync

    return _tell(mirror_sync(memory_of(args).around, args.texts("overwrite"), args.seconds("lock_timeout")), args, out)


def status(args: Args, out: Output) -> int:
    """Say how each copy stands; exit status 1 where one is not as the private memo is."""
    from remember.memory.mirroring import mirror_status

    return _tell(mirror_status(memory_of(args).around), args, out, listing=True)


def _tell(found: Document, args: Args, out: Output, listing: bool = False) -> int:
    from remember.memory.mirroring import to_look_at

    left = to_look_at(found, listing)
    if args.flag("json"):
        out.json(found)
        return 1 if left else 0
    if listing:
        for row in found["memos"]:  # type: ignore[attr-defined]
            reason = f"  {safe(row['reason'])}" if row["reason"] else ""
            out.line(f"{out.style(row['id'], 'cyan')}  {safe(row['file'])}  {row['state']}{reason}")
        for name in found["foreign"]:  # type: ignore[attr-defined]
            out.remark(f"{name} is none of the mirror's")
        if not found["memos"] and not out.quiet:
            out.line("no memo is mirrored; `remember mirror add ID` names one")
        return 1 if left else 0
    for word in ("written", "withdrawn"):
        for file in found[word]:  # type: ignore[attr-defined]
            out.line(f"{word} {safe(str(found['directory']))}/{safe(file)}")
    if not found["written"] and not found["withdrawn"] and not out.quiet:
        out.line("nothing to copy")
    for warning in found["warnings"]:  # type: ignore[attr-defined]
        out.warn(str(warning))
    return 1 if left else 0


_MEMOS = (Argument("memo", "ID", many=True),)
_OVERWRITE = Option("overwrite", ("--overwrite",), "multi", "Give up what was edited outside in the copy of this memo.", metavar="ID")

SPEC = Spec(
    "mirror",
    "Copy memos that you name to .memory/ of the workspace, for committing; nothing else is ever copied.",
    None,
    subcommands=(
        Spec(
            "add",
            "Name memos and copy them, unless they look as if they held a secret.",
            add,
            _MEMOS,
            (ROOT, JSON, *WRITER, *COMMON),
            ("remember mirror add a1b2c3d4", "remember mirror add a1b2c3d4 --json"),
        ),
        Spec(
            "remove",
            "Take memos off the list, and their copies away.",
            remove,
            _MEMOS,
            (ROOT, JSON, *WRITER, *COMMON),
            ("remember mirror remove a1b2c3d4", "remember mirror remove a1b2c3d4 --json"),
        ),
        Spec(
            "sync",
            "Bring the copies up to the private memos; what was edited outside is named and left.",
            sync,
            (),
            (_OVERWRITE, ROOT, JSON, *WRITER, *COMMON),
            ("remember mirror sync", "remember mirror sync --overwrite a1b2c3d4"),
        ),
        Spec(
            "status",
            "Say how each copy stands beside its private memo.",
            status,
            (),
            (ROOT, JSON, *COMMON),
            ("remember mirror status", "remember mirror status --json"),
        ),
    ),
)
