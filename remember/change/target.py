"""What every verb is given: the open store it changes, and the values that come from outside (time, chance, consent)."""

from __future__ import annotations

from remember._named import NamedTuple
from remember.errors import RefusedInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from remember.index.catalogue import Index
    from remember.model import StoreRef
    from remember.store.commit import Writer

__all__ = ["FACTS", "Target", "Terms", "Wanted", "fresh", "keeps_facts", "keeps_notes", "writer"]

FACTS = "MEMORY.md"
"""The path of the facts file in a native store."""


class Target:
    """An open store: its index, and the folder of its recovery records."""

    __slots__ = ("index", "recovery")

    def __init__(self, index: Index, recovery: str) -> None:
        self.index = index
        self.recovery = recovery

    @property
    def ref(self) -> StoreRef:
        """Which store it is."""
        return self.index.ref


class Terms(NamedTuple):
    """The time (milliseconds since 1970 UTC), a source of random bits, how long to wait for the lock, and what is allowed."""

    now_ms: int
    bits: Callable[[int], int]
    timeout_s: float = 10.0
    allow_secret: bool = False
    allow_duplicate: bool = False


class Wanted(NamedTuple):
    """The new text or body, the new description (None: as it is), and the revision that the memo must still have."""

    content: str | None = None
    description: str | None = None
    revision: str | None = None


def fresh(targets: Sequence[Target]) -> list[Index]:
    """The indexes of the targets, brought up to their files. Raises IOFailure where a store cannot be listed."""
    for target in targets:
        target.index.refresh()
    return [target.index for target in targets]


def keeps_facts(target: Target) -> None:
    """Raises RefusedInput for a store whose layout has notes alone."""
    if target.ref.layout == "zcode":
        raise RefusedInput(
            f"store {target.ref.name} has the layout zcode, which keeps a file for each fact",
            "store it with a description: `remember note DESCRIPTION --body TEXT` (an agent: memory_store)",
        )


def keeps_notes(target: Target) -> None:
    """Raises RefusedInput for a store whose layout has facts of one line alone."""
    if target.ref.layout == "bullets":
        hint = "use `remember add TEXT` (an agent: memory_write)"
        raise RefusedInput(f"store {target.ref.name} has the layout bullets, which keeps one-line notes", hint)


def writer(target: Target, terms: Terms) -> Writer:
    """The lock on the target's store. Raises RefusedInput for a layout that is only read."""
    from remember.store.commit import Writer

    if not target.index.layout.writable:
        raise RefusedInput(
            f"store {target.ref.name} has the layout {target.ref.layout}, which is read and never written",
            "name a store whose layout can be written, or `remember import` what should be kept",
        )
    return Writer(target.ref.path, target.recovery, terms.now_ms, terms.bits, terms.timeout_s)
