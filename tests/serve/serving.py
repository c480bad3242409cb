"""The real server in a process: a private home, a workspace, the SDK's client and a raw wire."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

from mcp import Client, StdioServerParameters

TOP = str(Path(__file__).resolve().parents[2])
ERAS = ("legacy", "2026-07-28")


class Bench:
    """A home with one workspace, made fresh."""

    def __init__(self, top: Path) -> None:
        self.home = top
        self.work = top / "w"
        self.work.mkdir()
        self.environ = {"PATH": os.environ["PATH"], "HOME": str(top), "PYTHONPATH": TOP}

    @property
    def store(self) -> Path:
        return self.work / ".pi" / "memory"

    def run(self, *argv: str, status: int = 0, data: str | None = None) -> str:
        """A command of the command line; its output."""
        command = [sys.executable, "-m", "remember", *argv]
        done = subprocess.run(command, cwd=self.work, env=self.environ, capture_output=True, text=True, input=data or "")
        assert done.returncode == status, done.stderr
        return done.stdout

    def talk(self, talk: Callable[[Client], Awaitable[Any]], era: str = "legacy", *argv: str) -> Any:
        """What a coroutine makes of a connected client."""

        async def main() -> Any:
            parameters = StdioServerParameters(
                command=sys.executable, args=["-m", "remember", "mcp", *argv], env=self.environ, cwd=self.work
            )
            async with Client(parameters, mode=era) as client:
                return await talk(client)

        return asyncio.run(main())

    @contextmanager
    def talking(self, era: str = "legacy", *argv: str) -> Iterator[Callable[..., Any]]:
        """One server for many calls: `ask(tool, **arguments)` gives its answer."""
        jobs: asyncio.Queue[tuple[str, dict[str, Any], Future[Any]] | None] = asyncio.Queue()
        loops: Future[asyncio.AbstractEventLoop] = Future()

        async def serve(client: Client) -> None:
            loops.set_result(asyncio.get_running_loop())
            while (job := await jobs.get()) is not None:
                name, arguments, answer = job
                try:
                    answer.set_result(await client.call_tool(name, arguments))
                except Exception as error:
                    answer.set_exception(error)

        def run() -> None:
            try:
                self.talk(serve, era, *argv)
            except BaseException as error:
                if not loops.done():
                    loops.set_exception(error)
                raise

        thread = Thread(target=run)
        thread.start()
        loop = loops.result(60)

        def ask(name: str, **arguments: Any) -> Any:
            answer: Future[Any] = Future()
            loop.call_soon_threadsafe(jobs.put_nowait, (name, arguments, answer))
            return answer.result(60)

        try:
            yield ask
        finally:
            loop.call_soon_threadsafe(jobs.put_nowait, None)
            thread.join()

    def wire(self, *lines: str | dict[str, Any], first: dict[str, Any] | None = None) -> tuple[list[dict[str, Any]], float, int]:
        """A first frame (a ping) is answered, then all others are sent and the input closed.

        (answers, seconds from the end of input to the end of the process, exit status).
        """
        data = "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)
        first = first or {"jsonrpc": "2.0", "id": "ready", "method": "ping"}
        process = subprocess.Popen(
            [sys.executable, "-m", "remember", "mcp"],
            cwd=self.work,
            env=self.environ,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        with process:
            assert process.stdin and process.stdout
            process.stdin.write((json.dumps(first) + "\n").encode())
            process.stdin.flush()
            ready = json.loads(process.stdout.readline())
            assert ready["id"] == first["id"]
            process.stdin.write(data.encode("utf-8", "surrogateescape"))
            process.stdin.close()
            began = time.monotonic()
            out = process.stdout.read().decode()
            status = process.wait(10)
        return [ready, *(json.loads(line) for line in out.splitlines())], time.monotonic() - began, status


INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}


def asked(number: int, name: str, **arguments: Any) -> dict[str, Any]:
    """A call of a tool as a frame."""
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": name, "arguments": arguments}}
