"""Removes facts and notes, recoverably: all that goes is in the record before anything is touched."""

from __future__ import annotations

from remember.change import address
from remember.change.lines import line_items
from remember.change.locate import fact_in, note_in
from remember.change.target import FACTS, fresh, writer
from remember.errors import ChangedOutside, NotFound, RefusedInput
from remember.format import facts as grammar
from remember.format.ids import is_id
from remember.format.spans import decode
from remember.format.text import cut
from remember.format.times import show
from remember.model import Change
from remember.store.commit import TRIES, FileEdit, Plan, file_item

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from remember.change.target import Target, Terms
    from remember.index.catalogue import Index
    from remember.model import Memo
    from remember.store.commit import View
    from remember.store.records import Item

__all__ = ["exactly", "forget", "removal", "select", "select_each"]


def select(targets: Sequence[Target], wanted: str, by: str = "") -> list[tuple[Target, Memo]]:
    """The memos that `forget` would remove: what is exactly an ID or a place means just that one, else a substring.

    `by` is `id` or `text` to force one of the two. Raises NotFound with near names, Ambiguous, RefusedInput, UnsafePath.
    """
    indexes = fresh(targets)
    exact = wanted.strip()
    if not exact:
        raise RefusedInput("nothing is named to forget", "give an ID, a place or a text")
    found = [] if by == "text" else exactly(indexes, exact)
    whole = [] if found or by == "id" else [(t.index, m) for t in targets if t.ref.layout == "bullets" for m in _bullets(t, exact)]
    if found:
        found = [address.one(exact, found)]
    elif whole:
        found = whole  # in a file of bullets a note is known by its text
    elif by == "id" or (by != "text" and is_id(exact.lower())):
        close = address.near(indexes, exact)
        hint = "" if close else "no memo has that ID; `--text` looks for it as a text"
        raise NotFound(exact, close, hint)
    else:
        found = [(index, memo) for index in indexes for memo in index.all() if memo.kind != "text" and _holds(memo, wanted.casefold())]
        if not found:
            raise NotFound(exact, address.near(indexes, exact)) if by == "text" else address.nothing(indexes, exact)
    return _owned(targets, found)


def exactly(indexes: Sequence[Index], wanted: str) -> list[tuple[Index, Memo]]:
    """What is exactly an ID, a place or, in a zcode store, a name; no beginnings."""
    return address.by_id(indexes, wanted) or address.by_place(indexes, wanted) or address.by_name(indexes, wanted)


def select_each(targets: Sequence[Target], words: Sequence[str]) -> list[tuple[Target, Memo]]:
    """The memos that several words name, each of them exactly one. Raises NotFound for those that name none, and what `select` does."""
    indexes = fresh(targets)
    found = [exactly(indexes, word.strip()) for word in words]
    lost = [word for word, memos in zip(words, found, strict=True) if not memos]
    if lost:
        raise NotFound(" and ".join(lost), hint=f"nothing was forgotten; name {'them' if len(lost) > 1 else 'it'} as `remember list` does")
    return _owned(targets, [address.one(word, memos) for word, memos in zip(words, found, strict=True)])


def _owned(targets: Sequence[Target], found: Sequence[tuple[Index, Memo]]) -> list[tuple[Target, Memo]]:
    """Each memo once, with the store that it goes from."""
    chosen: dict[tuple[str, str], tuple[Target, Memo]] = {}
    for index, memo in found:
        if memo.kind == "text":
            raise RefusedInput(f"{memo.path} holds text that is no memo of its own", "edit the file itself, or name a fact by its line")
        chosen.setdefault((index.ref.place, memo.place), (next(t for t in targets if t.index is index), memo))
    return list(chosen.values())


def _bullets(target: Target, text: str) -> list[Memo]:
    from remember.change.bullets import named

    return named(target, text)


def _holds(memo: Memo, part: str) -> bool:
    """Whether the folded text is in a fact's text, or in a note's description, path, ID or creation date."""
    if memo.kind == "fact":
        return part in (memo.text or "").casefold()
    created = "" if memo.created_ms is None else show(memo.created_ms)
    return any(part in value.casefold() for value in (memo.description, memo.path, memo.id, created) if value)


def forget(chosen: Sequence[tuple[Target, Memo]], terms: Terms) -> tuple[Change, ...]:
    """Remove these memos, with one recovery record for each store.

    Raises ChangedOutside where one is no longer what was chosen (nothing of that store is then removed), Locked, StoreError.
    """
    changes: list[Change] = []
    targets = list({target.ref.place: target for target, _ in chosen}.values())
    for target in targets:
        memos = [memo for owner, memo in chosen if owner is target]
        plan, tries = _removal_of(target)
        with writer(target, terms) as store:
            made = store.commit(lambda view, p=plan, t=target, ms=memos: p(view, t, ms), "forget", tries=tries)  # type: ignore[misc]
        removed: list[Change] = made.result  # type: ignore[assignment]
        changes += [change._replace(recovery_id=made.recovery_id) for change in removed]
    return tuple(changes)


def _removal_of(target: Target) -> tuple[Callable[[View, Target, Sequence[Memo]], Plan], int]:
    """What plans the removal in a store of that layout, and how often it is tried."""
    if target.ref.layout == "bullets":
        from remember.change import bullets

        return bullets.removal, TRIES
    if target.ref.layout == "zcode":
        from remember.change import zcode

        return zcode.removal, zcode.TRIES
    return removal, TRIES


def removal(view: View, target: Target, memos: Sequence[Memo]) -> Plan:
    """The plan that removes memos of one store: facts as one edit of their file, each note as a file."""
    target.index.refresh()
    edits: list[FileEdit] = []
    items: list[Item] = []
    facts = [memo for memo in memos if memo.kind == "fact"]
    if facts:
        text = decode(view.read(FACTS) or b"")
        parsed = grammar.parse(text)
        found = {fact.line: fact for fact in (fact_in(parsed, memo) for memo in facts)}
        data, lines = line_items(FACTS, text, [(grammar.remove(text, fact), _own_id(target, fact.id)) for fact in found.values()])
        edits.append(FileEdit(FACTS, data))
        items += lines
    for memo in memos:
        if memo.kind == "note":
            edit = FileEdit(memo.path, None)
            _same_note(view, target, memo)
            edits.append(edit)
            items.append(file_item(view, edit))
    changes = [Change(True, memo.kind, memo.scope, memo.store, memo.id, memo.path, memo.line) for memo in memos]
    summary = memos[0].title if len(memos) == 1 else f"{len(memos)} memos, the first: {cut(memos[0].title, 120)}"
    return Plan(tuple(edits), tuple(items), changes, summary)


def _own_id(target: Target, memo_id: str | None) -> str | None:
    """The ID, if only one memo of the store has it: else it does not tell whether what was removed is there again."""
    return memo_id if memo_id is None or len(target.index.by_id(memo_id)) < 2 else None


def _same_note(view: View, target: Target, memo: Memo) -> None:
    """Refuse where the file is not the note that was chosen any more."""
    note_in(view, memo)
    now = [found for found in target.index.by_path(memo.path) if found.kind == "note"]
    if not now or (now[0].id, now[0].description, now[0].created_ms) != (memo.id, memo.description, memo.created_ms):
        raise ChangedOutside(memo.id or memo.path)
