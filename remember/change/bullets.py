"""Changes of a store that is one file of bullets: add with a guard against near-duplicates, replace, remove."""

from __future__ import annotations

from remember.change.lines import line_items
from remember.change.locate import check_revision
from remember.change.target import writer
from remember.errors import ChangedOutside, RefusedInput
from remember.format import ids
from remember.format.notes import revision_of
from remember.format.spans import Edit, apply, decode, encode
from remember.format.text import cut
from remember.layouts import bullet_edit as grammar
from remember.layouts.bullet_lines import Bullet, bullets_of
from remember.layouts.bullets import CAP_BYTES
from remember.model import Change
from remember.store.commit import FileEdit, Plan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from remember.change.target import Target, Terms, Wanted
    from remember.model import Memo
    from remember.store.commit import View

__all__ = ["add", "named", "removal", "replace"]


def add(target: Target, notes: Sequence[str], terms: Terms) -> tuple[Change, ...]:
    """Append each text as a bullet; one that is there already, case and closing punctuation aside, is not (`duplicate_of`)."""
    path = target.ref.file

    def plan(view: View) -> Plan:
        text = _text(view, target)
        known = {grammar.note_key(bullet.text): bullet.text for bullet in reversed(bullets_of(text))}
        changes: list[Change] = []
        new: list[str] = []
        for note in notes:
            key = grammar.note_key(note)
            twin = None if terms.allow_duplicate else known.get(key)
            if twin is None:
                known[key] = note
                new.append(note)
            changes.append(_change(target, note if twin is None else twin, 0, twin is None))
        if not new:
            return Plan((), (), changes)
        edit = grammar.append(text, new)
        lines = {bullet.text: bullet.line for bullet in bullets_of(apply(text, [edit]))}
        changes = [change._replace(line=lines.get(note)) if change.changed else change for change, note in zip(changes, notes, strict=True)]
        summary = new[0] if len(new) == 1 else f"{len(new)} notes, the first: {cut(new[0], 120)}"
        return _plan(view, path, text, [edit], changes, summary)

    with writer(target, terms) as store:
        made = store.commit(plan, "add", addition=True)
    done: list[Change] = made.result  # type: ignore[assignment]
    return tuple(change._replace(recovery_id=made.recovery_id) if change.changed else change for change in done)


def _text(view: View, target: Target) -> str:
    """The file's text, "" where there is none. Raises RefusedInput for one that is too large to be read by anybody."""
    data = view.read(target.ref.file) or b""
    _fits(len(data), target.ref.place)
    return decode(data)


def _fits(size: int, shown: str) -> None:
    if size > CAP_BYTES:
        hint = "its agents do not read a larger one: shorten it, or forget what is stale"
        raise RefusedInput(f"{shown} would have {size} bytes; {CAP_BYTES} are the limit", hint)


def _plan(view: View, path: str, text: str, edits: Sequence[Edit], changes: list[Change], summary: str) -> Plan:
    data, items = line_items(path, text, [(edit, None) for edit in edits], made=view.content(path) is None)
    if len(data) > len(encode(text)):
        _fits(len(data), path)
    return Plan((FileEdit(path, data),), items, changes, summary)


def _change(target: Target, text: str, line: int, changed: bool) -> Change:
    ref = target.ref
    memo_id = ids.derived(ref.layout, ref.file, text)
    made = Change(changed, "fact", ref.scope, ref.name, memo_id, ref.file, line or None)
    return made._replace(revision=revision_of(encode(text))) if changed else made._replace(duplicate_of=memo_id)


def named(target: Target, text: str) -> list[Memo]:
    """The bullets that are exactly this text, ends aside."""
    target.index.refresh()
    wanted = text.strip()
    return [memo for memo in target.index.all() if memo.kind == "fact" and memo.text == wanted]


def replace(target: Target, memos: Sequence[Memo], wanted: Wanted, terms: Terms, new: str) -> Change:
    """Give bullets of one text another one, each in its place. Raises ChangedOutside, RefusedInput."""
    if wanted.description is not None:
        raise RefusedInput(f"{memos[0].place} is one line, which has no description", "give its new text as the content")

    def plan(view: View) -> Plan:
        text = _text(view, target)
        found = [_same(text, memo) for memo in memos]
        check_revision(memos[0], wanted.revision, revision_of(encode(found[0].text)))
        edits = [grammar.replace(bullet, new) for bullet in {b.begin: b for b in found}.values()]
        change = _change(target, new, found[0].line, True)
        if found[0].text == new:
            return Plan((), (), [change._replace(changed=False)])
        return _plan(view, target.ref.file, text, edits, [change], new)

    with writer(target, terms) as store:
        made = store.commit(plan, "update")
    done: list[Change] = made.result  # type: ignore[assignment]
    return done[0]._replace(recovery_id=made.recovery_id)


def _same(text: str, memo: Memo) -> Bullet:
    """The bullet that a memo stands for, in its line or wherever its text is now."""
    found = [bullet for bullet in bullets_of(text) if encode(bullet.text).decode("utf-8", "replace") == memo.text]
    here = [bullet for bullet in found if bullet.line == memo.line] or found
    if not here:
        raise ChangedOutside(memo.id or memo.place)
    return here[0]


def removal(view: View, target: Target, memos: Sequence[Memo]) -> Plan:
    """The plan that removes these bullets, each with its line."""
    text = _text(view, target)
    found = {bullet.begin: bullet for bullet in (_same(text, memo) for memo in memos)}
    changes = [Change(True, memo.kind, memo.scope, memo.store, memo.id, memo.path, memo.line) for memo in memos]
    summary = memos[0].title if len(memos) == 1 else f"{len(memos)} notes, the first: {cut(memos[0].title, 120)}"
    return _plan(view, target.ref.file, text, grammar.drop(list(found.values())), changes, summary)
