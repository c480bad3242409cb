"""Reads what user and assistant said out of a transcript: plain text, or the JSON lines of Claude Code, Codex and pi.

Formats (as these programs write them; unknown lines and fields are passed over):

    Claude Code  {"type": "user"|"assistant", "isSidechain": false, "message": {"content": TEXT|BLOCKS}}
    Codex        {"type": "response_item", "payload": {"type": "message", "role": …, "content": BLOCKS}}
    pi           {"type": "message", "id": …, "parentId": …, "message": {"role": …, "content": TEXT|BLOCKS}}

What the other side controls: all of it; a transcript holds pages and files that an agent was shown.
"""

from __future__ import annotations

import json

from remember._named import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["TRANSCRIPT_CHARS", "Turn", "conversation", "turns_of"]

TRANSCRIPT_CHARS = 20_000
"""What is read of a conversation: so many characters at its end."""

_ROLES = ("user", "assistant")
_BLOCKS = ("text", "input_text", "output_text")
_NOT_SAID = ("<environment_context>", "<user_instructions>", "<permissions instructions>", "<local-command-")
"""How a message begins that the program put in the user's mouth."""


class Turn(NamedTuple):
    """Something that was said; `role` is `user`, `assistant`, or "" in a plain text."""

    role: str
    text: str


class _Line(NamedTuple):
    """A line of a session: its own name and that of the line before it in its branch, where it has these."""

    id: str
    parent: str
    turn: Turn | None


def turns_of(data: bytes) -> list[Turn]:
    """What was said, in order; a text that is no known transcript is one turn, what holds a NUL is no text. Any bytes have an answer."""
    text = data.decode("utf-8", "replace").lstrip("\ufeff")
    lines: list[_Line] = []
    known = False
    for raw in text.split("\n"):
        line = _parsed(raw)
        if line is not None:
            known = True
            lines.append(line)
    if known:
        return [line.turn for line in _branch(lines) if line.turn is not None]
    return [Turn("", text)] if text.strip() and "\0" not in text else []


def conversation(turns: Iterable[Turn], limit_chars: int = TRANSCRIPT_CHARS) -> str:
    """The end of a conversation, at most so many characters, beginning at the start of a line where it is cut."""
    names = {"user": "User: ", "assistant": "Assistant: "}
    text = "\n\n".join(names.get(turn.role, "") + turn.text.strip() for turn in turns)
    if len(text) <= limit_chars:
        return text
    end = text[-limit_chars:]
    at = end.find("\n")
    return end[at + 1 :] if 0 <= at < len(end) - 1 else end


def _parsed(raw: str) -> _Line | None:
    """A line of one of the known kinds; None for anything else."""
    if not raw.lstrip().startswith("{"):
        return None
    try:
        line = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    if not isinstance(line, dict):
        return None
    kind = line.get("type")
    if kind in _ROLES and isinstance(line.get("message"), dict):
        aside = line.get("isSidechain") is True or line.get("isMeta") is True
        return _Line("", "", None if aside else _turn(str(kind), line["message"].get("content")))
    payload = line.get("payload")
    if kind == "response_item" and isinstance(payload, dict):
        message = payload.get("type") == "message"
        return _Line("", "", _turn(payload.get("role"), payload.get("content")) if message else None)
    message = line.get("message")
    if kind == "message" and isinstance(message, dict):
        return _Line(_name(line, "id"), _name(line, "parentId"), _turn(message.get("role"), message.get("content")))
    if isinstance(kind, str) and _name(line, "id") and "parentId" in line:
        return _Line(_name(line, "id"), _name(line, "parentId"), None)
    return None


def _name(line: Mapping[str, object], key: str) -> str:
    value = line.get(key)
    return value if isinstance(value, str) else ""


def _turn(role: object, content: object) -> Turn | None:
    if role not in _ROLES:
        return None
    if isinstance(content, str):
        texts = [content]
    elif isinstance(content, list):
        texts = [block["text"] for block in content if isinstance(block, dict) and block.get("type") in _BLOCKS and _is_text(block)]
    else:
        return None
    said = "\n".join(text for text in texts if not text.lstrip().startswith(_NOT_SAID))
    return Turn(str(role), said) if said.strip() else None


def _is_text(block: Mapping[str, object]) -> bool:
    return isinstance(block.get("text"), str)


def _branch(lines: list[_Line]) -> list[_Line]:
    """The lines that lead to the last one, where a session is a tree; else all of them."""
    if not lines or not lines[-1].id:
        return lines
    by_id = {line.id: line for line in lines if line.id}
    branch: list[_Line] = []
    line: _Line | None = lines[-1]
    while line is not None:
        branch.append(line)
        by_id.pop(line.id, None)  # a line that names itself as its forebear must not turn in circles
        line = by_id.get(line.parent) if line.parent else None
    return branch[::-1]
