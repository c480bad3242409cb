"""Start of the MCP server against a bare server on the same SDK: serve.py [ROUNDS], with the interpreter it is run by.

From spawn to the first reply, in alternating pairs; once for `initialize` and once for `server/discover`.
"""

from __future__ import annotations

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

BARE = """
import anyio
import mcp_types as types
from mcp.server.lowlevel.server import Server
from mcp.server.stdio import stdio_server

async def tools(_, __):
    schema = {"type": "object", "properties": {"query": {"type": "string"}}}
    return types.ListToolsResult(tools=[types.Tool(name="search", input_schema=schema)])

async def main():
    server = Server("bare", version="1", on_list_tools=tools)
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())

anyio.run(main)
"""
CLIENT = {"name": "benchmark", "version": "1"}
KEY = "io.modelcontextprotocol/"
FRAMES = {
    "initialize": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": CLIENT},
    "server/discover": {
        "_meta": {KEY + "protocolVersion": "2026-07-28", KEY + "clientInfo": CLIENT, KEY + "clientCapabilities": {}},
    },
}


def first_reply(command: list[str], frame: bytes, environ: dict[str, str], folder: str) -> tuple[float, float]:
    """(seconds from spawn to the first reply, CPU seconds of the whole process)."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environ, cwd=folder) as process:
        assert process.stdin and process.stdout
        process.stdin.write(frame)
        process.stdin.flush()
        reply = process.stdout.readline()
        took = time.perf_counter() - began
        process.stdin.close()
        process.wait(10)
    assert "result" in json.loads(reply), reply
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return took, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Print a line for each request."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    with tempfile.TemporaryDirectory() as home:
        environ = {**os.environ, "HOME": home}
        remember = [sys.executable, "-m", "remember"]
        subprocess.run([*remember, "init", "-q"], env=environ, cwd=home, check=True, stdout=subprocess.DEVNULL)
        bare = os.path.join(home, "bare.py")
        with open(bare, "w", encoding="utf-8") as file:
            file.write(BARE)
        commands = {"remember": [*remember, "mcp"], "bare": [sys.executable, bare]}
        for method, params in FRAMES.items():
            frame = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode() + b"\n"
            found: dict[str, list[tuple[float, float]]] = {name: [] for name in commands}
            for number in range(rounds + 1):
                for name, command in sorted(commands.items(), reverse=bool(number % 2)):
                    row = first_reply(command, frame, environ, home)
                    if number:  # the first pair writes byte code and warms the file cache
                        found[name].append(row)
            print(f"{method:16} {ratios(found['remember'], found['bare'])}", flush=True)


def ratios(ours: list[tuple[float, float]], theirs: list[tuple[float, float]]) -> str:
    """Wall and CPU, each as a ratio of minima and of medians."""
    shown = []
    for at, name in enumerate(("wall", "CPU")):
        mine, others = [row[at] for row in ours], [row[at] for row in theirs]
        median = statistics.median(mine) / statistics.median(others)
        shown.append(f"{name} {min(mine) / min(others):.2f} (minimum) {median:.2f} (median; ours {statistics.median(mine):.3f} s)")
    return "  ".join(shown)


if __name__ == "__main__":
    main()
