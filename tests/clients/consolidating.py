"""Consolidates and harvests a store with the real command lines of pi and Claude Code against a model on loopback, offline.

    PATH=DIR/node_modules/.bin:$PATH python tests/clients/consolidating.py [pi|claude …]

The model reads the run, IDs and revisions out of the prompt, as a real one would, and answers with a plan; asked about a
conversation, it answers with facts. An agent that is not installed is skipped.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

TOP = Path(__file__).resolve().parents[2]
COMMANDS = {
    "pi": "pi -p -ne -nt --no-session --model stub/stub",
    "claude": "claude -p --tools '' --setting-sources '' --strict-mcp-config",
}
FACTS = "The project uses pnpm, never npm.\nTODO: tell Ana about it\nTests need Redis on port 6380."
TALK = {"type": "user", "isSidechain": False, "message": {"content": "Let us agree: pnpm it is, and Redis on 6380 for the tests."}}


def answer(prompt: str) -> str:
    """What the model says: facts of a conversation, or a plan for the memos that it was shown."""
    if "<conversation>" in prompt:
        return FACTS
    found = re.search(r'"run": "([^"]+)"', prompt)
    memos = re.findall(r"^\[(fact|note) ([0-9a-f]{8}) revision ([0-9a-f]{12})\]", prompt, re.M)
    if found is None or len(memos) < 3:
        return "NONE"
    named = [{"id": memo_id, "revision": revision} for _, memo_id, revision in memos]
    merge = {"op": "merge", "memos": named[:2], "description": "Backups", "content": "They run at three at night."}
    return json.dumps(
        {"run": found[1], "summary": "one note for two facts", "operations": [merge, {"op": "add", "text": "Tidied by a model."}]}
    )


def prompt_in(body: Mapping[str, Any]) -> str:
    """Every text of the user's messages in a request."""
    texts = []
    for message in body.get("messages", []):
        if message.get("role") == "user":
            content = message["content"]
            texts += [content] if isinstance(content, str) else [block.get("text", "") for block in content]
    return "\n".join(texts)


class Model(BaseHTTPRequestHandler):
    """Two wire formats: OpenAI's chat completions and Anthropic's messages, both as event streams."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        """Nothing."""

    def _send(self, data: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_HEAD(self) -> None:
        """A client asks whether anybody is there."""
        self._send(b"", "text/plain")

    def do_GET(self) -> None:
        """The one model."""
        self._send(b'{"object": "list", "data": [{"id": "stub", "object": "model"}]}', "application/json")

    def do_POST(self) -> None:
        """An answer to the prompt."""
        body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
        text, path = answer(prompt_in(body)), self.path.split("?")[0]
        if path.endswith("/messages"):
            events = _anthropic(text)
        elif path.endswith("/chat/completions"):
            events = _openai(text)
        else:
            self._send(b"{}", "application/json")
            return
        if path.endswith("/messages") and not body.get("stream"):
            message = {**events[0][1]["message"], "content": [{"type": "text", "text": text}], "stop_reason": "end_turn"}
            self._send(json.dumps(message).encode(), "application/json")
            return
        lines = [
            (f"event: {name}\n" if name else "") + "data: " + (d if isinstance(d, str) else json.dumps(d)) + "\n\n" for name, d in events
        ]
        self._send("".join(lines).encode(), "text/event-stream")


def _anthropic(text: str) -> list[tuple[str, Any]]:
    message = {
        "id": "m1",
        "type": "message",
        "role": "assistant",
        "model": "stub",
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
    }
    message["usage"] = {"input_tokens": 1, "output_tokens": 1}
    return [
        ("message_start", {"type": "message_start", "message": message}),
        ("content_block_start", {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
        ("content_block_delta", {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}}),
        ("content_block_stop", {"type": "content_block_stop", "index": 0}),
        (
            "message_delta",
            {"type": "message_delta", "delta": {"stop_reason": "end_turn", "stop_sequence": None}, "usage": {"output_tokens": 1}},
        ),
        ("message_stop", {"type": "message_stop"}),
    ]


def _openai(text: str) -> list[tuple[str, Any]]:
    base = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "stub"}
    delta = {"index": 0, "delta": {"role": "assistant", "content": text}, "finish_reason": None}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    end = {**base, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}], "usage": usage}
    return [("", {**base, "choices": [delta]}), ("", end), ("", "[DONE]")]


def prove(agent: str, top: Path, url: str) -> list[str]:
    """One consolidation, one undo of it, one harvest; what they printed. Raises AssertionError."""
    work = top / "work"
    work.mkdir()
    (top / ".pi" / "agent").mkdir(parents=True)
    provider = {"baseUrl": f"{url}/v1", "api": "openai-completions", "apiKey": "x", "models": [{"id": "stub"}]}
    (top / ".pi" / "agent" / "models.json").write_text(json.dumps({"providers": {"stub": provider}}))
    environ = {"PATH": os.environ["PATH"], "HOME": str(top), "LANG": "C.UTF-8", "PYTHONPATH": str(TOP), "PI_OFFLINE": "1"}
    environ |= {"ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": "none", "REMEMBER_EXIT_SUMMARY_TIMEOUT_MS": "60000"}
    environ |= dict.fromkeys(("DISABLE_AUTOUPDATER", "DISABLE_TELEMETRY", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC"), "1")

    def remember(*argv: str, data: str = "") -> str:
        done = subprocess.run(
            [sys.executable, "-m", "remember", *argv], cwd=work, env=environ, input=data, capture_output=True, text=True, timeout=180
        )
        assert done.returncode == 0, (argv, done.stdout, done.stderr)
        return done.stdout + done.stderr

    remember("init")
    remember("add", "-", data="Backups run at 3 am.\nThe backups run at three.\nUse pnpm\n")
    memory = work / ".pi" / "memory" / "MEMORY.md"
    before = memory.read_bytes()
    told = [remember("consolidate", "run", "--worker", COMMANDS[agent])]
    assert b"Tidied by a model." in memory.read_bytes() and b"3 am" not in memory.read_bytes()
    told += [remember("check", "--severity", "warning"), remember("undo")]
    assert memory.read_bytes() == before
    told.append(remember("harvest", "-v", "--worker", COMMANDS[agent], data=json.dumps(TALK) + "\n"))
    assert b"never npm" in memory.read_bytes() and b"TODO" not in memory.read_bytes()
    return "".join(told).splitlines()


def main(agents: list[str]) -> int:
    """Each agent in turn; 1 where one of them failed."""
    failed = 0
    server = ThreadingHTTPServer(("127.0.0.1", 0), Model)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    for agent in agents or COMMANDS:
        program = COMMANDS[agent].split()[0]
        if shutil.which(program) is None:
            print(f"{agent}: skipped, {program} is not on the path")
            continue
        with tempfile.TemporaryDirectory(prefix="remember-worker-", ignore_cleanup_errors=True) as top:
            try:
                told = prove(agent, Path(top).resolve(), f"http://127.0.0.1:{server.server_port}")
            except AssertionError as error:
                failed += 1
                told = [f"FAILED: {error}"]
        print(f"{agent}: {COMMANDS[agent]}")
        print("\n".join("  " + line for line in told), flush=True)
    server.shutdown()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
