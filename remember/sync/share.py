"""`git sync`: commits what belongs to the store, and where it may, fetches, merges and pushes.

The store's lock is held while git changes memory files, so that no writer of ours is overtaken; git itself refuses to
overwrite what an editor changed meanwhile. Files that are no memory are never staged, committed, stashed or merged.
"""

from __future__ import annotations

import os

from remember._named import NamedTuple
from remember.errors import Conflict, IOFailure
from remember.format.problems import conflict_lines
from remember.layouts.layout import is_outside
from remember.store.lock import locked
from remember.sync.reach import failure, is_offline, said
from remember.sync.setup import chosen_driver, settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from remember.sync.git import Git
    from remember.sync.setup import Place

__all__ = ["Shared", "is_memory", "share"]

_TRIES = 8
_ZERO_WAIT_S, _LONGEST_WAIT_S = 0.05, 2.0
_ALONGSIDE = frozenset({".gitattributes", ".gitignore", "pi-remember.json"})
"""Files of a native store that are not memory, but belong to it."""


class Shared(NamedTuple):
    """What a sync did: the commit it made with the files in it, how the other side's came in, whether ours went out.

    `merged` is `nothing`, `fast-forward` or `merge`; `offline` says why no network led to the remote, "" where one did or it was
    not to be asked; `remote` is "" where the repository has none; `notes` are for people.
    """

    repository: str
    store: str
    whole: bool
    commit: str
    files: tuple[str, ...]
    merged: str = "nothing"
    pushed: bool = False
    remote: str = ""
    offline: str = ""
    notes: tuple[str, ...] = ()


class _Remote(NamedTuple):
    """Where commits go: the remote, the branch there, and the ref that stands for it here."""

    name: str
    branch: str
    ref: str


def share(place: Place, command: Sequence[str], push: bool = False, timeout_s: float = 10.0) -> Shared:
    """Commit the store's changed files, then exchange commits with the remote where that touches nothing but memory.

    In a repository of its own a store is merged and pushed; in a project's only with `push`. Raises Conflict (an unfinished
    merge, conflict markers, a merge in conflict, commits of other files), Locked, IOFailure, RefusedInput; each says how to
    go on.
    """
    # The drivers are given with each command, so that a clone in which `git setup` was never run merges well all the same.
    place.git.settings += [word for key, value in settings(command).items() for word in ("-c", f"{key}={value}")]
    with locked(place.folder, timeout_s):
        _refuse_unfinished(place)
        commit, files = _commit(place)
    done = Shared(place.repository.top, place.folder, place.whole, commit, tuple(files), notes=_by_line(place))
    if not (done.whole or push):
        note = "not pushed: this is the repository of more than memory; `--push` pushes commits of memory alone"
        return done._replace(notes=(*done.notes, note))
    remote = _remote(place.git)
    if remote is None:
        return done._replace(notes=(*done.notes, "there is no remote to share with: `git remote add origin ADDRESS`"))
    return _exchange(place, done._replace(remote=remote.name), remote, timeout_s)


def is_memory(place: Place, path: str) -> bool:
    """Whether a path below the repository's top is a file of the store."""
    prefix = place.repository.prefix
    if prefix and not path.startswith(prefix + "/"):
        return False
    inside = path[len(prefix) + 1 :] if prefix else path
    if place.native and inside in _ALONGSIDE:
        return True
    return not is_outside(place.rules, inside)


def _by_line(place: Place) -> tuple[str, ...]:
    """What there is to say where no attribute asks for the drivers, so that they are not used although they are given."""
    return (
        ()
        if chosen_driver(place).startswith("remember-")
        else ("git merges this store by line; `remember git setup` makes it merge by memo",)
    )


# What stands in the way.


def _refuse_unfinished(place: Place) -> None:
    """Raise Conflict while a merge, rebase or cherry-pick is open, and say how to go on."""
    folder = place.repository.folder
    entries = place.git.at(place.repository.top).paths("ls-files", "-u", "-z")
    unmerged = list(dict.fromkeys(entry.partition("\t")[2] for entry in entries))
    running = {
        "MERGE_HEAD": ("merge", "git commit --no-edit", "git merge --abort"),
        "rebase-merge": ("rebase", "git rebase --continue", "git rebase --abort"),
        "rebase-apply": ("rebase", "git rebase --continue", "git rebase --abort"),
        "CHERRY_PICK_HEAD": ("cherry-pick", "git cherry-pick --continue", "git cherry-pick --abort"),
        "REVERT_HEAD": ("revert", "git revert --continue", "git revert --abort"),
    }
    for name, (what, go_on, give_up) in running.items():
        if os.path.lexists(os.path.join(folder, name)):
            raise _open_merge(place, what, unmerged, go_on, give_up)
    if unmerged:
        raise _open_merge(place, "merge", unmerged, "git commit", "git reset --merge")


def _open_merge(place: Place, what: str, unmerged: Sequence[str], go_on: str, give_up: str) -> Conflict:
    where = f" in {place.repository.top}"
    if not unmerged:
        return Conflict(f"a {what} is open{where}, and nothing is in conflict any more", f"`{go_on}` ends it, `{give_up}` gives it up")
    names = ", ".join(unmerged[:10]) + (" …" if len(unmerged) > 10 else "")
    hint = f"settle each (docs/git.md), `git add` it, then `{go_on}`; `{give_up}` gives the {what} up. `remember check` finds the markers"
    return Conflict(f"a {what} is open{where}; in conflict: {names}", hint)


# The commit.


def _changed(place: Place) -> list[str]:
    """The store's files that differ from the last commit, as paths below the top."""
    entries = place.git.paths("status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames", "--", place.folder)
    return [entry[3:] for entry in entries if is_memory(place, entry[3:])]


def _commit(place: Place) -> tuple[str, list[str]]:
    """Commit the store's changed files and no others; (commit, paths below the top), ("", []) where nothing changed."""
    changed = _changed(place)
    if not changed:
        return "", []
    top = place.repository.top
    for path in changed:
        _refuse_markers(os.path.join(top, path), path)
    listed = b"".join(os.fsencode(path) + b"\0" for path in changed)
    there = b"".join(os.fsencode(path) + b"\0" for path in changed if os.path.lexists(os.path.join(top, path)))
    git = place.git.at(top)
    from_list = ("--pathspec-from-file=-", "--pathspec-file-nul")
    if there:
        git.text("add", *from_list, given=there)
    message = f"memory: {len(changed)} file{'s' if len(changed) > 1 else ''}"
    done = git.run("commit", "--quiet", "--only", "-m", message, *from_list, given=listed)
    if done.status:
        raise IOFailure("git commit", done.reason, "nothing was committed; mend what git (or a hook of the repository) says, then repeat")
    return git.text("rev-parse", "--short=12", "HEAD"), changed


def _refuse_markers(file: str, path: str) -> None:
    try:
        with open(file, "rb") as opened:
            data = opened.read()
    except FileNotFoundError:
        return
    except OSError as error:
        raise IOFailure(file, error) from error
    lines = conflict_lines(data.decode("utf-8", "surrogateescape")) if b"<<<<<<<" in data else []
    if lines:
        hint = "settle the conflict and delete the markers (docs/git.md), then sync again"
        raise Conflict(f"{path}:{lines[0]}: conflict markers; it is not committed", hint)


# The exchange.


def _remote(git: Git) -> _Remote | None:
    """The upstream of the current branch, or the one remote there is with a branch of the same name; None without any.

    Raises Conflict for a detached HEAD.
    """
    branch = os.fsdecode(git.run("symbolic-ref", "--quiet", "--short", "HEAD").out).strip()
    if not branch:
        raise Conflict("no branch is checked out, so there is nothing to share", "check one out: `git switch BRANCH`")
    name = os.fsdecode(git.run("config", "--get", f"branch.{branch}.remote").out).strip()
    there = os.fsdecode(git.run("config", "--get", f"branch.{branch}.merge").out).strip().removeprefix("refs/heads/")
    if name and there:
        return _Remote(name, there, f"refs/remotes/{name}/{there}")
    names = git.text("remote").split()
    name = "origin" if "origin" in names else names[0] if len(names) == 1 else ""
    return _Remote(name, branch, f"refs/remotes/{name}/{branch}") if name else None


def _exchange(place: Place, done: Shared, remote: _Remote, timeout_s: float) -> Shared:
    """Fetch, merge and push, again where somebody else pushed meanwhile."""
    import random
    import time

    for attempt in range(_TRIES):
        if attempt:
            # Two machines that try in step would keep each other out.
            time.sleep(random.uniform(0, min(_ZERO_WAIT_S * 2**attempt, _LONGEST_WAIT_S)))
        fetched = place.git.run("fetch", "--quiet", remote.name)
        if fetched.status and is_offline(fetched):
            return done._replace(offline=said(fetched))
        if fetched.status:
            raise failure(fetched, f"git fetch {remote.name}")
        how = _merge(place, remote, timeout_s)
        done = done._replace(merged=done.merged if how == "nothing" else how)
        if not _ahead(place.git, remote):
            return done
        if _push(place.git, remote):
            return done._replace(pushed=True)
    raise Conflict(f"{remote.name} was pushed to by others {_TRIES} times in a row", "sync again; what was committed stays")


def _known(git: Git, ref: str) -> bool:
    return git.run("rev-parse", "--verify", "--quiet", ref + "^{commit}").status == 0


def _ahead(git: Git, remote: _Remote) -> bool:
    """Whether there are commits here that the remote has not."""
    if not _known(git, "HEAD"):
        return False
    return not _known(git, remote.ref) or git.text("rev-list", "--max-count=1", f"{remote.ref}..HEAD") != ""


def _others(place: Place, span: Sequence[str]) -> list[str]:
    """Files that are no memory in the commits of a range."""
    paths = place.git.paths("log", "--format=", "--name-only", "-z", "--no-renames", "-c", "--root", *span, "--")
    return sorted({path for path in (path.strip("\n") for path in paths) if path and not is_memory(place, path)})


def _merge(place: Place, remote: _Remote, timeout_s: float) -> str:
    """Bring in what the remote has; how that was done. Raises Conflict."""
    git = place.git
    there = _known(git, remote.ref)
    if not place.whole:
        _refuse_others(place, remote, there)
    if not there:
        return "nothing"
    if not _known(git, "HEAD"):
        with locked(place.folder, timeout_s):
            git.text("merge", "--ff-only", "--quiet", remote.ref)
        return "fast-forward"
    if not git.text("rev-list", "--max-count=1", f"HEAD..{remote.ref}"):
        return "nothing"
    ahead = _ahead(git, remote)
    with locked(place.folder, timeout_s):
        words = ("--no-edit", "-m", f"memory: merge of {remote.name}/{remote.branch}") if ahead else ("--ff-only",)
        merged = git.run("merge", "--quiet", *words, remote.ref)
        if merged.status:
            _refuse_unfinished(place)
            raise Conflict(
                f"git does not merge: {merged.reason}", "nothing was merged; what was committed stays. Mend what git says, then sync again"
            )
    return "merge" if ahead else "fast-forward"


def _refuse_others(place: Place, remote: _Remote, there: bool) -> None:
    """In a project's repository: raise Conflict where pushing or merging would move other files than memory."""
    if not there:
        raise Conflict(f"{remote.name} has no branch {remote.branch} yet", f"push it yourself first: `git push -u {remote.name} HEAD`")
    mine = _others(place, [f"{remote.ref}..HEAD"])
    if mine:
        hint = "push them yourself (`git push`), or on a branch of their own; the commit of memory stays"
        raise Conflict(f"unpushed commits touch other files than memory: {_few(mine)}", hint)
    theirs = _others(place, [f"HEAD..{remote.ref}"])
    if theirs:
        hint = "take them in yourself (`git pull`), then sync again; the commit of memory stays"
        raise Conflict(f"{remote.name}/{remote.branch} has commits that touch other files than memory: {_few(theirs)}", hint)


def _few(paths: Sequence[str]) -> str:
    return ", ".join(paths[:5]) + (f" and {len(paths) - 5} more" if len(paths) > 5 else "")


def _push(git: Git, remote: _Remote) -> bool:
    """Push the current branch; False where somebody else was faster. Raises IOFailure for any other refusal."""
    done = git.run("push", "--quiet", "--porcelain", "--set-upstream", remote.name, f"HEAD:refs/heads/{remote.branch}")
    if done.status == 0:
        return True
    told = done.out.decode("utf-8", "replace") + done.said
    if any(word in told for word in ("fetch first", "non-fast-forward", "cannot lock ref", "failed to update ref", "stale info")):
        return False
    raise failure(done, f"git push {remote.name}")
