"""Which hits are a sync program's conflict copies, so that the main copy stands for them and says so."""

from __future__ import annotations

from remember.format.copies import is_telling, original_of
from remember.index.rows import from_key, path_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from remember.index.catalogue import Index

__all__ = ["Copies"]

_MOST = 64
"""Names that are looked at for copies of one file."""


class Copies:
    """The conflict copies among the files of one index, asked for file by file and remembered for a search.

    A copy is known by its name; a name that people give too (`Plan 2.md`) is one only where the memo's ID is the same.
    """

    def __init__(self, index: Index) -> None:
        self.index = index
        self._known: dict[str, tuple[str, ...]] = {}

    def original(self, path: str, memo_id: str | None) -> str | None:
        """The path of the file that this one, which holds that memo, is a conflict copy of; None where it is none."""
        found = original_of(path, self._is_there)
        return found if found and (is_telling(path) or self._holds(found, memo_id)) else None

    def beside(self, path: str, memo_id: str | None) -> tuple[str, ...]:
        """The paths of the conflict copies of this file, which holds that memo."""
        known = self._known.get(path)
        if known is None:
            near = self._near(path)
            known = tuple(p for p in near if original_of(p, path.__eq__) == path and (is_telling(p) or self._holds(p, memo_id)))
            self._known[path] = known
        return known

    def _near(self, path: str) -> Sequence[str]:
        """Paths of files whose names begin as this one's does."""
        stem, dot, _ = path.rpartition(".")
        if not dot or isinstance(path_key(path), bytes):
            return ()
        rows = self.index.connection.execute(
            "SELECT path FROM file WHERE path > ? AND path < ? AND path <> ? ORDER BY path LIMIT ?",
            (stem, stem + "\U0010ffff", path, _MOST),
        )
        return [from_key(row[0]) for row in rows]

    def _is_there(self, path: str) -> bool:
        return self.index.connection.execute("SELECT 1 FROM file WHERE path = ?", (path_key(path),)).fetchone() is not None

    def _holds(self, path: str, memo_id: str | None) -> bool:
        return memo_id is not None and any(memo.id == memo_id for memo in self.index.by_path(path))
