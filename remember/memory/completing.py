"""Values that a shell may complete: memos, tags, records, names; taken from what lies ready, without a walk."""

from __future__ import annotations

import sqlite3

from remember.errors import CacheError
from remember.index.catalogue import NEWEST_FIRST, Index
from remember.index.database import open_database
from remember.memory.context import recovery_dir
from remember.model import Freshness
from remember.scope import registry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from remember.memory.context import Surroundings

    Candidates = list[tuple[str, str]]

__all__ = ["KINDS", "complete_value"]

_MOST = 300
"""Candidates of one kind; nobody reads more."""

_DESCRIBED = 30
"""Recovery records whose summary is read."""


def complete_value(around: Surroundings, kind: str, typed: str) -> Candidates:
    """(value, description) of each value of a kind that begins with `typed`, the likeliest first.

    Memos and tags come from the indexes as they are: none is made or brought up to date. Raises what choosing the stores
    raises, and CacheError for an index that cannot be read.
    """
    return [found for found in KINDS[kind](around, typed) if found[0].startswith(typed)][:_MOST]


def _indexes(around: Surroundings) -> Iterator[Index]:
    for ref in around.selection().refs:
        opened, _ = open_database(around.config.cache_dir, ref)
        if opened is not None:
            with Index(ref, opened, Freshness()) as index:
                yield index


def _memos(around: Surroundings, typed: str) -> Candidates:
    found: dict[str, str] = {}
    size = len(typed)
    for index in _indexes(around):
        for kind, memo_id, path, line, title in _rows(
            index,
            "SELECT memo.kind, memo.memo_id, file.path, memo.line, CASE memo.kind WHEN 'fact' THEN memo.body ELSE memo.description END"
            " FROM memo JOIN file ON file.id = memo.file WHERE typeof(file.path) = 'text' AND"
            " (substr(memo.memo_id, 1, ?) = ? OR substr(file.path || ':' || memo.line, 1, ?) = ?)"
            f" ORDER BY {NEWEST_FIRST} LIMIT {_MOST}",
            (size, typed, size, typed),
        ):
            place = f"{path}:{line}" if kind == "fact" else str(path)
            name = str(memo_id) if memo_id is not None and str(memo_id).startswith(typed) else place
            found.setdefault(name, str(title or path))
    return list(found.items())


def _rows(index: Index, query: str, values: Sequence[object] = ()) -> list[tuple[object, ...]]:
    try:
        return index.connection.execute(query, tuple(values)).fetchall()
    except sqlite3.DatabaseError as error:
        raise CacheError(f"the index cannot be read ({error})", "run `remember index rebuild`") from error


def _tags(around: Surroundings, typed: str) -> Candidates:
    counts: dict[str, int] = {}
    for index in _indexes(around):
        for (tags,) in _rows(index, "SELECT tags FROM memo WHERE tags IS NOT NULL"):
            for tag in str(tags).split("\n"):
                counts[tag] = counts.get(tag, 0) + 1
    ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return [(tag, f"{count} memo{'s' if count > 1 else ''}") for tag, count in ordered]


def _records(around: Surroundings, typed: str) -> Candidates:
    from remember.store.journal import Journal

    found: Candidates = []
    for ref in around.selection().refs:
        with Journal(ref.path, recovery_dir(around.config, ref)) as journal:
            for record in journal.newest_first()[:_MOST]:
                if record.startswith(typed):
                    found.append((record, journal.summary(record) if len(found) < _DESCRIBED else ""))
    return sorted(found, reverse=True)


def _stores(around: Surroundings, typed: str) -> Candidates:
    return [(store.name, f"{store.layout}, {store.path}") for store in registry.stores(around.config.config_dir)]


def _layouts(around: Surroundings, typed: str) -> Candidates:
    return [(layout, "") for layout in registry.LAYOUTS]


def _agents(around: Surroundings, typed: str) -> Candidates:
    from remember.memory.agents import AGENTS

    return [(agent, "") for agent in AGENTS]


def _codes(around: Surroundings, typed: str) -> Candidates:
    from remember.check.codes import CODES

    return [(code.name, code.title) for code in CODES.values()]


def _keys(around: Surroundings, typed: str) -> Candidates:
    from remember.scope.keys import KEYS

    return [(key.name, key.meaning) for key in KEYS]


def _roots(around: Surroundings, typed: str) -> Candidates:
    return [(root, "") for root in sorted(registry.trusted(around.config.config_dir))]


KINDS: dict[str, Callable[[Surroundings, str], Candidates]] = {
    "agent": _agents,
    "code": _codes,
    "key": _keys,
    "layout": _layouts,
    "memo": _memos,
    "record": _records,
    "root": _roots,
    "store": _stores,
    "tag": _tags,
}
"""What can be asked for, by the name that the tables of commands use."""
