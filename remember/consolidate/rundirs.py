"""The private directories of consolidation runs: a frozen copy for the worker, our own state beside it, one open run a store.

    <data>/consolidate/<key of the store>/<run>
        state.json      what became of the run (ours)
        plan.json       the plan's bytes as they came
        receipt.json    what was done
        work            what the worker sees: a folder with manifest, context, copies; not to be changed

What the other side controls: a worker runs as the same user and can write anywhere. So nothing in `work` is believed
afterwards: it is compared with the digests in `state.json`, and what counts is read from the store.
"""

from __future__ import annotations

import json
import os

from remember._named import NamedTuple
from remember.errors import Conflict, DamagedStore, IOFailure, NotFound
from remember.files.atomic import make_dirs
from remember.files.lines import read_small, replace_file
from remember.store.lock import locked
from remember.store.records import is_record_id

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["ABORTED", "APPLIED", "APPLYING", "FAILED", "OPEN", "RUNS_KEPT", "RunDirs", "RunState", "tree_digest", "write_tree"]

OPEN, APPLYING, APPLIED, FAILED, ABORTED = ("open", "applying", "applied", "failed", "aborted")
RUNS_KEPT = 50
"""Runs that have ended are kept, with their plans and receipts, up to this number."""

_STATE_BYTES = 1 << 20
_WORK = "work"


class RunState(NamedTuple):
    """One run: `by` is `begin` (a person goes on with it) or `run` (one process does it all); digests are SHA-256 in hex."""

    run: str
    store: str
    scope: str
    by: str
    created: str
    state: str
    work_sha256: str
    store_sha256: str
    context_sha256: str | None
    reason: str = ""
    plan_sha256: str | None = None
    recovery_id: str | None = None


class RunDirs:
    """The runs of one store, for a `with` block that keeps every other process away from them.

    Raises Locked where another process is at it.
    """

    def __init__(self, data_dir: str, store: str) -> None:
        from hashlib import sha256

        key = sha256(os.fsencode(store)).hexdigest()[:32]
        self.path = os.path.join(os.path.realpath(data_dir), "consolidate", key)
        self.store = store

    def __enter__(self) -> RunDirs:
        make_dirs(self.path)
        self.lock = locked(self.path, 0.0)
        self.lock.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self.lock.__exit__(None, None, None)

    def directory(self, run: str) -> str:
        """A run's directory."""
        return os.path.join(self.path, run)

    def work(self, run: str) -> str:
        """What the worker of a run sees."""
        return os.path.join(self.path, run, _WORK)

    def states(self) -> list[RunState]:
        """Every run, newest first; one whose state cannot be read counts as failed."""
        try:
            names = [name for name in os.listdir(self.path) if is_record_id(name)]
        except FileNotFoundError:
            return []
        except OSError as error:
            raise IOFailure(self.path, error) from error
        return [self._state(name) for name in sorted(names, reverse=True)]

    def _state(self, run: str) -> RunState:
        path = os.path.join(self.path, run, "state.json")
        try:
            fields = json.loads(read_small(path, _STATE_BYTES) or b"")
            state = RunState(**fields)
        except (OSError, ValueError, TypeError, RecursionError) as error:
            return RunState(run, self.store, "", "run", "", FAILED, "", "", None, f"its state cannot be read ({type(error).__name__})")
        return state

    def load(self, run: str) -> RunState:
        """The run of that name. Raises NotFound."""
        if not is_record_id(run) or not os.path.isdir(self.directory(run)):
            raise NotFound(f"consolidation run {run}", hint="see `remember consolidate list`", said="there is no ")
        return self._state(run)

    def open_run(self, run: str) -> RunState:
        """The run of that name, if it is open. Raises NotFound, Conflict."""
        state = self.load(run)
        if state.state != OPEN:
            raise Conflict(f"the run {run} is {state.state}", "begin another with `remember consolidate begin`")
        return state

    def save(self, state: RunState) -> RunState:
        """Write a run's state, durably."""
        try:
            replace_file(os.path.join(self.directory(state.run), "state.json"), json.dumps(state._asdict(), indent=1).encode() + b"\n")
        except OSError as error:
            raise IOFailure(self.directory(state.run), error) from error
        return state

    def keep(self, run: str, name: str, data: bytes) -> None:
        """Write a file of ours beside the state."""
        try:
            replace_file(os.path.join(self.directory(run), name), data)
        except OSError as error:
            raise IOFailure(self.directory(run), error) from error

    def make(self, run: str, files: Mapping[str, bytes]) -> str:
        """Make a run's directory (0700) with the worker's files, read-only; the digest of these."""
        make_dirs(self.directory(run))
        return write_tree(self.work(run), files)

    def check_work(self, state: RunState) -> None:
        """Refuse a run whose frozen copy is not as it was made. Raises Conflict."""
        if tree_digest(self.work(state.run)) != state.work_sha256:
            raise Conflict(f"files of the run {state.run} were changed, added or removed", "nothing was applied; begin another run")

    def finish(self, state: RunState, end: str, reason: str = "") -> RunState:
        """Give a run its last state and remove the copies of memory that it held."""
        finished = self.save(state._replace(state=end, reason=reason))
        _remove_tree(self.work(state.run))
        return finished

    def prune(self) -> None:
        """Remove the oldest runs that have ended, beyond RUNS_KEPT."""
        for state in self.states()[RUNS_KEPT:]:
            if state.state not in (OPEN, APPLYING):
                _remove_tree(self.directory(state.run))


def write_tree(top: str, files: Mapping[str, bytes]) -> str:
    """Write files (0400) in new folders (0500 at the end) below `top`, and give their digest. Raises IOFailure."""
    try:
        os.mkdir(top, 0o700)
        for path, data in files.items():
            whole = os.path.join(top, path)
            os.makedirs(os.path.dirname(whole), 0o700, exist_ok=True)
            descriptor = os.open(whole, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o400)
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)
        for where, _, _ in os.walk(top, topdown=False):
            os.chmod(where, 0o500)
    except OSError as error:
        raise IOFailure(top, error) from error
    return tree_digest(top)


def tree_digest(top: str) -> str:
    """SHA-256 over kind, path and content of everything below a folder; links are told by where they lead, never followed.

    Raises DamagedStore for what cannot be read.
    """
    from hashlib import sha256

    whole = sha256()
    try:
        found = sorted(os.path.join(where, name) for where, folders, names in os.walk(top, onerror=_raise) for name in (*folders, *names))
        for path in found:
            shown = os.fsencode(os.path.relpath(path, top))
            mode = os.lstat(path).st_mode & 0o170000
            whole.update(b"%06o %d %s\n" % (mode, len(shown), shown))
            if mode == 0o100000:
                with open(path, "rb") as file:
                    whole.update(sha256(file.read()).digest())
            elif mode == 0o120000:
                whole.update(os.fsencode(os.readlink(path)))
    except OSError as error:
        raise DamagedStore(top, error.strerror or "cannot be read", "begin another run") from error
    return whole.hexdigest()


def _raise(error: OSError) -> None:
    raise error


def _remove_tree(top: str) -> None:
    """Remove a folder of read-only files; what resists is left in its private folder."""
    import shutil

    for where, _, _ in os.walk(top):
        try:
            os.chmod(where, 0o700)
        except OSError:
            continue
    shutil.rmtree(top, ignore_errors=True)
