"""Harvests a conversation: asks a model for durable facts and adds what passes the filters; the door for every face."""

from __future__ import annotations

import os
import sys

from remember._named import NamedTuple
from remember.errors import RefusedInput, WorkerFailed
from remember.files.atomic import make_dirs
from remember.files.worker import GUARD, Limits, run_worker, words_of
from remember.format import secrets
from remember.harvest.answer import keep
from remember.harvest.prompt import prompt_for
from remember.harvest.transcript import conversation, turns_of
from remember.memory.changing import add_facts, with_terms
from remember.memory.context import Surroundings
from remember.scope import registry
from remember.scope.discover import is_store, local_store

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import IO

    from remember.model import Change

__all__ = ["Harvested", "Wish", "harvest", "harvest_later", "read_tail"]

TAIL_BYTES = 8 << 20
"""Of a longer transcript so much of its end is looked at."""

_ANSWER_BYTES = 64 << 10
_SCOPES = ("auto", "local", "global")
_FROM_HOOK = "REMEMBER_HARVEST_FROM_HOOK"
"""Set for a harvest that nobody asked for by hand: it adds nothing to a store that is not trusted."""


class Wish(NamedTuple):
    """Whom to ask and where facts go; what is "" or 0 is as configured. A `model` is one of the `llm` library."""

    worker: str = ""
    model: str = ""
    scope: str = ""
    timeout_s: float = 0.0


class Harvested(NamedTuple):
    """What came of it: why nothing could be asked or used (None: a model answered), the facts, and lines dropped by reason."""

    skipped: str | None
    scope: str | None
    changes: tuple[Change, ...] = ()
    dropped: Mapping[str, int] = {}


def read_tail(stream: IO[bytes], limit_bytes: int = TAIL_BYTES) -> bytes:
    """The end of a stream, from the beginning of a line where it is cut. Raises OSError."""
    parts: list[bytes] = []
    size = dropped = 0
    while part := stream.read(1 << 16):
        parts.append(part)
        size += len(part)
        while size - len(parts[0]) >= limit_bytes:
            gone = parts.pop(0)
            size -= len(gone)
            dropped += len(gone)
    data = b"".join(parts)
    if dropped or size > limit_bytes:
        data = data[-limit_bytes:]
        data = data[data.find(b"\n") + 1 :]
    return data


def harvest(around: Surroundings, transcript: bytes, wish: Wish) -> Harvested:
    """Ask about a transcript and add what is new. What a model's failure costs is the harvest alone: it is `skipped`, with a reason.

    Raises RefusedInput for an unknown scope, and what adding raises.
    """
    scope, why_not = _scope(around, wish.scope)
    if why_not:
        return Harvested(why_not, scope)
    if around.environ.get(GUARD):
        return Harvested("a worker's own session is not harvested", scope)
    said = secrets.mask(conversation(turns_of(transcript)))
    if not said.strip():
        return Harvested("nothing was said by user or assistant", scope)
    try:
        answer = _ask(around, said, wish)
    except WorkerFailed as error:
        return Harvested(error.message, scope)
    if answer is None:
        return Harvested("there is no model to ask; set summary_command, or name one with --worker or --model", scope)
    kept = keep(answer)
    changes: tuple[Change, ...] = ()
    if kept.facts:
        changes = add_facts(_within(around, scope), kept.facts, with_terms())
    return Harvested(None, scope, changes, kept.dropped)


def _within(around: Surroundings, scope: str) -> Surroundings:
    return Surroundings(around.root, scope, (), False, around.environ, around.cwd)


def _scope(around: Surroundings, wanted: str) -> tuple[str, str]:
    """The scope that facts go to, and why that cannot be ("" where it can); a missing local store is never made."""
    chosen = wanted or around.config.text("exit_summary_scope")
    if chosen not in _SCOPES:
        raise RefusedInput(f"there is no scope {chosen} to harvest into", "scopes are " + ", ".join(_SCOPES))
    if chosen == "global":
        return "global", ""
    local = local_store(around.root, around.cwd, around.config, registry.trusted(around.config.config_dir))
    root = str(local.root)
    # A workspace that has a `.pi` folder keeps its own memory, made already or not; any other has the user's.
    if chosen == "auto" and not is_store(local.path) and not os.path.isdir(os.path.join(root, ".pi")):
        return "global", ""
    if not is_store(local.path):
        return "local", f"{root} has no memory store (`remember init` makes one)"
    if around.environ.get(_FROM_HOOK) and not local.trusted:
        return "local", f"the memory store of {root} is not trusted (`remember trust add {root}`)"
    return "local", ""


def _ask(around: Surroundings, said: str, wish: Wish) -> str | None:
    """The model's answer; None where none is named. Raises WorkerFailed."""
    config = around.config
    command = wish.worker or ("" if wish.model else config.text("summary_command"))
    model = wish.model or config.text("exit_summary_model")
    if command:
        words = words_of(command)
    elif model:
        words = [sys.executable, "-P", "-m", "remember.harvest.model", model]
    else:
        return None
    limits = Limits(wish.timeout_s or config.number("exit_summary_timeout_ms") / 1000, _ANSWER_BYTES)
    # Not in the workspace: an agent would take settings, tools and instructions from it, whoever wrote these.
    desk = os.path.join(os.path.realpath(config.data_dir), "harvest")
    make_dirs(desk)
    return run_worker(words, prompt_for(said).encode("utf-8", "replace"), desk, around.environ, limits).decode("utf-8", "replace")


def harvest_later(around: Surroundings, transcript: str) -> str:
    """Start a harvest of a finished session in a process of its own and wait for nothing; why it was not started, or "".

    Its messages go to `harvest.log` in the user's data directory, which holds those of the last one.
    """
    import subprocess

    if not around.config.switch("exit_summary"):
        return ""
    if not os.path.isabs(transcript) or not os.path.isfile(transcript):
        return "the session has no transcript to harvest"
    make_dirs(around.config.data_dir)
    log = os.path.join(around.config.data_dir, "harvest.log")
    with (
        open(transcript, "rb") as session,
        os.fdopen(os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0), 0o600), "wb") as messages,
    ):
        subprocess.Popen(
            [sys.executable, "-P", "-m", "remember", "harvest"],
            stdin=session,
            stdout=messages,
            stderr=messages,
            cwd=around.cwd,
            env={**around.environ, _FROM_HOOK: "1"},
            start_new_session=True,
        )
    return ""
