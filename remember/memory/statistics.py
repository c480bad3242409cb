"""What a memory consists of: how much of what kind, since when, and what nobody comes across any more."""

from __future__ import annotations

from remember._named import NamedTuple
from remember.errors import RefusedInput
from remember.index.catalogue import COLUMNS, row_memo
from remember.index.session import with_indexes
from remember.memory.reading import spoken_warnings, store_infos
from remember.memory.relations import linked_places, ranked_tags

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from remember.index.catalogue import Index
    from remember.memory.context import Surroundings
    from remember.memory.relations import TagCount
    from remember.model import Memo, StoreInfo

    Progress = Callable[[int, int], None]
    Sized = tuple[Memo, int]

__all__ = ["SIZES", "Kind", "Month", "Size", "Statistics", "statistics"]

SIZES = (100, 300, 1024, 4096, 16384, 65536, None)
"""Upper bounds, exclusive, of the classes of size in bytes; None for whatever is larger."""


class Month(NamedTuple):
    """The memos made in a month (`YYYY-MM`, local time), their bytes, and what there was at its end."""

    month: str
    memos: int
    size_bytes: int
    total_memos: int
    total_bytes: int


class Kind(NamedTuple):
    """How many memos of a kind there are, and their bytes."""

    kind: str
    memos: int
    size_bytes: int


class Size(NamedTuple):
    """How many memos are of a class of size: less than `below_bytes`, and not of a smaller class."""

    below_bytes: int | None
    memos: int


class Statistics(NamedTuple):
    """All of it; bytes are those of the texts in UTF-8 (a fact's line, a note's body without its header).

    `months` holds only those in which something was made, oldest first; `undated` counts memos without a time. `unreferenced`
    are notes to which no other memo of their store links, oldest first.
    """

    memos: int
    size_bytes: int
    undated: int
    months: tuple[Month, ...]
    kinds: tuple[Kind, ...]
    tags: tuple[TagCount, ...]
    sizes: tuple[Size, ...]
    largest: tuple[Sized, ...]
    oldest: tuple[Memo, ...]
    unreferenced: tuple[Memo, ...]
    unreferenced_total: int
    warnings: tuple[str, ...]
    stores: tuple[StoreInfo, ...]


def statistics(around: Surroundings, limit: int = 5, progress: Progress | None = None) -> Statistics:
    """Statistics of the selected stores, `limit` memos in each list. Raises RefusedInput for a negative limit."""
    if limit < 0:
        raise RefusedInput(f"the limit {limit} is less than 0", "give a --limit of 0 or more")
    selection = around.selection("read")

    def ask(indexes: list[Index]) -> Statistics:
        sized = [pair for index in indexes for pair in _sized(index)]
        alone = [memo for index in indexes for memo in _unreferenced(index)]
        months, undated = _months(sized)
        aged = sorted((memo for memo, _ in sized if _made(memo) is not None and memo.kind != "text"), key=_age)
        return Statistics(
            len(sized),
            sum(size for _, size in sized),
            undated,
            months,
            _kinds(sized),
            ranked_tags(memo.tags for memo, _ in sized),
            _sizes(sized),
            tuple(sorted(sized, key=lambda pair: (-pair[1], pair[0].place))[:limit]),
            tuple(aged[:limit]),
            tuple(sorted(alone, key=_age)[:limit]),
            len(alone),
            spoken_warnings(selection, indexes),
            store_infos(indexes),
        )

    return with_indexes(selection.refs, around.config.cache_dir, ask, True, progress)


def _sized(index: Index) -> list[Sized]:
    rows = index.connection.execute(f"SELECT {COLUMNS} FROM memo JOIN file ON file.id = memo.file ORDER BY memo.id")
    return [(row_memo(index.ref, row), len(str(row[5]).encode("utf-8", "surrogateescape"))) for row in rows]


def _unreferenced(index: Index) -> list[Memo]:
    linked = linked_places(index)
    return [memo for memo in index.all() if memo.kind == "note" and memo.place not in linked]


def _made(memo: Memo) -> int | None:
    return memo.modified_ms if memo.created_ms is None else memo.created_ms


def _age(memo: Memo) -> tuple[int, str]:
    made = _made(memo)
    return (1 << 62 if made is None else made, memo.place)


def _months(sized: Sequence[Sized]) -> tuple[tuple[Month, ...], int]:
    """The months in which memos were made, and how many have no time that a calendar knows."""
    from datetime import datetime

    counts: dict[str, tuple[int, int]] = {}
    undated = 0
    for memo, size in sized:
        made = _made(memo)
        try:
            month = None if made is None else datetime.fromtimestamp(made / 1000).strftime("%Y-%m").zfill(7)
        except (OverflowError, ValueError, OSError):
            month = None
        if month is None:
            undated += 1
        else:
            memos, total = counts.get(month, (0, 0))
            counts[month] = (memos + 1, total + size)
    found: list[Month] = []
    all_memos = all_bytes = 0
    for month, (memos, total) in sorted(counts.items()):
        all_memos, all_bytes = all_memos + memos, all_bytes + total
        found.append(Month(month, memos, total, all_memos, all_bytes))
    return tuple(found), undated


def _kinds(sized: Sequence[Sized]) -> tuple[Kind, ...]:
    found = []
    for kind in ("fact", "note", "text"):
        sizes = [size for memo, size in sized if memo.kind == kind]
        if sizes:
            found.append(Kind(kind, len(sizes), sum(sizes)))
    return tuple(found)


def _sizes(sized: Sequence[Sized]) -> tuple[Size, ...]:
    counts = [0] * len(SIZES)
    for _, size in sized:
        counts[next(at for at, below in enumerate(SIZES) if below is None or size < below)] += 1
    return tuple(Size(below, count) for below, count in zip(SIZES, counts, strict=True))
