"""What memos say of each other: IDs used twice, links to nothing or to several, descriptions that are nearly equal (5xx)."""

from __future__ import annotations

from remember._named import NamedTuple
from remember.format.copies import original_of
from remember.format.text import duplicate_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from remember.check.findings import Reporter
    from remember.layouts import Entry

__all__ = ["Identities", "both_scopes"]


class _Place(NamedTuple):
    path: str
    line: int
    kind: str

    @property
    def shown(self) -> str:
        return f"{self.path}:{self.line}" if self.kind == "fact" else self.path


class _Named(NamedTuple):
    path: str
    kind: str
    id: str | None
    line: int
    names: tuple[str, ...]
    description: str | None


class Identities:
    """Collects what is needed of every memo of a store (no bodies), then reports."""

    def __init__(self, vault: bool) -> None:
        self.vault = vault
        self.ids: dict[str, list[_Place]] = {}
        self.named: list[_Named] = []
        self.names: list[dict[str, list[str]]] = [{} for _ in range(6)]
        self.links: list[tuple[str, int, tuple[str, ...]]] = []
        self.marks: list[tuple[str, frozenset[str]]] = []
        self.descriptions: dict[str, str] = {}
        self.alike: list[tuple[str, str]] = []

    def take(self, path: str, entries: Sequence[Entry]) -> None:
        """The memos of one file."""
        for entry in entries:
            if entry.id is not None and not self.vault:
                self.ids.setdefault(entry.id, []).append(_Place(path, entry.line, entry.kind))
            if entry.links:
                self.links.append((path, entry.line if entry.kind == "fact" else 0, entry.links))
            self.named.append(_Named(path, entry.kind, entry.id, entry.line, entry.names, entry.description))
            if entry.kind == "note" and entry.description and not self.vault and path.startswith("notes/"):
                self._described(path, entry.description)

    def take_plain(self, path: str, description: str, memo_id: str, marks: frozenset[str] = frozenset()) -> None:
        """A note of which nothing else is asked than what it links to; `marks` are its links and perhaps more (`link_marks`)."""
        self.ids.setdefault(memo_id, []).append(_Place(path, 1, "note"))
        if marks:
            self.marks.append((path, marks))
        self.named.append(_Named(path, "note", memo_id, 1, (), description))
        self._described(path, description)

    def _described(self, path: str, description: str) -> None:
        other = self.descriptions.setdefault(duplicate_key(description), path)
        if other != path:
            self.alike.append((path, other))

    def report(self, report: Reporter, other_files: Iterable[str], links_of: Callable[[str], tuple[str, ...]]) -> None:
        """R501, R502, R504 and R505; a link may also mean a file of another kind, by path or name.

        `links_of` gives the exact links of a note of which only marks were taken.
        """
        for memo_id, places in self.ids.items():
            notes = [place for place in places if place.kind == "note"]
            facts = [place for place in places if place.kind == "fact"]
            if len(notes) > 1:
                paths = {place.path for place in notes}
                # The original first, so that every copy is measured against it.
                notes.sort(key=lambda place: original_of(place.path, paths.__contains__) is not None)
            for place in notes[1:]:
                report.add("R501", place.path, 0, f"has the ID {memo_id}, which {notes[0].path} has too", memo=memo_id)
            if notes and facts:
                report.add("R502", facts[0].path, facts[0].line, f"has the ID {memo_id}, which {notes[0].path} has too", memo=memo_id)
        for path, other in self.alike:
            if original_of(other, path.__eq__) == path:
                path, other = other, path  # the copy is what is odd, whichever came first
            report.add("R505", path, 0, f"has nearly the description of {other}")
        if self.links or self.marks:
            self._links(report, links_of, {name.casefold() for path in other_files for name in (path, path.rpartition("/")[2])})

    def _links(self, report: Reporter, links_of: Callable[[str], tuple[str, ...]], others: set[str]) -> None:
        wanted = {_key(target) for _, _, targets in self.links for target in targets}
        wanted |= {_key(target) for _, targets in self.marks for target in targets}
        for memo in self.named:  # only here, since most stores link nothing
            for level, key in _keys(memo):
                if key in wanted:
                    self.names[level].setdefault(key, []).append(f"{memo.path}:{memo.line}" if memo.kind == "fact" else memo.path)
        doubtful = [path for path, marks in self.marks if any(len(self._resolve(mark)) != 1 for mark in marks)]
        for path, line, targets in (*self.links, *((path, 0, links_of(path)) for path in doubtful)):
            for target in targets:
                found = self._resolve(target)
                if not found and _key(target) not in others:
                    report.add("R504", path, line, f"links to {target}, which nothing here is called", "info")
                elif len(found) > 1:
                    # Obsidian takes the nearest of several, so in a vault this is no mistake.
                    severity = "info" if self.vault else "warning"
                    report.add("R504", path, line, f"links to {target}, which means {', '.join(found[:4])}", severity)

    def _resolve(self, target: str) -> list[str]:
        key = _key(target)
        for level in self.names:
            if key in level:
                return sorted(set(level[key]))
        return []


def _key(target: str) -> str:
    """A link's target as names are compared."""
    return target.casefold().lstrip("/").removeprefix("./")


def _keys(entry: _Named) -> list[tuple[int, str]]:
    """The names of a memo with their strength, 0 the most: ID, path, stem, stem without its date, further names, description."""
    keys = [(0, entry.id)] if entry.id else []
    if entry.kind != "note":
        return keys
    path = entry.path.casefold()
    bare = path.removesuffix(".md")
    stem = bare.rpartition("/")[2]
    keys += ((1, path), (1, f"{stem}.md"), (2, stem))
    rest = bare
    while "/" in rest:
        keys.append((1, rest))
        rest = rest.partition("/")[2]
    if len(stem) > 11 and stem[4] == stem[7] == stem[10] == "-" and stem[:4].isdigit():
        keys.append((3, stem[11:]))
    for name in entry.names:
        keys.append((4, name.casefold()))
    if entry.description:
        keys.append((5, entry.description.casefold()))
    return keys


def both_scopes(reports: Sequence[tuple[Reporter, Identities]]) -> None:
    """R503, reported for the local store."""
    locals_ = [pair for pair in reports if pair[0].ref.scope == "local"]
    globals_ = [pair for pair in reports if pair[0].ref.scope == "global"]
    for report, own in locals_:
        for _, other in globals_:
            for memo_id in sorted(own.ids.keys() & other.ids.keys()):
                place, there = own.ids[memo_id][0], other.ids[memo_id][0]
                message = f"has the ID {memo_id}, which {there.shown} of the global store has too"
                report.add("R503", place.path, place.line if place.kind == "fact" else 0, message, memo=memo_id)
