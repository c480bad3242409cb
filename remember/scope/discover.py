"""Finds the local and the global store: roots as git finds repositories, never one that belongs to another user."""

from __future__ import annotations

import os

from remember.errors import NoSuchRoot, NotInitialised
from remember.model import StoreRef

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.scope.config import Config

__all__ = ["canonical_root", "find_root", "global_store", "is_store", "local_store", "main_worktree", "not_initialised"]


def canonical_root(root: str, cwd: str, home: str) -> str:
    """A given root (absolute, `~/` or relative) as a canonical directory. Raises NoSuchRoot."""
    path = root
    if not root or "\0" in root:
        raise NoSuchRoot(repr(root), "it names no directory")
    if path == "~" or path.startswith("~/"):
        path = home + path[1:]
    path = os.path.realpath(os.path.join(cwd, path))
    if not os.path.exists(path):
        raise NoSuchRoot(root)
    if not os.path.isdir(path):
        raise NoSuchRoot(root, "it is no directory", "a root is a workspace's directory; --store names a file of memos or a folder")
    return path


def is_store(path: str) -> bool:
    """Whether a directory is an initialised native store: it has a `MEMORY.md` (whatever is wrong with that)."""
    return os.path.lexists(os.path.join(path, "MEMORY.md"))


def not_initialised(root: str, local_dir: str) -> NotInitialised:
    """The error for a workspace without a store, or with one that lost its facts file."""
    there = os.path.isdir(os.path.join(root, local_dir))
    return NotInitialised(root, local_dir, "has no MEMORY.md" if there else "is not there")


def _ours(path: str) -> bool:
    """Whether the directory belongs to this user (root's own home on a shared machine is no place to pick memory from)."""
    if not hasattr(os, "geteuid"):
        return True
    try:
        return os.stat(path).st_uid == os.geteuid()
    except OSError:
        return False


def find_root(cwd: str, home: str, local_dir: str) -> tuple[str, str]:
    """The workspace that is meant in `cwd`, and the rule that chose it.

    The nearest ancestor with a store of this user's, up to the repository root, or else below the home directory; else,
    in a linked git worktree, the main one; else `cwd` itself.
    """
    cwd = os.path.realpath(cwd)
    if is_store(os.path.join(cwd, local_dir)):
        return cwd, "the working directory"
    top = _repository(cwd)
    for folder in _upwards(cwd, top, os.path.realpath(home)):
        store = os.path.join(folder, local_dir)
        if is_store(store) and _ours(store):
            return folder, f"the nearest directory above with {local_dir}"
    main = main_worktree(top) if top else None
    if main and is_store(os.path.join(main, local_dir)) and _ours(os.path.join(main, local_dir)):
        return main, "the main git worktree"
    return cwd, "the working directory"


def _repository(folder: str) -> str | None:
    while True:
        if os.path.lexists(os.path.join(folder, ".git")):
            return folder
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above


def _upwards(cwd: str, top: str | None, home: str) -> list[str]:
    """The directories above `cwd` in which a store may be meant, nearest first."""
    inside_home = cwd.startswith(home + os.sep)
    if top is None and not inside_home:
        return []
    found = []
    folder = cwd
    while folder != top:
        folder = os.path.dirname(folder)
        if top is None and (folder == home or not folder.startswith(home + os.sep)):
            break
        found.append(folder)
        if folder == os.path.dirname(folder):
            break
    return found


def main_worktree(top: str) -> str | None:
    """The main working tree of a linked git worktree, read from git's own files; None for anything else."""
    link = os.path.join(top, ".git")
    if not os.path.isfile(link):
        return None
    try:
        with open(link, encoding="utf-8", errors="surrogateescape") as file:
            line = file.read(4096)
        if not line.startswith("gitdir:"):
            return None
        private = os.path.normpath(os.path.join(top, line[7:].strip()))
        with open(os.path.join(private, "commondir"), encoding="utf-8", errors="surrogateescape") as file:
            common = os.path.normpath(os.path.join(private, file.read(4096).strip()))
    except (OSError, ValueError):  # ValueError: a path with a NUL in it
        return None
    return os.path.dirname(common) if os.path.basename(common) == ".git" else None


def local_store(root: str | None, cwd: str, config: Config, trusted: frozenset[str]) -> StoreRef:
    """The local store that is meant, initialised or not; a given root is taken exactly. Raises NoSuchRoot."""
    if root is not None:
        folder, why = canonical_root(root, cwd, config.home), "--root"
    else:
        folder, why = find_root(cwd, config.home, config.local_dir)
    path = os.path.join(folder, *config.local_dir.split("/"))
    return StoreRef("local", "local", path, "remember", folder, folder in trusted, False, why)


def global_store(config: Config) -> StoreRef:
    """The user's store."""
    path = config.global_dir
    source = config.values["global_dir"].source
    return StoreRef("global", "global", os.path.realpath(path), "remember", None, True, False, source)
