"""Notes read again for what their links say, where that matters for few of them."""

from __future__ import annotations

from remember.check.plain import exact_links
from remember.layouts.layout import FILE_LIMIT
from remember.store.read import Reader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from remember.layouts.layout import Rules

__all__ = ["Linking"]


class Linking:
    """Reads the notes of the store at `store`; what cannot be read any more says nothing, which the second look tells."""

    def __init__(self, store: str, rules: Rules) -> None:
        self.store, self.rules = store, rules

    def exact(self, paths: Sequence[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
        """The links of plain notes by path."""
        for path, data in self._read(paths):
            yield path, exact_links(data)

    def line(self, path: str, target: str) -> int:
        """The line of the file's first link to that target, from 1; 0 where it is not found."""
        for _, data in self._read([path]):
            at = data.find(b"[[" + target.encode("utf-8", "surrogateescape"))
            return data.count(b"\n", 0, at) + 1 if at >= 0 else 0
        return 0

    def _read(self, paths: Sequence[str]) -> Iterator[tuple[str, bytes]]:
        with Reader(self.store, self.rules, FILE_LIMIT) as reader:
            for path in paths:
                try:
                    read = reader.read(path)
                except OSError:
                    continue
                if read is not None:
                    yield path, read.data
