"""Every error a user can cause, in one tree; each knows its code word, its exit status and what to do next.

RememberError
├── RefusedInput          refused_input    2   text or an option that cannot be taken as it is
│   ├── UsageError        usage            2   a command line that is not understood
│   ├── SecretRefused     secret           2   text that looks like a credential
│   └── UnsafePath        unsafe_path      2   a path outside the store, or through a link
├── ScopeError
│   ├── NoSuchRoot        no_such_root     2   the workspace directory is not there
│   ├── NotInitialised    not_initialised  2   the store was never made
│   ├── NotTrusted        not_trusted      2   a store that came with a repository
│   └── UnknownStore      unknown_store    2   no store of that name
├── NotFound              not_found        1   no such memo, record or path
├── Conflict              conflict         3   the world is not as the change needs it
│   ├── ChangedOutside    changed          3   somebody else wrote meanwhile
│   ├── Ambiguous         ambiguous        3   one name, several memos
│   ├── Duplicate         duplicate        3   a memo that is there already, with other content
│   ├── PathTaken         path_taken       3   a file of that name exists
│   └── Locked            locked           3   another writer holds the store
├── FormatError           format           4   a file that breaks the store format
├── WorkerFailed          worker           4  a model's command failed, was too slow or said too much
├── StoreError
│   ├── DamagedStore      damaged          4   a store file that is not what it must be
│   ├── FutureFormat      future_format    4   a store of a newer format version
│   ├── TooLarge          too_large        4   a file beyond what is read whole
│   └── IOFailure         io               4   the operating system refused
└── CacheError            cache            4   the index cannot be used
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "Ambiguous",
    "CacheError",
    "ChangedOutside",
    "Conflict",
    "DamagedStore",
    "Duplicate",
    "FormatError",
    "FutureFormat",
    "IOFailure",
    "Locked",
    "NoSuchRoot",
    "NotFound",
    "NotInitialised",
    "NotTrusted",
    "PathTaken",
    "RefusedInput",
    "RememberError",
    "ScopeError",
    "SecretRefused",
    "StoreError",
    "TooLarge",
    "UnknownStore",
    "UnsafePath",
    "UsageError",
    "WorkerFailed",
]


class RememberError(Exception):
    """The root: `code` is stable and machine-readable, `exit_status` the process's, `hint` the next step."""

    code = "error"
    exit_status = 4

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return self.message


class RefusedInput(RememberError):
    """Text, an option or an argument that cannot be taken as it is."""

    code = "refused_input"
    exit_status = 2


class UsageError(RefusedInput):
    """A command line that is not understood."""

    code = "usage"


class SecretRefused(RefusedInput):
    """Text that looks like a credential; the text itself is never part of the message."""

    code = "secret"

    def __init__(self, kind: str, line: int) -> None:
        super().__init__(
            f"line {line} looks like {kind}; secrets are not stored",
            "remove it, or pass --allow-secret if it is none",
        )


class UnsafePath(RefusedInput):
    """A path that is not inside the store, not one of its readable files, or leads through a link."""

    code = "unsafe_path"

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}", "name a file by its path below the store, as `remember list` prints it")


class ScopeError(RememberError):
    """A store cannot be chosen or may not be used."""

    code = "scope"
    exit_status = 2


class NoSuchRoot(ScopeError):
    """The workspace directory does not exist or is no directory."""

    code = "no_such_root"

    def __init__(self, root: str, reason: str = "no such directory", hint: str = "") -> None:
        super().__init__(f"root {root}: {reason}", hint or "create the workspace directory first, or name another with --root")


class NotInitialised(ScopeError):
    """A local store is asked for where none was made."""

    code = "not_initialised"

    def __init__(self, root: str, store: str, lacks: str = "is not there") -> None:
        super().__init__(f"no memory store in {root} ({store} {lacks})", f"run `remember init --root {root}` to make one")


class NotTrusted(ScopeError):
    """The store came with the workspace and was never trusted."""

    code = "not_trusted"

    def __init__(self, root: str) -> None:
        super().__init__(f"the memory store of {root} is not trusted", f"look at it, then run `remember trust add {root}`")


class UnknownStore(ScopeError):
    """No registered store has that name, or no directory is at that path."""

    code = "unknown_store"

    def __init__(self, name: str, reason: str = "no store of that name is registered", hint: str = "") -> None:
        super().__init__(f"store {name}: {reason}", hint or "see `remember store list`; a path must hold a slash")


class NotFound(RememberError):
    """No such memo, record or path; `near` holds what may have been meant."""

    code = "not_found"
    exit_status = 1

    def __init__(self, what: str, near: Sequence[str] = (), hint: str = "", said: str = "nothing found for ") -> None:
        near_text = "did you mean " + ", ".join(near) + "?" if near else ""
        super().__init__(said + what, hint or near_text or "see `remember list`")
        self.near = tuple(near)


class Conflict(RememberError):
    """The store is not in the state that the change needs."""

    code = "conflict"
    exit_status = 3


class ChangedOutside(Conflict):
    """Somebody else changed the memo or its file since it was read."""

    code = "changed"

    def __init__(self, what: str, hint: str = "", how: str = "was changed by somebody else meanwhile") -> None:
        super().__init__(f"{what} {how}", hint or "read it again, then repeat the change")


class Ambiguous(Conflict):
    """One name that fits several memos; `candidates` lists their places."""

    code = "ambiguous"

    def __init__(self, what: str, candidates: Sequence[str], hint: str = "") -> None:
        hint = hint or "name one by its ID or place, or choose with --scope or --store"
        super().__init__(f"{what} fits several memos: " + ", ".join(candidates), hint)
        self.candidates = tuple(candidates)


class Duplicate(Conflict):
    """A memo with this description exists with another body; `memo` is its ID or place, `is_note` says that it is no fact."""

    code = "duplicate"

    def __init__(self, memo: str, description: str, is_note: bool = True) -> None:
        super().__init__(
            f"{memo} already has the description {description!r} with other content",
            f"run `remember update {memo}`, or pass --allow-duplicate",
        )
        self.memo, self.is_note = memo, is_note


class PathTaken(Conflict):
    """A file stands where one was to be created; it is not overwritten."""

    code = "path_taken"

    def __init__(self, path: str, hint: str = "") -> None:
        super().__init__(f"{path} exists already and is not overwritten", hint or "move it away, or choose another name")


class Locked(Conflict):
    """Another writer holds the store; `holder` names it where the system tells."""

    code = "locked"

    def __init__(self, store: str, waited_s: float, holder: str = "") -> None:
        by = f" by {holder}" if holder else ""
        super().__init__(f"{store} is locked{by}; waited {waited_s:g} s", "wait for it to end, or raise --lock-timeout")


class FormatError(RememberError):
    """A text that breaks the store format; `problems` names every bad place as (line, what)."""

    code = "format"

    def __init__(self, problems: Sequence[tuple[int, str]], path: str = "") -> None:
        where = path + ":" if path else "line "
        super().__init__("; ".join(f"{where}{line}: {what}" for line, what in problems), "run `remember check` for what to do")
        self.problems = tuple(problems)
        self.path = path


class WorkerFailed(RememberError):
    """A command that was to answer for a model could not be run, failed, took too long, or said too much."""

    code = "worker"

    def __init__(self, command: str, reason: str) -> None:
        super().__init__(f"the worker {command}: {reason}", "nothing was changed; try the command on its own")


class StoreError(RememberError):
    """A store's files cannot be used."""

    code = "store"


class DamagedStore(StoreError):
    """A file of the store is not what it must be (a FIFO, a directory, a link, an invalid marker)."""

    code = "damaged"

    def __init__(self, path: str, reason: str, hint: str = "") -> None:
        super().__init__(f"{path}: {reason}", hint or "run `remember check` to see what can be done")


class FutureFormat(StoreError):
    """The store's format version is newer than this program knows."""

    code = "future_format"

    def __init__(self, path: str, version: int, known: int) -> None:
        super().__init__(f"{path}: format version {version}; this program knows up to {known}", "upgrade remember")


class TooLarge(StoreError):
    """A file is larger than what is read whole, so it is not written either."""

    code = "too_large"

    def __init__(self, path: str, size_bytes: int, limit_bytes: int) -> None:
        super().__init__(f"{path}: {size_bytes} bytes, more than the {limit_bytes} that are read; it is not written", "split the file")


class IOFailure(StoreError):
    """The operating system refused; the message names the path and the system's reason."""

    code = "io"

    def __init__(self, path: str, error: OSError | str, hint: str = "") -> None:
        reason = error if isinstance(error, str) else error.strerror or type(error).__name__
        super().__init__(f"{path}: {reason}", hint or "nothing was changed; mend the cause and repeat the command")
        self.errno = None if isinstance(error, str) else error.errno


class CacheError(RememberError):
    """The index cannot be used or made."""

    code = "cache"
