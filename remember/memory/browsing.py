"""Holds the indexes of the selected stores open for a program that reads them beside us, and keeps them up to date for it."""

from __future__ import annotations

from remember._named import NamedTuple
from remember.errors import CacheError
from remember.index.catalogue import open_index
from remember.memory.context import Surroundings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.index.catalogue import Index

__all__ = ["Browsed", "Browsing", "narrowed"]


class Browsed(NamedTuple):
    """A store's name, its directory, and the SQLite file of its index."""

    store: str
    directory: str
    path: str


class Browsing:
    """The open indexes, none of which is replaced meanwhile; use it in a `with`. Raises what reading raises, and CacheError.

    One thread at a time may call `refresh`.
    """

    def __init__(self, around: Surroundings) -> None:
        self.around = around
        self.indexes: list[Index] = []
        self.stores: tuple[Browsed, ...] = ()

    def __enter__(self) -> Browsing:
        stores = []
        try:
            for ref in self.around.selection("read").refs:
                index = open_index(ref, self.around.config.cache_dir)
                self.indexes.append(index)
                if index.database.path is None:
                    hint = "set REMEMBER_CACHE_DIR to a directory that can be written"
                    raise CacheError(f"the index of {ref.name} cannot be kept in a file, so it cannot be browsed", hint)
                stores.append(Browsed(ref.name, ref.path, index.database.path))
        except BaseException:
            self.__exit__()
            raise
        self.stores = tuple(stores)
        return self

    def __exit__(self, *_: object) -> None:
        for index in self.indexes:
            index.close()
        self.indexes = []

    def refresh(self) -> None:
        """Take in what has changed in the stores since."""
        for index in self.indexes:
            index.refresh()


def narrowed(around: Surroundings, store: str) -> Surroundings:
    """The same surroundings with one store alone, by the name that its memos bear."""
    if store in ("local", "global"):
        return Surroundings(around.root, store, (), False, around.environ, around.cwd)
    return Surroundings(around.root, None, (store,), False, around.environ, around.cwd)
