"""Replaces a fact's text, or a note's body or description, in place; everything else stays byte for byte."""

from __future__ import annotations

from remember.change import address
from remember.change.add import checked, unchanged
from remember.change.lines import line_items
from remember.change.locate import check_revision, fact_in, note_in
from remember.change.target import Wanted, fresh, writer
from remember.errors import ChangedOutside, FormatError, RefusedInput
from remember.format import facts as grammar
from remember.format import notes, spans
from remember.format.text import check_body, clean_description, clean_fact, cut
from remember.model import Change
from remember.store.commit import FileEdit, Plan, file_item

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from remember.change.target import Target, Terms
    from remember.model import Memo
    from remember.store.commit import View

__all__ = ["Wanted", "update"]


def update(targets: Sequence[Target], named: str, wanted: Wanted, terms: Terms) -> Change:
    """Change the one memo that an ID or a place names; ID, path and creation date stay.

    Equal content changes no byte, no date, and saves no record (`changed` is false). Raises NotFound, Ambiguous,
    ChangedOutside for another revision, FormatError for a broken header, RefusedInput, SecretRefused, Locked, StoreError.
    """
    target, memos = _meant(targets, named)
    memo = memos[0]
    if target.ref.layout == "zcode" and memo.kind == "note" and (wanted.content is not None or wanted.description is not None):
        from remember.change import zcode

        return zcode.update(target, memo, wanted, terms)
    if target.ref.layout == "bullets" and memo.kind == "fact" and wanted.content is not None:
        from remember.change import bullets
        from remember.layouts.bullet_edit import clean_note

        return bullets.replace(target, memos, wanted, terms, checked(clean_note(wanted.content), terms))
    plan = _fact_plan(target, memo, wanted, terms) if memo.kind == "fact" else _note_plan(target, memo, wanted, terms)
    with writer(target, terms) as store:
        made = store.commit(plan, "update")
    change: Change = made.result  # type: ignore[assignment]
    return change._replace(recovery_id=made.recovery_id)


def _meant(targets: Sequence[Target], named: str) -> tuple[Target, list[Memo]]:
    """The store and the memo that an address names; in a file of bullets their exact text names all that have it."""
    indexes = fresh(targets)
    for target in targets:
        if target.ref.layout == "bullets":
            from remember.change.bullets import named as exactly

            if found := exactly(target, named):
                return target, found
    index, memo = address.find(indexes, named)
    return next(t for t in targets if t.index is index), [memo]


def _fact_plan(target: Target, memo: Memo, wanted: Wanted, terms: Terms) -> Callable[[View], Plan]:
    if wanted.description is not None:
        raise RefusedInput(f"{memo.place} is a fact, which has no description", "give its new text as the content")
    if wanted.content is None:
        raise RefusedInput("there is nothing to change", "give the new text with --content, --file or on standard input")
    new = checked(clean_fact(wanted.content), terms)
    seen: list[str] = []

    def plan(view: View) -> Plan:
        text = spans.decode(view.read(memo.path) or b"")
        fact = fact_in(grammar.parse(text), memo, same_text=memo.id is None)
        check_revision(memo, wanted.revision, grammar.revision(text, fact))
        if seen and fact.text != seen[0]:
            raise ChangedOutside(memo.id or memo.place)
        seen[:] = [fact.text]
        if fact.text == new:
            return Plan((), (), unchanged(memo)._replace(line=fact.line, revision=grammar.revision(text, fact)))
        edit = grammar.replace_text(text, fact, new)
        data, items = line_items(memo.path, text, [(edit, fact.id)])
        after = spans.apply(text, [edit])
        moved = fact._replace(text=new, end=fact.start + len(new))
        revision = grammar.revision(after, moved)
        change = Change(True, "fact", memo.scope, memo.store, memo.id, memo.path, fact.line, revision=revision)
        return Plan((FileEdit(memo.path, data),), items, change, new)

    return plan


def _note_plan(target: Target, memo: Memo, wanted: Wanted, terms: Terms) -> Callable[[View], Plan]:
    if memo.kind == "text":
        raise RefusedInput(f"{memo.path} holds text that is no memo of its own", "edit the file itself, or name a fact by its line")
    if wanted.content is None and wanted.description is None:
        raise RefusedInput("there is nothing to change", "give a new body or --description")
    body = None if wanted.content is None else checked(check_body(wanted.content), terms)
    described = None if wanted.description is None else checked(clean_description(wanted.description), terms)
    seen: list[tuple[str, str | None]] = []

    def plan(view: View) -> Plan:
        data, text, note = note_in(view, memo)
        check_revision(memo, wanted.revision, notes.revision_of(data))
        now = (text[note.body_start :], note.description)
        if seen and ((body is not None and now[0] != seen[0][0]) or (described is not None and now[1] != seen[0][1])):
            raise ChangedOutside(memo.id or memo.path)
        seen[:] = [now]
        after = _edited(text, note, body, described, terms.now_ms, memo.path)
        if after == text:
            return Plan((), (), unchanged(memo)._replace(revision=notes.revision_of(data)))
        edit = FileEdit(memo.path, spans.encode(after))
        revision = notes.revision_of(edit.data or b"")
        change = Change(True, "note", memo.scope, memo.store, memo.id, memo.path, 1, revision=revision)
        return Plan((edit,), (file_item(view, edit),), change, cut(described or note.description or memo.path, 300))

    return plan


def _edited(text: str, note: notes.Note, body: str | None, described: str | None, now_ms: int, path: str) -> str:
    """The note's text with body and description replaced; the same text where both are so already."""
    if not note.header.present and described is None and body is not None and not path.startswith("notes/"):
        return text if text.strip() == body.strip() else body
    try:
        if body is not None:
            text = spans.apply(text, notes.replace_body(text, note, body, now_ms, path))
            note = notes.parse(text)
        if described is not None:
            text = spans.apply(text, notes.replace_description(text, note, described, now_ms, path))
    except FormatError as error:
        raise FormatError(error.problems, path) from error
    return text
