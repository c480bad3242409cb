"""Repairs beside the memory files: permissions, temporary files of dead writers, records that mean nothing, left-over locks."""

from __future__ import annotations

import os

from remember.check.store import MIGRATION_LOCK, wide
from remember.errors import IOFailure, Locked
from remember.files.safe import Place, Spot, open_folder, open_regular, read_bytes
from remember.files.temporary import unlink, writer_of
from remember.store.commit import Writer
from remember.store.records import DONE, KeptItem, Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.check.run import Subject
    from remember.check.steps import Means, Repair

__all__ = ["loose"]

_LIMIT = 64 << 20


def loose(subject: Subject, step: Repair, means: Means) -> str | None:
    """Take one such step; the ID of the record that it saved, if any. Raises RememberError, OSError."""
    if step.code == "R107":
        _private(subject)
        return None
    if step.code == "R801" and step.path == MIGRATION_LOCK:
        _remove_free_lock(subject)
        return None
    with Writer(subject.ref.path, subject.recovery, means.now_ms, means.bits, means.timeout_s) as writer:
        if step.code == "R702":
            if writer.journal.load(step.memo).state == DONE:
                writer.journal.drop(step.memo)
            return None
        if step.code == "R801":
            unlink(Spot(writer.folder, step.path, f"{subject.ref.path}/{step.path}"))
            return None
        return _keep(writer, step, means)


def _private(subject: Subject) -> None:
    """Take group and others' permissions from what is ours; what is a link is left alone."""
    from remember.check.tree import look
    from remember.layouts import layout_of

    tree = look(subject.ref.path, layout_of(subject.ref).rules)
    os.chmod(subject.ref.path, tree.stat.st_mode & 0o7700)
    for node in tree.nodes:
        if node.kind in ("file", "folder") and wide(node.path, node.stat.st_mode):
            flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
            descriptor = os.open(os.path.join(subject.ref.path, node.path), flags)
            try:
                os.fchmod(descriptor, node.stat.st_mode & 0o7700)
            finally:
                os.close(descriptor)


def _remove_free_lock(subject: Subject) -> None:
    """Remove a migration's lock file if nobody holds it."""
    import fcntl

    folder = open_folder(subject.ref.path)
    try:
        spot = Spot(folder, MIGRATION_LOCK, f"{subject.ref.path}/{MIGRATION_LOCK}")
        descriptor = open_regular(spot)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            unlink(spot)
        except BlockingIOError as error:
            raise Locked(spot.shown, 0.0) from error
        finally:
            os.close(descriptor)
    finally:
        os.close(folder)


def _keep(writer: Writer, step: Repair, means: Means) -> str | None:
    """Put a temporary file of a dead writer into a recovery record and remove it; an empty one is just removed."""
    parents, _, name = step.path.rpartition("/")
    if writer_of(name) is None:
        raise IOFailure(step.path, "it is no temporary file of ours")
    with Place(writer.folder, writer.path, f"{parents}/x" if parents else "x") as beside:
        spot = Spot(beside.folder, name, f"{writer.path}/{step.path}")
        data, _ = read_bytes(spot, _LIMIT)
        saved = None
        if data:
            saved = writer.journal.new_id(means.now_ms, means.bits, False)
            item = KeptItem(f"{parents}/{name[1:]}" if parents else name[1:], data)
            writer.journal.save(Record(saved, "repair", means.now_ms, f"the temporary file {step.path} of a dead writer", DONE, (item,)))
        unlink(spot)
    return saved
