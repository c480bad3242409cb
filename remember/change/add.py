"""Adds facts: several texts of one call are one change with one recovery record."""

from __future__ import annotations

from remember.change import duplicates
from remember.change.lines import append_items
from remember.change.target import FACTS, keeps_facts, writer
from remember.format import facts as grammar
from remember.format import ids
from remember.format.spans import decode
from remember.format.text import clean_fact, cut
from remember.format.times import fact_stamp
from remember.model import Change
from remember.store.commit import FileEdit, Plan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from remember.change.target import Target, Terms
    from remember.model import Memo
    from remember.store.commit import View

__all__ = ["add", "checked", "new_id", "pieces", "unchanged"]


def add(target: Target, texts: Sequence[str], terms: Terms, others: Sequence[Target] = ()) -> tuple[Change, ...]:
    """Append each text as a fact, in their order; one that is there already is not stored again (`duplicate_of`).

    `others` are the other scopes at hand: their IDs are not drawn, and what they have too is a warning.
    Raises RefusedInput, SecretRefused, Locked, ChangedOutside, StoreError.
    """
    if not texts:
        return ()
    if target.ref.layout == "bullets":
        from remember.change import bullets
        from remember.layouts.bullet_edit import clean_note

        return bullets.add(target, [checked(clean_note(text), terms) for text in texts], terms)
    keeps_facts(target)
    cleaned = [checked(clean_fact(text), terms) for text in texts]
    warnings = duplicates.elsewhere(others, cleaned)
    with writer(target, terms) as store:
        made = store.commit(lambda view: _plan(view, target, cleaned, terms, others), "add", addition=True)
    changes: list[Change] = made.result  # type: ignore[assignment]
    return tuple(
        change._replace(recovery_id=made.recovery_id if change.changed else None, warnings=more)
        for change, more in zip(changes, warnings, strict=True)
    )


def checked(text: str, terms: Terms) -> str:
    """The text, if it holds nothing that looks like a credential or that is allowed. Raises SecretRefused."""
    if not terms.allow_secret:
        from remember.format import secrets

        secrets.check(text)
    return text


def new_id(target: Target, others: Sequence[Target], terms: Terms, drawn: Container[str] = ()) -> str:
    """A memo ID that no memo of the scopes at hand has, nor this call has drawn."""

    def taken(memo_id: str) -> bool:
        return memo_id in drawn or any(t.index.has_id(memo_id) for t in (target, *others))

    return ids.draw(taken, terms.bits)


def unchanged(memo: Memo, duplicate: bool = False) -> Change:
    """The answer where nothing is changed, since the memo is as it should be already."""
    twin = (memo.id or memo.place) if duplicate else None
    return Change(False, memo.kind, memo.scope, memo.store, memo.id, memo.path, memo.line, duplicate_of=twin)


def _plan(view: View, target: Target, texts: Sequence[str], terms: Terms, others: Sequence[Target]) -> Plan:
    target.index.refresh()
    present = view.read(FACTS)
    stamp = fact_stamp(terms.now_ms)
    changes: list[Change] = []
    pairs: list[tuple[str, str, str]] = []
    new: dict[str, str] = {}
    ref = target.ref
    for text in texts:
        key = duplicates.key_of(text)
        twin = None if terms.allow_duplicate else duplicates.fact_twin(target.index, text)
        if twin is not None:
            changes.append(unchanged(twin, duplicate=True))
        elif key in new and not terms.allow_duplicate:
            changes.append(Change(False, "fact", ref.scope, ref.name, new[key], FACTS, duplicate_of=new[key]))
        else:
            memo_id = new_id(target, others, terms, [pair[0] for pair in pairs])
            new[key] = memo_id
            pairs.append((memo_id, stamp, text))
            changes.append(Change(True, "fact", ref.scope, ref.name, memo_id, FACTS))
    if not pairs:
        return Plan((), (), changes)
    text = decode(present or b"")
    blocks = pieces(grammar.append(text, pairs).text, pairs)
    data, items = append_items(FACTS, text, [(piece, pair[0]) for piece, pair in zip(blocks, pairs, strict=True)], made=present is None)
    return Plan((FileEdit(FACTS, data),), items, _placed(changes, text, blocks, pairs), _summary(pairs))


def pieces(added: str, pairs: Sequence[tuple[str, str, str]]) -> list[str]:
    """The added text as one piece for each fact, so that each can be found again on its own."""
    starts = [0]
    for memo_id, stamp, _ in pairs[1:]:
        starts.append(added.index(f"<!-- {stamp} [{memo_id}]", starts[-1] + 1))
    return [added[start:end] for start, end in zip(starts, [*starts[1:], len(added)], strict=True)]


def _placed(changes: list[Change], text: str, blocks: Sequence[str], pairs: Sequence[tuple[str, str, str]]) -> list[Change]:
    """The changes with line and revision of what they add."""
    from hashlib import sha256

    places: dict[str, tuple[int, str]] = {}
    line = text.count("\n") + 1
    for piece, (memo_id, stamp, fact) in zip(blocks, pairs, strict=True):
        before_fact = piece.index(fact, piece.index("-->") + 3)
        revision = sha256(f"<!-- {stamp} [{memo_id}] -->\n{fact}".encode()).hexdigest()[:12]
        places[memo_id] = (line + piece.count("\n", 0, before_fact), revision)
        line += piece.count("\n")
    placed = []
    for change in changes:
        memo_line, revision = places.get(change.id or "", (change.line or 0, ""))
        placed.append(change._replace(line=memo_line or None, revision=revision if change.changed else change.revision))
    return placed


def _summary(pairs: Sequence[tuple[str, str, str]]) -> str:
    return pairs[0][2] if len(pairs) == 1 else f"{len(pairs)} facts, the first: {cut(pairs[0][2], 120)}"
