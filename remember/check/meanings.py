"""What a link may mean: the names of every memo, looked up for the links there are instead of made for every memo."""

from __future__ import annotations

from remember._named import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Sequence

    Plain = tuple[str, str, str]

__all__ = ["Named", "Names", "is_among"]

_LEVELS = 6


class Named(NamedTuple):
    """A memo by all its names."""

    path: str
    kind: str
    id: str | None
    line: int
    names: tuple[str, ...]
    description: str | None

    @property
    def shown(self) -> str:
        """Where it is."""
        return f"{self.path}:{self.line}" if self.kind == "fact" else self.path


class Names:
    """The meanings of the targets that are wanted, strongest first: ID, path, stem, stem without its date, names, description.

    `plain` are notes as (path, ID, description) that have no further names.
    """

    def __init__(self, plain: Sequence[Plain], named: Sequence[Named]) -> None:
        self.plain = plain
        self.named = named
        self.found: dict[str, tuple[str, ...]] = {}
        self.ones: set[str] = set()
        self.tables: tuple[dict[str, list[int]], ...] = ()
        self.descriptions: dict[str, list[str]] | None = None

    def want(self, targets: Iterable[str]) -> None:
        """Look these up, once each."""
        by_key: dict[str, list[str]] = {}
        for target in dict.fromkeys(targets):
            by_key.setdefault(_key(target), []).append(target)
        new = [key for key in by_key if key not in self.found]
        if new:
            self._look(new)
        for key, written in by_key.items():
            if len(self.found[key]) == 1:
                self.ones.update(written)

    def is_one(self, target: str) -> bool:
        """Whether a target that was wanted means exactly one memo."""
        return target in self.ones

    def meaning(self, target: str) -> tuple[str, ...]:
        """The places of the memos that a target which was wanted means, in order."""
        return self.found[_key(target)]

    def _look(self, wanted: list[str]) -> None:
        levels: list[dict[str, list[str]]] = [{} for _ in range(_LEVELS)]
        keys = frozenset(wanted)
        for memo in self.named:
            for level, names in enumerate(_keys(memo)):
                for name in names:
                    if name in keys:
                        levels[level].setdefault(name, []).append(memo.shown)
        for key in wanted:
            for level, path in self._plain_named(key):
                levels[level].setdefault(key, []).append(path)
            best = next((level[key] for level in levels[:-1] if key in level), None)
            if best is None:
                best = levels[-1].get(key, []) + self._described(key)
            self.found[key] = tuple(sorted(set(best)))

    def _plain_named(self, key: str) -> list[tuple[int, str]]:
        """Plain notes that have a name, but for the description, with its level."""
        if not self.tables:
            self.tables = self._tables()
        ids, stems, undated = self.tables
        plain = self.plain
        found = [(0, plain[at][0]) for at in ids.get(key, ())]
        if "/" in key or key.endswith(".md"):  # a path, or a stem that looks like one
            last = key.rpartition("/")[2]
            for at in {*stems.get(last, ()), *stems.get(last.removesuffix(".md"), ())}:
                path = plain[at][0]
                found += [(1, path)] * (key in _keys(Named(path, "note", None, 1, (), None))[1])
        found += [(2, plain[at][0]) for at in stems.get(key, ())]
        found += [(3, plain[at][0]) for at in undated.get(key, ())]
        return found

    def _tables(self) -> tuple[dict[str, list[int]], ...]:
        ids: dict[str, list[int]] = {}
        stems: dict[str, list[int]] = {}
        undated: dict[str, list[int]] = {}
        for at, (path, memo_id, _) in enumerate(self.plain):
            stem = path[path.rfind("/") + 1 :].casefold().removesuffix(".md")
            stems.setdefault(stem, []).append(at)
            if len(stem) > 11 and stem[4] == stem[7] == stem[10] == "-" and stem[:4].isdigit():
                undated.setdefault(stem[11:], []).append(at)
            ids.setdefault(memo_id, []).append(at)
        return ids, stems, undated

    def _described(self, key: str) -> list[str]:
        if self.descriptions is None:
            self.descriptions = {}
            for path, _, description in self.plain:
                self.descriptions.setdefault(description.casefold(), []).append(path)
        return self.descriptions.get(key, [])


def is_among(target: str, names: Container[str]) -> bool:
    """Whether a target is one of these names."""
    return _key(target) in names


def _key(target: str) -> str:
    """A link's target as names are compared."""
    return target.casefold().lstrip("/").removeprefix("./")


def _keys(entry: Named) -> list[list[str]]:
    """The names of a memo, strongest first: ID, path, stem, stem without its date, further names, description."""
    if entry.kind != "note":
        return [[entry.id] if entry.id else []]
    path = entry.path
    bare = path.casefold().removesuffix(".md")
    stem = bare.rpartition("/")[2]
    dated = len(stem) > 11 and stem[4] == stem[7] == stem[10] == "-" and stem[:4].isdigit()
    parts = bare.split("/")
    paths = [path.casefold(), *("/".join(parts[at:]) for at in range(len(parts) - 1)), f"{stem}.md"]
    return [
        [entry.id] if entry.id else [],
        paths,
        [stem],
        [stem[11:]] if dated else [],
        [name.casefold() for name in entry.names],
        [entry.description.casefold()] if entry.description else [],
    ]
