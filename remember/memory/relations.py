"""Tags with their counts, and what links to what."""

from __future__ import annotations

from remember._named import NamedTuple
from remember.format.links import tag_key
from remember.index.session import with_indexes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from remember.index.catalogue import Index
    from remember.memory.context import Surroundings
    from remember.model import Memo

__all__ = ["Relations", "TagCount", "count_tags", "find_links", "linked_places", "ranked_tags"]


class TagCount(NamedTuple):
    """A tag as it is written most often, and how many memos have it."""

    tag: str
    memos: int


class Relations(NamedTuple):
    """A memo, the memos it links to, targets that nothing answers to, and the memos that link to it."""

    memo: Memo
    links: tuple[tuple[str, tuple[Memo, ...]], ...]
    backlinks: tuple[Memo, ...]


def count_tags(around: Surroundings) -> tuple[TagCount, ...]:
    """Every tag of the selected stores, most frequent first, then by name."""
    selection = around.selection()

    def ask(indexes: list[Index]) -> tuple[TagCount, ...]:
        rows = [row for index in indexes for row in index.connection.execute("SELECT tags FROM memo WHERE tags IS NOT NULL")]
        return ranked_tags(tags.split("\n") for (tags,) in rows)

    return with_indexes(selection.refs, around.config.cache_dir, ask)


def ranked_tags(memos: Iterable[Sequence[str]]) -> tuple[TagCount, ...]:
    """The tags of memos (each memo's as written) with their counts, most frequent first, then by name."""
    forms: dict[str, dict[str, int]] = {}
    for tags in memos:
        for tag in tags:
            written = forms.setdefault(tag_key(tag), {})
            written[tag] = written.get(tag, 0) + 1
    counts = [TagCount(max(sorted(w), key=lambda t: w[t]), sum(w.values())) for w in forms.values()]
    return tuple(sorted(counts, key=lambda c: (-c.memos, c.tag)))


def linked_places(index: Index) -> set[str]:
    """The places of all memos of a store to which another one links."""
    resolver = _Resolver(index)
    return {
        found.place
        for memo in resolver.linking
        for link in resolver.targets_of(memo)
        for found in resolver.resolve(link)
        if found.place != memo.place
    }


def find_links(around: Surroundings, address: str) -> Relations:
    """What a memo links to and what links to it, in its own store. Raises NotFound, Ambiguous."""
    from remember.change.address import find

    selection = around.selection()

    def ask(indexes: list[Index]) -> Relations:
        index, memo = find(indexes, address)
        resolver = _Resolver(index)
        own = resolver.targets_of(memo)
        back = [other for other in resolver.linking if other.place != memo.place and resolver.points_at(other, memo)]
        return Relations(memo, tuple((target, resolver.resolve(target)) for target in own), tuple(back))

    return with_indexes(selection.refs, around.config.cache_dir, ask)


class _Resolver:
    """Names by which the memos of a store are known, strongest first: ID, path, stem, stem without date, titles, description."""

    def __init__(self, index: Index) -> None:
        self.index = index
        self.names: list[dict[str, list[Memo]]] = [{} for _ in range(6)]
        self.links: dict[str, tuple[str, ...]] = {}
        self.linking: list[Memo] = []
        extra = {
            (path, line): (links, names)
            for path, line, links, names in index.connection.execute(
                "SELECT file.path, memo.line, memo.links, memo.names FROM memo JOIN file ON file.id = memo.file"
            )
        }
        for memo in index.all():
            links, names = extra.get((memo.path, memo.line), (None, None))
            if links:
                self.links[memo.place] = tuple(links.split("\n"))
                self.linking.append(memo)
            for level, keys in enumerate(_keys(memo, names.split("\n") if names else [])):
                for key in keys:
                    self.names[level].setdefault(key, []).append(memo)

    def targets_of(self, memo: Memo) -> tuple[str, ...]:
        return self.links.get(memo.place, ())

    def resolve(self, target: str) -> tuple[Memo, ...]:
        key = target.casefold()
        for level in self.names:
            if key in level:
                return tuple(level[key])
        return ()

    def points_at(self, memo: Memo, target: Memo) -> bool:
        return any(found.place == target.place for link in self.links[memo.place] for found in self.resolve(link))


def _keys(memo: Memo, names: list[str]) -> list[list[str]]:
    path = memo.path.casefold()
    bare = path.removesuffix(".md")
    stem = bare.rpartition("/")[2]
    dated = len(stem) > 11 and stem[4] == stem[7] == stem[10] == "-" and stem[:4].isdigit()
    if memo.kind != "note":
        return [[memo.id] if memo.id else [], [memo.place.casefold()], [], [], [], []]
    parts = bare.split("/")
    return [
        [memo.id] if memo.id else [],
        [path, *("/".join(parts[at:]) for at in range(len(parts) - 1)), bare],
        [stem],
        [stem[11:]] if dated else [],
        [name.casefold() for name in names],
        [memo.description.casefold()] if memo.description else [],
    ]
