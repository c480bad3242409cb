"""What belongs into each agent's own configuration: files, entries, and what the user has still to do."""

from __future__ import annotations

import os

from remember._named import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["AGENTS", "Entry", "Installation", "Wish", "installation"]

AGENTS = ("claude", "codex", "gemini", "pi", "opencode")


class Entry(NamedTuple):
    """An entry of a JSON file: `value` as the member `key` of the object at `path`, or appended to the list there (key "")."""

    path: tuple[str, ...]
    key: str
    value: object


class Wish(NamedTuple):
    """What one file is to hold: JSON entries, blocks of TOML, or a whole text of ours."""

    file: str
    entries: tuple[Entry, ...] = ()
    blocks: tuple[str, ...] = ()
    text: str = ""


class Installation(NamedTuple):
    """Everything for one agent; `afterwards` is what the user has to do."""

    agent: str
    wishes: tuple[Wish, ...]
    afterwards: tuple[str, ...]


def installation(agent: str, command: Sequence[str], environ: Mapping[str, str], home: str) -> Installation:
    """What is wanted of an agent's configuration; `command` is the program with its absolute path."""
    return _MAKERS[agent](list(command), environ, home)


def _directory(environ: Mapping[str, str], variable: str, *default: str) -> str:
    return environ.get(variable) or os.path.join(*default)


def _line(command: Sequence[str], *words: str) -> str:
    from shlex import quote

    return " ".join(quote(word) for word in (*command, *words))


def _hook(command: Sequence[str], client: str, timeout: int) -> dict[str, object]:
    return {"type": "command", "command": _line(command, "hook", "session-start", "--client", client), "timeout": timeout}


def _claude(command: list[str], environ: Mapping[str, str], home: str) -> Installation:
    given = environ.get("CLAUDE_CONFIG_DIR")
    folder = given or os.path.join(home, ".claude")
    hook = {"matcher": "startup|resume|clear|compact", "hooks": [_hook(command, "claude", 10)]}
    # `alwaysLoad` makes it wait for the server at the start: else a busy machine's first request knows no tool of memory.
    server = {"type": "stdio", "command": command[0], "args": [*command[1:], "mcp"], "env": {}, "alwaysLoad": True}
    return Installation(
        "claude",
        (
            Wish(os.path.join(folder, "settings.json"), (Entry(("hooks", "SessionStart"), "", hook),)),
            Wish(os.path.join(given or home, ".claude.json"), (Entry(("mcpServers",), "remember", server),)),
        ),
        ("start a new session; `/hooks` and `/mcp` show what is there",),
    )


def _codex(command: list[str], environ: Mapping[str, str], home: str) -> Installation:
    import json

    folder = _directory(environ, "CODEX_HOME", home, ".codex")
    words = json.dumps([*command[1:], "mcp"], ensure_ascii=False)
    server = f"[mcp_servers.remember]\ncommand = {json.dumps(command[0], ensure_ascii=False)}\nargs = {words}\n"
    line = json.dumps(_line(command, "hook", "session-start", "--client", "codex"), ensure_ascii=False)
    hook = (
        '[[hooks.SessionStart]]\nmatcher = "startup|resume|clear|compact"\n'
        f'[[hooks.SessionStart.hooks]]\ntype = "command"\ncommand = {line}\ntimeout = 10\n'
    )
    return Installation(
        "codex",
        (Wish(os.path.join(folder, "config.toml"), (), (server, hook)),),
        ("Codex skips a hook silently until you have trusted it: start it once and review the hook with `/hooks`",),
    )


def _gemini(command: list[str], environ: Mapping[str, str], home: str) -> Installation:
    file = os.path.join(home, ".gemini", "settings.json")
    server = {"command": command[0], "args": [*command[1:], "mcp"]}  # no "trust": that would let tools change memory unasked
    hook = {"hooks": [_hook(command, "gemini", 10_000)]}
    entries = (Entry(("mcpServers",), "remember", server), Entry(("hooks", "SessionStart"), "", hook))
    asks = "it asks before it calls a tool: allow those you want for good in its own dialogue"
    return Installation("gemini", (Wish(file, entries),), ("start a new session in a folder that Gemini CLI trusts", asks))


def _pi(command: list[str], environ: Mapping[str, str], home: str) -> Installation:
    folder = _directory(environ, "PI_CODING_AGENT_DIR", home, ".pi", "agent")
    server = {
        "command": command[0],
        "args": [*command[1:], "mcp"],
        "exposure": "direct",
        "description": "Durable memory: search before asking, store lasting facts",
    }
    return Installation(
        "pi",
        (
            Wish(os.path.join(folder, "mcp.json"), (Entry(("mcpServers",), "remember", server),)),
            Wish(os.path.join(folder, "extensions", "remember.js"), text=_script("pi", command)),
        ),
        ("start a new session, or `/reload`; then there is `/memory`",),
    )


def _opencode(command: list[str], environ: Mapping[str, str], home: str) -> Installation:
    folder = os.path.join(environ.get("XDG_CONFIG_HOME") or os.path.join(home, ".config"), "opencode")
    names = [os.path.join(folder, name) for name in ("opencode.json", "opencode.jsonc")]
    file = next((name for name in names if os.path.lexists(name)), names[0])
    server = {"type": "local", "command": [*command, "mcp"], "enabled": True}
    return Installation(
        "opencode",
        (
            Wish(file, (Entry(("mcp",), "remember", server),)),
            Wish(os.path.join(folder, "plugins", "remember.js"), text=_script("opencode", command)),
        ),
        ("start a new session",),
    )


def _script(agent: str, command: list[str]) -> str:
    import json

    from remember.hooks.scripts import SCRIPTS

    return SCRIPTS[agent].replace("@COMMAND@", json.dumps(command, ensure_ascii=False))


_MAKERS = {"claude": _claude, "codex": _codex, "gemini": _gemini, "pi": _pi, "opencode": _opencode}
