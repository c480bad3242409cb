"""How costs grow with the number of notes: index, search, check and git, in processor seconds, for docs/scaling.md.

    python benchmarks/scaling.py WORK STORE …

Each STORE is a directory of memory files (`corpus.py` makes one); it is copied below WORK before anything is written.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

TREE = Path(__file__).resolve().parents[1]
REMEMBER = [sys.executable, "-m", "remember"]
CHANGED = 100
"""Notes that each side of a merge changes."""


class Cost(NamedTuple):
    """What a process and its children took: processor seconds, and the largest of them in MB."""

    cpu_s: float
    peak_mb: float


class Bench:
    """One copy of a store, in git, with a cache of its own."""

    def __init__(self, work: Path, store: Path) -> None:
        self.folder = Path(tempfile.mkdtemp(dir=work))
        self.store = self.folder / "store"
        shutil.copytree(store, self.store)
        self.notes = sorted((self.store / "notes").rglob("*.md"))
        names = {f"GIT_{who}_{what}": "someone" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
        self.environ = {"HOME": str(self.folder), "PATH": os.environ["PATH"], "PYTHONPATH": str(TREE), "LANG": "C.UTF-8", **names}
        self.environ["REMEMBER_DIR"] = str(self.store)
        self.environ["GIT_CONFIG_NOSYSTEM"] = "1"

    def cost(self, *command: str, folder: Path | None = None, rounds: int = 1) -> Cost:
        """The cheapest of some rounds."""
        found = []
        for _ in range(rounds):
            with open(self.folder / "said", "wb") as said:
                process = subprocess.Popen(command, cwd=folder or self.store, env=self.environ, stdout=said, stderr=said)
                _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            if process.returncode not in (0, 1):
                raise SystemExit(f"{command}: {process.returncode}\n{(self.folder / 'said').read_text(errors='replace')}")
            found.append(Cost(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024))
        return min(found)

    def git(self, *words: str, rounds: int = 1, folder: Path | None = None) -> Cost:
        return self.cost("git", *words, rounds=rounds, folder=folder)

    def remember(self, *words: str, rounds: int = 1) -> Cost:
        return self.cost(*REMEMBER, *words, rounds=rounds)

    def size_mb(self, path: str) -> float:
        return sum(file.stat().st_size for file in (self.folder / path).rglob("*") if file.is_file()) / 1e6

    def some(self, first: int) -> list[Path]:
        """A hundred notes, spread over the store; `first` 0 and 1 are different ones."""
        step = max(1, len(self.notes) // (2 * CHANGED))
        return self.notes[first * step :: 2 * step][:CHANGED]

    def describe(self, word: str) -> None:
        """Change the descriptions of some notes."""
        for note in self.some(0):
            note.write_text(note.read_text().replace('description: "', f'description: "{word} ', 1))

    def change(self, first: int, word: str) -> None:
        """Change the bodies of some notes, every `CHANGED` apart, and add a fact."""
        for note in self.some(first % 2):
            note.write_text(note.read_text() + f"\n{word}\n")
        with open(self.store / "MEMORY.md", "a") as file:
            file.write(f"<!-- 2026-10-18T16:10:33Z [{first:08x}] -->\n{word}\n")


def one_machine(bench: Bench) -> dict[str, float]:
    built = bench.remember("index", "rebuild", "--scope", "global")
    rows = {"build the index, s": built.cpu_s, "… peak, MB": built.peak_mb, "… its size, MB": bench.size_mb(".cache")}
    rows["memory files, MB"] = bench.size_mb("store")
    common = ("search", "--scope", "global", "server config timeout")
    rows["search for a word that is nowhere, s"] = bench.remember("search", "--scope", "global", "zqznothingmatchesthis", rounds=5).cpu_s
    rows["search for three common words, s"] = bench.remember(*common, rounds=5).cpu_s
    rows["the same without the walk, s"] = bench.remember(*common, "--no-refresh", rounds=5).cpu_s
    rows["add a fact, s"] = bench.remember("add", "--scope", "global", "one more fact").cpu_s
    checked = bench.remember("check", "--scope", "global", "--severity", "error")
    return {**rows, "check everything, s": checked.cpu_s, "… peak of check, MB": checked.peak_mb}


def through_git(bench: Bench) -> dict[str, float]:
    shutil.rmtree(bench.store / "recovery", ignore_errors=True)
    bench.git("init", "-q", "-b", "main")
    bench.git("config", "gc.auto", "0")
    bench.remember("git", "setup", "--scope", "global")
    rows = {"git add and commit everything, s": bench.git("add", "-A").cpu_s + bench.git("commit", "-qm", "all").cpu_s}
    bench.git("gc", "-q")
    rows["repository, packed, MB"] = before = bench.size_mb("store/.git")
    rows["git clone, s"] = bench.git("clone", "-q", "--no-local", str(bench.store), str(bench.folder / "clone")).cpu_s
    shutil.rmtree(bench.folder / "clone")
    rows["git status, s"] = bench.git("status", "--porcelain", rounds=3).cpu_s
    rows["git sync with nothing to do, s"] = bench.remember("git", "sync", "--scope", "global", rounds=3).cpu_s
    bench.git("switch", "-q", "-c", "other")
    bench.change(0, "theirs")
    rows["git sync of 100 changed notes, s"] = bench.remember("git", "sync", "--scope", "global").cpu_s
    bench.git("switch", "-q", "main")
    bench.change(1, "ours")
    bench.git("commit", "-qam", "ours")
    rows["merge of 100 and 100 other notes and one fact each, s"] = bench.git("merge", "-q", "--no-edit", "other").cpu_s
    bench.git("switch", "-q", "other")
    bench.git("reset", "-q", "--hard", "main")
    bench.describe("theirs")
    bench.git("commit", "-qam", "theirs")
    bench.git("switch", "-q", "main")
    bench.change(2, "ours again")
    bench.git("commit", "-qam", "ours")
    rows["merge where both changed the same 100 notes, s"] = bench.git("merge", "-q", "--no-edit", "other").cpu_s
    bench.git("gc", "-q")
    rows["growth for these 403 changes, MB"] = bench.size_mb("store/.git") - before
    return rows


def main(work: str, *stores: str) -> None:
    """Print a table with a column a store."""
    columns: list[tuple[int, dict[str, float]]] = []
    for store in stores:
        bench = Bench(Path(work), Path(store))
        columns.append((len(bench.notes), {**one_machine(bench), **through_git(bench)}))
        shutil.rmtree(bench.folder)
        print(columns[-1], file=sys.stderr, flush=True)
    print("| | " + " | ".join(f"{count:,} notes" for count, _ in columns) + " |\n|---|" + "---:|" * len(columns))
    for name in columns[0][1]:
        print(f"| {name} | " + " | ".join(f"{rows[name]:.2f}" if rows[name] < 100 else f"{rows[name]:.0f}" for _, rows in columns) + " |")


if __name__ == "__main__":
    main(*sys.argv[1:])
