"""OpenCode: MCP in its configuration, the session's context through a plugin."""

from __future__ import annotations

import json
from pathlib import Path

from desk import Desk, Done


class OpenCode:
    """`opencode run`."""

    name, program, structured, hooks = "opencode", "opencode", False, False

    def configs(self, desk: Desk) -> list[Path]:
        """Configuration and plugin."""
        folder = desk.home / ".config" / "opencode"
        return [folder / "opencode.json", folder / "plugins" / "remember.js"]

    def prepare(self, desk: Desk, url: str) -> None:
        """The model."""
        options = {"baseURL": f"{url}/v1", "apiKey": "x"}
        provider = {"npm": "@ai-sdk/openai-compatible", "name": "Stub", "options": options, "models": {"stub": {"name": "stub"}}}
        desk.write(".config/opencode/opencode.json", json.dumps({"autoupdate": False, "provider": {"stub": provider}}, indent=1))

    def _environ(self) -> dict[str, str]:
        return {"OPENCODE_DISABLE_AUTOUPDATE": "1", "OPENCODE_DISABLE_MODELS_FETCH": "1"}

    def servers(self, desk: Desk, url: str) -> Done:
        """It connects to each of them."""
        return desk.run([self.program, "mcp", "list"], self._environ())

    def run(self, desk: Desk, url: str) -> Done:
        """One prompt."""
        return desk.run([self.program, "run", "-m", "stub/stub", "search memory"], self._environ())
