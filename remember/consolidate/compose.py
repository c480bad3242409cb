"""From a plan and a store as it is now to one change of it: every operation checked against the files, or a refusal that names all."""

from __future__ import annotations

from remember._named import NamedTuple
from remember.change import duplicates
from remember.change.add import new_id
from remember.change.lines import append_items, line_items
from remember.change.target import FACTS
from remember.consolidate.picture import PictureMemo, memos_of, take_picture
from remember.consolidate.prompt import one_line
from remember.errors import ChangedOutside, FormatError, RefusedInput, RememberError
from remember.format import facts as grammar
from remember.format import notes, secrets, slugs, spans
from remember.format.text import check_body, clean_description, clean_fact
from remember.format.times import fact_stamp
from remember.store.commit import FileEdit, Plan, file_item

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from remember.change.target import Target, Terms
    from remember.store.commit import View
    from remember.store.records import Item

    Operation = Mapping[str, object]

__all__ = ["Outcome", "PlanRefused", "compose"]

_MASKED = "[secret removed]"


class PlanRefused(RefusedInput):
    """A plan that cannot be applied as it is; `problems` names every bad operation."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("the plan is refused: " + "; ".join(problems), "nothing was changed")
        self.problems = tuple(problems)


class Outcome(NamedTuple):
    """What an operation does: `ids` are the memos that it concerns, `detail` says why where nothing changes."""

    op: str
    changed: bool
    ids: tuple[str, ...]
    path: str
    detail: str = ""


class _Refusal(Exception):
    """Why one operation cannot be done; `stale` where the memo is no longer what the plan was made for."""

    def __init__(self, reason: str, stale: bool = False) -> None:
        super().__init__(reason)
        self.stale = stale


def compose(view: View, target: Target, document: Mapping[str, object], terms: Terms, others: Sequence[Target] = ()) -> Plan:
    """One change for all operations; its result is a list of Outcomes.

    Raises PlanRefused for what cannot be done whatever the store holds, ChangedOutside where memos are at other revisions.
    """
    target.index.refresh()
    return _Composer(view, target, terms, others).run(document)


class _Composer:
    def __init__(self, view: View, target: Target, terms: Terms, others: Sequence[Target]) -> None:
        self.view, self.target, self.terms, self.others = view, target, terms, others
        self.memos = memos_of(take_picture(view.folder, view.store))
        self.text = spans.decode(view.read(FACTS) or b"")
        self.facts = {fact.id: fact for fact in grammar.parse(self.text).facts if fact.id}
        self.fact_edits: list[tuple[spans.Edit, str]] = []
        self.added: list[tuple[str, str]] = []
        self.new_files: dict[str, bytes] = {}
        self.changed_files: dict[str, bytes] = {}
        self.gone_files: list[str] = []
        self.named: set[str] = set()
        self.keys: dict[str, str] = {}
        self.drawn: list[str] = []

    def run(self, document: Mapping[str, object]) -> Plan:
        operations: list[Operation] = document["operations"]  # type: ignore[assignment]
        refused: list[str] = []
        stale: list[str] = []
        outcomes: list[Outcome] = []
        self.leaving = {memo_id for operation in operations for memo_id in _ids(operation) if operation["op"] != "update"}
        for number, operation in enumerate(operations, 1):
            try:
                outcomes.append(self._one(operation))
            except _Refusal as refusal:
                (stale if refusal.stale else refused).append(f"operation {number} ({operation['op']}): {refusal}")
            except RememberError as error:
                refused.append(f"operation {number} ({operation['op']}): {error.message}")
        if refused:
            raise PlanRefused([*refused, *stale])
        if stale:
            raise ChangedOutside("; ".join(stale), "nothing was changed; begin another run, which sees the memos as they are now")
        return self._plan(outcomes, one_line(str(document["summary"])), str(document["run"]))

    # --- operations

    def _one(self, operation: Operation) -> Outcome:
        makers: dict[str, Callable[[Operation], Outcome]] = {
            "add": self._add,
            "note": self._note,
            "update": self._update,
            "merge": self._merge,
            "forget": self._forget,
        }
        return makers[str(operation["op"])](operation)

    def _memo(self, memo_id: str, revision: str) -> PictureMemo:
        """The memo that a plan names, as it is now."""
        if memo_id in self.named:
            raise _Refusal(f"{memo_id} is named by another operation too")
        self.named.add(memo_id)
        memo = self.memos.get(memo_id)
        if memo is None:
            raise _Refusal(f"{memo_id} is no memo that can be named (unknown, or not the only one of that ID)", stale=True)
        if memo.revision != revision:
            raise _Refusal(f"{memo_id} is at revision {memo.revision}, not {revision}", stale=True)
        return memo

    def _given(self, text: str) -> str:
        """A text that may be stored. Raises SecretRefused, _Refusal."""
        secrets.check(text)
        if _MASKED in text:
            raise _Refusal(f"its text holds {_MASKED!r}, which stands for what a worker was not shown")
        return text

    def _twin(self, text: str) -> str | None:
        """The memo that says the same, of those that stay, or one that the plan itself adds."""
        for memo in duplicates.alike(self.target.index, text):
            if memo.id not in self.leaving:
                return memo.id or memo.place
        return self.keys.get(duplicates.key_of(text))

    def _new_id(self) -> str:
        memo_id = new_id(self.target, self.others, self.terms, self.drawn)
        self.drawn.append(memo_id)
        return memo_id

    def _add(self, operation: Operation) -> Outcome:
        text = self._given(clean_fact(str(operation["text"])))
        twin = self._twin(text)
        if twin is not None:
            return Outcome("add", False, (), FACTS, f"{twin} says the same")
        memo_id = self._new_id()
        self.keys[duplicates.key_of(text)] = memo_id
        self.added.append((memo_id, text))
        return Outcome("add", True, (memo_id,), FACTS)

    def _note(self, operation: Operation) -> Outcome:
        described, body = self._described(operation), self._body(operation)
        twin = self._twin(described)
        if twin is not None:
            memo = self.memos.get(twin)
            if memo is not None and memo.kind == "note" and memo.content.replace("\r\n", "\n").strip() == body.strip():
                return Outcome("note", False, (), memo.path, f"{twin} says the same")
            raise _Refusal(f"{twin} has that description already")
        memo_id, path = self._new_note(described, body)
        return Outcome("note", True, (memo_id,), path)

    def _described(self, operation: Operation) -> str:
        return self._given(clean_description(str(operation["description"])))

    def _body(self, operation: Operation) -> str:
        return self._given(check_body(str(operation["content"])))

    def _new_note(self, described: str, body: str) -> tuple[str, str]:
        memo_id, slug, number = self._new_id(), slugs.slug_of(described), 1
        self.keys[duplicates.key_of(described)] = memo_id
        while (path := f"notes/{slugs.file_name(self.terms.now_ms, slug, number)}") in self.new_files or self.view.exists(path):
            number += 1
        self.new_files[path] = spans.encode(notes.render(described, memo_id, self.terms.now_ms, body))
        return memo_id, path

    def _update(self, operation: Operation) -> Outcome:
        memo = self._memo(str(operation["id"]), str(operation["revision"]))
        if memo.kind == "fact":
            text = self._given(clean_fact(str(operation["content"])))
            if text == memo.content:
                return Outcome("update", False, (memo.id,), memo.path, "it says so already")
            self.fact_edits.append((grammar.replace_text(self.text, self.facts[memo.id], text), memo.id))
            return Outcome("update", True, (memo.id,), memo.path)
        changed = self._rewrite(memo, self._body(operation), None)
        return Outcome("update", changed, (memo.id,), memo.path, "" if changed else "it says so already")

    def _rewrite(self, memo: PictureMemo, body: str, described: str | None) -> bool:
        """Give a note another body and perhaps another description; whether anything differs."""
        before = spans.decode(self.view.read(memo.path) or b"")
        try:
            text = spans.apply(before, notes.replace_body(before, notes.parse(before), body, self.terms.now_ms, memo.path))
            if described is not None:
                text = spans.apply(text, notes.replace_description(text, notes.parse(text), described, self.terms.now_ms, memo.path))
        except FormatError as error:
            raise _Refusal(error.message) from error
        if text != before:
            self.changed_files[memo.path] = spans.encode(text)
        return text != before

    def _merge(self, operation: Operation) -> Outcome:
        given: list[Mapping[str, str]] = operation["memos"]  # type: ignore[assignment]
        memos = [self._memo(one["id"], one["revision"]) for one in given]
        described, body = self._described(operation), self._body(operation)
        kept = next((memo for memo in memos if memo.kind == "note"), None)
        twin = self._twin(described)
        if twin is not None:
            raise _Refusal(f"{twin} has that description already")
        for memo in memos:
            if memo is not kept:
                self._take_away(memo)
        if kept is not None:
            self.keys[duplicates.key_of(described)] = kept.id
            self._rewrite(kept, body, described)
            return Outcome("merge", True, (kept.id, *(memo.id for memo in memos if memo is not kept)), kept.path)
        memo_id, path = self._new_note(described, body)
        return Outcome("merge", True, (memo_id, *(memo.id for memo in memos)), path)

    def _forget(self, operation: Operation) -> Outcome:
        memo = self._memo(str(operation["id"]), str(operation["revision"]))
        self._take_away(memo)
        return Outcome("forget", True, (memo.id,), memo.path)

    def _take_away(self, memo: PictureMemo) -> None:
        if memo.kind == "fact":
            self.fact_edits.append((grammar.remove(self.text, self.facts[memo.id]), memo.id))
        else:
            self.gone_files.append(memo.path)

    # --- the change

    def _plan(self, outcomes: list[Outcome], summary: str, run: str) -> Plan:
        """Files in the order in which they are written: what is new, what changes, the facts, and what goes last of all."""
        edits = [FileEdit(path, data, 0o600) for path, data in self.new_files.items()]
        edits += [FileEdit(path, data) for path, data in self.changed_files.items()]
        items: list[Item] = [file_item(self.view, edit) for edit in edits]
        if self.fact_edits or self.added:
            edit, lines = self._facts_edit()
            edits.append(edit)
            items += lines
        gone = [FileEdit(path, None) for path in self.gone_files]
        items += [file_item(self.view, edit) for edit in gone]
        return Plan((*edits, *gone), tuple(items), outcomes, f"{run}: {summary}" if summary else run)

    def _facts_edit(self) -> tuple[FileEdit, list[Item]]:
        made = self.view.read(FACTS) is None
        data, lines = line_items(FACTS, self.text, self.fact_edits)
        items: list[Item] = [*lines]
        if self.added:
            text = spans.decode(data)
            stamp, grown, pieces = fact_stamp(self.terms.now_ms), text, []
            for memo_id, fact in self.added:
                piece = grammar.append(grown, [(memo_id, stamp, fact)]).text
                pieces.append((piece, memo_id))
                grown += piece
            data, more = append_items(FACTS, text, pieces, made)
            items += more
        return FileEdit(FACTS, data), items


def _ids(operation: Operation) -> list[str]:
    if operation["op"] == "merge":
        return [one["id"] for one in operation["memos"]]  # type: ignore[attr-defined]
    return [str(operation["id"])] if "id" in operation else []
