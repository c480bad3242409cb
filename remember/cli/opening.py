"""From parsed arguments to `Memory`, and what several commands print alike."""

from __future__ import annotations

from remember.cli.output import safe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.cli.options import Args
    from remember.cli.output import Output
    from remember.memory import Memory
    from remember.model import Change, Memo

__all__ = ["label", "local_time", "memory_of", "print_change", "stamp"]


def memory_of(args: Args) -> Memory:
    """The memory that --root, --scope, --store and --all mean."""
    from remember.memory import Memory
    from remember.memory.context import Surroundings

    around = Surroundings(args.text("root"), args.text("scope"), args.texts("store"), args.flag("all"))
    around.migrates = "reads"
    return Memory(around)


def label(memo: Memo, out: Output) -> str:
    """The beginning of a memo's line: its ID or place, and its kind where it is no fact with an ID."""
    name = memo.id or safe(memo.place)
    return out.style(name, "cyan")


def local_time(ms: int | None) -> str:
    """A time as people read it: local, to the minute."""
    if ms is None:
        return ""
    from datetime import datetime

    try:
        return datetime.fromtimestamp(ms / 1000).strftime("%Y-%m-%d %H:%M")
    except (OverflowError, ValueError, OSError):
        return ""


def stamp(memo: Memo) -> str:
    """When the memo was changed last, as people read it."""
    return local_time(memo.created_ms if memo.modified_ms is None else memo.modified_ms)


def print_change(change: Change, out: Output, done: str, was: str = "") -> None:
    """One line about a change, and its warnings on standard error; `was` is what a memo is already where nothing is done."""
    for warning in change.warnings:
        out.warn(warning)
    name = change.id or safe(change.path or "")
    if change.duplicate_of is not None:
        out.line(f"already there: {safe(change.duplicate_of)}")
    elif not change.changed:
        out.line(f"nothing to change: {name}{was}")
    elif not out.quiet:
        place = safe(change.path or "") + (f":{change.line}" if change.kind == "fact" and change.line else "")
        out.line(f"{done} {out.style(name, 'cyan')}  {place}" + (f"  (undo: {change.recovery_id})" if change.recovery_id else ""))
