"""What other programs' own configuration says of where their memory is; small JSON files, read kindly, never changed."""

from __future__ import annotations

import json
import os

from remember.exchange.places import claude_slug
from remember.files.lines import read_small

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["auto_memory_directory", "basic_memory_projects", "memory_file_paths", "other_workspaces", "text_of"]

_LIMIT = 4 << 20
_HEAD_BYTES = 1 << 16
_SESSIONS = 5


def _object(path: str) -> dict[str, object]:
    """A JSON object in a file; {} where there is none that can be read."""
    try:
        value = json.loads(read_small(path, _LIMIT) or b"{}")
    except (OSError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def text_of(path: str, key: str) -> str:
    """A member of a JSON file that is text; "" for anything else."""
    value = _object(path).get(key)
    return value if isinstance(value, str) else ""


def auto_memory_directory(claude_dir: str, top: str, home: str) -> tuple[str, bool]:
    """Claude Code's `autoMemoryDirectory` and whether the user, not the workspace, says so; ("", True) for none.

    Settings of the workspace go before the user's; a relative value is ignored, as the program does.
    """
    own = os.path.join(top, ".claude")
    files = ((own, "settings.local.json", False), (own, "settings.json", False), (claude_dir, "settings.json", True))
    for folder, name, vouched in files:
        value = text_of(os.path.join(folder, name), "autoMemoryDirectory")
        if value.startswith("~/"):
            return os.path.join(home, value[2:]), vouched
        if os.path.isabs(value):
            return value, vouched
    return "", True


def other_workspaces(folder: str, path: str) -> list[str]:
    """Workspaces other than `path` that Claude Code gives the same folder name, as its newest sessions there tell."""
    try:
        names = [name for name in os.listdir(folder) if name.endswith(".jsonl")]
        newest = sorted(names, key=lambda name: -os.stat(os.path.join(folder, name)).st_mtime_ns)[:_SESSIONS]
    except OSError:
        return []
    found: dict[str, None] = {}
    for name in newest:
        cwd = _session_cwd(os.path.join(folder, name))
        if cwd and cwd != path and claude_slug(cwd) == claude_slug(path):
            found[cwd] = None
    return list(found)


def _session_cwd(path: str) -> str:
    """The working directory that a transcript's first lines name."""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0))
        try:
            lines = os.read(descriptor, _HEAD_BYTES).split(b"\n")
        finally:
            os.close(descriptor)
    except OSError:
        return ""
    for line in lines:
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict) and isinstance(value.get("cwd"), str):
            return str(value["cwd"])
    return ""


def basic_memory_projects(home: str, environ: Mapping[str, str]) -> list[tuple[str, str]]:
    """basic-memory's projects as (name, directory), from its `config.json` (0.24.1; older ones have the path alone)."""
    given, config_home = environ.get("BASIC_MEMORY_CONFIG_DIR"), environ.get("XDG_CONFIG_HOME")
    folder = given or (os.path.join(config_home, "basic-memory") if config_home else os.path.join(home, ".basic-memory"))
    projects = _object(os.path.join(folder, "config.json")).get("projects")
    found = []
    for name, value in projects.items() if isinstance(projects, dict) else ():
        path = value.get("path") if isinstance(value, dict) else value
        if isinstance(path, str) and path:
            path = os.path.join(home, path[2:]) if path.startswith("~/") else path
            if os.path.isabs(path):
                found.append((str(name), path))
    return found


def memory_file_paths(root: str, home: str, claude_dir: str, agent_dir: str) -> list[tuple[str, bool]]:
    """MEMORY_FILE_PATH of the servers in agents' MCP settings, and whether the user, not the workspace, wrote them."""
    claude = os.path.join(home, ".claude.json") if claude_dir == os.path.join(home, ".claude") else os.path.join(claude_dir, ".claude.json")
    files = [
        (os.path.join(root, ".mcp.json"), False),
        (os.path.join(root, ".pi", "mcp.json"), False),
        (claude, True),
        (os.path.join(agent_dir, "mcp.json"), True),
        (os.path.join(home, ".gemini", "settings.json"), True),
        (os.path.join(home, ".cursor", "mcp.json"), True),
    ]
    found = []
    for file, vouched in files:
        config = _object(file)
        projects = config.get("projects")
        own = projects.get(root) if isinstance(projects, dict) else None  # Claude Code's servers of one workspace
        for holder in (config, own):
            servers = holder.get("mcpServers") if isinstance(holder, dict) else None
            for server in servers.values() if isinstance(servers, dict) else ():
                env = server.get("env") if isinstance(server, dict) else None
                path = env.get("MEMORY_FILE_PATH") if isinstance(env, dict) else None
                if isinstance(path, str) and os.path.isabs(path):
                    found.append((path, vouched))
    return found
