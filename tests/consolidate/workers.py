"""Workers as small programs, and a store for them to be let loose on."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

from console import Console

from remember.memory import open_memory
from remember.memory.consolidating import list_runs
from remember.memory.context import Surroundings
from remember.setup import Setup

HEAD = """
import json, os, sys, time
prompt = sys.stdin.read()
memos = [json.loads(line) for line in open("memos.jsonl")]
by = {memo["content"].strip(): {"id": memo["id"], "revision": memo["revision"]} for memo in memos}
run = json.load(open("manifest.json"))["run"]
def plan(*operations, summary="tidy"):
    print(json.dumps({"run": run, "summary": summary, "operations": list(operations)}))
"""
FACTS = ["Backups run at 3 am.", "The backups run at three.", "Use pnpm"]
GOOD = """
plan(
    {"op": "merge", "memos": [by["Backups run at 3 am."], by["Port 8096."], by["The backups run at three."]],
     "description": "Server", "content": "Backups at 3 am.\\n\\nPort 8096.\\n"},
    {"op": "update", **by["Use pnpm"], "content": "Use pnpm, never npm."},
    {"op": "forget", **by["Old stuff."]},
    {"op": "add", "text": "Tests need Redis."},
    {"op": "note", "description": "Release steps", "content": "First tag, then build."},
)
"""


def stock(remember: Console) -> dict[str, bytes]:
    """A store of three facts and two notes; its files."""
    Setup(remember.environ, str(remember.work)).init()
    memory = open_memory(environ=remember.environ, cwd=str(remember.work))
    memory.add(*FACTS)
    memory.note("TV server", "Port 8096.", slug="tv")
    memory.note("Obsolete", "Old stuff.", slug="old")
    return files(remember)


def worker(remember: Console, code: str, head: str = HEAD) -> str:
    """The command line of a program that does this."""
    path = remember.home / f"worker-{len(list(remember.home.glob('worker-*')))}.py"
    path.write_text(head + code)
    return f"{sys.executable} {path}"


def files(remember: Console) -> dict[str, bytes]:
    """Every file of the store but its recovery records."""
    found = {}
    for where, _, names in os.walk(remember.store):
        for name in names:
            path = Path(where) / name
            if "recovery" not in path.parts:
                found[str(path.relative_to(remember.store))] = path.read_bytes()
    return found


def records(remember: Console) -> int:
    return len(list((remember.store / "recovery").glob("*.json")))


def runs(remember: Console) -> list[dict[str, Any]]:
    around = Surroundings(None, None, (), False, remember.environ, str(remember.work))
    found: list[dict[str, Any]] = list_runs(around)["runs"]  # type: ignore[assignment]
    return found


def begin(remember: Console, *options: str) -> dict[str, Any]:
    begun: dict[str, Any] = remember.json("consolidate", "begin", *options)
    begun["by"] = {}
    for line in (Path(begun["directory"]) / "memos.jsonl").read_text().splitlines():
        memo = json.loads(line)
        begun["by"][memo["content"].strip()] = {"id": memo["id"], "revision": memo["revision"]}
    return begun


def plan_text(begun: dict[str, Any], *operations: dict[str, Any], **more: Any) -> str:
    return json.dumps({"run": begun["run"], "summary": "by hand", "operations": list(operations), **more})
