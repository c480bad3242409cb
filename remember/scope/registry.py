"""Registered stores and trusted roots: plain line files beside the user's configuration."""

from __future__ import annotations

import os

from remember._named import NamedTuple
from remember.errors import IOFailure, RefusedInput, UnknownStore
from remember.files.lines import read_lines, write_lines

__all__ = ["LAYOUTS", "RESERVED", "Registered", "add", "names", "recognise", "remove", "stores", "trust", "trusted", "untrust"]

RESERVED = frozenset({"local", "global", "both", "all"})
LAYOUTS = ("remember", "vault")
"""Layouts that a store can be registered with."""


class Registered(NamedTuple):
    """A registered store: its name, canonical path and layout."""

    name: str
    path: str
    layout: str


def stores(config_dir: str) -> tuple[Registered, ...]:
    """All registered stores, in the order of registration; a line is `name<TAB>layout<TAB>path`."""
    found = []
    for line in read_lines(os.path.join(config_dir, "stores")):
        name, _, rest = line.partition("\t")
        layout, _, path = rest.partition("\t")
        if name and path and layout in LAYOUTS:
            found.append(Registered(name, path, layout))
    return tuple(found)


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
    known = stores(config_dir)
    canonical = os.path.realpath(path)
    if "\n" in canonical or "\t" in canonical:
        raise RefusedInput(f"{canonical!r} holds a line end or tab", "rename the directory")
    for other in known:
        if other.name == name and (other.path != canonical or (layout and layout != other.layout)):
            raise RefusedInput(f"the name {name} is taken by {other.path}", f"run `remember store remove {name}` first")
    if layout is not None and layout not in LAYOUTS:
        raise RefusedInput(f"there is no layout {layout}", "layouts are " + ", ".join(LAYOUTS))
    recognised = recognise(canonical)
    store = Registered(name, canonical, layout or recognised)
    _write(config_dir, [other for other in known if other.name != name] + [store])
    return store


def remove(config_dir: str, name: str) -> Registered:
    """Forget a registration; the store itself stays. Raises UnknownStore."""
    known = stores(config_dir)
    for store in known:
        if store.name == name:
            _write(config_dir, [other for other in known if other.name != name])
            return store
    raise UnknownStore(name)


def _write(config_dir: str, known: list[Registered]) -> None:
    lines = [f"{s.name}\t{s.layout}\t{s.path}" for s in known]
    try:
        write_lines(os.path.join(config_dir, "stores"), lines)
    except OSError as error:
        raise IOFailure(os.path.join(config_dir, "stores"), error) from error


def trusted(config_dir: str) -> frozenset[str]:
    """The canonical roots that the user trusts."""
    return frozenset(read_lines(os.path.join(config_dir, "trusted")))


def trust(config_dir: str, root: str) -> bool:
    """Trust a canonical root; False when it was trusted already."""
    path = os.path.join(config_dir, "trusted")
    known = read_lines(path)
    if root in known:
        return False
    if "\n" in root:
        raise RefusedInput(f"{root!r} holds a line end", "rename the directory")
    try:
        write_lines(path, [*known, root])
    except OSError as error:
        raise IOFailure(path, error) from error
    return True


def untrust(config_dir: str, root: str) -> bool:
    """Trust a root no longer; False when it was not trusted."""
    path = os.path.join(config_dir, "trusted")
    known = read_lines(path)
    if root not in known:
        return False
    try:
        write_lines(path, [line for line in known if line != root])
    except OSError as error:
        raise IOFailure(path, error) from error
    return True
