"""Runs a program that answers for a model: no shell, a prompt on its standard input, and limits that it cannot talk itself out of.

What the other side controls: the program's output, its exit status, how long it takes and which processes it leaves behind.
Its own process group is ended whatever happens; what left that group (a daemon of its own making) is beyond reach.
"""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import time

from remember._named import NamedTuple
from remember.errors import WorkerFailed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["GUARD", "Limits", "run_worker", "words_of", "worker_environ"]

GUARD = "REMEMBER_WORKER"
"""Set in a worker's environment: what would start a worker does nothing where it stands."""

_TICK_S, _GRACE_S = 0.05, 1.0
_CHUNK = 1 << 16
_REASON_BYTES = 64 << 10
_TRACEBACK = "Traceback (most recent call last):"
_ZOMBIE = ("WEXITED", "WNOHANG", "WNOWAIT")


class Limits(NamedTuple):
    """Seconds from start to end, and bytes on standard output."""

    timeout_s: float
    output_bytes: int


def words_of(command: str) -> list[str]:
    """The words of a command line, quotes and backslashes as in a shell, nothing expanded. Raises WorkerFailed."""
    import shlex

    try:
        words = shlex.split(command)
    except ValueError as error:
        raise WorkerFailed(command, f"is no command line ({str(error).lower()})") from None
    if not words or "\0" in command:
        raise WorkerFailed(command.replace("\0", "\\0") or '""', "is no command line")
    return words


def worker_environ(environ: Mapping[str, str]) -> dict[str, str]:
    """The environment of a worker: hooks of ours in it do nothing, so that no session of its own comes back to us."""
    return {**environ, "REMEMBER_DISABLE_HOOKS": "1", GUARD: "1"}


def run_worker(command: Sequence[str], prompt: bytes, cwd: str, environ: Mapping[str, str], limits: Limits) -> bytes:
    """What the program wrote on standard output by its end, at most `limits.output_bytes`.

    Raises WorkerFailed where it cannot be started, takes longer, writes more, or ends with a status other than 0; every
    process of its group is gone by then. The message quotes the first line of its standard error, without control characters.
    """
    shown = os.path.basename(command[0])
    try:
        process = subprocess.Popen(
            list(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=cwd,
            env=worker_environ(environ),
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        reason = (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
        raise WorkerFailed(shown, f"cannot be started ({reason})") from error
    with process:
        talk = _Talk(process, prompt, limits)
        try:
            trouble = talk.run()
        finally:
            _end_group(process)
            talk.close()
    if not trouble and process.returncode:
        trouble = f"ended with status {process.returncode}" if process.returncode > 0 else f"was ended by signal {-process.returncode}"
    if trouble:
        raise WorkerFailed(shown, trouble + talk.complaint())
    return bytes(talk.output)


class _Talk:
    """The three pipes of a worker, served together until it has ended or a limit is reached."""

    def __init__(self, process: subprocess.Popen[bytes], prompt: bytes, limits: Limits) -> None:
        self.process, self.limits = process, limits
        self.output, self.errors = bytearray(), bytearray()
        self.left = memoryview(prompt)
        assert process.stdin and process.stdout and process.stderr
        self.stdin, self.stdout, self.stderr = process.stdin, process.stdout, process.stderr
        self.selector = selectors.DefaultSelector()
        for stream, event in (
            (self.stdin, selectors.EVENT_WRITE),
            (self.stdout, selectors.EVENT_READ),
            (self.stderr, selectors.EVENT_READ),
        ):
            os.set_blocking(stream.fileno(), False)
            self.selector.register(stream, event)

    def run(self) -> str:
        """Why it must be ended, or ""."""
        ends = time.monotonic() + self.limits.timeout_s
        ended_at = 0.0
        while True:
            now = time.monotonic()
            if not ended_at and _has_ended(self.process):
                # Whoever is left of the group may hold the pipes open for ever.
                _signal_group(self.process, signal.SIGKILL)
                ended_at = now
            if ended_at and (not self.selector.get_map() or now > ended_at + _GRACE_S):
                return ""
            if now >= ends:
                return f"took longer than {self.limits.timeout_s:g} s"
            if not self.selector.get_map():
                time.sleep(_TICK_S / 5)
                continue
            self._serve(min(_TICK_S, ends - now))
            if len(self.output) > self.limits.output_bytes:
                return f"wrote more than {self.limits.output_bytes} bytes"

    def _serve(self, wait_s: float) -> None:
        for key, _ in self.selector.select(wait_s):
            if key.fileobj is self.stdin:
                self._write()
            elif key.fileobj is self.stdout:
                self.output += self._read(self.stdout)
            else:
                self.errors += self._read(self.stderr)
                del self.errors[:-_REASON_BYTES]

    def _write(self) -> None:
        try:
            self.left = self.left[os.write(self.stdin.fileno(), self.left[:_CHUNK]) :]
        except BlockingIOError:
            return
        except BrokenPipeError:  # it wants to know no more; its answer may be good all the same
            self.left = self.left[:0]
        if not self.left:
            self._done(self.stdin)

    def _read(self, stream: object) -> bytes:
        try:
            data = os.read(stream.fileno(), _CHUNK)  # type: ignore[attr-defined]
        except BlockingIOError:
            return b""
        if not data:
            self._done(stream)
        return data

    def _done(self, stream: object) -> None:
        self.selector.unregister(stream)  # type: ignore[arg-type]
        if stream is self.stdin:
            self.stdin.close()

    def complaint(self) -> str:
        """The first line that it wrote on standard error, of Python's traceback the last; to be put behind a reason."""
        lines = self.errors.decode("utf-8", "replace").strip().splitlines()
        said = "".join(char for char in lines[-1 if _TRACEBACK in lines else 0] if char.isprintable())[:200] if lines else ""
        return f": {said}" if said else ""

    def close(self) -> None:
        self.selector.close()


def _has_ended(process: subprocess.Popen[bytes]) -> bool:
    """Whether it has ended; where the system allows, without collecting it, so that its group's number stays its own."""
    if all(hasattr(os, name) for name in ("waitid", *_ZOMBIE)):
        return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    return process.poll() is not None


def _signal_group(process: subprocess.Popen[bytes], number: int) -> None:
    try:
        os.killpg(process.pid, number)
    except (ProcessLookupError, PermissionError):
        return  # nobody is left in it


def _end_group(process: subprocess.Popen[bytes]) -> None:
    """End the worker, politely for a moment, and everything it has started in its group."""
    if not _has_ended(process):
        _signal_group(process, signal.SIGTERM)
        ends = time.monotonic() + _GRACE_S
        while time.monotonic() < ends and not _has_ended(process):
            time.sleep(_TICK_S)
    _signal_group(process, signal.SIGKILL)
    process.wait()
