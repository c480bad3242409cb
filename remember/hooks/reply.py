"""A hook's input and answer in each agent's contract; nothing here can fail a session."""

from __future__ import annotations

from remember._named import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["CLIENTS", "EVENTS", "Call", "nothing", "parsed", "session_start"]

CLIENTS = ("claude", "codex", "gemini", "pi", "opencode")
EVENTS = {"session-start": "SessionStart", "prompt": "UserPromptSubmit", "session-end": "SessionEnd"}
"""Our names of events and Claude Code's."""

_SPEAK_JSON = ("claude", "codex", "gemini")


class Call(NamedTuple):
    """What an agent said of itself: its working directory ("" unknown) and, at the end of a session, its transcript's path."""

    cwd: str = ""
    transcript: str = ""


def parsed(data: bytes) -> Call | None:
    """The fields of a hook's input that matter here; unknown ones are passed over. None for what is no JSON object."""
    import json

    try:
        given = json.loads(data.decode("utf-8", "replace").strip() or "{}")
    except (ValueError, RecursionError):
        return None
    if not isinstance(given, dict):
        return None
    return Call(_text(given, "cwd"), _text(given, "transcript_path"))


def _text(given: Mapping[str, object], name: str) -> str:
    value = given.get(name)
    return value if isinstance(value, str) and "\0" not in value else ""


def nothing(client: str) -> str:
    """The answer that adds nothing: an empty object where the agent wants JSON only, else no text."""
    return "{}\n" if client in _SPEAK_JSON else ""


def session_start(client: str, text: str) -> str:
    """The answer that adds a text at the beginning of a session; keys beyond these are refused by a strict agent."""
    if not text:
        return nothing(client)
    if client not in _SPEAK_JSON:
        return text
    import json

    return json.dumps({"hookSpecificOutput": {"hookEventName": EVENTS["session-start"], "additionalContext": text}}) + "\n"
