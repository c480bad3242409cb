"""The official Inspector's command line: schemas and results of all toolsets in every protocol era, strictly."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from desk import BODY, Desk, need

ERAS = ("legacy", "auto", "modern")
TOOLSETS = {"all": 10, "single": 1, "files": 1}


class Inspector:
    """`mcp-inspector --cli`."""

    name, program = "inspector", "mcp-inspector"

    def __init__(self) -> None:
        self.calls = 0

    def prove(self, top: Path) -> list[str]:
        """Lists, calls, resources and the prompt in each era. Raises Failed."""
        desk = Desk(top)
        for era in ERAS:
            for toolset, count in TOOLSETS.items():
                tools = self._ask(desk, era, ("--toolset", toolset), "tools/list", "--strict")["tools"]
                need(len(tools) == count, f"{len(tools)} tools in {toolset}, not {count}")
            called = ("--tool-name", "memory_search", "--tool-arg", "query=vault", "--tool-arg", "limit=3")
            found = self._ask(desk, era, (), "tools/call", *called)
            need(found["structuredContent"]["hits"][0]["path"] == desk.note, "the search has another hit", json.dumps(found))
            missing = ("--tool-name", "memory_read", "--tool-arg", "id=zzzzzzzz")
            error = self._ask(desk, era, (), "tools/call", *missing, status=5)
            need(error["isError"] and error["structuredContent"]["error"]["code"], "an error without a code", json.dumps(error))
            listed = self._ask(desk, era, (), "resources/list")["resources"]
            need([row["uri"] for row in listed] == ["memory://local/catalogue"], "other resources", json.dumps(listed))
            memo = found["structuredContent"]["hits"][0]["id"]
            text = self._ask(desk, era, (), "resources/read", "--uri", f"memory://local/{memo}")["contents"][0]["text"]
            need(BODY in text, "the resource is not the note", text)
            self._ask(desk, era, (), "resources/templates/list")
            prompt = self._ask(desk, era, (), "prompts/get", "--prompt-name", "review_memory")
            need(prompt["messages"], "the prompt is empty")
        return [f"{self.calls} requests in the eras {', '.join(ERAS)} without a complaint; schemas strict in {len(TOOLSETS)} toolsets"]

    def _ask(self, desk: Desk, era: str, server: tuple[str, ...], method: str, *more: str, status: int = 0) -> Any:
        self.calls += 1
        command = (str(desk.remember_path), "mcp", *server)
        options = ("--method", method, *more, "--format", "json", "-q")
        done = desk.run([self.program, "--cli", "--protocol-era", era, *command, *options])
        what = f"{method} {' '.join(more)} in {era} ended with {done.status}, not {status}"
        need(done.status == status and done.out.strip(), what, done.out + done.err)
        return json.loads(done.out)["result"]
