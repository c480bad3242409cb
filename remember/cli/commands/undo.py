"""`remember undo`, `redo` and `restore`: changes taken back and applied again."""

from __future__ import annotations

from remember.cli.opening import memory_of
from remember.cli.options import COMMON, JSON, ROOT, SCOPE, STORE_ONE, WRITER, Argument, Spec
from remember.cli.output import safe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.cli.options import Args
    from remember.cli.output import Output
    from remember.memory import Turned

__all__ = ["REDO", "RESTORE", "SPEC"]

_SHOWN = 30
"""Memos that are named of a change; -v names them all."""


def undo(args: Args, out: Output) -> int:
    """Undo the newest change."""
    return _print(memory_of(args).undo(timeout_s=_timeout(args)), args, out)


def redo(args: Args, out: Output) -> int:
    """Apply the last undone change again."""
    return _print(memory_of(args).redo(timeout_s=_timeout(args)), args, out)


def restore(args: Args, out: Output) -> int:
    """Undo one change by its recovery ID."""
    return _print(memory_of(args).restore(str(args.text("recovery_id")), timeout_s=_timeout(args)), args, out)


def _timeout(args: Args) -> float:
    return args.seconds("lock_timeout")


def _print(turned: Turned, args: Args, out: Output) -> int:
    for warning in turned.warnings:
        out.warn(warning)
    if args.flag("json"):
        from remember.documents import change_document

        out.json(
            {
                "recovery_id": turned.recovery_id,
                "action": turned.action,
                "summary": turned.summary,
                "state": turned.state,
                "changes": [change_document(change) for change in turned.changes],
            }
        )
        return 0
    done = "undone" if turned.state == "undone" else "applied again"
    action = "move" if turned.action in ("move-in", "move-out") else turned.action
    out.line(f"{done}: {action} {safe(turned.summary)}  ({turned.recovery_id})")
    if not out.quiet:
        several = len({change.store for change in turned.changes}) > 1
        shown = turned.changes if out.verbose else turned.changes[:_SHOWN]
        for change in shown:
            where = f" in {safe(change.store)}" if several else ""
            out.line(f"  {change.id or ''}  {safe(change.path or '')}{where}{'' if change.changed else '  (was so already)'}")
        if len(shown) < len(turned.changes):
            out.line(f"  … and {len(turned.changes) - len(shown)} more (-v names them all)")
    return 0


_OPTIONS = (*WRITER, ROOT, SCOPE, STORE_ONE, JSON, *COMMON)

SPEC = Spec(
    "undo", "Take back the newest change that is not undone.", undo, (), _OPTIONS, ("remember undo", "remember undo --scope global")
)
REDO = Spec("redo", "Apply again what was undone last.", redo, (), _OPTIONS, ("remember redo", "remember redo --scope local"))
RESTORE = Spec(
    "restore",
    "Undo one change by its recovery ID (see `remember history`).",
    restore,
    (Argument("recovery_id", "RECOVERY_ID"),),
    _OPTIONS,
    ("remember restore 20261130T221800123Z-3f9a1c2e", "remember restore 20261130T221800123Z-3f9a1c2e --json"),
)
