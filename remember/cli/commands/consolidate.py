"""`remember consolidate`: a worker (a model's command, or a person) proposes one plan, the program decides and writes."""

from __future__ import annotations

import os
import sys

from remember.cli.opening import memory_of
from remember.cli.options import COMMON, JSON, ROOT, SCOPE_ONE, WRITER, Argument, Option, Spec
from remember.cli.output import safe
from remember.errors import IOFailure
from remember.format.counts import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.cli.options import Args
    from remember.cli.output import Output

    Document = dict[str, object]

__all__ = ["SPEC"]

_PLAN_READ = 1 << 20


def begin(args: Args, out: Output) -> int:
    """Begin a run: a frozen copy of the store, and what to ask."""
    from remember.memory.consolidating import begin_run, context_of

    around = memory_of(args).around
    begun = begin_run(around, context_of(around, args.text("context"), args.flag("no_context")))
    _warn(begun, args, out)
    if args.flag("json"):
        out.json(begun)
    else:
        out.line(f"run {begun['run']}: {counted(begun['memos'], 'memo')}")
        out.line(f"what a worker reads: {safe(str(begun['directory']))}")
        out.line(f"then: remember consolidate apply {begun['run']} PLAN")
    return 0


def _warn(document: Document, args: Args, out: Output) -> None:
    if not args.flag("json"):
        for warning in document["warnings"]:  # type: ignore[attr-defined]
            out.warn(str(warning))


def _plan(args: Args) -> bytes:
    """The plan's bytes, from a file or standard input; of more than it may have, enough to be refused."""
    file = str(args.text("plan"))
    try:
        if file == "-":
            return sys.stdin.buffer.read(_PLAN_READ)
        descriptor = os.open(file, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
        with os.fdopen(descriptor, "rb") as opened:
            return opened.read(_PLAN_READ)
    except OSError as error:
        raise IOFailure(file, error) from error


def validate(args: Args, out: Output) -> int:
    """Say what a plan would do now; writes nothing."""
    from remember.memory.consolidating import validate_run

    found = validate_run(memory_of(args).around, str(args.text("run")), _plan(args))
    if args.flag("json"):
        out.json(found)
    else:
        _operations(found, out)
        out.line("the plan is valid; nothing was changed")
    return 0


def _operations(document: Document, out: Output) -> None:
    for row in document["operations"]:  # type: ignore[attr-defined]
        ids = " ".join(row["ids"])
        done = safe(str(row["path"])) if row["changed"] else f"nothing to do: {safe(str(row['detail']))}"
        out.line(f"{row['op']}  {out.style(ids, 'cyan')}  {done}" if ids else f"{row['op']}  {done}")


def apply(args: Args, out: Output) -> int:
    """Apply a plan to the store of its run."""
    from remember.memory.consolidating import apply_run

    receipt = apply_run(memory_of(args).around, str(args.text("run")), _plan(args), args.seconds("lock_timeout"))
    return _receipt(receipt, args, out)


def _receipt(receipt: Document, args: Args, out: Output) -> int:
    _warn(receipt, args, out)
    if args.flag("json"):
        out.json(receipt)
        return 0
    _operations(receipt, out)
    if receipt["changed"]:
        out.line(f"applied {receipt['run']}  (undo: {receipt['recovery_id']})")
    else:
        out.line(f"nothing to change: {receipt['run']}")
    return 0


def run(args: Args, out: Output) -> int:
    """Begin, ask the worker, validate and apply."""
    from remember.memory.consolidating import Work, context_of, run_worker_once

    around = memory_of(args).around
    context = context_of(around, args.text("context"), args.flag("no_context"))
    timeout_s = args.seconds("timeout") if args.text("timeout") is not None else 0.0
    return _receipt(run_worker_once(around, Work(args.text("worker") or "", timeout_s, context), args.seconds("lock_timeout")), args, out)


def show(args: Args, out: Output) -> int:
    """List the runs of the store, newest first."""
    from remember.memory.consolidating import list_runs

    found = list_runs(memory_of(args).around)
    if args.flag("json"):
        out.json(found)
        return 0
    for row in found["runs"]:  # type: ignore[attr-defined]
        _row(row, out)
    return 0


def _row(row: Document, out: Output) -> None:
    undo = f"  (undo: {row['recovery_id']})" if row["recovery_id"] else ""
    reason = f"  {safe(str(row['reason']))}" if row["reason"] else ""
    out.line(f"{row['run']}  {row['state']}{undo}{reason}")


def abort(args: Args, out: Output) -> int:
    """Close a run without applying it."""
    from remember.memory.consolidating import abort_run

    row = abort_run(memory_of(args).around, str(args.text("run")))
    if args.flag("json"):
        out.json(row)
    else:
        _row(row, out)
    return 0


_STORE = (ROOT, SCOPE_ONE, JSON, *COMMON)
_CONTEXT = (
    Option("context", ("--context",), "text", "A file that says what was going on.", metavar="FILE"),
    Option("no_context", ("--no-context",), "flag", "Say on purpose that there is no context."),
)
_RUN_PLAN = (Argument("run", "RUN"), Argument("plan", "PLAN"))
_WORK = (
    Option("worker", ("--worker",), "text", "The command that makes the plan (consolidate_command).", metavar="COMMAND"),
    Option("timeout", ("--timeout",), "float", "Seconds that it may take (300).", metavar="S"),
)

SPEC = Spec(
    "consolidate",
    "Tidy a store with a worker's plan: checked before anything changes, one undo for all of it.",
    None,
    subcommands=(
        Spec(
            "begin",
            "Begin a run: a private, frozen copy of the store for a worker.",
            begin,
            (),
            (*_CONTEXT, *_STORE),
            ("remember consolidate begin --no-context", "remember consolidate begin --json"),
        ),
        Spec(
            "validate",
            "Say what a plan would do; changes nothing.",
            validate,
            _RUN_PLAN,
            _STORE,
            (
                "remember consolidate validate 20261018T161033123Z-3f9a1c2e plan.json",
                "remember consolidate validate 20261018T161033123Z-3f9a1c2e plan.json --json",
            ),
        ),
        Spec(
            "apply",
            "Apply a plan as one change with one recovery record (- reads standard input).",
            apply,
            _RUN_PLAN,
            (*_STORE, *WRITER),
            (
                "remember consolidate apply 20261018T161033123Z-3f9a1c2e plan.json",
                "remember consolidate apply 20261018T161033123Z-3f9a1c2e plan.json --json",
            ),
        ),
        Spec(
            "run",
            "All of it with a worker: a program without a shell, the prompt on its standard input, one plan on its standard output.",
            run,
            (),
            (*_WORK, *_CONTEXT, *_STORE, *WRITER),
            (
                "remember consolidate run --worker 'claude -p --tools \"\"'",
                "remember consolidate run --worker 'claude -p --tools \"\"' --json",
            ),
        ),
        Spec(
            "list",
            "List the runs of a store, newest first.",
            show,
            (),
            _STORE,
            ("remember consolidate list", "remember consolidate list --json"),
        ),
        Spec(
            "abort",
            "Close a run without applying it.",
            abort,
            (Argument("run", "RUN"),),
            _STORE,
            ("remember consolidate abort 20261018T161033123Z-3f9a1c2e", "remember consolidate abort 20261018T161033123Z-3f9a1c2e --json"),
        ),
    ),
)
