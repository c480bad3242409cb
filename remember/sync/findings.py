"""What is wrong with how git carries a store: the findings of `remember check` that only git knows."""

from __future__ import annotations

import os

from remember._named import NamedTuple
from remember.errors import RememberError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from remember.model import StoreRef
    from remember.sync.setup import Place

__all__ = ["GitProblem", "in_git", "problems"]


class GitProblem(NamedTuple):
    """A finding: its code, the path below the store, a sentence, and the severity where it is not the usual one."""

    code: str
    path: str
    message: str
    severity: str = ""


def in_git(folder: str) -> bool:
    """Whether the directory lies in a git work tree, as far as names tell."""
    while not os.path.lexists(os.path.join(folder, ".git")):
        above = os.path.dirname(folder)
        if above == folder:
            return False
        folder = above
    return True


def problems(ref: StoreRef, environ: Mapping[str, str]) -> list[GitProblem]:
    """Everything that git says about a store; [] where it lies in no repository. Nothing is changed."""
    if not os.path.isdir(ref.path) or not in_git(ref.path):
        return []
    from remember.sync.setup import place_of  # most stores lie in no repository, and then nothing of this is needed

    # A repository's own monitor is a program: none is started for a check. The index is not refreshed on disk.
    quiet = {**environ, "GIT_OPTIONAL_LOCKS": "0"}
    try:
        place = place_of(ref, quiet)
        place.git.settings += ["-c", "core.fsmonitor=false"]
        return [*_drivers(place), *_unmerged(place), *_published(place)]
    except RememberError as error:
        if error.exit_status == 2:
            return []  # no git, or a layout that is not merged by memo
        return [GitProblem("R108", "", f"git cannot be asked about this store ({error.message})", "info")]


def _drivers(place: Place) -> list[GitProblem]:
    """Files that git merges in a way that can lose memos or make conflicts where there are none."""
    git = place.git
    names = [place.file] if place.rules.only else [place.file, "notes/x.md"]
    found = []
    fields = git.text("check-attr", "-z", "merge", "--", *names).split("\0")
    for name, chosen in zip(fields[::3], fields[2::3], strict=False):
        shown = name if "/" not in name else "notes/"
        if chosen == "union":
            found.append(GitProblem("R108", shown, "git merges this by union, which mixes lines of two sides without a conflict"))
        elif chosen.startswith("remember-"):
            found += _driver(place, chosen, shown)
    return found


def _driver(place: Place, name: str, shown: str) -> list[GitProblem]:
    done = place.git.run("config", "--get", f"merge.{name}.driver")
    if done.status:
        return [GitProblem("R108", shown, f"the merge driver {name} is not set up in this clone")]
    program = _program(os.fsdecode(done.out))
    if os.path.isabs(program) and not os.access(program, os.X_OK):
        return [GitProblem("R108", shown, f"the program of the merge driver {name} is gone: {program}")]
    return []


def _program(line: str) -> str:
    from shlex import split

    try:
        return split(line.replace("%%", "%"))[0]
    except (ValueError, IndexError):
        return ""


def _unmerged(place: Place) -> list[GitProblem]:
    """Memory files that a merge, rebase or cherry-pick left undecided."""
    paths = dict.fromkeys(entry.partition("\t")[2] for entry in place.git.paths("ls-files", "-u", "-z", "--", "."))
    return [GitProblem("R109", path, "is in conflict in a merge that is not done") for path in paths]


def _published(place: Place) -> list[GitProblem]:
    """Removed knowledge that git carries."""
    if not place.native:
        return []
    tracked = place.git.paths("ls-files", "-z", "--", "recovery", "migrations")
    if not tracked:
        return []
    more = f" and {len(tracked) - 1} more" if len(tracked) > 1 else ""
    return [GitProblem("R110", tracked[0], f"is carried by git{more}: removed memos are published with it")]
