"""Turns findings into changes that cannot lose a byte of knowledge; what needs judgement is left to a person."""

from __future__ import annotations

import os

from remember.check.mend import Known, mend_facts, mend_note
from remember.check.repair_loose import loose
from remember.check.steps import Means, Repair
from remember.errors import CacheError, RememberError
from remember.files.safe import open_folder
from remember.format import ids
from remember.format.counts import counted
from remember.format.spans import decode, encode
from remember.format.times import parse as parse_time
from remember.layouts.loose import loose_note
from remember.store.commit import FileEdit, Plan, View, Writer, file_item

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from remember.check.findings import Finding
    from remember.check.run import Subject
    from remember.index.catalogue import Index
    from remember.store.records import Item

__all__ = ["apply_repairs", "plan_repairs"]

_FACTS = "MEMORY.md"
_NOTE_CODES = frozenset(["R301", "R304", "R305", "R308"])
_FACT_CODES = frozenset(["R204", "R205", "R208", "R210"])
_FILE_CODES = _NOTE_CODES | _FACT_CODES | {"Z102"}


def _wanted(findings: Iterable[Finding], means: Means) -> list[Finding]:
    """The findings that a repair can do something about."""
    return [
        f for f in findings if f.severity != "unknown" and (f.fix in ("C", "M") or (f.fix == "S" and f.code in means.selected))
    ]


def plan_repairs(subject: Subject, findings: Sequence[Finding], means: Means) -> list[Repair]:
    """Exactly the steps that `apply_repairs` takes for the store, in its order; nothing is changed."""
    wanted = [f for f in _wanted(findings, means) if f.is_of(subject.ref)]
    steps = [_step(f, _LOOSE[f.code]) for f in wanted if f.code in _LOOSE]
    return [*steps, *_mend_steps(subject, _codes(wanted), means), *_cache_steps(wanted)]


def _mend_steps(subject: Subject, codes: dict[str, set[str]], means: Means) -> list[Repair]:
    """What would be changed in memory files as they are now."""
    if not codes:
        return []
    try:
        folder = open_folder(subject.ref.path)
    except (OSError, RememberError):
        return []  # what makes the store unreadable is a finding itself
    index: Index | None = None
    try:
        if any("R308" in of_file for of_file in codes.values()):  # whether the ID is free decides what is done
            from remember.index.catalogue import open_index

            index = open_index(subject.ref, means.cache_dir)
        _, steps = _Mending(subject, codes, means, index.has_id if index is not None else _nobody).plan(View(folder, subject.ref.path))
    finally:
        if index is not None:
            index.close()
        os.close(folder)
    return [Repair(code, subject.ref.scope, subject.ref.name, path, line, action) for code, path, line, action in steps]


_LOOSE = {
    "R107": "takes the permissions of other users away",
    "R406": "moves the temporary file into a recovery record",
    "R702": "drops the record",
    "R801": "removes the left-over lock",
}


def _step(finding: Finding, action: str) -> Repair:
    return Repair(finding.code, finding.scope, finding.store, finding.path, finding.line, action, memo=finding.memo)


def _cache_steps(wanted: list[Finding]) -> list[Repair]:
    """One step for whatever is wrong with the index, named after the worst finding."""
    about = [f for f in wanted if f.code.startswith("R6")]
    if not about:
        return []
    if all(f.code == "R600" for f in about):
        return [_step(about[0], "brings the index up to date")._replace(path="", line=0)]
    first = next(f for f in about if f.code != "R600")
    return [_step(first, "makes the index anew from the files")._replace(path="", line=0)]


def _codes(wanted: Iterable[Finding]) -> dict[str, set[str]]:
    """The codes to mend by path."""
    codes: dict[str, set[str]] = {}
    for finding in wanted:
        if finding.code in _FILE_CODES:
            codes.setdefault(finding.path, set()).add(finding.code)
    return codes


def _nobody(_: str) -> bool:
    return False


class _Mending:
    """A plan for the memory files of one store: made on whatever bytes the view has, so as good for a dry run as under the lock."""

    def __init__(self, subject: Subject, codes: dict[str, set[str]], means: Means, taken: Callable[[str], bool]) -> None:
        self.ref, self.codes, self.means = subject.ref, codes, means
        self.taken = taken
        self.drawn: set[str] = set()

    def draw(self) -> str:
        """An ID that no memo has."""
        new = ids.draw(lambda memo_id: memo_id in self.drawn or self.taken(memo_id), self.means.bits)
        self.drawn.add(new)
        return new

    def claim(self, memo_id: str) -> bool:
        """Take an ID that a note has in another form, unless another memo has it."""
        if memo_id in self.drawn or self.taken(memo_id):
            return False
        self.drawn.add(memo_id)
        return True

    def plan(self, view: View) -> tuple[Plan, list[tuple[str, str, int, str]]]:
        """The plan, and its steps as (code, path, line, action)."""
        self.drawn.clear()  # a plan that did not come to pass took none
        edits: list[FileEdit] = []
        items: list[Item] = []
        steps: list[tuple[str, str, int, str]] = []
        for path in sorted(path for path, codes in self.codes.items() if codes != {"Z102"}):
            try:
                data = view.read(path)
            except RememberError:
                continue
            if data is None:
                continue
            if path == _FACTS:
                self._facts(view, data, edits, items, steps)
            else:
                self._note(view, path, data, edits, items, steps)
        self._index(view, edits, items, steps)
        return Plan(tuple(edits), tuple(items), steps, counted(len(steps), "repair")), steps

    def _index(self, view: View, edits: list[FileEdit], items: list[Item], steps: list[tuple[str, str, int, str]]) -> None:
        from remember.check.mend_index import mend_index

        made = mend_index(view, sorted(path for path, codes in self.codes.items() if "Z102" in codes))
        if made is not None:
            edits.append(made[0])
            items += made[1]
            steps += made[2]

    def _facts(
        self, view: View, data: bytes, edits: list[FileEdit], items: list[Item], steps: list[tuple[str, str, int, str]]
    ) -> None:
        from remember.change.lines import line_items

        text = decode(data)
        made, done = mend_facts(text, self.codes[_FACTS], self.draw, self.means.now_ms, lambda path: _id_of(view, path))
        if made:
            new, lines = line_items(_FACTS, text, made)
            edits.append(FileEdit(_FACTS, new))
            items += lines
            steps += [(code, _FACTS, line, action) for code, line, action in done]

    def _note(
        self, view: View, path: str, data: bytes, edits: list[FileEdit], items: list[Item], steps: list[tuple[str, str, int, str]]
    ) -> None:
        content = view.content(path)
        assert content is not None
        mtime_ms = (content.mtime_ns or 0) // 1_000_000
        kind = loose_note(path, data, mtime_ms)
        named = path.rpartition("/")[2][:10]
        created = kind.created_ms or parse_time(f"{named}T00:00:00Z") or mtime_ms
        words = " ".join((kind.description or "").split())[:300] or "note"
        text, done = mend_note(decode(data), self.codes[path], Known(words, created, max(created, mtime_ms), self.draw, self.claim))
        if done:
            edit = FileEdit(path, encode(text))
            edits.append(edit)
            items.append(file_item(view, edit))
            steps += [(code, path, 0, action) for code, action in done]


def _id_of(view: View, path: str) -> str | None:
    from remember.format import notes

    try:
        data = view.read(path)
    except RememberError:
        return None
    return None if data is None else notes.parse(decode(data)).id


def apply_repairs(subject: Subject, findings: Sequence[Finding], means: Means) -> list[Repair]:
    """Carry the plan out; every step says whether it was done. Raises nothing that a step can say itself."""
    steps: list[Repair] = []
    planned = plan_repairs(subject, findings, means)
    for step in planned:
        if step.code in _LOOSE:
            steps.append(_tried(step, lambda step=step: loose(subject, step, means)))  # type: ignore[misc]
    codes = _codes(f for f in _wanted(findings, means) if f.is_of(subject.ref))
    mended = [step for step in planned if step.code in _FILE_CODES]
    if mended:
        steps += _mend(subject, codes, means, mended)
    for step in planned:
        if step.code.startswith("R6"):
            steps.append(_tried(step, lambda step=step: _index(subject, step, means)))  # type: ignore[misc]
    return steps


def _tried(step: Repair, act: Callable[[], str | None]) -> Repair:
    try:
        return step._replace(done=True, recovery_id=act())
    except RememberError as error:
        return step._replace(done=False, error=error.message)
    except OSError as error:
        return step._replace(done=False, error=error.strerror or str(error))


def _index(subject: Subject, step: Repair, means: Means) -> str | None:
    from remember.index.catalogue import open_index, rebuild
    from remember.index.refill import refill

    if step.code == "R600":
        open_index(subject.ref, means.cache_dir).close()
        return None
    try:
        rebuild(subject.ref, means.cache_dir)
    except CacheError:  # a watcher or server has it open, so it cannot be replaced
        refill(subject.ref, means.cache_dir)
    return None


def _mend(subject: Subject, codes: dict[str, set[str]], means: Means, mended: list[Repair]) -> list[Repair]:
    """All changes of memory files in one commit with one recovery record."""
    from remember.index.catalogue import open_index

    index: Index | None = None
    try:
        index = open_index(subject.ref, means.cache_dir)
        mending = _Mending(subject, codes, means, index.has_id)
        with Writer(subject.ref.path, subject.recovery, means.now_ms, means.bits, means.timeout_s) as writer:
            committed = writer.commit(lambda view: mending.plan(view)[0], "repair")
        first = mended[0]
        done = committed.result
        assert isinstance(done, list)
        index.refresh()
        return [Repair(c, first.scope, first.store, path, line, action, True, committed.recovery_id) for c, path, line, action in done]
    except RememberError as error:
        return [step._replace(done=False, error=error.message) for step in mended]
    finally:
        if index is not None:
            index.close()
