"""Gathers what a session is shown: each scope read on its own, so that one that fails does not hide the others."""

from __future__ import annotations

import os

from remember._named import NamedTuple
from remember.context.snapshot import Scope, Snapshot, render
from remember.errors import RememberError
from remember.index.session import with_indexes
from remember.scope import registry
from remember.scope.discover import global_store, is_store, local_store
from remember.scope.select import named_store

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.index.catalogue import Index
    from remember.memory.context import Surroundings
    from remember.model import Memo, StoreRef

__all__ = ["BUDGETS", "CLIENT_CAPS", "FILE_ORDER", "SessionContext", "review_text", "session_context"]

FILE_ORDER = "memo.kind = 'note', memo.kind = 'text', coalesce(memo.created_ms, 0) * (memo.kind = 'note'), file.path, memo.line"
BUDGETS = {"global": "inject_chars_global"}


class SessionContext(NamedTuple):
    """The snapshot, whether the configuration wants one, and warnings for whoever asked."""

    snapshot: Snapshot
    inject: bool
    warnings: tuple[str, ...]


CLIENT_CAPS = {"claude": 9500}
"""The most characters that an agent takes whole, where it says so."""


def review_text() -> str:
    """The request to review memory."""
    from remember.context.review import REVIEW

    return REVIEW


def session_context(around: Surroundings, cap_chars: int | None = None, client: str | None = None) -> SessionContext:
    """The snapshot of the stores that are meant; makes and migrates nothing. Raises only for a root or store that cannot be meant."""
    config = around.config
    caps = [cap for cap in (cap_chars, CLIENT_CAPS.get(client or "")) if cap is not None]
    if not config.switch("inject"):
        return SessionContext(Snapshot("", ()), False, config.warnings)
    warnings = list(config.warnings)
    scopes = [_scope(around, ref, warnings) for ref in _meant(around)]
    warnings += [f"{scope.name}: {scope.reason}" for scope in scopes if scope.state in ("unreadable", "untrusted")]
    return SessionContext(render(scopes, min(caps, default=None)), True, tuple(warnings))


def _meant(around: Surroundings) -> list[StoreRef]:
    config, stores, scope = around.config, list(around.stores), around.scope
    if scope not in (None, "local", "global", "both"):
        stores, scope = [*stores, str(scope)], None
    refs: list[StoreRef] = []
    if stores:
        refs += [named_store(config, around.cwd, around.root, name) for name in stores]
    else:
        if scope != "local":
            refs.append(global_store(config))
        if scope != "global":
            refs.append(local_store(around.root, around.cwd, config, registry.trusted(config.config_dir)))
        if around.everything:
            refs += [named_store(config, around.cwd, around.root, name) for name in registry.names(config.config_dir)]
    unique = {ref.place: ref for ref in reversed(refs)}
    return [ref for ref in refs if unique[ref.place] is ref]


def _scope(around: Surroundings, ref: StoreRef, warnings: list[str]) -> Scope:
    budget = around.config.number(BUDGETS.get(ref.scope, "inject_chars_local"))
    scope = Scope(ref.name, ref.place, budget, root=ref.root)
    there = is_store(ref.path) if ref.layout == "remember" else os.path.exists(ref.place)
    if not there:
        how = "`remember init` makes one" if ref.scope == "local" else "its first write makes it"
        return scope._replace(state="missing", reason=f"there is no store yet; {how}")
    if not ref.trusted:
        return scope._replace(state="untrusted", reason=f"it came with the workspace and is not trusted (`remember trust add {ref.root}`)")
    try:
        warnings += around.ready(ref, "")
        memos, found = with_indexes([ref], around.config.cache_dir, lambda indexes: _memos(indexes[0]))
    except RememberError as error:
        return scope._replace(state="unreadable", reason=error.message)
    except OSError as error:
        return scope._replace(state="unreadable", reason=error.strerror or "it cannot be read")
    warnings += [f"{ref.name}: {warning}" for warning in found]
    return scope._replace(memos=memos)


def _memos(index: Index) -> tuple[tuple[Memo, ...], tuple[str, ...]]:
    """Facts as they stand in their files, then prose, then notes by date of creation."""
    return tuple(index.all(None, FILE_ORDER)), index.freshness.warnings
