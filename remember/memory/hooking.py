"""Answers an agent's hook: whatever goes wrong, the session goes on."""

from __future__ import annotations

import os

from remember.hooks.reply import CLIENTS, EVENTS, parsed, session_start
from remember.hooks.reply import nothing as no_reply

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from remember.hooks.reply import Call

__all__ = ["hook_reply", "no_reply"]

_NAMES = {"sessionstart": "session-start", "userpromptsubmit": "prompt", "beforeagent": "prompt", "sessionend": "session-end"}


def hook_reply(event: str, client: str, data: bytes, environ: Mapping[str, str]) -> tuple[str, tuple[str, ...]]:
    """(what is printed, what whoever looks for it is to be told); never raises.

    `event` is ours or the agent's own name. An unknown event or client, and input that is no JSON object, add nothing.
    """
    try:
        return _reply(event, client, data, environ)
    except Exception as error:  # a memory hook must never cost a session, not even by a bug of ours
        return no_reply(client), (f"{type(error).__name__}: {error}",)


def _reply(event: str, client: str, data: bytes, environ: Mapping[str, str]) -> tuple[str, tuple[str, ...]]:
    if environ.get("REMEMBER_DISABLE_HOOKS"):
        return no_reply(client), ()
    name = _NAMES.get(event.lower().replace("-", ""), event)
    call = parsed(data)
    wrong = _wrong(name, client, call)
    if call is None or wrong:
        return no_reply(client), wrong
    cwd = call.cwd if os.path.isabs(call.cwd) and os.path.isdir(call.cwd) else os.getcwd()
    if name not in ("session-start", "session-end") or (client == "codex" and _in_codex_memories(cwd, environ)):
        return no_reply(client), ()
    from remember.memory.context import Surroundings

    if name == "session-end":
        from remember.memory.harvesting import harvest_later

        why_not = harvest_later(Surroundings(None, None, (), False, environ, cwd), call.transcript)
        return no_reply(client), (why_not,) if why_not else ()
    from remember.memory.snapshot import session_context

    found = session_context(Surroundings(None, None, (), False, environ, cwd), None, client)
    return session_start(client, "" if found.snapshot.blank else found.snapshot.text), found.warnings


def _wrong(event: str, client: str, call: Call | None) -> tuple[str, ...]:
    """What is wrong with a call, so that it adds nothing."""
    wrong = []
    if client not in CLIENTS:
        wrong.append(f"there is no client {client!r}; clients are {', '.join(CLIENTS)}")
    if event not in EVENTS:
        wrong.append(f"there is no event {event!r}; events are {', '.join(EVENTS)}")
    if call is None:
        wrong.append("standard input is no JSON object")
    return tuple(wrong)


def _in_codex_memories(cwd: str, environ: Mapping[str, str]) -> bool:
    """Whether Codex is at its own background work on its memories, which is no session of the user's."""
    home = environ.get("CODEX_HOME") or os.path.join(environ.get("HOME") or os.path.expanduser("~"), ".codex")
    memories = os.path.realpath(os.path.join(home, "memories"))
    here = os.path.realpath(cwd)
    return here == memories or here.startswith(memories + os.sep)
