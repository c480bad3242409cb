"""Sharing a store between machines: the door to `remember.sync` for every face."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from remember.check.findings import Finding
    from remember.memory.context import Surroundings
    from remember.model import StoreRef
    from remember.sync.setup import Done
    from remember.sync.share import Shared

    Document = dict[str, object]

__all__ = ["git_findings", "git_setup", "git_setup_document", "git_sync", "git_sync_document", "shared_store"]


def git_findings(ref: StoreRef, environ: Mapping[str, str], severities: Mapping[str, str]) -> list[Finding]:
    """What git says about how it carries a store."""
    from remember.check.findings import Reporter
    from remember.sync.findings import problems

    report = Reporter(ref, severities)
    for problem in problems(ref, environ):
        report.add(problem.code, problem.path, 0, problem.message, problem.severity)
    return report.findings


def shared_store(around: Surroundings) -> StoreRef:
    """The store that a `git` command means: the local one unless said otherwise; it is never migrated for that."""
    from remember.scope.select import choose_one

    return choose_one(around.config, around.cwd, around.root, around.scope, around.stores)


def git_setup(around: Surroundings, undo: bool = False, dry_run: bool = False) -> Done:
    """Put the merge driver into the repository of a store, or take it out. Raises RefusedInput, IOFailure."""
    from remember.memory.agents import own_command
    from remember.sync.setup import install, place_of, uninstall

    place = place_of(shared_store(around), around.environ)
    return uninstall(place, dry_run) if undo else install(place, own_command(), dry_run)


def git_setup_document(done: Done, dry_run: bool) -> Document:
    """The same for programs."""
    return {**done._asdict(), "changes": list(done.changes), "notes": list(done.notes), "dry_run": dry_run}


def git_sync(around: Surroundings, push: bool = False, timeout_s: float = 10.0) -> Shared:
    """Commit a store's files and exchange commits with the remote. Raises Conflict, Locked, RefusedInput, IOFailure."""
    from remember.memory.agents import own_command
    from remember.sync.setup import place_of
    from remember.sync.share import share

    return share(place_of(shared_store(around), around.environ), own_command(), push, timeout_s)


def git_sync_document(done: Shared) -> Document:
    """The same for programs."""
    return {
        **done._asdict(),
        "commit": done.commit or None,
        "remote": done.remote or None,
        "offline": done.offline or None,
        "files": list(done.files),
        "notes": list(done.notes),
    }
