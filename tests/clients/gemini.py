"""Gemini CLI: hooks and MCP in the user's settings."""

from __future__ import annotations

import json
from pathlib import Path

from desk import Desk, Done

POLICY = """\
[[rule]]
mcpName = "remember"
toolName = "*"
decision = "allow"
priority = 100
"""


class Gemini:
    """`gemini -p`."""

    name, program, structured, hooks = "gemini", "gemini", False, True

    def configs(self, desk: Desk) -> list[Path]:
        """The one file."""
        return [desk.home / ".gemini" / "settings.json"]

    def prepare(self, desk: Desk, url: str) -> None:
        """The way to sign in, and hooks of the user's own at the other events."""
        hooks = {
            event: [{"hooks": [{"type": "command", "command": desk.hook(name, "gemini")}]}]
            for event, name in (("BeforeAgent", "prompt"), ("SessionEnd", "session-end"))
        }
        settings = {"security": {"auth": {"selectedType": "gemini-api-key"}}, "hooks": hooks}
        desk.write(".gemini/settings.json", "// mine\n" + json.dumps(settings, indent=3))
        desk.write(".gemini/policies/remember.toml", POLICY)

    def _environ(self, url: str) -> dict[str, str]:
        return {"GEMINI_CLI_TRUST_WORKSPACE": "true", "GEMINI_API_KEY": "x", "GOOGLE_GEMINI_BASE_URL": url}

    def servers(self, desk: Desk, url: str) -> Done:
        """It connects to each of them."""
        return desk.run([self.program, "mcp", "list"], self._environ(url))

    def run(self, desk: Desk, url: str) -> Done:
        """Nobody could be asked, so a policy of the user's own stands for a person's yes."""
        argv = [self.program, "-m", "gemini-2.5-flash", "-p", "search memory"]
        return desk.run(argv, self._environ(url))
