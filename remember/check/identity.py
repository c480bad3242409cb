"""What memos say of each other: IDs used twice, links to nothing or to several, descriptions that are nearly equal (5xx)."""

from __future__ import annotations

from operator import itemgetter

from remember._named import NamedTuple
from remember.check.meanings import Named, Names, folded, is_among
from remember.check.plain import exact_links, possible_links
from remember.format.copies import original_of
from remember.format.text import duplicate_keys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from remember.check.findings import Reporter
    from remember.check.linking import Linking
    from remember.index.settled import Row
    from remember.layouts import Entry

__all__ = ["Identities", "both_scopes"]

_first = itemgetter(0)


class _Place(NamedTuple):
    path: str
    line: int
    kind: str

    @property
    def shown(self) -> str:
        return f"{self.path}:{self.line}" if self.kind == "fact" else self.path


class Identities:
    """Collects what is needed of every memo of a store (no bodies), then reports.

    Of plain notes (a description, an ID, no further names) only three values are kept, since they are nearly all there is.
    `linking` reads a plain note again where one of its links may be code, and where a finding is to have its line.
    """

    def __init__(self, vault: bool, linking: Linking) -> None:
        self.vault = vault
        self.linking = linking
        self.rows: list[tuple[str, str, int, str]] = []
        self.plain: list[tuple[str, str, str]] = []
        self.named: list[Named] = []
        self.links: list[tuple[str, int, tuple[str, ...]]] = []
        self.possible: list[tuple[str, list[str]]] = []
        self.described: list[tuple[str, str]] = []
        self._ids: dict[str, list[_Place]] | None = None

    def take(self, path: str, entries: Sequence[Entry | Row]) -> None:
        """The memos of one file."""
        for entry in entries:
            if entry.links:
                self.links.append((path, entry.line if entry.kind == "fact" else 0, entry.links))
            note = entry.kind == "note" and not self.vault and path.startswith("notes/")
            if note and entry.id and entry.description and not entry.names:
                self.plain.append((path, entry.id, entry.description))
                continue
            if entry.id is not None and not self.vault:
                self.rows.append((path, entry.id, entry.line, entry.kind))
            self.named.append(Named(path, entry.kind, entry.id, entry.line, entry.names, entry.description))
            if note and entry.description:
                self.described.append((path, entry.description))

    def take_rows(self, rows: Sequence[Row]) -> None:
        """The memos of the store as an index has them."""
        for row in rows:
            # The ID of a memo without one is the index's own.
            self.take(row.path, (row._replace(id=None) if self.vault else row,))

    def take_plain(self, path: str, description: str, memo_id: str, data: bytes) -> None:
        """A plain note below `notes/`, with its bytes."""
        self.plain.append((path, memo_id, description))
        if b"<" in data and b"<!--" in data and b"[[" in data:
            self.links.append((path, 0, exact_links(data)))  # a comment may stand inside a link
        elif b"[" in data:
            targets, sure = possible_links(data)
            if targets and sure:
                self.links.append((path, 0, tuple(targets)))
            elif targets:
                self.possible.append((path, targets))

    @property
    def ids(self) -> Mapping[str, Sequence[_Place]]:
        """Every ID with the places that have it, by path; asked for when all was taken."""
        if self._ids is None:
            self._ids = {}
            rows = [*self.rows, *[(path, memo_id, 1, "note") for path, memo_id, _ in self.plain]]
            rows.sort(key=_first)
            for path, memo_id, line, kind in rows:
                self._ids.setdefault(memo_id, []).append(_Place(path, line, kind))
        return self._ids

    def report(self, report: Reporter, other_files: Iterable[str]) -> None:
        """R501, R502, R504 and R505; a link may also mean a file of another kind, by path or name."""
        self._same_ids(report)
        self._alike(report)
        if self.links or self.possible:
            self._links(report, {folded(name) for path in other_files for name in (path, path.rpartition("/")[2])})

    def _same_ids(self, report: Reporter) -> None:
        unique = {row[1] for row in self.rows}
        unique.update([row[1] for row in self.plain])
        if len(unique) == len(self.rows) + len(self.plain):
            return
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

    def _alike(self, report: Reporter) -> None:
        described = [*self.described, *[(path, description) for path, _, description in self.plain]]
        keys = duplicate_keys([description for _, description in described])
        if len(set(keys)) == len(keys):
            return
        seen: dict[str, str] = {}
        for path, key in sorted(zip([path for path, _ in described], keys, strict=True), key=_first):
            other = seen.setdefault(key, path)
            if other != path:
                if original_of(other, path.__eq__) == path:
                    path, other = other, path  # the copy is what is odd, whichever came first
                report.add("R505", path, 0, f"has nearly the description of {other}")

    def _links(self, report: Reporter, others: set[str]) -> None:
        names = Names(self.plain, self.named)
        links = [targets for _, targets in self.possible] + [list(targets) for _, _, targets in self.links]
        names.want(target for targets in links for target in targets)
        # A link that leads to one memo is no finding, whether it is a link or stands in code; only the others are read again.
        again = [
            path for path, targets in self.possible if any(not names.is_one(target) and not is_among(target, others) for target in targets)
        ]
        doubtful = [(path, 0, found) for path, found in self.linking.exact(again)] if again else []
        names.want(target for _, _, targets in doubtful for target in targets)
        for path, line, targets in [*self.links, *doubtful]:
            for target in targets:
                if names.is_one(target):
                    continue
                found = names.meaning(target)
                if not found and not is_among(target, others):
                    at = line or self.linking.line(path, target)
                    report.add("R504", path, at, f"links to {target}, which nothing here is called", "info")
                elif len(found) > 1:
                    # Obsidian takes the nearest of several, so in a vault this is no mistake.
                    severity = "info" if self.vault else "warning"
                    at = line or self.linking.line(path, target)
                    report.add("R504", path, at, f"links to {target}, which means {', '.join(found[:4])}", severity)


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
