"""Which stores a command means: the rules of scopes, names and paths in one place."""

from __future__ import annotations

import os

from remember._named import NamedTuple
from remember.errors import NotTrusted, RefusedInput, UnknownStore
from remember.model import StoreRef
from remember.scope import registry
from remember.scope.discover import global_store, is_store, local_store, not_initialised

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from remember.scope.config import Config

__all__ = ["Selection", "choose", "choose_one", "named_store"]


class Selection(NamedTuple):
    """The stores that are meant; `warnings` are always worth saying, `remarks` only where nothing was found or on request."""

    refs: tuple[StoreRef, ...]
    warnings: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


def choose(
    config: Config, cwd: str, root: str | None = None, scope: str | None = None, stores: Sequence[str] = (), everything: bool = False
) -> Selection:
    """The stores of a read. Raises NotInitialised, NotTrusted, UnknownStore, NoSuchRoot, RefusedInput."""
    if scope not in (None, "local", "global", "both"):
        if scope not in registry.names(config.config_dir):
            raise RefusedInput(f"there is no scope {scope}", "scopes are local, global and both, or the name of a registered store")
        stores, scope = [*stores, str(scope)], None
    if stores:
        if everything or scope is not None:
            raise RefusedInput("--store cannot be combined with --scope or --all", "name each store with --store")
        return _warned(tuple(dict.fromkeys(named_store(config, cwd, root, name) for name in stores)))
    trusted = registry.trusted(config.config_dir)
    refs: list[StoreRef] = []
    remarks: list[str] = []
    there = global_store(config)
    if scope != "local" and os.path.isdir(there.path):
        refs.append(there)
    elif scope == "global":
        remarks.append(f"the global store ({there.path}) does not exist yet; its first write makes it")
    if scope != "global":
        local = local_store(root, cwd, config, trusted)
        if is_store(local.path):
            refs.append(_readable(local))
        elif scope is not None or (not refs and not everything):
            raise not_initialised(local.root or cwd, config.local_dir)
        elif refs:
            remarks.append(f"only the global store was read: {local.root} has no store (`remember init` makes one)")
    if everything:
        refs += [_registered(store) for store in registry.stores(config.config_dir)]
    unique = {ref.place: ref for ref in reversed(refs)}
    return _warned(tuple(ref for ref in refs if unique.get(ref.place) is ref), tuple(remarks))


def _warned(refs: tuple[StoreRef, ...], remarks: tuple[str, ...] = ()) -> Selection:
    warnings = tuple(
        f"the store of {ref.root} is not trusted (`remember trust add {ref.root}` after a look at it)" for ref in refs if not ref.trusted
    )
    return Selection(refs, warnings, remarks)


def _readable(local: StoreRef) -> StoreRef:
    """The local store, unless it is reached through a link and its root is not trusted."""
    real = os.path.realpath(local.path)
    if real != local.path and not local.trusted:
        raise NotTrusted(str(local.root))
    return local


def named_store(config: Config, cwd: str, root: str | None, name: str) -> StoreRef:
    """A store by registered name, reserved name or path (what holds a slash, or `.`); a registered name wins."""
    for store in registry.stores(config.config_dir):
        if store.name == name:
            return _registered(store)
    if name == "global":
        return global_store(config)
    if name == "local":
        local = local_store(root, cwd, config, registry.trusted(config.config_dir))
        if not is_store(local.path):
            raise not_initialised(local.root or cwd, config.local_dir)
        return _readable(local)
    if "/" not in name and os.sep not in name and name not in (".", ".."):
        near = _near(name, registry.names(config.config_dir))
        raise UnknownStore(name, hint=near)
    path = name
    if path.startswith("~/"):
        path = config.home + path[1:]
    path = os.path.realpath(os.path.join(cwd, path))
    for store in registry.stores(config.config_dir):
        if store.path == path:
            return _registered(store)
    from remember.scope.recognise import public_of, recognise

    layout = recognise(path)
    public = public_of(path, cwd) if layout == "harness" else ""
    return _of(StoreRef(name, name, path, layout, None, True, False, "--store"), public)


def _registered(store: registry.Registered) -> StoreRef:
    return _of(StoreRef(store.name, store.name, store.path, store.layout, None, True, True, "registered"), store.public)


def _of(ref: StoreRef, public: str = "") -> StoreRef:
    """A store of bullets is a file: its directory and its name."""
    if ref.layout == "bullets":
        folder, name = os.path.split(ref.path)
        return ref._replace(path=folder, file=name)
    return ref._replace(public=public)


def _near(name: str, known: Sequence[str]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(name, known, 1)
    return f"did you mean {near[0]}?" if near else ""


def choose_one(config: Config, cwd: str, root: str | None = None, scope: str | None = None, stores: Sequence[str] = ()) -> StoreRef:
    """The one store of a write: local unless said otherwise. Raises as `choose`, and RefusedInput where several are named."""
    if scope not in (None, "local", "global"):
        if scope == "both":
            raise RefusedInput("a change goes to one store", "give --scope local or --scope global")
        if scope not in registry.names(config.config_dir):
            raise RefusedInput(f"there is no scope {scope}", "a change goes to local, global, or a registered store")
        stores, scope = [*stores, str(scope)], None
    if len(stores) > 1 or (stores and scope):
        raise RefusedInput("a change goes to one store", "give one --scope or one --store")
    if stores:
        return named_store(config, cwd, root, stores[0])
    if scope == "global":
        return global_store(config)
    local = local_store(root, cwd, config, registry.trusted(config.config_dir))
    if not is_store(local.path):
        raise not_initialised(local.root or cwd, config.local_dir)
    return _readable(local)
