"""Whether a store is there and of a known format, and what lies about in it (1xx, 801, 803, 903)."""

from __future__ import annotations

import os

from remember.check.backups import backup_sets, begun, damaged
from remember.errors import DamagedStore, FormatError, RememberError, TooLarge, UnsafePath
from remember.files.safe import Place, open_folder, read_bytes
from remember.format import marker

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.check.findings import Reporter
    from remember.check.tree import Tree

__all__ = ["MIGRATION_LOCK", "facts_file", "format_state", "migrations", "modes", "present", "times", "wide"]

MIGRATION_LOCK = ".pi-remember-migration.lock"
_AHEAD_MS = 120_000


def present(report: Reporter) -> bool:
    """Whether the store can be looked at at all (R101), and whether it is trusted (R903)."""
    ref = report.ref
    if not os.path.lexists(ref.path):
        report.add("R101", "", 0, "the store's directory is not there")
        return False
    if ref.file and not os.path.lexists(ref.place):
        report.add("R101", "", 0, "the store's file is not there")
        return False
    if not os.path.isdir(ref.path):
        report.add("R101", "", 0, "is no directory")
        return False
    real = os.path.realpath(ref.path)
    if ref.root is not None and real != ref.path and not (real + os.sep).startswith(os.path.realpath(ref.root) + os.sep):
        report.add("R101", "", 0, f"is a link that leaves its workspace, to {real}")
        if not ref.trusted:
            return False
    if not ref.trusted:
        report.add("R903", "", 0, f"the store of {ref.root} is not trusted: it is neither injected nor served")
    return True


def format_state(report: Reporter, tree: Tree) -> str:
    """`current`, `legacy`, `future` or `damaged`, by the marker (R102, R103, R104)."""
    folder = -1
    try:
        folder = open_folder(os.path.realpath(report.ref.path))
        with Place(folder, report.ref.path, marker.NAME) as spot:
            version = marker.read(read_bytes(spot, 1 << 16)[0])
    except FileNotFoundError:
        if any(node.memory and node.kind == "file" and node.stat.st_size for node in tree.nodes):
            report.add("R102", marker.NAME, 0, "there is no format marker, so this is a store of the legacy format", fix="migrate")
            return "legacy"
        return "current"
    except FormatError as error:
        report.add("R103", marker.NAME, 1, error.problems[0][1])
        return "damaged"
    except (DamagedStore, UnsafePath, TooLarge) as error:
        report.add("R103", marker.NAME, 0, error.message)
        return "damaged"
    except RememberError as error:
        report.add("R408", marker.NAME, 0, f"cannot be looked at: {error.message}")
        return "damaged"
    finally:
        if folder >= 0:
            os.close(folder)
    if version > marker.VERSION:
        report.add("R104", marker.NAME, 1, f"the format version is {version}; this program knows up to {marker.VERSION}")
        return "future"
    if version == 0:
        report.add("R102", marker.NAME, 1, "the format version is 0, the legacy format", fix="migrate")
        return "legacy"
    return "current"


def facts_file(report: Reporter, tree: Tree) -> None:
    """R101 for a store that was made and lost its facts file, without which no command takes the directory for a store."""
    names = {node.path for node in tree.nodes if "/" not in node.path}
    if marker.NAME in names and "MEMORY.md" not in names:
        report.add("R101", "MEMORY.md", 0, "is not there, so no command takes the directory for a store")


def migrations(report: Reporter, tree: Tree, state: str) -> None:
    """Interrupted migrations (R105), damaged backups (R106), left-over locks (R801)."""
    lock = any(node.path == MIGRATION_LOCK for node in tree.nodes)
    sets = backup_sets(report.ref.path)
    if state == "legacy":
        started = [f"migrations/{name}" for name in sets if lock or begun(report.ref.path, name)] or [MIGRATION_LOCK] * lock
        if started:
            report.add("R105", started[-1], 0, f"{started[-1]} is there, but the marker is not")
    elif lock and state == "current":
        report.add("R801", MIGRATION_LOCK, 0, "is left over from a migration that is done")
    if any(node.path == ".remember-lock" for node in tree.nodes) and _has_flock():
        report.add("R801", ".remember-lock", 0, "is left over; here locks need no file")
    for name in sets:
        for path, message in damaged(report.ref.path, name):
            report.add("R106", f"migrations/{name}/{path}", 0, message)


def _has_flock() -> bool:
    try:
        import fcntl
    except ImportError:
        return False
    return hasattr(fcntl, "flock")


def modes(report: Reporter, tree: Tree) -> None:
    """One finding for everything of ours that other users may read (R107)."""
    ours = [
        path
        for path, kind, _, found in tree.nodes
        if found.st_mode & 0o077 and (kind == "file" or kind == "folder") and (path[:6] == "notes/" or wide(path, found.st_mode))
    ]
    open_ = ([""] if tree.stat.st_mode & 0o077 else []) + sorted(ours)
    if open_:
        first = open_[0] or "the store's directory"
        more = f" and {len(open_) - 1} more" if len(open_) > 1 else ""
        report.add("R107", "", 0, f"{first}{more} can be read by other users")


def wide(path: str, mode: int) -> bool:
    """Whether something that we make (facts, notes, marker, records) has wider permissions than 0600 and 0700."""
    ours = path in ("MEMORY.md", marker.NAME, "notes", "recovery", "migrations") or path.startswith("notes/")
    return ours and bool(mode & 0o077)


def times(report: Reporter, tree: Tree, now_ms: int) -> None:
    """One finding for files whose time lies ahead of the clock (R803)."""
    latest_ns = (now_ms + _AHEAD_MS + 1) * 1_000_000
    ahead = sorted([node.path for node in tree.nodes if node.stat.st_mtime_ns >= latest_ns and node.memory])
    if ahead:
        more = f", and {len(ahead) - 1} more" if len(ahead) > 1 else ""
        report.add("R803", ahead[0], 0, f"was changed in the future, says its time{more}")
