"""pi: MCP in mcp.json, the session's context and `/memory` through an extension."""

from __future__ import annotations

import json
from pathlib import Path

from desk import Desk, Done


class Pi:
    """`pi -p`."""

    name, program, structured, hooks = "pi", "pi", False, False

    def configs(self, desk: Desk) -> list[Path]:
        """Servers and extension."""
        folder = desk.home / ".pi" / "agent"
        return [folder / "mcp.json", folder / "extensions" / "remember.js"]

    def prepare(self, desk: Desk, url: str) -> None:
        """The model, and a server of the user's own that is switched off."""
        provider = {"baseUrl": f"{url}/v1", "api": "openai-completions", "apiKey": "x", "models": [{"id": "stub"}]}
        desk.write(".pi/agent/models.json", json.dumps({"providers": {"stub": provider}}))
        desk.write(".pi/agent/mcp.json", '{ "mcpServers": {\n\n   "other": {"command": "false", "enabled": false}\n} }\n')

    def servers(self, desk: Desk, url: str) -> Done:
        """It connects to each of them."""
        return desk.run([self.program, "mcp", "list"], {"PI_OFFLINE": "1"})

    def run(self, desk: Desk, url: str) -> Done:
        """One prompt in a project that is trusted for it."""
        return desk.run([self.program, "--approve", "--model", "stub/stub", "-p", "search memory"], {"PI_OFFLINE": "1"})
