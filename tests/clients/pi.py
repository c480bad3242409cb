"""pi: MCP in mcp.json, the session's context and `/memory` through an extension."""

from __future__ import annotations

import json
import subprocess
import threading
from pathlib import Path

from desk import Desk, Done, need
from loopback import Loopback


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

    def also(self, desk: Desk, model: Loopback) -> list[str]:
        """`/memory update` asks the model for a review, `/memory` shows the status."""
        command = [self.program, "--approve", "--model", "stub/stub", "--no-session", "--mode", "rpc"]
        asked = "".join(json.dumps({"id": word, "type": "prompt", "message": word}) + "\n" for word in ("/memory update", "/memory"))
        environ = {**desk.environ, "PI_OFFLINE": "1"}
        with subprocess.Popen(command, cwd=desk.work, env=environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdin and process.stdout
            process.stdin.write(asked)
            process.stdin.flush()
            clock = threading.Timer(60, process.kill)
            clock.start()
            shown = review = False
            for line in process.stdout:
                shown = shown or ('"notify"' in line and ".pi/memory" in line)
                review = review or any("leave memory as it is" in json.dumps(request.body) for request in model.requests)
                if shown and review:
                    process.kill()
            clock.cancel()
        need(shown and review, f"/memory was {'' if shown else 'not '}shown, a review was {'' if review else 'not '}asked for")
        return ["/memory shows the status, /memory update asks for a review"]
