"""Codex CLI: hooks and MCP in config.toml; hooks have to be trusted, which only a person or a flag can do."""

from __future__ import annotations

from pathlib import Path

from desk import Desk, Done, need
from loopback import Loopback

CONFIG = """\
# mine
model = "stub"
model_provider = "stub"
approval_policy = "never"
mcp_optional_startup_grace_ms = 60000

[model_providers.stub]
name = "Stub"
base_url = "{url}/v1"
wire_api = "responses"
env_key = "STUB_KEY"

[[hooks.UserPromptSubmit]]
[[hooks.UserPromptSubmit.hooks]]
type = "command"
command = {prompt}

[[hooks.SessionEnd]]
[[hooks.SessionEnd.hooks]]
type = "command"
command = {end}"""


class Codex:
    """`codex exec`."""

    name, program, structured, hooks = "codex", "codex", True, True

    def configs(self, desk: Desk) -> list[Path]:
        """The one file."""
        return [desk.home / ".codex" / "config.toml"]

    def prepare(self, desk: Desk, url: str) -> None:
        """The model, and hooks of the user's own at the other events."""
        lines = {"prompt": f"'''{desk.hook('prompt', 'codex')}'''", "end": f"'''{desk.hook('session-end', 'codex')}'''"}
        desk.write(".codex/config.toml", CONFIG.format(url=url, **lines))

    def servers(self, desk: Desk, url: str) -> Done:
        """What is configured."""
        return desk.run([self.program, "mcp", "list", "--json"], {"STUB_KEY": "x"})

    def run(self, desk: Desk, url: str) -> Done:
        """The flag stands for a person's review of the hooks."""
        return desk.run([self.program, "exec", "--dangerously-bypass-hook-trust", "search memory"], {"STUB_KEY": "x"})

    def also(self, desk: Desk, model: Loopback) -> list[str]:
        """Without a review the hook is passed over, as we tell the user."""
        model.requests.clear()
        done = desk.run([self.program, "exec", "search memory"], {"STUB_KEY": "x"})
        need(done.status == 0 and model.first(), "a session without trust did not end well", done.out + done.err)
        need("context-7413" not in model.first(), "a hook ran that nobody has trusted")
        return ["without trust the hook is passed over and the session goes on"]
