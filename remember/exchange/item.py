"""What is exchanged: a memo as another program has it, what cannot be taken over, and what became of each."""

from __future__ import annotations

from remember._named import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.model import Memo

__all__ = ["DUPLICATE", "IMPORTED", "REFUSED", "SKIPPED", "Broken", "ExportResult", "ImportResult", "Item", "Lost", "Outcome", "Whole"]

IMPORTED, DUPLICATE, REFUSED, SKIPPED = "imported", "duplicate", "refused", "skipped"


class Item(NamedTuple):
    """A memo as its source gives it; `title` is a fact's text or a note's description.

    `source` says where it stands (`people/ana.md`, `memory.jsonl:3`), and `line` is the line of the source in which its text
    begins. `names` are what links in the same source may call it; `hint` is what its file may be named after. Times are
    milliseconds since 1970 UTC. `own` says that it was ours before: text, ID and path are kept as they are.
    """

    source: str
    kind: str
    title: str
    body: str = ""
    created_ms: int | None = None
    modified_ms: int | None = None
    tags: tuple[str, ...] = ()
    id: str | None = None
    path: str = ""
    names: tuple[str, ...] = ()
    hint: str = ""
    line: int = 1
    own: bool = False


class Broken(NamedTuple):
    """Something that is not taken over: `outcome` is `refused` for what is wrong, `skipped` where there is nothing to take."""

    source: str
    outcome: str
    reason: str
    title: str = ""


class Outcome(NamedTuple):
    """What became of one item: `imported`, `duplicate` (of `reason`), `refused` or `skipped` (for `reason`).

    `id` and `path` are those of the new memo; `id` is None in a dry run, since it is drawn.
    """

    outcome: str
    source: str
    kind: str
    title: str
    path: str | None = None
    id: str | None = None
    reason: str = ""


class ImportResult(NamedTuple):
    """What an import did, or with `dry_run` would do; `recovery_id` undoes all of it."""

    format: str
    source: str
    store: str
    scope: str
    dry_run: bool
    outcomes: tuple[Outcome, ...]
    recovery_id: str | None

    def count(self, outcome: str, kind: str = "") -> int:
        """How many items came to that end."""
        return sum(1 for item in self.outcomes if item.outcome == outcome and kind in ("", item.kind))


class Whole(NamedTuple):
    """A memo with all its text, for an export: `body` is a note's, or the prose of `MEMORY.md`; a fact has none."""

    memo: Memo
    body: str


class Lost(NamedTuple):
    """A memo that an export cannot hold whole, and what is missing of it."""

    memo: Memo
    reason: str


class ExportResult(NamedTuple):
    """What an export wrote: `files` files with `memos` memos at `path` (`-`: the text is for standard output)."""

    format: str
    path: str
    memos: int
    files: int
    lost: tuple[Lost, ...]
    warnings: tuple[str, ...]
    text: str = ""
