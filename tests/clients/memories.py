"""Lets real programs write memory in their own way, then finds, reads, searches, checks and imports it, with no byte changed.

    PATH=DIR/node_modules/.bin:$PATH python tests/clients/memories.py

Claude Code writes its automatic memory with its own file tools, told by a model on the loopback interface; the reference
memory server (`mcp-server-memory`) writes its graph where it does by default. A program that is not installed is skipped.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from desk import Desk, Failed, found, need
from loopback import ANSWER, Call, Loopback

TOPICS = {
    "package-manager.md": (
        "---\nname: package-manager\ndescription: Which package manager this repo uses\nmetadata:\n  type: project\n---\n"
        "Use pnpm, marked quokka-5512. **Why:** the lockfile. See [[node-version]].\n"
    ),
    "node-version.md": (
        "---\nname: node-version\ndescription: The Node release that is deployed\nmetadata:\n  type: reference\n---\n"
        "Node 22.19 is deployed.\n"
    ),
}
INDEX = "- [Package manager](package-manager.md) — use pnpm, never npm\n"
SECOND = "- [Node](node-version.md) — 22.19 is deployed\n"
GRAPH = (
    {"entities": [{"name": "Proxy", "entityType": "service", "observations": ["restarts after certificates, wombat-7731"]}]},
    {"relations": [{"from": "Proxy", "to": "Certificates", "relationType": "waits for"}]},
)


def sums(folder: Path) -> dict[str, str]:
    """Every file below a folder with the digest of its bytes and its times."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {str(p.relative_to(folder)): f"{hashlib.sha256(p.read_bytes()).hexdigest()} {p.stat().st_mtime_ns}" for p in files}


def unchanged(desk: Desk, folder: Path, layout: str, wanted: str, form: str, source: Path, count: int) -> list[str]:
    """Found, listed, searched, checked and imported, in that order; the bytes are the same after each. Raises Failed."""
    before = sums(folder)
    if layout:
        discovered = desk.remember("store", "discover")
        need(str(source) in discovered, "store discover does not find it", discovered)
        desk.remember("store", "add", "theirs", str(folder), "--layout", layout)
        hits = json.loads(desk.remember("search", "--store", "theirs", wanted, "--json"))
        need(hits["hits"] and not hits["warnings"], "a search finds nothing, or warns", json.dumps(hits))
        listed = json.loads(desk.remember("list", "--store", "theirs", "--json"))
        need(listed["total"] == count and not listed["warnings"], f"there are not {count} memos", json.dumps(listed))
        desk.remember("show", "--store", "theirs", hits["hits"][0]["path"])
        checked = json.loads(desk.remember("check", "--store", "theirs", "--json", "--severity", "warning"))
        need(not checked["findings"], "check has something to say", json.dumps(checked))
    need(sums(folder) == before, "reading or checking changed a file of theirs")
    desk.remember("import", form, str(source), "--dry-run")
    first = json.loads(desk.remember("import", form, str(source), "--json"))
    again = json.loads(desk.remember("import", form, str(source), "--json"))
    need(sums(folder) == before, "importing changed a file of theirs")
    need(json.loads(desk.remember("search", wanted, "--json"))["hits"], "what was imported is not found")
    desk.remember("check", "--severity", "warning")
    added = [document["counts"]["imported"] for document in (first, again)]
    need(added[0] and not added[1], "importing twice adds what was there", json.dumps(again))
    return [f"{len(before)} files found, {'read, checked, ' if layout else ''}imported {added[0]}, again {added[1]}; no byte changed"]


def claude(desk: Desk) -> list[str]:
    """Claude Code's automatic memory, written by its own tools where it says that it keeps it."""
    folder = desk.home / ".claude" / "projects" / "".join(c if c.isascii() and c.isalnum() else "-" for c in str(desk.work)) / "memory"
    calls = [
        *(Call("Write", {"file_path": str(folder / name), "content": text}) for name, text in TOPICS.items()),
        Call("Write", {"file_path": str(folder / "MEMORY.md"), "content": INDEX}),
        Call("Read", {"file_path": str(folder / "MEMORY.md")}),
        Call("Edit", {"file_path": str(folder / "MEMORY.md"), "old_string": INDEX, "new_string": INDEX + SECOND}),
    ]
    names = ("DISABLE_AUTOUPDATER", "DISABLE_TELEMETRY", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC")
    desk.write(".claude.json", '{"numStartups": 1, "hasCompletedOnboarding": true}')
    with Loopback(calls) as model:
        environ = {"ANTHROPIC_BASE_URL": model.url, "ANTHROPIC_API_KEY": "none", **dict.fromkeys(names, "1")}
        argv = ["claude", "-p", "remember how this project is built", "--allowedTools", "Write,Edit,Read"]
        done = desk.run(argv, environ)
        need(ANSWER in done.out, "the client did not come to an end", done.out + done.err)
        need(str(folder) in model.first(), "the client announces another memory directory", model.first()[-3000:])
        written = sums(folder)
        need(set(written) == {"MEMORY.md", *TOPICS}, "the client did not write what it was told", "\n".join(model.results()))
    return unchanged(desk, folder, "zcode", "quokka", "zcode", folder, len(TOPICS))


def server_memory(desk: Desk) -> list[str]:
    """The reference memory server's graph, through its own protocol, one call after the other."""
    folder = desk.home / "graph"
    folder.mkdir()
    file = folder / "memory.jsonl"
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "memories", "version": "1"}}
    asked = [("initialize", hello), *(("tools/call", {"name": f"create_{next(iter(part))}", "arguments": part}) for part in GRAPH)]
    environ = {**desk.environ, "MEMORY_FILE_PATH": str(file)}
    with subprocess.Popen(
        ["mcp-server-memory"], env=environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as server:
        assert server.stdin is not None and server.stdout is not None
        for number, (method, params) in enumerate(asked):
            server.stdin.write(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode() + b"\n")
            server.stdin.flush()
            need(b'"result"' in server.stdout.readline(), f"the server refuses {method}")
        server.stdin.close()
    return unchanged(desk, folder, "", "wombat", "mcp-memory", file, 0)


PROGRAMS: dict[str, Callable[[Desk], list[str]]] = {"claude": claude, "mcp-server-memory": server_memory}


def main() -> int:
    """Each program in turn; 1 where one of them failed."""
    failed = 0
    for program, prove in PROGRAMS.items():
        if not found(program):
            print(f"{program}: skipped, it is not on the path", flush=True)
            continue
        with tempfile.TemporaryDirectory(prefix="remember-memories-", ignore_cleanup_errors=True) as top:
            try:
                seen = prove(Desk(Path(top).resolve()))
            except Failed as error:
                failed += 1
                seen = [f"FAILED: {error}"]
        print(f"{program}\n" + "\n".join("  " + line for line in seen), flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
