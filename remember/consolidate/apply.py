"""Applies a validated plan as one change with one recovery record, reads back what it wrote, and says so in a receipt."""

from __future__ import annotations

import json

from remember._named import NamedTuple
from remember.change.target import writer
from remember.consolidate.compose import compose
from remember.consolidate.picture import digest_of, hex_digest, take_picture
from remember.consolidate.rundirs import APPLIED, APPLYING
from remember.errors import ChangedOutside
from remember.store.journal import Journal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from remember.change.target import Target, Terms
    from remember.consolidate.compose import Outcome
    from remember.consolidate.rundirs import RunDirs, RunState
    from remember.store.commit import Plan, View, Writer

__all__ = ["ACTION", "Applied", "apply_plan", "mark_applied", "mark_applying", "receipt_of", "record_of", "validate_plan"]

ACTION = "consolidate"


class Applied(NamedTuple):
    """What was done: an outcome an operation, the record, (path, digest before, digest after) of each file, the store's digests."""

    outcomes: tuple[Outcome, ...]
    recovery_id: str | None
    files: tuple[tuple[str, str | None, str | None], ...]
    before_sha256: str
    after_sha256: str


def validate_plan(target: Target, document: Mapping[str, object], terms: Terms, others: Sequence[Target] = ()) -> tuple[Outcome, ...]:
    """What the plan would do to the store as it is now; writes nothing. Raises PlanRefused, ChangedOutside."""
    with writer(target, terms) as store:
        return tuple(_outcomes(compose(store.view(), target, document, terms, others)))


def _outcomes(plan: Plan) -> list[Outcome]:
    return plan.result  # type: ignore[return-value]


def apply_plan(
    target: Target, document: Mapping[str, object], terms: Terms, others: Sequence[Target] = (), seen: Mapping[str, str] | None = None
) -> Applied:
    """Write the plan's changes and read them back; with `seen` only while the store's files are those, by digest.

    Raises PlanRefused, ChangedOutside, Locked, StoreError; nothing is changed then, but where reading back failed.
    """
    made: dict[str, Plan] = {}

    def plan(view: View) -> Plan:
        if seen is not None:
            _unchanged(seen, take_picture(view.folder, view.store))
        made["plan"] = compose(view, target, document, terms, others)
        return made["plan"]

    with writer(target, terms) as store:
        before = take_picture(store.folder, target.ref.path)
        committed = store.commit(plan, ACTION)
        after = take_picture(store.folder, target.ref.path)
        _read_back(made["plan"], after, store)
    paths = sorted(path for path in {*before, *after} if before.get(path) != after.get(path))
    files = tuple((path, _digest(before.get(path)), _digest(after.get(path))) for path in paths)
    return Applied(tuple(_outcomes(made["plan"])), committed.recovery_id, files, digest_of(before), digest_of(after))


def _unchanged(seen: Mapping[str, str], now: Mapping[str, bytes]) -> None:
    """Refuse where files were changed while a worker was at it, whoever did that."""
    digests = {path: hex_digest(data) for path, data in now.items()}
    changed = sorted(path for path in {*seen, *digests} if seen.get(path) != digests.get(path))
    if changed:
        named = ", ".join(_printable(path) for path in changed[:5]) + (" …" if len(changed) > 5 else "")
        hint = "by the worker or by somebody else; nothing of its plan was applied, and nothing of theirs was taken back"
        raise ChangedOutside(f"the store ({named})", hint)


def _digest(data: bytes | None) -> str | None:
    return None if data is None else hex_digest(data)


def _read_back(plan: Plan, after: Mapping[str, bytes], store: Writer) -> None:
    """Refuse to speak of success where a file does not hold what was written."""
    for edit in plan.edits:
        if after.get(edit.path) != edit.data:
            raise ChangedOutside(f"{store.path}/{edit.path}", "`remember undo` takes the consolidation back")


def receipt_of(state: RunState, applied: Applied, summary: str, worker: str | None, finished: str) -> dict[str, object]:
    """The receipt: which run and plan (by digest of its bytes) changed which files from what to what."""
    return {
        "version": 1,
        "run": state.run,
        "state": APPLIED,
        "store": _printable(state.store),
        "scope": state.scope,
        "worker": worker,
        "summary": summary,
        "changed": bool(applied.files),
        "recovery_id": applied.recovery_id,
        "operations": [outcome._asdict() | {"ids": list(outcome.ids), "path": _printable(outcome.path)} for outcome in applied.outcomes],
        "files": [{"path": _printable(path), "before_sha256": old, "after_sha256": new} for path, old, new in applied.files],
        "plan_sha256": state.plan_sha256,
        "work_sha256": state.work_sha256,
        "context_sha256": state.context_sha256,
        "store_before_sha256": applied.before_sha256,
        "store_after_sha256": applied.after_sha256,
        "begun": state.created,
        "finished": finished,
    }


def _printable(path: str) -> str:
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def record_of(target: Target, run: str) -> str | None:
    """The recovery ID of what a run that was cut short had saved, if it had saved anything."""
    with Journal(target.ref.path, target.recovery) as journal:
        for record in journal.listing().records:
            if record.action == ACTION and record.summary.split(":")[0] == run:
                return record.id
    return None


def mark_applying(dirs: RunDirs, state: RunState, plan: bytes) -> RunState:
    """Say that the run is being applied, and keep the plan's bytes, before anything is written into the store."""
    dirs.keep(state.run, "plan.json", plan)
    return dirs.save(state._replace(state=APPLYING, plan_sha256=hex_digest(plan)))


def mark_applied(dirs: RunDirs, state: RunState, receipt: Mapping[str, object]) -> RunState:
    """Keep the receipt, and close the run."""
    dirs.keep(state.run, "receipt.json", (json.dumps(receipt, indent=1) + "\n").encode())
    recovery_id = receipt["recovery_id"]
    return dirs.finish(state._replace(recovery_id=None if recovery_id is None else str(recovery_id)), APPLIED)
