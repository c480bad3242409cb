"""`remember check`: where files and index, or the files among themselves, disagree; repairs on request."""

from __future__ import annotations

from remember.cli.opening import memory_of
from remember.cli.options import COMMON, JSON, JSONL, ROOT, SCOPE, STORES, Option, Spec
from remember.cli.output import safe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from remember.check.answer import Checked
    from remember.check.findings import Finding
    from remember.check.steps import Repair
    from remember.cli.options import Args
    from remember.cli.output import Output

__all__ = ["SPEC"]

_COLOURS = {"error": "red", "warning": "yellow", "unknown": "yellow", "info": "dim"}
_SHOWN = 10


def run(args: Args, out: Output) -> int:
    """Check, and repair where that is asked for; the exit status says what is left."""
    name = args.text("explain")
    if name is not None:
        return _explain(name, args, out)
    checked = memory_of(args).check(
        quick=args.flag("quick"),
        files_only=args.flag("files_only"),
        secrets=args.flag("secrets"),
        select=args.texts("select"),
        ignore=args.texts("ignore"),
        severity=args.text("severity") or "info",
        repair=args.flag("repair"),
        dry_run=args.flag("dry_run"),
        timeout_s=args.seconds("lock_timeout"),
        progress=out.progress(),
    )
    _print(checked, args, out)
    return checked.exit_status


def _explain(name: str, args: Args, out: Output) -> int:
    from remember.memory.checking import explain_code

    code, text = explain_code(name)
    if args.flag("json"):
        out.json(code)
    else:
        out.raw(text)
    return 0


def _print(checked: Checked, args: Args, out: Output) -> None:
    from remember.memory.checking import check_output

    kind = "jsonl" if args.flag("jsonl") else "json" if args.flag("json") else args.text("format") or "text"
    if kind == "text":
        _text(checked, args, out)
    elif kind == "github":
        out.raw(str(check_output(checked, kind)[0]))
    else:
        for document in check_output(checked, kind):
            out.json(document)


def _text(checked: Checked, args: Args, out: Output) -> None:
    for warning in checked.warnings:
        out.remark(warning)
    several = len(checked.stores) > 1
    for step in checked.repairs:
        _repair(step, several, out)
    shown: dict[tuple[str, str], int] = {}
    advised: set[tuple[str, str]] = set()
    for finding in checked.findings:
        key = (finding.code, finding.store)
        shown[key] = shown.get(key, 0) + 1
        if shown[key] <= _SHOWN or out.verbose:
            _finding(finding, several, out)
            advice = (finding.code, finding.repair)
            if (finding.severity != "info" or out.verbose) and advice not in advised:
                advised.add(advice)
                out.line(f"      {out.style(finding.repair, 'dim')}")
    for (code, store), count in shown.items():
        if count > _SHOWN and not out.verbose:
            out.line(f"{code}  … and {count - _SHOWN} more" + (f" in {safe(store)}" if several else "") + " (-v lists them)")
    if not out.quiet:
        _summary(checked.findings, out)


def _place(store: str, path: str, line: int, several: bool) -> str:
    place = f"{path}:{line}" if path and line else path
    return safe(f"{store}: {place}" if several and place else place or store)


def _repair(step: Repair, several: bool, out: Output) -> None:
    state = "would do" if step.done is None else "done" if step.done else "not done"
    record = f" (undo: remember restore {step.recovery_id})" if step.recovery_id else ""
    error = f": {safe(step.error)}" if step.error else ""
    place = _place(step.store, step.path, step.line, several)
    out.line(f"{out.style(state, 'red' if step.done is False else 'green')}  {step.code}  {place}  {safe(step.action)}{error}{record}")


def _finding(finding: Finding, several: bool, out: Output) -> None:
    place = _place(finding.store, finding.path, finding.line, several)
    out.line(f"{finding.code}  {out.style(finding.severity, _COLOURS[finding.severity])}  {place}  {safe(finding.message)}")


def _summary(findings: Sequence[Finding], out: Output) -> None:
    if not findings:
        out.line("no findings")
        return
    names = {"error": "error", "warning": "warning", "unknown": "not looked at", "info": "for information"}
    counts = [(sum(f.severity == severity for f in findings), name) for severity, name in names.items()]
    out.line(", ".join(f"{count} {name}" + ("s" if count > 1 and " " not in name else "") for count, name in counts if count))


SPEC = Spec(
    "check",
    "Find where files and index, or the files among themselves, disagree; changes nothing without --repair.",
    run,
    (),
    (
        Option("quick", ("--quick",), "flag", "Believe size and times: what seems unchanged is not read, nor are the index's pages."),
        Option("files_only", ("--files-only",), "flag", "Leave the index out."),
        Option("secrets", ("--secrets",), "flag", "Look for text that looks like a credential too."),
        Option("select", ("--select",), "multi", "Only these codes or groups (R2, R501).", metavar="CODES"),
        Option("ignore", ("--ignore",), "multi", "Not these codes or groups.", metavar="CODES"),
        Option("severity", ("--severity",), "choice", "The least severity that counts.", None, ("error", "warning", "info")),
        Option("explain", ("--explain",), "text", "Say what a code means and what to do.", metavar="CODE"),
        Option("repair", ("--repair",), "flag", "Repair what can lose no byte of knowledge, then check again."),
        Option("dry_run", ("--dry-run",), "flag", "With --repair: say what it would do, and do nothing."),
        Option("format", ("--format",), "choice", "How to print.", None, ("text", "json", "jsonl", "github", "sarif")),
        Option("lock_timeout", ("--lock-timeout",), "float", "Seconds to wait for another writer.", 10.0, metavar="SECONDS"),
        ROOT,
        SCOPE,
        *STORES,
        JSON,
        JSONL,
        *COMMON,
    ),
    ("remember check", "remember check --repair --dry-run", "remember check --explain R501", "remember check --format sarif"),
)
