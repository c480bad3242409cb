"""Changing verbs: each opens the stores it needs and hands plain values to `remember.change`."""

from __future__ import annotations

import os

from remember.index.session import with_indexes
from remember.memory.context import now_ms, random_bits, recovery_dir

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeVar

    from remember.change.target import Target, Terms, Wanted
    from remember.change.undo import OtherHalfMissing, Turned
    from remember.index.catalogue import Index
    from remember.memory.context import Surroundings
    from remember.model import Change, Memo, StoreRef

    Answer = TypeVar("Answer")

__all__ = [
    "add_facts",
    "add_note",
    "change_memo",
    "forget_memos",
    "move_memo",
    "other_stores",
    "turn",
    "with_targets",
    "with_terms",
]


def with_terms(timeout_s: float = 10.0, allow_secret: bool = False, allow_duplicate: bool = False) -> Terms:
    """The clock, chance and consent of one change."""
    from remember.change.target import Terms

    return Terms(now_ms(), random_bits, timeout_s, allow_secret, allow_duplicate)


def with_targets(around: Surroundings, refs: Sequence[StoreRef], ask: Callable[[list[Target]], Answer]) -> Answer:
    """Call `ask` with the stores as targets of a change, their indexes fresh."""
    from remember.change.target import Target

    def asked(indexes: list[Index]) -> Answer:
        return ask([Target(index, recovery_dir(around.config, index.ref)) for index in indexes])

    return with_indexes(refs, around.config.cache_dir, asked)


def other_stores(around: Surroundings, ref: StoreRef) -> list[StoreRef]:
    """The other scope's store, where it exists: its IDs are not drawn, and what it has too is worth a warning."""
    from remember.scope import registry
    from remember.scope.discover import global_store, is_store, local_store

    found = []
    there = global_store(around.config)
    if there.path != ref.path and is_store(there.path):
        found.append(there)
    local = local_store(around.root, around.cwd, around.config, registry.trusted(around.config.config_dir))
    if local.path != ref.path and is_store(local.path) and (local.trusted or os.path.realpath(local.path) == local.path):
        found.append(local)
    return found


def writable(around: Surroundings, timeout_s: float) -> StoreRef:
    """The one store of a write; the global one is made where it is missing. Raises what choosing and making raise."""
    from remember.store.create import create_store

    ref = around.one()
    if ref.scope == "global" and not os.path.lexists(os.path.join(ref.path, "MEMORY.md")):
        create_store(ref.path, timeout_s)
    return ref


def add_facts(around: Surroundings, texts: Sequence[str], terms: Terms) -> tuple[Change, ...]:
    """Append facts to the chosen store."""
    from remember.change.add import add

    ref = writable(around, terms.timeout_s)
    return with_targets(around, [ref, *other_stores(around, ref)], lambda targets: add(targets[0], texts, terms, targets[1:]))


def add_note(around: Surroundings, description: str, body: str, slug: str | None, terms: Terms) -> Change:
    """Create a note in the chosen store."""
    from remember.change.note import note

    ref = writable(around, terms.timeout_s)
    refs = [ref, *other_stores(around, ref)]
    return with_targets(around, refs, lambda targets: note(targets[0], description, body, terms, slug, targets[1:]))


def writable_refs(around: Surroundings) -> tuple[StoreRef, ...]:
    """Every store that a change by ID or place may mean: both scopes where nothing was named."""
    return around.selection("change").refs


def change_memo(around: Surroundings, address: str, wanted: Wanted, terms: Terms) -> Change:
    """Replace a fact's text, a note's body or its description."""
    from remember.change.update import update

    return with_targets(around, writable_refs(around), lambda targets: update(targets, address, wanted, terms))


def forget_memos(
    around: Surroundings, named: Sequence[str], by: str, terms: Terms, agreed: Callable[[Sequence[Memo]], bool]
) -> tuple[tuple[Memo, ...], tuple[Change, ...] | None]:
    """Remove what is named, if `agreed` says so of the memos; (memos, changes), the latter None where it did not.

    Several words are a memo each where one of them is exactly an ID or a place, else one text. An ID or a place may mean any
    store of the call; a text means the local one where nothing was said, else the global one.
    """
    from remember.change.forget import exactly, forget, select, select_each
    from remember.errors import NotFound

    def choose(targets: list[Target]) -> list[tuple[Target, Memo]]:
        indexes = [target.index for target in targets]
        exact = by != "text" and any(exactly(indexes, word.strip()) for word in named)
        local = [target for target in targets if target.ref.scope == "local"]
        narrowed = local if around.scope is None and not around.stores and local and not exact and by != "id" else targets
        if not exact or len(named) == 1:
            return select(narrowed, " ".join(named), by)
        try:
            return select(narrowed, " ".join(named), "text")
        except NotFound:
            return select_each(targets, named)

    def ask(targets: list[Target]) -> tuple[tuple[Memo, ...], tuple[Change, ...] | None]:
        chosen = choose(targets)
        memos = tuple(memo for _, memo in chosen)
        return memos, forget(chosen, terms) if agreed(memos) else None

    return with_targets(around, writable_refs(around), ask)


def turn(around: Surroundings, which: str, recovery_id: str | None, terms: Terms) -> Turned:
    """`undo`, `redo` or `restore` a record of the stores of the call."""
    from remember.change import undo
    from remember.errors import Conflict

    def ask(targets: list[Target]) -> Turned:
        if recovery_id is not None:
            return undo.restore(targets, recovery_id, terms)
        return undo.redo(targets, terms) if which == "redo" else undo.undo(targets, terms)

    try:
        return with_targets(around, writable_refs(around), ask)
    except undo.OtherHalfMissing as missing:
        raise Conflict(missing.message, _with_the_other_half(around, missing, which) or missing.hint) from None


def _with_the_other_half(around: Surroundings, missing: OtherHalfMissing, which: str) -> str:
    """What to type so that the other half of a move is at hand; "" where no store that is known here has it."""
    from remember.scope import registry
    from remember.scope.discover import global_store, local_store

    def has(ref: StoreRef) -> bool:
        return os.path.lexists(os.path.join(recovery_dir(around.config, ref), missing.partner + ".json"))

    trusted = registry.trusted(around.config.config_dir)
    if has(global_store(around.config)) or has(local_store(around.root, around.cwd, around.config, trusted)):
        return "repeat the command with --scope both"
    for root in sorted(trusted):
        ref = local_store(root, around.cwd, around.config, trusted) if os.path.isdir(root) else None
        if ref is not None and has(ref):
            command = f"remember restore {missing.record_id}" if which != "redo" else "remember redo"
            return f"it is in {ref.path}: `{command} --root {root}`"
    return ""


def move_memo(around: Surroundings, address: str, slug: str | None, scope: str | None, terms: Terms) -> Change:
    """Give a note's file another slug, or move a memo to the other scope."""
    from remember.change.move import move, rename
    from remember.errors import RefusedInput
    from remember.scope.select import choose_one
    from remember.store.create import create_store

    if (slug is None) == (scope is None):
        said = "both --slug and --to are given" if slug is not None else "it is not said where to move it"
        raise RefusedInput(said, "give --slug S or --to local|global")
    refs = list(writable_refs(around))
    if slug is not None:
        return with_targets(around, refs, lambda targets: rename(targets, address, slug, terms))
    if scope not in ("local", "global"):
        raise RefusedInput(f"there is no scope {scope}", "give --to local or --to global")
    to = choose_one(around.config, around.cwd, around.root, scope)
    around.ready(to, "change")
    if scope == "global" and not os.path.lexists(os.path.join(to.path, "MEMORY.md")):
        create_store(to.path, terms.timeout_s)
    refs = [ref for ref in refs if ref.path != to.path]
    return with_targets(around, [*refs, to], lambda targets: move(targets[:-1], address, targets[-1], terms))
