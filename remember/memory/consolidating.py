"""Consolidation of one store: begin, validate, apply, or all of it with a worker; the door for every face."""

from __future__ import annotations

import os

from remember._named import NamedTuple
from remember.change import undo
from remember.check.run import Ask, Subject, check
from remember.consolidate import apply as applying
from remember.consolidate import begin as beginning
from remember.consolidate.begin import Begun, Context
from remember.consolidate.picture import take_picture
from remember.consolidate.prompt import one_line, prompt_for
from remember.consolidate.rundirs import FAILED, RunDirs, RunState
from remember.errors import IOFailure, RefusedInput, RememberError
from remember.files.lines import read_small
from remember.files.worker import GUARD, Limits, run_worker, words_of
from remember.format.times import show
from remember.memory.changing import other_stores, with_targets, with_terms
from remember.memory.context import now_ms, random_bits, recovery_dir
from remember.scope.discover import not_initialised
from remember.scope.select import choose_one
from remember.store.lock import locked
from remember.store.records import record_id
from remember.wire.plans import PLAN_BYTES, plan_schema, read_plan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from remember.change.target import Target, Terms
    from remember.check.findings import Finding
    from remember.memory.context import Surroundings
    from remember.model import StoreRef

    Document = dict[str, object]

__all__ = ["CONTEXT_BYTES", "Work", "abort_run", "apply_run", "begin_run", "context_of", "list_runs", "run_worker_once", "validate_run"]

CONTEXT_BYTES = 1 << 20


class Work(NamedTuple):
    """How a worker is run: its command line ("" as configured), seconds (0 as configured), and the context it gets."""

    command: str = ""
    timeout_s: float = 0.0
    context: Context = Context(None, "none was given")


def _store(around: Surroundings, changing: bool = True) -> StoreRef:
    """The native store that is meant, which must be there. Raises RefusedInput, NotInitialised, and what choosing raises."""
    ref = around.one() if changing else choose_one(around.config, around.cwd, around.root, around.scope, around.stores)
    if ref.layout != "remember":
        raise RefusedInput(f"store {ref.name} has the layout {ref.layout}", "a native store is what can be consolidated")
    if not os.path.lexists(os.path.join(ref.path, "MEMORY.md")):
        raise not_initialised(ref.root or ref.path, around.config.local_dir)
    return ref


def _dirs(around: Surroundings, ref: StoreRef) -> RunDirs:
    return RunDirs(around.config.data_dir, ref.path)


def context_of(around: Surroundings, file: str | None, none: bool) -> Context:
    """The context in a file, or the word that there is none. Raises RefusedInput, IOFailure."""
    if file is None:
        return Context(None, "--no-context" if none else "none was given")
    if none:
        raise RefusedInput("a context is given and refused at once", "give --context FILE or --no-context")
    path = os.path.join(around.cwd, file)
    try:
        data = read_small(path, CONTEXT_BYTES)
    except OSError as error:
        raise IOFailure(path, error) from error
    if data is None:
        raise RefusedInput(f"{path}: no such file", "name the file that says what was going on")
    return Context(data.decode("utf-8", "replace"))


def _begin(around: Surroundings, ref: StoreRef, dirs: RunDirs, context: Context, by: str) -> tuple[Begun, list[str]]:
    if around.environ.get(GUARD):
        raise RefusedInput("a worker does not begin a consolidation of its own", "call it from outside of one")
    notices = beginning.settle(dirs, lambda state: _take_back(around, ref, state))
    now = now_ms()
    run = record_id(now, random_bits(31), False)
    with locked(ref.path) as folder:
        picture = take_picture(folder, ref.path)
    return beginning.begin(dirs, picture, context, run, ref.scope, by, now, plan_schema()), notices


def _take_back(around: Surroundings, ref: StoreRef, state: RunState) -> str:
    """Undo what a run had written when its process ended; how that went."""

    def ask(targets: list[Target]) -> str:
        saved = applying.record_of(targets[0], state.run)
        if saved is None:
            return "nothing had been written"
        try:
            undo.restore(targets[:1], saved, with_terms())
        except RememberError as error:
            return f"what it had written could not be taken back ({error.message}); see `remember history show {saved}`"
        return f"what it had written was taken back ({saved})"

    return with_targets(around, [ref], ask)


def begin_run(around: Surroundings, context: Context) -> Document:
    """Begin a run that a person goes on with. Raises Locked, Conflict for one that is open already, StoreError."""
    ref = _store(around)
    with _dirs(around, ref) as dirs:
        begun, notices = _begin(around, ref, dirs, context, "begin")
        run = begun.state.run
        prompt = prompt_for(run, begun.memos.values(), context.text)
        return {"run": run, "directory": dirs.work(run), "prompt": prompt, "memos": len(begun.memos), "warnings": notices}


def _checked_plan(data: bytes, run: str) -> Document:
    """The plan's values. Raises RefusedInput for bytes that are no plan, or one of another run."""
    try:
        document: Document = read_plan(data)
    except ValueError as error:
        hint = "nothing was changed; schema/consolidation-plan.schema.json says what it may hold"
        raise RefusedInput(f"the plan is refused: {error}", hint) from None
    if document["run"] != run:
        raise RefusedInput(f"the plan is refused: it is for the run {document['run']}, not {run}", "nothing was changed")
    return document


def validate_run(around: Surroundings, run: str, plan: bytes) -> Document:
    """What a plan would do now. Raises NotFound, Conflict, RefusedInput, ChangedOutside."""
    from remember.consolidate.picture import hex_digest

    ref = _store(around)
    with _dirs(around, ref) as dirs:
        dirs.check_work(dirs.open_run(run))
        document = _checked_plan(plan, run)
        refs = [ref, *other_stores(around, ref)]
        outcomes = with_targets(around, refs, lambda ts: applying.validate_plan(ts[0], document, with_terms(), ts[1:]))
        rows = [outcome._asdict() | {"ids": list(outcome.ids)} for outcome in outcomes]
        return {"run": run, "plan_sha256": hex_digest(plan), "operations": rows}


def apply_run(around: Surroundings, run: str, plan: bytes, timeout_s: float = 10.0) -> Document:
    """Apply a plan to the store of an open run; the receipt. Raises what `validate_run` raises, with nothing changed."""
    ref = _store(around)
    with _dirs(around, ref) as dirs:
        state = dirs.open_run(run)
        dirs.check_work(state)
        document = _checked_plan(plan, run)
        refs = [ref, *other_stores(around, ref)]
        return with_targets(around, refs, lambda ts: _apply(around, dirs, state, ts, plan, document, None, with_terms(timeout_s), None))


def _apply(
    around: Surroundings,
    dirs: RunDirs,
    state: RunState,
    targets: Sequence[Target],
    plan: bytes,
    document: Document,
    seen: Mapping[str, str] | None,
    terms: Terms,
    worker: str | None,
) -> Document:
    """Apply, check, take back what brings new errors, and write the receipt; a refused plan leaves the run as it was."""
    target = targets[0]
    before = {finding.key for finding in _findings(around, target.ref)}
    marked = applying.mark_applying(dirs, state, plan)
    try:
        applied = applying.apply_plan(target, document, terms, targets[1:], seen)
    except BaseException:
        dirs.save(state)
        raise
    new = [finding for finding in _findings(around, target.ref) if finding.key not in before]
    errors = [finding for finding in new if finding.severity in ("error", "unknown")]
    if errors and applied.recovery_id is not None:
        undo.restore([target], applied.recovery_id, terms)
        dirs.save(state)
        said = "; ".join(f"{finding.path}:{finding.line}: {finding.message}" for finding in errors[:5])
        raise RefusedInput(f"the plan was applied and taken back, since the store had new errors: {said}", "the store is as it was")
    summary = one_line(str(document["summary"]))
    receipt = applying.receipt_of(marked, applied, summary, worker, show(now_ms()))
    receipt["warnings"] = [f"{finding.code} {finding.path}:{finding.line}: {finding.message}" for finding in new]
    applying.mark_applied(dirs, marked, receipt)
    return receipt


def _findings(around: Surroundings, ref: StoreRef) -> list[Finding]:
    config = around.config
    ask = Ask(config.cache_dir, now_ms(), False, True, False, config.severities)
    return [f for f in check([Subject(ref, recovery_dir(config, ref))], ask) if f.severity != "info"]


def run_worker_once(around: Surroundings, work: Work, lock_timeout_s: float = 10.0) -> Document:
    """Begin, ask the worker, validate, apply; the receipt. Whatever goes wrong, nothing is applied and the run is closed as failed.

    Raises WorkerFailed, RefusedInput, ChangedOutside where anything in the store changed meanwhile, Locked, StoreError.
    """
    command = work.command or around.config.text("consolidate_command")
    if not command:
        raise RefusedInput("no worker is named", "give --worker COMMAND, or `remember config set consolidate_command COMMAND`")
    words = words_of(command)
    timeout_s = work.timeout_s or around.config.number("consolidate_timeout_ms") / 1000
    ref = _store(around)
    with _dirs(around, ref) as dirs:
        begun, notices = _begin(around, ref, dirs, work.context, "run")
        state = begun.state
        try:
            prompt = prompt_for(state.run, begun.memos.values(), work.context.text).encode("utf-8", "replace")
            plan = run_worker(words, prompt, dirs.work(state.run), around.environ, Limits(timeout_s, PLAN_BYTES))
            dirs.check_work(state)
            document = _checked_plan(plan, state.run)
            refs = [ref, *other_stores(around, ref)]
            terms = with_terms(lock_timeout_s)
            receipt = with_targets(around, refs, lambda ts: _apply(around, dirs, state, ts, plan, document, begun.digests, terms, command))
        except BaseException as error:
            dirs.finish(state, FAILED, one_line(str(error) or type(error).__name__))
            raise
        return {**receipt, "warnings": [*notices, *receipt["warnings"]]}  # type: ignore[misc]


def list_runs(around: Surroundings) -> Document:
    """Every run of the store, newest first."""
    dirs = _dirs(around, _store(around, changing=False))  # without their lock: a run that is under way may be looked at
    return {"runs": [_row(dirs, state) for state in dirs.states()]}


def _row(dirs: RunDirs, state: RunState) -> Document:
    fields = ("run", "state", "reason", "by", "created", "store", "recovery_id", "plan_sha256")
    return {name: getattr(state, name) for name in fields} | {"directory": dirs.directory(state.run)}


def abort_run(around: Surroundings, run: str) -> Document:
    """Close a run without applying it. Raises NotFound, Conflict for one that is closed."""
    ref = _store(around)
    with _dirs(around, ref) as dirs:
        return _row(dirs, beginning.abort(dirs, dirs.load(run), lambda state: _take_back(around, ref, state)))
