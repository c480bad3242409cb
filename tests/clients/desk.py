"""A home of its own with a workspace, a memory in it and the real command; and what every client has to prove there."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from loopback import ANSWER, Call, Loopback

TOP = Path(__file__).resolve().parents[2]
FACT = "The proxy needs a restart after each certificate (context-7413)."
BODY = "They are kept for a year in the vault called body-2290."
WRITTEN = "The loopback model wrote this fact, written-5561."
CALLS = (
    Call("memory_search", {"query": "kept vault"}),
    Call("memory_read", {"path": "PATH"}),
    Call("memory_write", {"content": WRITTEN}),
    Call("memory_read", {"id": "00000000"}),
)
"""What the model asks of memory: a search, a whole note, a new fact, and a memo that is not there."""


PROGRAM = """\
#!{python}
import sys
sys.path.insert(0, {top!r})
from remember.cli import main
status = main()
with open({log!r}, "a") as log:
    print(status, *sys.argv[1:], file=log)
sys.exit(status)
"""
"""The command of this checkout; it notes how it was called and ended."""


class Failed(Exception):
    """Something that must hold does not."""


class Done(NamedTuple):
    """A process that has ended."""

    status: int
    out: str
    err: str


class Client(Protocol):
    """A coding agent: how it is set up on a desk and run once without a person."""

    name: str
    program: str
    structured: bool
    """Whether the model is shown `structuredContent`, not the text."""
    hooks: bool
    """Whether it runs commands at the beginning and the end of a session."""

    def configs(self, desk: Desk) -> list[Path]:
        """The files of its configuration that `remember hooks` may touch."""

    def prepare(self, desk: Desk, url: str) -> None:
        """The user's own configuration, before ours."""

    def run(self, desk: Desk, url: str) -> Done:
        """One prompt, answered to the end."""

    def servers(self, desk: Desk, url: str) -> Done:
        """The client's own list of MCP servers."""


def need(holds: object, what: str, more: str = "") -> None:
    """Raises Failed with what should have held."""
    if not holds:
        raise Failed(what + ("\n" + more[-4000:] if more else ""))


class Desk:
    """A private home below `top`."""

    def __init__(self, top: Path) -> None:
        self.home, self.work, self.bin = top / "home", top / "my work", top / "bin"
        for folder in (self.home, self.work, self.bin, top / "tmp"):
            folder.mkdir(parents=True)
        self.environ = {
            "PATH": os.pathsep.join((str(self.bin), os.environ["PATH"])),
            "HOME": str(self.home),
            "TMPDIR": str(top / "tmp"),
            "LANG": "C.UTF-8",
            "TERM": "dumb",
            "NO_COLOR": "1",
        }
        self.remember_path = self.bin / "remember"
        self.log = top / "commands.log"
        self.remember_path.write_text(PROGRAM.format(python=sys.executable, top=str(TOP), log=str(self.log)))
        self.remember_path.chmod(0o755)
        subprocess.run(["git", "init", "-q", "."], cwd=self.work, env=self.environ, check=True)
        self.remember("init")
        self.remember("add", FACT)
        made = json.loads(self.remember("note", "Backups", "--body", BODY, "--json"))
        self.note = str(made["path"])

    def run(self, argv: Sequence[str], more: Mapping[str, str] | None = None, data: str = "", seconds: int = 120) -> Done:
        """A process in the workspace, with this environment and nothing of the caller's."""
        try:
            done = subprocess.run(
                argv, cwd=self.work, env={**self.environ, **(more or {})}, input=data, capture_output=True, text=True, timeout=seconds
            )
        except subprocess.TimeoutExpired as error:
            raise Failed(f"{shlex.join(argv)[:200]} took more than {seconds} seconds\n{error.stdout}\n{error.stderr}") from error
        return Done(done.returncode, done.stdout, done.stderr)

    def remember(self, *argv: str, status: int = 0) -> str:
        """Our own command; what it printed."""
        done = self.run([str(self.remember_path), *argv])
        need(done.status == status, f"remember {shlex.join(argv)} ended with {done.status}, not {status}", done.out + done.err)
        return done.out

    def hook(self, event: str, client: str) -> str:
        """The command line of a hook as a user writes it."""
        return shlex.join([str(self.remember_path), "hook", event, "--client", client])

    def write(self, name: str, text: str) -> Path:
        """A file of the home."""
        path = self.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path


def found(program: str) -> bool:
    """Whether a program is installed."""
    return shutil.which(program) is not None


def _bytes(paths: Sequence[Path]) -> dict[Path, bytes | None]:
    return {path: path.read_bytes() if path.exists() else None for path in paths}


def prove(client: Client, top: Path) -> list[str]:
    """Everything that is asked of one client, step by step; what was seen. Raises Failed."""
    desk = Desk(top)
    calls = [Call(c.tool, {k: desk.note if v == "PATH" else v for k, v in c.arguments.items()}) for c in CALLS]
    with Loopback(calls) as model:
        client.prepare(desk, model.url)
        configs = client.configs(desk)
        before = _bytes(configs)
        _install(desk, client.name)
        desk.remember("hooks", "uninstall", client.name, "--yes")
        need(_bytes(configs) == before, "uninstall leaves other bytes than there were")
        _install(desk, client.name)
        installed = _bytes(configs)
        listed = client.servers(desk, model.url)
        need("remember" in listed.out + listed.err and listed.status == 0, "the client does not list the server", listed.out + listed.err)
        done = client.run(desk, model.url)
        seen = _look(client, desk, model, done)
        _status(desk, client.name)
        if hasattr(client, "also"):
            seen += client.also(desk, model)
        ran = _bytes(configs)
        desk.remember("hooks", "uninstall", client.name, "--yes")
        desk.remember("hooks", "status", client.name, status=1)
        for path, now in _bytes(configs).items():
            if ran[path] == installed[path]:
                need(now == before[path], f"{path} has other bytes after uninstall than before install")
            else:
                need(json.loads(now or b"{}") == _without(json.loads(ran[path] or b"{}")), f"{path} lost more than our entry")
                seen.append(f"the client rewrote {path.name} meanwhile: only our entry is gone")
    return [*seen, "status says installed; uninstall leaves the configuration as it was"]


def _install(desk: Desk, name: str) -> None:
    desk.remember("hooks", "install", name, "--yes")
    _status(desk, name)


def _status(desk: Desk, name: str) -> None:
    rows = json.loads(desk.remember("hooks", "status", name, "--json"))["files"]
    need(rows and all(row["state"] == "installed" for row in rows), "status does not say installed", json.dumps(rows))


def _without(document: dict[str, dict[str, object]]) -> dict[str, dict[str, object]]:
    """A document that the client has rewritten, without our server; the section goes too where it is empty."""
    for section in ("mcpServers", "mcp"):
        servers = document.get(section, {})
        servers.pop("remember", None)
        if not servers:
            document.pop(section, None)
    return document


def _look(client: Client, desk: Desk, model: Loopback, done: Done) -> list[str]:
    """Whether the model saw the session's context and each call's result, and the session ended well."""
    said = f"{client.program} ended with {done.status}\n{done.out}\n{done.err}\ntools: {sorted(model.tools())}"
    need(done.status == 0 and ANSWER in done.out, "the session did not end well", said)
    need("context-7413" in model.first(), "the session's context did not reach the model", said)
    missing = [call.tool for call in CALLS if not any(name.endswith(call.tool) for name in model.tools())]
    need(not missing, f"tools that the model was not offered: {missing}", said)
    results = model.results()
    need(len(results) == len(CALLS), f"{len(results)} results of tools, not {len(CALLS)}", said + "\n".join(results))
    search, note, fact, mistake = results
    need("body-2290" in search and "Backups" in search, "the search's hit did not reach the model", search)
    need(BODY in note, "the note did not reach the model whole", note)
    need(WRITTEN in desk.remember("list"), "the fact was not written", fact)
    need("not_found" in mistake and "hint" in mistake, "the error and its hint did not reach the model", mistake)
    need(('"hits"' in search) is client.structured, "the model is shown the other of text and structured content", search)
    ran = desk.log.read_text().splitlines()
    for event in ("session-start", "prompt", "session-end") if client.hooks else ():
        need(f"0 hook {event} --client {client.name}" in ran, f"the hook {event} was not called", "\n".join(ran))
    lines = [line for line in (done.out + done.err).splitlines() if "hook" in line.lower()]
    noise = [line for line in lines if "error" in line.lower() or "fail" in line.lower()]
    need(not noise, "the client complains about a hook", "\n".join(noise))
    shown = "structured content" if client.structured else "text"
    count = len([name for name in model.tools() if "memory_" in name])
    return [
        "the session's context reached the model",
        f"{count} tools offered; search, read and write came back as {shown}; an error with its hint",
        *(["prompt and session-end hooks did no harm"] if client.hooks else []),
    ]
