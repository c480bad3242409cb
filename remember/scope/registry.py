"""Registered stores and trusted roots: plain line files beside the user's configuration."""

from __future__ import annotations

import os

from remember._named import NamedTuple
from remember.errors import IOFailure, RefusedInput, UnknownStore
from remember.files.lines import change_lines, read_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = [
    "LAYOUTS",
    "RESERVED",
    "Registered",
    "add",
    "check_root",
    "names",
    "recognise",
    "remove",
    "stores",
    "trust",
    "trusted",
    "untrust",
]

RESERVED = frozenset({"local", "global", "both", "all"})
LAYOUTS = ("remember", "vault")
"""Layouts that a store can be registered with."""


class Registered(NamedTuple):
    """A registered store: its name, canonical path and layout."""

    name: str
    path: str
    layout: str


def stores(config_dir: str) -> tuple[Registered, ...]:
    """All registered stores, in the order of registration; a line is `name<TAB>layout<TAB>path`. Raises IOFailure."""
    return tuple(_parsed(_read(os.path.join(config_dir, "stores"))))


def _read(path: str) -> list[str]:
    try:
        return read_lines(path)
    except OSError as error:
        raise IOFailure(path, error, "mend or remove the file") from error


def _change(path: str, change: Callable[[list[str]], list[str] | None]) -> None:
    try:
        change_lines(path, change)
    except OSError as error:
        raise IOFailure(path, error) from error


def _parsed(lines: Sequence[str]) -> list[Registered]:
    found = []
    for line in lines:
        name, _, rest = line.partition("\t")
        layout, _, path = rest.partition("\t")
        if name and path and layout in LAYOUTS:
            found.append(Registered(name, path, layout))
    return found


def names(config_dir: str) -> tuple[str, ...]:
    """The names of all registered stores."""
    return tuple(store.name for store in stores(config_dir))


def recognise(path: str) -> str:
    """The layout of a directory as it looks. Raises UnknownStore where there is none."""
    if not os.path.isdir(path):
        reason = "no such directory" if not os.path.lexists(path) else "it is no directory"
        raise UnknownStore(path, reason, "give the path of a directory of Markdown files")
    if os.path.lexists(os.path.join(path, "pi-remember.json")):
        return "remember"
    native = os.path.isfile(os.path.join(path, "MEMORY.md")) and os.path.isdir(os.path.join(path, "notes"))
    return "remember" if native else "vault"


def add(config_dir: str, name: str, path: str, layout: str | None) -> Registered:
    """Register a store under a name. Raises RefusedInput for a name that is taken, reserved or no word, UnknownStore."""
    if not name or not all(char.isalnum() or char in "-_." for char in name) or name.startswith((".", "-")):
        raise RefusedInput(f"{name!r} cannot name a store", "use letters, digits, `-`, `_` and `.`")
    if name in RESERVED:
        raise RefusedInput(f"the name {name} is reserved", "choose another name")
    if not path:
        raise RefusedInput("the path of the store is empty", "give a directory")
    canonical = os.path.realpath(path)
    if "\n" in canonical or "\t" in canonical:
        raise RefusedInput(f"{canonical!r} holds a line end or tab", "rename the directory")
    if layout is not None and layout not in LAYOUTS:
        raise RefusedInput(f"there is no layout {layout}", "layouts are " + ", ".join(LAYOUTS))
    recognised = recognise(canonical)
    store = Registered(name, canonical, layout or recognised)

    def change(lines: list[str]) -> list[str]:
        known = _parsed(lines)
        for other in known:
            if other.name == name and (other.path != canonical or (layout and layout != other.layout)):
                raise RefusedInput(f"the name {name} is taken by {other.path}", f"run `remember store remove {name}` first")
        return _lines([other for other in known if other.name != name] + [store])

    _change(os.path.join(config_dir, "stores"), change)
    return store


def remove(config_dir: str, name: str) -> Registered:
    """Forget a registration; the store itself stays. Raises UnknownStore."""
    gone: list[Registered] = []

    def change(lines: list[str]) -> list[str]:
        known = _parsed(lines)
        gone.extend(store for store in known if store.name == name)
        if not gone:
            raise UnknownStore(name)
        return _lines([store for store in known if store.name != name])

    _change(os.path.join(config_dir, "stores"), change)
    return gone[0]


def _lines(known: Sequence[Registered]) -> list[str]:
    return [f"{s.name}\t{s.layout}\t{s.path}" for s in known]


def trusted(config_dir: str) -> frozenset[str]:
    """The canonical roots that the user trusts. Raises IOFailure."""
    return frozenset(_read(os.path.join(config_dir, "trusted")))


def check_root(root: str) -> None:
    """Raises RefusedInput for a root that no line can hold."""
    if "\n" in root or root.startswith("#"):
        raise RefusedInput(f"{root!r} cannot be trusted: its name holds a line end", "rename the directory")


def trust(config_dir: str, root: str) -> bool:
    """Trust a canonical root; False when it was trusted already. Raises RefusedInput, IOFailure."""
    check_root(root)
    new: list[bool] = []

    def change(lines: list[str]) -> list[str] | None:
        new.append(root not in lines)
        return [*lines, root] if new[0] else None

    _change(os.path.join(config_dir, "trusted"), change)
    return new[0]


def untrust(config_dir: str, root: str) -> bool:
    """Trust a root no longer; False when it was not trusted. Raises IOFailure."""
    was: list[bool] = []

    def change(lines: list[str]) -> list[str] | None:
        was.append(root in lines)
        return [line for line in lines if line != root] if was[0] else None

    _change(os.path.join(config_dir, "trusted"), change)
    return was[0]
