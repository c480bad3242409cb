"""Workspaces with stores of their own, and the two verbs of exchange called as the command calls them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from remember.exchange.item import ExportResult, ImportResult
from remember.format import facts, notes
from remember.format.times import fact_stamp
from remember.memory.context import Surroundings
from remember.memory.exchanging import export_memos, import_memos
from remember.setup import Setup


class Desk:
    """A user with one workspace; `store` is its local store."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.work = home / "work"
        self.work.mkdir(parents=True)
        self.environ = {"HOME": str(home)}
        Setup(self.environ, str(self.work)).init()
        self.store = self.work / ".pi" / "memory"

    def around(self, scope: str | None = None) -> Surroundings:
        return Surroundings(None, scope, (), False, self.environ, str(self.work))

    def bring(self, format_name: str, path: Path | str, scope: str | None = None, **more: Any) -> ImportResult:
        return import_memos(self.around(scope), format_name, str(path), **more)

    def give(self, format_name: str, path: Path | str = "-", scope: str = "local", force: bool = False) -> ExportResult:
        return export_memos(self.around(scope), format_name, str(path), force)

    def lines(self) -> list[dict[str, Any]]:
        """The store as it is exported."""
        return [json.loads(line) for line in self.give("jsonl").text.split("\n") if line]

    def put_facts(self, *given: tuple[str, int, str]) -> None:
        """Facts as (ID, created in ms, text), as the writer writes them."""
        path = self.store / "MEMORY.md"
        text = path.read_bytes().decode()
        if given:
            edit = facts.append(text, [(memo_id, fact_stamp(ms), fact) for memo_id, ms, fact in given])
            path.write_bytes((text + edit.text).encode())

    def put_note(self, path: str, memo_id: str, created_ms: int, modified_ms: int, description: str, body: str) -> None:
        """A note as the writer writes it, with its body as given."""
        file = self.store / path
        file.parent.mkdir(parents=True, exist_ok=True)
        head = notes.render(description, memo_id, created_ms, "", "\n", modified_ms)[:-1]
        file.write_bytes((head + body).encode())


def snapshot(folder: Path) -> dict[str, bytes]:
    """Every file below a folder with its bytes, recovery records aside."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "recovery" not in path.relative_to(folder).parts
    }
