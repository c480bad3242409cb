"""Answers an agent's hook: whatever goes wrong, the session goes on."""

from __future__ import annotations

import os

from remember.hooks.reply import CLIENTS, nothing, parsed, session_start

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["hook_reply"]

_NAMES = {"sessionstart": "session-start", "userpromptsubmit": "prompt", "beforeagent": "prompt", "sessionend": "session-end"}


def hook_reply(event: str, client: str, data: bytes, environ: Mapping[str, str]) -> tuple[str, str]:
    """(what is printed, why nothing could be added or ""); never raises.

    `event` is ours or the agent's own name; an unknown event or client adds nothing.
    """
    try:
        return _reply(event, client, data, environ)
    except Exception as error:  # a memory hook must never cost a session, not even by a bug of ours
        return nothing(client), f"{type(error).__name__}: {error}"


def _reply(event: str, client: str, data: bytes, environ: Mapping[str, str]) -> tuple[str, str]:
    name = _NAMES.get(event.lower().replace("-", ""), event)
    if client not in CLIENTS or name not in ("session-start", "session-end") or environ.get("REMEMBER_DISABLE_HOOKS"):
        return nothing(client), ""
    call = parsed(data)
    cwd = call.cwd if os.path.isabs(call.cwd) and os.path.isdir(call.cwd) else os.getcwd()
    if client == "codex" and _in_codex_memories(cwd, environ):
        return nothing(client), ""
    from remember.memory.context import Surroundings

    if name == "session-end":
        from remember.memory.harvesting import harvest_later

        return nothing(client), harvest_later(Surroundings(None, None, (), False, environ, cwd), call.transcript)
    from remember.memory.snapshot import session_context

    found = session_context(Surroundings(None, None, (), False, environ, cwd), None, client)
    return session_start(client, "" if found.snapshot.blank else found.snapshot.text), ""


def _in_codex_memories(cwd: str, environ: Mapping[str, str]) -> bool:
    """Whether Codex is at its own background work on its memories, which is no session of the user's."""
    home = environ.get("CODEX_HOME") or os.path.join(environ.get("HOME") or os.path.expanduser("~"), ".codex")
    memories = os.path.realpath(os.path.join(home, "memories"))
    here = os.path.realpath(cwd)
    return here == memories or here.startswith(memories + os.sep)
