"""`migrate` for people and programs: the selected stores, a plan, or the way back."""

from __future__ import annotations

from remember.errors import NotFound, RefusedInput
from remember.memory.context import now_ms, random_bits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.memory.context import Surroundings
    from remember.model import StoreRef

    Document = dict[str, object]

__all__ = ["migrate_stores", "roll_back_store"]


def _native(around: Surroundings) -> list[StoreRef]:
    """The stores of the call that have a format version. Raises RefusedInput where there is none."""
    from remember.scope.select import choose

    refs = choose(around.config, around.cwd, around.root, around.scope, around.stores, around.everything).refs
    native = [ref for ref in refs if ref.layout == "remember"]
    if not native:
        named = ", ".join(ref.name for ref in refs)
        raise RefusedInput(f"{named or 'no store'}: only native stores have a format version", "name a store with --store")
    return native


def migrate_stores(around: Surroundings, dry_run: bool = False, timeout_s: float = 10.0) -> list[Document]:
    """Migrate the selected native stores, or say what would be done. Raises as `remember.migrate.engine.migrate`."""
    from remember.migrate.engine import migrate

    documents: list[Document] = []
    for ref in _native(around):
        done = migrate(ref.path, now_ms(), random_bits, dry_run=dry_run, timeout_s=timeout_s)
        files = [{"path": row.path, "action": row.action, "rules": list(row.rules)} for row in done.planned]
        documents.append(
            {
                "store": ref.name,
                "path": ref.path,
                "changed": done.changed and not dry_run,
                "due": done.changed,
                "version": done.version,
                "files": files,
                "backups": list(done.backups),
                "notices": list(done.notices),
            }
        )
    return documents


def roll_back_store(around: Surroundings, name: str, timeout_s: float = 10.0) -> Document:
    """Bring back a backup set of one of the selected stores. Raises as `remember.migrate.rollback.roll_back`."""
    from remember.migrate.backup import names
    from remember.migrate.rollback import roll_back

    wanted = name.rstrip("/").rpartition("/")[2]
    refs = _native(around)
    owners = [ref for ref in refs if wanted in names(ref.path)]
    if not owners:
        there = [found for ref in refs for found in names(ref.path)]
        raise NotFound(f"migration backup {name}", there, "" if there else "no migration has left a backup here", said="there is no ")
    written = roll_back(owners[0].path, wanted, now_ms(), random_bits, timeout_s)
    return {"store": owners[0].name, "path": owners[0].path, "backup": wanted, "files": list(written)}
