"""What a link may mean: the names of every memo, looked up for the links there are instead of made for every memo."""

from __future__ import annotations

from remember._named import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    Plain = tuple[str, str, str]

__all__ = ["Named", "Names", "folded", "is_among"]

_NONE: list[str] = []


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
        self.stems = [folded(path[path.rfind("/") + 1 :]).removesuffix(".md") for path, _, _ in plain]
        self.sure: AbstractSet[str] | None = None
        self.tables: tuple[Mapping[str, Sequence[int]], ...] = ()
        self.descriptions: Mapping[str, Sequence[int]] | None = None

    def want(self, targets: Iterable[str]) -> None:
        """Look these up, once each."""
        if self.sure is None:
            self.sure = self._sure()
        wanted = dict.fromkeys(targets)
        self.ones.update(self.sure & wanted.keys())
        by_key: dict[str, list[str]] = {}
        for target in wanted.keys() - self.ones:
            by_key.setdefault(_key(target), []).append(target)
        new = [key for key in by_key if key not in self.found]
        if new:
            self._look(new)
        for key, written in by_key.items():
            if len(self.found[key]) == 1:
                self.ones.update(written)

    def _sure(self) -> AbstractSet[str]:
        """The stems, as they are, that can mean nothing but one plain note: nearly all links are such a one."""
        alone = set(self.stems)
        if len(alone) < len(self.stems):
            alone -= {name for name, places in _numbered(self.stems).items() if len(places) > 1}
        alone.difference_update([memo_id for _, memo_id, _ in self.plain])
        alone.difference_update([name for memo in self.named for names in _keys(memo) for name in names])
        return {stem for stem in alone if not stem.endswith(".md")}  # which could be a path

    def is_one(self, target: str) -> bool:
        """Whether a target that was wanted means exactly one memo."""
        return target in self.ones

    def meaning(self, target: str) -> tuple[str, ...]:
        """The places of the memos that a target which was wanted means, in order."""
        return self.found[_key(target)]

    def _look(self, wanted: list[str]) -> None:
        if not self.tables:
            self.tables = self._tables()
        keys = frozenset(wanted)
        named: dict[tuple[str, int], list[str]] = {}
        for memo in self.named:
            for level, names in enumerate(_keys(memo)):
                for name in names:
                    if name in keys:
                        named.setdefault((name, level), []).append(memo.shown)
        for key in wanted:
            best = _NONE
            for level, places in enumerate(self._plain_named(key)):
                best = [self.plain[at][0] for at in places] + named.get((key, level), _NONE)
                if best:
                    break
            self.found[key] = tuple(sorted(set(best))) if len(best) > 1 else tuple(best)

    def _plain_named(self, key: str) -> Iterator[Iterable[int]]:
        """The numbers of the plain notes that have a name, for each level of names in turn."""
        ids, stems, undated = self.tables
        yield ids.get(key, ())
        if "/" in key or key.endswith(".md"):  # a path, or a stem that looks like one
            last = key.rpartition("/")[2]
            ending = {*stems.get(last, ()), *stems.get(last.removesuffix(".md"), ())}
            yield [at for at in ending if key in _keys(Named(self.plain[at][0], "note", None, 1, (), None))[1]]
        else:
            yield ()
        yield stems.get(key, ())
        yield undated.get(key, ())
        yield ()
        if self.descriptions is None:
            self.descriptions = _numbered([folded(description) for _, _, description in self.plain])
        yield self.descriptions.get(key, ())

    def _tables(self) -> tuple[Mapping[str, Sequence[int]], ...]:
        stems = self.stems
        undated = {at: stem[11:] for at, stem in enumerate(stems) if _is_dated(stem)}
        by_undated = _numbered(list(undated.values()))
        if len(undated) < len(stems):  # the numbers are those of the dated notes alone
            numbers = list(undated)
            by_undated = {name: [numbers[at] for at in places] for name, places in by_undated.items()}
        return _numbered([memo_id for _, memo_id, _ in self.plain]), _numbered(stems), by_undated


def _numbered(names: Sequence[str]) -> Mapping[str, Sequence[int]]:
    """The places in a list that each name has; where all differ, as they mostly do, made without a step for each."""
    alone: dict[str, Sequence[int]] = dict(zip(names, zip(range(len(names)), strict=True), strict=True))
    if len(alone) == len(names):
        return alone
    found: dict[str, list[int]] = {}
    for at, name in enumerate(names):
        found.setdefault(name, []).append(at)
    return found


def folded(name: str) -> str:
    """The form in which names are compared: neither case nor the way in which accents are written counts."""
    if name.isascii():
        return name.lower()
    from unicodedata import normalize

    return normalize("NFC", normalize("NFC", name).casefold())


def is_among(target: str, names: Container[str]) -> bool:
    """Whether a target is one of these names."""
    return _key(target) in names


def _key(target: str) -> str:
    """A link's target as names are compared."""
    return folded(target).lstrip("/").removeprefix("./")


def _keys(entry: Named) -> list[list[str]]:
    """The names of a memo, strongest first: ID, path, stem, stem without its date, further names, description."""
    if entry.kind != "note":
        return [[entry.id] if entry.id else []]
    path = entry.path
    bare = folded(path).removesuffix(".md")
    stem = bare.rpartition("/")[2]
    parts = bare.split("/")
    paths = [folded(path), *("/".join(parts[at:]) for at in range(len(parts) - 1)), f"{stem}.md"]
    return [
        [entry.id] if entry.id else [],
        paths,
        [stem],
        [stem[11:]] if _is_dated(stem) else [],
        [folded(name) for name in entry.names],
        [folded(entry.description)] if entry.description else [],
    ]


def _is_dated(stem: str) -> bool:
    """Whether a name begins with a day and goes on."""
    return len(stem) > 11 and stem[4] == stem[7] == stem[10] == "-" and stem[:4].isdigit()
