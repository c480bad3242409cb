"""Takes foreign memos into a native store: what is new, what is there already, under which path; one plan, one record, one undo."""

from __future__ import annotations

from remember._named import NamedTuple
from remember.change.duplicates import key_of
from remember.change.relink import stem, undated
from remember.exchange.fitting import fit
from remember.exchange.item import DUPLICATE, IMPORTED, REFUSED, Broken, Item, Outcome
from remember.exchange.known import Known, plain
from remember.exchange.relinking import Names, relink
from remember.format import slugs
from remember.format.text import FACT_LIMIT, cut

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["Arrival", "New", "arrange"]


class New(NamedTuple):
    """A memo to be stored: the item as it fits, its path, and its body with links under their new names."""

    item: Item
    path: str
    keeps_id: bool


class Arrival(NamedTuple):
    """What becomes of everything in a source, in its order; `new` are the memos to be stored, by their place in `outcomes`."""

    outcomes: list[Outcome]
    new: dict[int, New]


class _Arranger:
    """What is known so far of one run: the items taken, by key; the paths and IDs given; the keys that stand in the store already."""

    def __init__(self, known: Known, exists: Callable[[str], bool], taken_id: Callable[[str], bool], now_ms: int) -> None:
        self.known, self.exists, self.taken_id, self.now_ms = known, exists, taken_id, now_ms
        self.run: dict[str, list[Item]] = {}
        self.claimed: set[str] = set()
        self.ids: set[str] = set()
        self.numbers: dict[tuple[str, str], int] = {}
        self.paths: set[str] = set()

    def judge(self, item: Item) -> tuple[Item, Outcome | None]:
        """The item as it would be stored, and what becomes of it where it is not."""
        there = self.known.by_id.get(item.id) if item.id else None
        if there is not None:
            if self.known.is_same(there, item.kind, item.title, item.body):
                return item, self._twin(item, there.id or there.place, there.path)
            return item, self._refused(item, f"{there.id} is there with other content; `remember update {there.id}` changes it")
        if item.kind == "fact":
            return item, self._judge_fact(item)
        return self._judge_note(item)

    def _judge_fact(self, item: Item) -> Outcome | None:
        for memo in self.known.alike(item.title):
            return self._twin(item, memo.id or memo.place, memo.path)
        if not self._is_another(item):
            for other in self.run.get(key_of(item.title), ()):
                return self._twin(item, other.source, None)
        return None

    def _is_another(self, item: Item) -> bool:
        """Whether it was a memo of its own already, so that its like in the same source is no duplicate of it."""
        return item.id is not None and item.id not in self.ids

    def _judge_note(self, item: Item, last: bool = False) -> tuple[Item, Outcome | None]:
        key = key_of(item.title)
        there = self.known.same_note(item.title, item.body)
        if there is not None:
            self.claimed.add(key)
            return item, self._twin(item, there.id or there.place, there.path)
        others = self.run.get(key) or []
        if not self._is_another(item):
            for other in others:
                if other.kind == "note" and plain(other.body) == plain(item.body):
                    return item, self._twin(item, other.source, None)
        alike = self.known.alike(item.title)
        if not alike and (not others or self._is_another(item)):
            return item, None
        # Two files of one title in one source are two memos; where they come from tells them apart.
        mark = f" ({item.source})"
        marked = cut(item.title, max(20, FACT_LIMIT - len(mark))) + mark
        if not last and len(marked) <= FACT_LIMIT and (others or key in self.claimed or self.known.alike(marked)):
            return self._judge_note(item._replace(title=marked), last=True)
        name = (alike[0].id or alike[0].place) if alike else others[0].source
        return item, self._refused(item, f"{name} has this description with other content; `remember update {name}` changes it")

    def _twin(self, item: Item, name: str, path: str | None) -> Outcome:
        return Outcome(DUPLICATE, item.source, item.kind, item.title, path, None, name)

    def _refused(self, item: Item, reason: str) -> Outcome:
        return Outcome(REFUSED, item.source, item.kind, item.title, None, None, reason)

    def take(self, item: Item) -> New:
        """A place for a new memo."""
        self.run.setdefault(key_of(item.title), []).append(item)
        keeps = item.id is not None and item.id not in self.ids and not self.taken_id(item.id)
        if keeps:
            self.ids.add(str(item.id))
        return New(item, "MEMORY.md" if item.kind == "fact" else self._path(item), keeps)

    def _path(self, item: Item) -> str:
        path = item.path if item.own and is_note_path(item.path) else ""
        if not path or path in self.paths or self.exists(path):
            name = undated(stem(item.path)) if item.own and item.path else item.hint
            slug = slugs.slug_of(name or item.title)
            if slug == "note":
                slug = slugs.slug_of(item.title)
            created = self.now_ms if item.created_ms is None else item.created_ms
            path = self._free(created, slug)
        self.paths.add(path)
        return path

    def _free(self, created_ms: int, slug: str) -> str:
        first = slugs.file_name(created_ms, slug)
        number = self.numbers.get((first, slug), 1)
        while (path := f"notes/{slugs.file_name(created_ms, slug, number)}") in self.paths or self.exists(path):
            number += 1
        self.numbers[first, slug] = number
        return path


def is_note_path(path: str) -> bool:
    """Whether a note of a native store may have that path."""
    parts = path.split("/")
    if parts[0] != "notes" or len(parts) < 2 or not path.endswith(".md") or not path.isprintable() or "\\" in path:
        return False
    return all(part and not part.startswith(".") and len(part.encode("utf-8", "replace")) < 200 for part in parts) and len(path) < 1000


def arrange(
    found: Sequence[Item | Broken],
    known: Known,
    exists: Callable[[str], bool],
    taken_id: Callable[[str], bool],
    now_ms: int,
    allow_secret: bool = False,
) -> Arrival:
    """What becomes of each item; nothing is written.

    `exists` tells whether a path of the store is in use, `taken_id` whether a memo of the scopes at hand has an ID.
    """
    arranger = _Arranger(known, exists, taken_id, now_ms)
    outcomes: list[Outcome] = []
    new: dict[int, New] = {}
    stored: list[tuple[Item, str]] = []
    for item in found:
        fitted = fit(item, allow_secret) if isinstance(item, Item) else item
        if isinstance(fitted, Broken):
            shown = fitted.title or (item.title if isinstance(item, Item) and fitted.outcome != REFUSED else "")
            outcomes.append(Outcome(fitted.outcome, fitted.source, "", shown, None, None, fitted.reason))
            continue
        fitted, outcome = arranger.judge(fitted)
        if outcome is None:
            made = arranger.take(fitted)
            new[len(outcomes)] = made
            outcome = Outcome(IMPORTED, fitted.source, fitted.kind, fitted.title, made.path)
        outcomes.append(outcome)
        stored.append((fitted, outcome.path or ""))
    return Arrival(outcomes, _relinked(new, stored))


def _relinked(new: dict[int, New], stored: Sequence[tuple[Item, str]]) -> dict[int, New]:
    names = Names([item for item, _ in stored])
    stems: dict[str, int] = {}
    for _, path in stored:
        bare = undated(stem(path)).casefold()
        stems[bare] = stems.get(bare, 0) + 1

    def called(number: int) -> tuple[str, ...]:
        item, path = stored[number]
        if not path or item.kind != "note":
            return ()
        whole = stem(path)
        bare = undated(whole)
        best = (bare, whole) if stems[bare.casefold()] == 1 else (whole,)
        return (*best, item.title)

    def place(number: int) -> str:
        item, path = stored[number]
        return path if item.kind == "note" else ""

    if all(item.own for item, _ in stored):
        return new
    return {
        at: made._replace(item=made.item._replace(body=relink(made.item.body, made.item.source, made.path, names, called, place)))
        for at, made in new.items()
    }
