"""Every goal as a ratio in one run: goals.py WORK [NOTES …], called by `benchmarks/run`."""

from __future__ import annotations

import os
import shutil
import statistics
import sys
import time
from pathlib import Path

from corpus import make
from rounds import compare, ratio, run_once

HERE = Path(__file__).resolve().parent
QUERIES = (
    "server",
    "server timeout config",
    "needle0000042x",
    "how do I configure the server timeout when the docker network is slow",
)


def line(goal: str, what: str, limit: float, wall: float, cpu: float) -> None:
    """One row of the table; a goal is met by wall or, on a loaded machine, by CPU."""
    met = "met" if min(wall, cpu) <= limit else "NOT MET"
    print(f"{goal:5} {what:58} wall {wall:6.2f}  cpu {cpu:6.2f}  goal {limit:5.2f}  {met}", flush=True)


def main() -> None:
    """Print the table for each size."""
    work = Path(sys.argv[1]).resolve()
    sizes = [int(n) for n in sys.argv[2:]] or [1000, 10_000]
    print(f"{os.cpu_count()} cores, Python {sys.version.split()[0]}; ratios, medians over rounds, smaller is better")
    for notes in sizes:
        store = work / f"store-{notes}"
        if not (store / "MEMORY.md").exists():
            make(store, notes)
            time.sleep(3)  # files that are too young are read again, which is not what is measured
        print(f"\n{notes} notes")
        measure(work, store, notes)


def measure(work: Path, store: Path, notes: int) -> None:
    """All goals on one store."""
    python, remember, floors = str(work / "venv/bin/python"), str(work / "venv/bin/remember"), str(HERE / "floors.py")
    cache, base = work / f"cache-{notes}", str(work / f"floor-{notes}.db")
    environ = {
        **os.environ,
        "REMEMBER_DIR": str(store),
        "REMEMBER_CACHE_DIR": str(cache),
        "HOME": str(work / "home"),
        "BENCH_OUT": str(work / "out"),
    }
    few = 3 if notes > 20_000 else 7
    search = [remember, "search", "--scope", "global"]

    shutil.rmtree(cache, ignore_errors=True)
    pair = {"a": [remember, "index", "rebuild", "--scope", "global", "-q"], "b": [python, floors, "build", str(store), base]}
    built = compare(pair, environ, 3)
    line("B1", "build, against a bare FTS5 script", 2.0, *ratio(built["a"], built["b"]))
    size = sum(p.stat().st_size for p in cache.iterdir()) / sum(p.stat().st_size for p in store.rglob("*.md"))
    print(f"B3    build's peak memory {built['a'].peak_mb:.0f} MB (goal 120 at 100,000)")
    print(f"B4    index over corpus {size:.2f} (goal 2.50)")

    start = compare({"a": [remember, "--version"], "b": [python, "-c", "pass"]}, environ, 15)
    line("S9", "--version, against python -c pass", 1.3, *ratio(start["a"], start["b"]))

    rows = {
        "search": [*search, "server"],
        "sqlite": [python, "-c", "import sqlite3"],
        "bare": [python, floors, "search", str(store), base, "server"],
        "fresh": [python, floors, "fresh-search", str(store), base, "server"],
        "scan": [python, floors, "scan", str(store)],
    }
    if shutil.which("rg"):
        rows["rg"] = ["rg", "-liwF", "server", str(store)]
    found = compare(rows, environ, few)
    if "rg" in found:
        line("S3", "search with the full scan, against rg -liwF", 0.9, *ratio(found["search"], found["rg"]))
    line("S4", "the same, against bare FTS5 that looks for edits", 0.85, *ratio(found["search"], found["fresh"]))
    both = [a + b for a, b in zip(found["scan"].wall, found["sqlite"].wall, strict=True)]
    cpus = [a + b for a, b in zip(found["scan"].cpu, found["sqlite"].cpu, strict=True)]
    wall = statistics.median(a / b for a, b in zip(found["search"].wall, both, strict=True))
    cpu = statistics.median(a / b for a, b in zip(found["search"].cpu, cpus, strict=True))
    line("S7", "the same, against scandir + stat and import sqlite3", 1.4, wall, cpu)

    pair = {"a": [remember, "index", "status", "--scope", "global"], "b": [python, floors, "refresh", str(store), base]}
    fresh = compare(pair, environ, few)
    line("R1", "refresh with nothing changed, against bare FTS5's", 0.85, *ratio(fresh["a"], fresh["b"]))
    edit(store, [*search, "server"], environ, few)
    in_process(store, cache)


def edit(store: Path, command: list[str], environ: dict[str, str], rounds: int) -> None:
    """E1: a search that takes one edit in, against one that finds nothing changed."""
    target = sorted((store / "notes").iterdir())[7]
    old = target.read_bytes()
    pairs = []
    for number in range(rounds + 1):
        run_once(command, environ)
        quiet = run_once(command, environ)
        target.write_bytes(old + f"edit{number}\n".encode())
        changed = run_once(command, environ)
        pairs.append((changed[0] / quiet[0], changed[1] / quiet[1]))
        target.write_bytes(old)
        run_once(command, environ)
        time.sleep(2.1)  # until the file is old enough to be believed
        run_once(command, environ)
    line("E1", "search that takes in one edit, against one without", 1.5, *(statistics.median(x) for x in zip(*pairs[1:], strict=True)))


def in_process(store: Path, cache: Path) -> None:
    """Query latency in one process, the walk left out (refresh=False)."""
    import remember

    environ = {**os.environ, "REMEMBER_CACHE_DIR": str(cache), "HOME": str(store.parent / "home")}
    memory = remember.open(store=str(store), environ=environ)
    for query in QUERIES:
        times = []
        for _ in range(21):
            began = time.perf_counter()
            memory.search(query, refresh=False)
            times.append((time.perf_counter() - began) * 1000)
        print(f"      in process, p50 {statistics.median(times):6.1f} ms, p95 {sorted(times)[19]:6.1f} ms  {query}")


if __name__ == "__main__":
    main()
