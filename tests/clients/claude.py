"""Claude Code: hooks and MCP in the user's settings."""

from __future__ import annotations

import json
from pathlib import Path

from desk import Desk, Done


class Claude:
    """`claude -p`."""

    name, program, structured, hooks = "claude", "claude", True, True

    def configs(self, desk: Desk) -> list[Path]:
        """Settings and the file of servers."""
        return [desk.home / ".claude" / "settings.json", desk.home / ".claude.json"]

    def prepare(self, desk: Desk, url: str) -> None:
        """Hooks of the user's own at the other events; servers of the user's own are another matter."""
        hooks = {
            "UserPromptSubmit": [{"hooks": [{"type": "command", "command": desk.hook("prompt", "claude"), "timeout": 5}]}],
            "SessionEnd": [{"hooks": [{"type": "command", "command": desk.hook("session-end", "claude")}]}],
        }
        desk.write(".claude/settings.json", json.dumps({"cleanupPeriodDays": 30, "hooks": hooks}, indent=4) + "\n\n")
        desk.write(".claude.json", '{"numStartups": 1,\n\t"hasCompletedOnboarding":true}')

    def _environ(self, url: str) -> dict[str, str]:
        names = ("DISABLE_AUTOUPDATER", "DISABLE_TELEMETRY", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC")
        return {"ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": "none", **dict.fromkeys(names, "1")}

    def servers(self, desk: Desk, url: str) -> Done:
        """It connects to each of them."""
        return desk.run([self.program, "mcp", "list"], self._environ(url))

    def run(self, desk: Desk, url: str) -> Done:
        """Every tool of ours is allowed; nobody could be asked."""
        return desk.run([self.program, "-p", "search memory", "--allowedTools", "mcp__remember"], self._environ(url))
