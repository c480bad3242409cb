"""Makes a store ready for a call: a legacy one is migrated first, or used as it is and named."""

from __future__ import annotations

import os

from remember.errors import RememberError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from remember.model import StoreRef

__all__ = ["make_ready"]


def make_ready(ref: StoreRef, version: int | None, may: bool, changing: bool, now_ms: int, bits: Callable[[int], int]) -> Sequence[str]:
    """Migrate a store whose marker is missing (None) or says 0, if it is a legacy one and the call `may` do so; what to say.

    Otherwise, and where a call that is not `changing` finds that it cannot be done, the legacy store is used as it is and this
    is said. Raises what `migrate` raises, before a change.
    """
    from remember.migrate.engine import migrate, store_version

    if store_version(ref.path, version):
        return ()
    plain = f"{ref.name}: the store is of the legacy format; `remember migrate` brings it to the present one"
    if not may or not _fit(ref):
        return (plain,)
    try:
        done = migrate(ref.path, now_ms, bits)
    except RememberError as error:
        if changing:
            raise
        return (f"{ref.name}: the store is of the legacy format and stays so: {error.message}",)
    if not done.changed:
        return [f"{ref.name}: {notice}" for notice in done.notices]
    sets = ", ".join(done.backups)
    said = f"{ref.name}: the store was migrated to format version {done.version}; the originals are in {ref.path}/migrations/{sets}"
    return (said, *(f"{ref.name}: {notice}" for notice in done.notices))


def _fit(ref: StoreRef) -> bool:
    """Whether it is the global or the local store, and can be written."""
    if ref.registered or ref.name not in ("local", "global"):
        return False
    return os.path.realpath(ref.path) == ref.path and os.access(ref.path, os.W_OK | os.X_OK)
