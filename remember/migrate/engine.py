"""Carries out migration steps: plan, backups, sources compared once more, conversion, marker, verification."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from remember.errors import ChangedOutside, DamagedStore, FutureFormat, UnsafePath
from remember.format import marker
from remember.migrate import backup
from remember.migrate.exclusive import LOCK_NAME, migrating
from remember.migrate.keeping import keeper
from remember.migrate.step import load
from remember.migrate.survey import has_content, survey
from remember.store.lock import locked

if TYPE_CHECKING:
    from collections.abc import Callable

    from remember.migrate.step import File, Plan, Step

__all__ = ["Migrated", "Planned", "migrate", "store_version"]


class Planned(NamedTuple):
    """One file that a migration changes: `action` is `convert`, `remove`, `keep` or `mark`; `rules` are what had to be inferred."""

    path: str
    action: str
    rules: tuple[str, ...]


class Migrated(NamedTuple):
    """What was done to a store, or with `dry_run` would be; `backups` are the sets that were made, `notices` for people."""

    path: str
    changed: bool
    version: int
    planned: tuple[Planned, ...] = ()
    backups: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    dry_run: bool = False


def store_version(path: str, version: int | None) -> int:
    """The format version of a store from its marker's; one without a marker is of version 0 if it has content, else up to date."""
    if version is None:
        return 0 if has_content(path) else marker.VERSION
    return version


def migrate(
    path: str, now_ms: int, bits: Callable[[int], int], *, dry_run: bool = False, timeout_s: float = 10.0
) -> Migrated:
    """Bring the native store at `path` (canonical, absolute) to the present version; nothing is done to one that has it.

    Raises FormatError for what cannot be converted without a guess (nothing is changed then), FutureFormat, Locked,
    ChangedOutside where somebody else wrote meanwhile, UnsafePath for a store behind a link, IOFailure.
    """
    if os.path.realpath(path) != path:
        raise UnsafePath(path, "leads through a symbolic link, and nothing is written through one")
    if _version(path) >= marker.VERSION:
        return Migrated(path, False, marker.VERSION, notices=_left_over(path), dry_run=dry_run)
    with locked(path, timeout_s) as folder:
        done = Migrated(path, False, marker.VERSION, dry_run=dry_run)
        # Another migrator may have done it while we waited for the lock.
        while (version := _version(path)) < marker.VERSION:
            step = load(version)
            files, links = survey(folder, path, step)
            plan = step.plan(files, links)
            done = done._replace(changed=True, planned=(*done.planned, *_planned(step, plan, files)))
            if dry_run:
                break  # the next step's plan would need this one's outcome
            name, notice = _run(folder, path, step, plan, files, now_ms, bits)
            done = done._replace(backups=(*done.backups, name), notices=(*done.notices, *([notice] if notice else ())))
        return done


def _version(path: str) -> int:
    """The store's version, read now. Raises FutureFormat, FormatError, DamagedStore."""
    name = os.path.join(path, marker.NAME)
    try:
        descriptor = os.open(name, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
    except FileNotFoundError:
        return store_version(path, None)
    except OSError as error:
        raise DamagedStore(name, error.strerror or "cannot be read") from error
    try:
        version = marker.read(os.read(descriptor, 1 << 16))
    except OSError as error:
        raise DamagedStore(name, error.strerror or "cannot be read") from error
    finally:
        os.close(descriptor)
    if version > marker.VERSION:
        raise FutureFormat(path, version, marker.VERSION)
    return version


def _left_over(path: str) -> tuple[str, ...]:
    left = os.path.join(path, LOCK_NAME)
    return (f"{left} is left over from a migration that is done; `remember check --repair` removes it",) if os.path.lexists(left) else ()


def _planned(step: Step, plan: Plan, files: dict[str, File]) -> list[Planned]:
    rows = [Planned(edit.path, "remove" if edit.data is None else "convert", tuple(edit.rules)) for edit in plan.edits]
    rows += [Planned(path, "keep", ()) for path in plan.kept]
    return [*rows, Planned(step.MARKER[0], "mark", ())]


def _run(
    folder: int, path: str, step: Step, plan: Plan, files: dict[str, File], now_ms: int, bits: Callable[[int], int]
) -> tuple[str, str]:
    """One step under its lock, its plan being valid; (backup set, notice)."""
    with migrating(folder, path) as notice:
        name = f"v{step.FROM}-to-v{step.TO}-{_uuid(bits)}"
        backup.write(folder, path, backup.manifest_of(name, step, plan, files, now_ms), files)
        again, links = survey(folder, path, step)
        changed = sorted(p for p in again.keys() | files.keys() if again.get(p) != files.get(p))
        if changed or links:
            raise ChangedOutside(f"{path}/{[*changed, *links][0]}", "nothing was converted; run `remember migrate` again")
        step.apply(folder, path, plan, files, keeper(folder, path, now_ms, bits))
        _verify(folder, path, step, plan, files, name)
    return name, notice


def _uuid(bits: Callable[[int], int]) -> str:
    """A random UUID (RFC 9562, version 4)."""
    from uuid import UUID

    return str(UUID(int=bits(128), version=4))


def _verify(folder: int, path: str, step: Step, plan: Plan, files: dict[str, File], name: str) -> None:
    """Read back what was written: the bytes of the plan, the old modes, and nothing left to convert."""
    after, links = survey(folder, path, step)
    hint = f"the originals are in {path}/{backup.FOLDER}/{name}; `remember migrate --rollback {name}` brings them back"
    for edit in plan.edits:
        found = after.get(edit.path)
        if (None if found is None else found.data) != edit.data or (found is not None and found.mode != files[edit.path].mode):
            raise DamagedStore(f"{path}/{edit.path}", "is not what the migration wrote", hint)
    if step.MARKER[0] not in after or after[step.MARKER[0]].data != step.MARKER[1] or step.plan(after, links).edits:
        raise DamagedStore(path, "has legacy content after its migration", hint)
