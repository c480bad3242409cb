"""`remember index`: the disposable cache."""

from __future__ import annotations

from remember.cli.opening import memory_of
from remember.cli.options import COMMON, JSON, ROOT, SCOPE, STORES, Option, Spec
from remember.cli.output import safe
from remember.format.counts import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.cli.options import Args
    from remember.cli.output import Output

__all__ = ["SPEC"]

_STORE_OPTIONS = (ROOT, SCOPE, *STORES, JSON, *COMMON)


def rebuild(args: Args, out: Output) -> int:
    """Build indexes anew."""
    rows = memory_of(args).index_rebuild(out.progress())
    if args.flag("json"):
        out.json({"indexes": rows})
    for row in rows:
        if not args.flag("json") and not out.quiet:
            out.line(f"{safe(str(row['store']))}: {counted(row['files'], 'file')}")
    return _unreadable(rows, args, out)


def status(args: Args, out: Output) -> int:
    """Bring indexes up to date and say what they hold."""
    rows = memory_of(args).index_status()
    if args.flag("json"):
        out.json({"indexes": rows})
    else:
        for row in rows:
            place = "in memory" if row["in_memory"] else str(row["path"])
            held = f"{counted(row['memos'], 'memo')} in {counted(row['files'], 'file')}"
            out.line(f"{safe(str(row['store']))}: {held}, {row['refreshed']} taken in now  {safe(place)}")
    return _unreadable(rows, args, out)


def _unreadable(rows: list[dict[str, object]], args: Args, out: Output) -> int:
    """Exit status 4 where something could not be read."""
    status = 0
    for row in rows:
        for warning in row["warnings"]:  # type: ignore[attr-defined]
            if not args.flag("json"):
                out.warn(f"{row['store']}: {warning}")
            if "in memory" not in warning:
                status = 4
    return status


def path(args: Args, out: Output) -> int:
    """Print where each index is."""
    rows = memory_of(args).index_paths()
    if args.flag("json"):
        out.json({"indexes": [{"store": store, "path": place} for store, place in rows]})
    else:
        for _, place in rows:
            out.line(safe(place))
    return 0


def drop(args: Args, out: Output) -> int:
    """Delete indexes; this costs time only."""
    gone = memory_of(args).index_drop(args.flag("all"))
    if args.flag("json"):
        out.json({"dropped": gone})
    else:
        for place in gone:
            out.line(f"dropped {safe(place)}")
    return 0


SPEC = Spec(
    "index",
    "The search cache: a plain SQLite file outside the store, which may be deleted at any time.",
    None,
    subcommands=(
        Spec("rebuild", "Build it anew.", rebuild, (), _STORE_OPTIONS, ("remember index rebuild", "remember index rebuild --all")),
        Spec(
            "status",
            "Bring it up to date and say what it holds.",
            status,
            (),
            _STORE_OPTIONS,
            ("remember index status --json", "remember index status --scope local"),
        ),
        Spec("path", "Print where it is.", path, (), _STORE_OPTIONS, ("remember index path", "remember index path --all")),
        Spec(
            "drop",
            "Delete it.",
            drop,
            (),
            (ROOT, SCOPE, STORES[0], Option("all", ("--all",), "flag", "Every index in the cache directory."), JSON, *COMMON),
            ("remember index drop", "remember index drop --all"),
        ),
    ),
)
