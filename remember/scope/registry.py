"""Registered stores and trusted roots: plain line files beside the user's configuration."""

from __future__ import annotations

import os

from remember._named import NamedTuple
from remember.errors import IOFailure, RefusedInput, UnknownStore
from remember.files.lines import change_lines, read_lines
from remember.layouts import LAYOUTS

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
    "remove",
    "stores",
    "trust",
    "trusted",
    "untrust",
]

RESERVED = frozenset({"local", "global", "both", "all"})


class Registered(NamedTuple):
    """A registered store: its name, canonical path (a file's for bullets) and layout; `public` is a harness's second directory."""

    name: str
    path: str
    layout: str
    public: str = ""


def stores(config_dir: str) -> tuple[Registered, ...]:
    """All registered stores in their order; a line is `name<TAB>layout<TAB>path`, perhaps with `<TAB>public`. Raises IOFailure."""
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
        path, _, public = path.partition("\t")
        if name and path and layout in LAYOUTS:
            found.append(Registered(name, path, layout, public))
    return found


def names(config_dir: str) -> tuple[str, ...]:
    """The names of all registered stores."""
    return tuple(store.name for store in stores(config_dir))


def add(config_dir: str, name: str, path: str, layout: str | None, near: str = "") -> Registered:
    """Register a store under a name; `near` is where a harness's public directory may be.

    Raises RefusedInput for a name that is taken, reserved or no word, UnknownStore.
    """
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
    store = Registered(name, canonical, _fitting(canonical, layout))
    if store.layout == "harness" and near:
        from remember.scope.recognise import public_of

        store = store._replace(public=public_of(canonical, near))

    def change(lines: list[str]) -> list[str]:
        known = _parsed(lines)
        for other in known:
            if other.name == name and (other.path != canonical or (layout and layout != other.layout)):
                raise RefusedInput(f"the name {name} is taken by {other.path}", f"run `remember store remove {name}` first")
        return _lines([other for other in known if other.name != name] + [store])

    _change(os.path.join(config_dir, "stores"), change)
    return store


def _fitting(path: str, layout: str | None) -> str:
    """The layout of a path, as recognised or as given. Raises UnknownStore, and RefusedInput where it is a file and should be none."""
    if layout == "bullets" and not os.path.lexists(path) and path.endswith(".md") and os.path.isdir(os.path.dirname(path)):
        return layout  # its first note makes it
    from remember.scope.recognise import recognise  # no read of a known store needs it

    found = recognise(path)
    if (found == "bullets") != ((layout or found) == "bullets"):
        what = "a file, which is a store of bullets" if found == "bullets" else "a directory, and a store of bullets is a file"
        raise RefusedInput(f"{path} is {what}", "leave --layout out, or name the other")
    return layout or found


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
    return [f"{s.name}\t{s.layout}\t{s.path}" + (f"\t{s.public}" if s.public else "") for s in known]


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
