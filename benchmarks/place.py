"""Where one size is measured: its store, its cache, the installed command and the floors."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

__all__ = ["Place"]


class Place:
    """Paths, environment and commands for a store of so many notes below `work`."""

    def __init__(self, work: Path, notes: int) -> None:
        self.work, self.notes = work, notes
        self.store = work / f"store-{notes}"
        self.cache = work / f"cache-{notes}"
        self.base = str(work / f"floor-{notes}.db")
        self.python = str(work / "venv/bin/python")
        self.remember = str(work / "venv/bin/remember")
        self.floors = [self.python, str(Path(__file__).resolve().parent / "floors.py")]
        self.rounds = 3 if notes > 20_000 else 7
        self.rg = shutil.which("rg")
        self.environ = {
            **os.environ,
            "REMEMBER_DIR": str(self.store),
            "REMEMBER_CACHE_DIR": str(self.cache),
            "HOME": str(work / "home"),
            "BENCH_OUT": str(work / "out"),
        }
        self.environ.pop("XDG_RUNTIME_DIR", None)

    def command(self, *words: str) -> list[str]:
        """`remember …` on the store."""
        return [self.remember, *words, "--scope", "global"]

    def floor(self, action: str, *more: str) -> list[str]:
        """One of the floors on the store."""
        return [*self.floors, action, str(self.store), *((self.base, *more) if action != "scan" else more)]
