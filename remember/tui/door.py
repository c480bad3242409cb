"""What the picker asks of `Memory`: the scope that is looked at, and each memo in its own store."""

from __future__ import annotations

from remember.errors import ChangedOutside
from remember.memory import Memory
from remember.memory.context import Surroundings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from remember.model import Change, Memo, Shown

__all__ = ["SCOPES", "Door"]

SCOPES = ("both", "local", "global")
_MOST = 500


class Door:
    """The memory of a call, narrowed to a scope at a time; with stores named there is no scope to choose."""

    def __init__(
        self, root: str | None = None, scope: str | None = None, stores: Sequence[str] = (), environ: Mapping[str, str] | None = None
    ) -> None:
        self.root, self.stores, self.environ = root, tuple(stores), environ
        self.scope = scope or "both"
        self.chosen = scope is not None

    @property
    def name(self) -> str:
        """What is looked at, as the screen says it."""
        return ", ".join(self.stores) or self.scope

    def turn(self) -> bool:
        """Look at the next scope; False where stores were named and there is none."""
        if self.stores:
            return False
        self.chosen = True
        at = SCOPES.index(self.scope) if self.scope in SCOPES else -1
        self.scope = SCOPES[(at + 1) % len(SCOPES)]
        return True

    def _memory(self, scope: str | None, stores: Sequence[str]) -> Memory:
        around = Surroundings(self.root, scope, stores, False, self.environ)
        around.migrates = "reads"
        return Memory(around)

    def memory(self) -> Memory:
        """The memory of the scope; where nothing was chosen, the rule of commands without --scope."""
        return self._memory(None if self.stores or not self.chosen else self.scope, self.stores)

    def writing(self) -> Memory:
        """The memory that an addition goes to: the scope that is looked at, the local store where that is both."""
        return self._memory("global" if self.scope == "global" and not self.stores else None, self.stores)

    def of(self, memo: Memo) -> Memory:
        """The memory of a memo's own store, in which its place is unique."""
        if memo.store in ("local", "global"):
            return self._memory(memo.store, ())
        return self._memory(None, (memo.store,))

    def find(self, query: str) -> tuple[tuple[Memo, ...], int, tuple[str, ...]]:
        """(memos, how many there are, warnings): the hits of a query best first, or all, newest first."""
        memory = self.memory()
        if not query.strip():
            listed = memory.list(limit=_MOST)
            return listed.memos, listed.total, (*listed.warnings, *listed.remarks)
        found = memory.search(query, limit=_MOST)
        return tuple(hit.memo for hit in found.hits), found.total, found.warnings

    def show(self, memo: Memo) -> Shown:
        """A memo whole, as its file says now."""
        return self.of(memo).show(memo.id or memo.place)

    def add(self, line: str, body: str) -> Change:
        """A fact, or with a body a note."""
        memory = self.writing()
        return memory.note(line, body) if body.strip() else memory.add(line)[0]

    def update(self, seen: Shown, content: str | None, description: str | None) -> Change:
        """Change what was seen, if it is still that. Raises ChangedOutside otherwise."""
        memo = seen.memo
        return self.of(memo).update(memo.id or memo.place, content, description=description, if_revision=seen.revision)

    def forget(self, memo: Memo) -> None:
        """Forget one memo, recoverably. Raises ChangedOutside where its place holds something else by now."""

        def same(found: Sequence[Memo]) -> bool:
            return len(found) == 1 and (found[0].kind, found[0].title) == (memo.kind, memo.title)

        _, changes = self.of(memo).forget(memo.id or memo.place, by="id", agreed=same)
        if changes is None:
            raise ChangedOutside(memo.id or memo.place, "reload with Ctrl+R and look at it again")
