"""Changing verbs: each opens the stores it needs and hands plain values to `remember.change`."""

from __future__ import annotations

import os

from remember.index.session import with_indexes
from remember.memory.context import now_ms, random_bits, recovery_dir

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeVar

    from remember.change.target import Target, Terms
    from remember.index.catalogue import Index
    from remember.memory.context import Surroundings
    from remember.model import Change, StoreRef

    Answer = TypeVar("Answer")

__all__ = ["add_facts", "add_note", "other_stores", "with_targets", "with_terms"]


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
