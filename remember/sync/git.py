"""Runs git in a directory: its answers as text, its refusals as errors, nothing of a surrounding git call left in the way."""

from __future__ import annotations

import os

from remember._named import NamedTuple
from remember.errors import IOFailure, RefusedInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["Done", "Git", "Repository", "find"]

# What git sets for hooks and aliases and would understand as another repository (`git rev-parse --local-env-vars`).
_LOCAL = frozenset(
    f"GIT_{name}"
    for name in (
        *("DIR", "WORK_TREE", "INDEX_FILE", "PREFIX", "OBJECT_DIRECTORY", "ALTERNATE_OBJECT_DIRECTORIES", "COMMON_DIR", "CONFIG"),
        *("CONFIG_PARAMETERS", "CONFIG_COUNT", "GRAFT_FILE", "IMPLICIT_WORK_TREE", "INTERNAL_SUPER_PREFIX", "NAMESPACE"),
        *("NO_REPLACE_OBJECTS", "REPLACE_REF_BASE", "SHALLOW_FILE", "LITERAL_PATHSPECS", "GLOB_PATHSPECS", "ICASE_PATHSPECS"),
    )
)


class Done(NamedTuple):
    """How a git command ended: its status, its output and what it said."""

    status: int
    out: bytes
    said: str

    @property
    def reason(self) -> str:
        """The last thing that git said which is no advice, without its `fatal:`."""
        lines = [line.strip() for line in self.said.splitlines() if line.strip() and not line.startswith("hint:")]
        marked = [line for line in lines if line.startswith(("fatal:", "error:"))]
        line = (marked or lines or [f"exit status {self.status}"])[0]
        return line.removeprefix("fatal:").removeprefix("error:").strip()


class Git:
    """git in one directory; `settings` are given to every command as `-c`."""

    def __init__(self, folder: str, environ: Mapping[str, str], settings: Sequence[str] = ()) -> None:
        self.folder = folder
        kept = {key: value for key, value in environ.items() if key not in _LOCAL}
        self.environ = {**kept, "LC_ALL": "C", "GIT_MERGE_AUTOEDIT": "no"}
        self.settings = [word for setting in settings for word in ("-c", setting)]

    def at(self, folder: str) -> Git:
        """The same git in another directory."""
        other = Git(folder, self.environ)
        other.settings = self.settings
        return other

    def run(self, *words: str, given: bytes = b"") -> Done:
        """One command as it ends. Raises RefusedInput where there is no git."""
        import subprocess

        literal = () if words[0] == "check-ignore" else ("--literal-pathspecs",)  # the one command that knows no literal paths
        command = ["git", *literal, *self.settings, *words]
        try:
            done = subprocess.run(command, cwd=self.folder, env=self.environ, input=given, capture_output=True, check=False)
        except FileNotFoundError as error:
            raise RefusedInput("git cannot be run; it is not installed, or not on the path", "install git 2.31 or newer") from error
        except OSError as error:
            raise IOFailure("git", error) from error
        return Done(done.returncode, done.stdout, done.stderr.decode("utf-8", "replace"))

    def text(self, *words: str, given: bytes = b"") -> str:
        """The output of a command that must succeed, without its last line end. Raises IOFailure."""
        done = self.run(*words, given=given)
        if done.status:
            raise IOFailure(f"git {words[0]}", done.reason, "git has the last word here: mend what it says and repeat the command")
        return os.fsdecode(done.out).removesuffix("\n")

    def ignores(self, path: str) -> str:
        """The rule by which git ignores a path, tracked or not; "" where it does not. Raises IOFailure."""
        done = self.run("check-ignore", "-v", "--no-index", "--", path)
        if done.status > 1:
            raise IOFailure("git check-ignore", done.reason, "git has the last word here: mend what it says and repeat the command")
        return os.fsdecode(done.out).split("\t")[0] if done.status == 0 else ""

    def paths(self, *words: str, given: bytes = b"") -> list[str]:
        """The NUL-separated names that a command prints (`-z`). Raises IOFailure."""
        return [path for path in self.text(*words, given=given).split("\0") if path]


class Repository(NamedTuple):
    """Where a store lies in git: the work tree's top, git's directories, and the store's path below the top ("" for the top)."""

    top: str
    folder: str
    common: str
    prefix: str

    @property
    def whole(self) -> bool:
        """Whether the repository holds nothing but the store."""
        return not self.prefix


def find(git: Git) -> Repository | None:
    """The repository of git's directory; None where there is none. Raises IOFailure where git refuses to look."""
    done = git.run("rev-parse", "--show-toplevel", "--absolute-git-dir", "--git-common-dir", "--show-prefix")
    if done.status:
        if "not a git repository" in done.said or "must be run in a work tree" in done.said:
            return None
        raise IOFailure("git rev-parse", done.reason, "git has the last word here: mend what it says and repeat the command")
    top, folder, common, prefix = os.fsdecode(done.out).split("\n")[:4]
    return Repository(top, folder, os.path.normpath(os.path.join(git.folder, common)), prefix.rstrip("/"))
