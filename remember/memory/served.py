"""The memory that an agent's call means: what is not trusted is left out of reads and refused to everything else.

What the other side controls: the arguments of every call, and through a cloned repository the local store itself.
"""

from __future__ import annotations

import os

from remember._named import NamedTuple
from remember.errors import NotFound, NotTrusted, RefusedInput, RememberError
from remember.memory import Memory
from remember.memory.context import Surroundings
from remember.scope import registry
from remember.scope.discover import is_store, local_store
from remember.scope.select import named_store

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["Caller", "Served", "check_served"]

_SCOPES = ("local", "global", "both")


class Served(NamedTuple):
    """A memory to ask, and what the asker must be told about it."""

    memory: Memory
    warnings: tuple[str, ...] = ()


class Caller:
    """An agent's place: the default root, the served stores' names, environment and working directory."""

    def __init__(self, root: str | None, stores: Sequence[str], environ: Mapping[str, str], cwd: str) -> None:
        self.root, self.stores, self.environ, self.cwd = root, tuple(stores), environ, cwd

    def _around(self, root: str | None, scope: str | None) -> Surroundings:
        around = Surroundings(root if root else self.root, scope, (), False, self.environ, self.cwd)
        around.migrates = "trusted"
        return around

    def _check(self, scope: str | None, reading: bool) -> None:
        allowed = [s for s in (*_SCOPES, *self.stores) if reading or s != "both"]
        if scope is not None and scope not in allowed:
            raise RefusedInput(f"there is no scope {scope} here", "scopes are " + ", ".join(allowed))

    def reading(self, root: str | None, scope: str | None) -> Served:
        """The memory of a read, both scopes unless one is named. Raises NotTrusted, RefusedInput, ScopeError."""
        self._check(scope, True)
        around = self._around(root, scope)
        if scope in (None, "both", "local"):
            local = local_store(around.root, around.cwd, around.config, registry.trusted(around.config.config_dir))
            if is_store(local.path) and not local.trusted:
                if scope == "local":
                    raise NotTrusted(str(local.root))
                left_out = f"the local memory of {local.root} is left out: it is not trusted (`remember trust add {local.root}`)"
                return Served(Memory(self._around(root, "global")), (left_out,))
        return Served(Memory(around))

    def writing(self, root: str | None, scope: str | None) -> Served:
        """The memory of a change, the local one unless another is named. Raises NotTrusted, RefusedInput, ScopeError."""
        self._check(scope, False)
        return self.reading(root, scope or "local")

    def states(self, root: str | None) -> tuple[list[dict[str, object]], tuple[str, ...]]:
        """The status of local, global and served stores, and warnings."""
        around = self._around(root, None)
        rows = Memory(around).status()
        for name in self.stores:
            rows += Memory(Surroundings(None, None, (name,), False, self.environ, self.cwd)).status()
        return rows, around.config.warnings

    def scopes(self) -> tuple[str, ...]:
        """The scopes whose memory can be read now: for listings of resources."""
        around = self._around(None, None)
        local = local_store(around.root, around.cwd, around.config, registry.trusted(around.config.config_dir))
        found = ["local"] if is_store(local.path) and local.trusted else []
        return (*found, *(["global"] if os.path.isdir(around.config.global_dir) else []), *self.stores)

    def elsewhere(self, error: NotFound, root: str | None, address: str) -> NotFound:
        """The error of a change that did not find its memo, with the scope that has it where one does."""
        try:
            shown = self.reading(root, None).memory.show(address)
        except RememberError:
            return error
        return NotFound(address, hint=f"it is in {shown.memo.store}; pass scope {shown.memo.store!r}")


def check_served(stores: Sequence[str], environ: Mapping[str, str], cwd: str) -> None:
    """Raises UnknownStore, RefusedInput for a name that cannot be served as a scope."""
    around = Surroundings(None, None, (), False, environ, cwd)
    for name in stores:
        if name in _SCOPES:
            raise RefusedInput(f"{name} is served anyway", "name registered stores with --store")
        ref = named_store(around.config, cwd, None, name)
        if not ref.registered:
            raise RefusedInput(f"{name} is not registered", f"run `remember store add NAME {name}`, then serve it by its name")
