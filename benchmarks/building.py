"""Build, refresh, and a search that takes one edit in."""

from __future__ import annotations

import shutil
import statistics
import subprocess
import time

from place import Place
from rounds import compare, ratio, run_once
from table import Table

__all__ = ["measure"]


def measure(place: Place, table: Table) -> None:
    """B1, B3, B4, R1, R2, E1."""
    shutil.rmtree(place.cache, ignore_errors=True)
    pair = {"a": place.command("index", "rebuild", "-q"), "b": place.floor("build")}
    built = compare(pair, place.environ, 3)
    table.ratio("B1", "build, against a bare FTS5 script", 2.0, *ratio(built["a"], built["b"]))
    table.figure("B3", "the build's peak memory", built["a"].peak_mb, 120, "MB")
    size = sum(p.stat().st_size for p in place.cache.iterdir()) / sum(p.stat().st_size for p in place.store.rglob("*.md"))
    table.figure("B4", "index over corpus", size, 2.5, "x")
    rows = {"a": place.command("index", "status"), "b": place.floor("refresh"), "git": _git(place)}
    fresh = compare(rows, place.environ, place.rounds)
    table.ratio("R1", "refresh with nothing changed, against bare FTS5's", 0.85, *ratio(fresh["a"], fresh["b"]))
    limit = 1.1 if place.notes > 20_000 else 1.7
    table.ratio("R2", "the same, against git status --porcelain", limit, *ratio(fresh["a"], fresh["git"]))
    _edit(place, table)


def _git(place: Place) -> list[str]:
    """`git status` over the store, its repository kept outside."""
    directory = place.work / f"git-{place.notes}"
    git = ["git", f"--git-dir={directory}", f"--work-tree={place.store}"]
    if not directory.exists():
        for words in (["init", "-q"], ["add", "-A"], ["-c", "user.name=b", "-c", "user.email=b@b", "commit", "-qm", "notes"]):
            subprocess.run([*git, *words], check=True, cwd=place.store, stdout=subprocess.DEVNULL)
    return [*git, "status", "--porcelain"]


def _edit(place: Place, table: Table) -> None:
    """E1: one edit, no watcher."""
    command = place.command("search", "server")
    target = sorted((place.store / "notes").iterdir())[7]
    old = target.read_bytes()
    pairs = []
    for number in range(place.rounds + 1):
        run_once(command, place.environ)
        quiet = run_once(command, place.environ)
        target.write_bytes(old + f"edit{number}\n".encode())
        changed = run_once(command, place.environ)
        pairs.append((changed[0] / quiet[0], changed[1] / quiet[1]))
        target.write_bytes(old)
        run_once(command, place.environ)
        time.sleep(2.1)  # until the file is old enough to be believed
        run_once(command, place.environ)
    wall, cpu = (statistics.median(x) for x in zip(*pairs[1:], strict=True))
    table.ratio("E1", "a search that takes in one edit, against one without", 1.5, wall, cpu)
