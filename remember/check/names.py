"""What is odd about names, links and kinds of files (4xx); content is not looked at."""

from __future__ import annotations

import os

from remember.check.copies import difference
from remember.check.plain import are_plain_names
from remember.files.temporary import writer_of
from remember.format.copies import original_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.check.findings import Reporter
    from remember.check.tree import Node, Tree

__all__ = ["names", "temporary"]

_RESERVED = frozenset(["con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10))])
_FORBIDDEN = frozenset('<>:"|?*\\')
_LONGEST_NAME_BYTES, _LONGEST_PATH = 240, 220
OLD_S = 10
"""A temporary file of ours is a dead writer's when it is older than this, the time that writers wait for each other."""


def names(report: Reporter, tree: Tree, now_ms: int) -> None:
    """Every finding about names."""
    memory = [node for node in tree.nodes if node.memory]
    _collisions(report, tree)
    siblings = {node.path for node in tree.nodes}
    for node in _odd(memory):
        _portable(report, node)
        copy_of = original_of(node.path, siblings.__contains__)
        if copy_of is not None and (copy_of == "" or not _numbered(node.name) or _alike(report.ref.path, node.path, copy_of)):
            how = difference(report.ref.path, node.path, copy_of) if copy_of and node.kind == "file" else ""
            report.add("R405", node.path, 0, f"looks like a conflict copy of {copy_of or 'another file'}{how and f' ({how})'}")
        if node.kind == "other" or (node.kind == "folder" and "." in node.name):
            report.add("R408", node.path, 0, "is no regular file, so it is not read", "warning")
    for node in tree.nodes:
        if node.memory and node.kind == "file" and node.path[-1] not in "~#":
            continue  # neither hidden nor of an editor's form
        if node.kind == "folder" and node.name[0] != "." and not are_plain_names((node.path,)):
            _portable(report, node)
        if node.kind == "link" and not node.name.startswith("."):
            _link(report, node)
        elif node.kind in ("file", "link"):
            _debris(report, node, now_ms)
    for path, reason in tree.unreadable:
        report.add("R408", path, 0, f"cannot be looked at: {reason}")


def _odd(memory: list[Node]) -> list[Node]:
    """The nodes whose name or kind has to be looked at one by one."""
    if are_plain_names([node.path for node in memory]):
        return [node for node in memory if node.kind != "file"]
    return [node for node in memory if node.kind != "file" or not are_plain_names((node.path,))]


def _collisions(report: Reporter, tree: Tree) -> None:
    from unicodedata import normalize

    paths = [node.path for node in tree.nodes if node.memory or node.kind == "folder"]
    joined = "\0".join(paths)
    if joined.isascii() and len(set(joined.lower().split("\0"))) == len(paths):
        return
    folded: dict[str, str] = {}
    composed: dict[str, str] = {}
    for path in sorted(paths):
        other = composed.setdefault(path if path.isascii() else normalize("NFC", path), path)
        if other != path:
            report.add("R403", path, 0, f"is the same name as {other} in another normalisation")
            continue
        other = folded.setdefault(path.casefold(), path)
        if other != path:
            report.add("R402", path, 0, f"is the same name as {other} but for case")


def _portable(report: Reporter, node: Node) -> None:
    name = node.name
    bad = _FORBIDDEN.intersection(name)
    control = not name.isprintable() and any(char < " " for char in name)
    if bad or control:
        what = "control characters" if control else " ".join(sorted(bad))
        report.add("R404", node.path, 0, f"the name holds {what}, which Windows does not allow")
    elif name.split(".")[0].lower() in _RESERVED:
        report.add("R404", node.path, 0, "the name is reserved on Windows")
    elif node.kind != "folder" and (" /" in node.path or "./" in node.path):
        report.add("R404", node.path, 0, "a part of the path ends with a blank or a dot, which Windows drops")
    elif len(node.path) > _LONGEST_PATH or len(os.fsencode(name)) > _LONGEST_NAME_BYTES:
        report.add("R404", node.path, 0, "the name is too long for some systems")


def _numbered(name: str) -> bool:
    """Whether a name ends in a bare number, as iCloud names copies and people name chapters."""
    return name.removesuffix(".md")[-2:-1] == " " and name.removesuffix(".md")[-1:].isdigit()


def _alike(store: str, path: str, other: str) -> bool:
    """Whether two files have at least half of their lines in common, as a copy and its original have."""
    try:
        one, two = (_lines(os.path.join(store, name)) for name in (path, other))
    except OSError:
        return False
    return bool(one) and len(one & two) * 2 >= min(len(one), len(two))


def _lines(path: str) -> set[bytes]:
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
    descriptor = os.open(path, flags)
    try:
        return {line.strip() for line in os.read(descriptor, 1 << 16).split(b"\n")} - {b"", b"---"}
    finally:
        os.close(descriptor)


def _link(report: Reporter, node: Node) -> None:
    store = os.path.realpath(report.ref.path)
    path = os.path.join(report.ref.path, node.path)
    try:
        target = os.readlink(path)
    except OSError as error:
        report.add("R408", node.path, 0, f"cannot be looked at: {error.strerror}")
        return
    if ".git/annex/objects/" in target:
        report.add("R318", node.path, 0, "is a link of git-annex; its content is not read through it")
        return
    if not (node.memory or node.path == "notes" or os.path.isdir(path)):
        return
    try:
        os.stat(path)
        real = os.path.realpath(path)
        inside = real == store or real.startswith(store + os.sep)
        what = "leads to another place of the store" if inside else "leads out of the store"
    except FileNotFoundError:
        what = "leads to nothing"
    except OSError as error:
        from errno import ELOOP

        what = "leads round in a circle" if error.errno == ELOOP else f"leads nowhere ({error.strerror})"
    report.add("R407", node.path, 0, f"is a symbolic link that {what}; it is not followed")


def _debris(report: Reporter, node: Node, now_ms: int) -> None:
    name = node.name
    if writer_of(name) is not None:
        temporary(report, node.path, node.stat, now_ms)
    elif name.startswith(".") and name.endswith(".md.icloud"):
        report.add("R313", node.path, 0, "is a placeholder of a file that iCloud keeps elsewhere", "unknown")
    elif ".md" in name and _is_editors(name):
        report.add("R406", node.path, 0, "is an editor's", fix="-")


def temporary(report: Reporter, path: str, found: os.stat_result, now_ms: int) -> None:
    """A temporary file of ours, if it is so old that its writer must be dead (R406)."""
    if now_ms - found.st_mtime_ns // 1_000_000 > OLD_S * 1000:
        report.add("R406", path, 0, "is a temporary file of a writer that ended too early")


def _is_editors(name: str) -> bool:
    """Emacs' lock and save files, backups, Vim's swap files."""
    if name.startswith(".#") or name.endswith("~") or (name[0] == "#" and name.endswith("#")):
        return True
    return name.startswith(".") and name.endswith((".swp", ".swo"))
