"""Searches while `remember watch` runs, and what the watcher itself costs."""

from __future__ import annotations

import json
import statistics
import subprocess
import time
from pathlib import Path
from typing import IO

from place import Place
from rounds import compare, ratio, run_once
from table import Table

__all__ = ["measure"]


def measure(place: Place, table: Table) -> None:
    """S1, S2, S8, W1 to W4."""
    watcher = subprocess.Popen(place.command("watch", "--json"), env=place.environ, stdout=subprocess.PIPE, text=True)
    assert watcher.stdout is not None
    try:
        watcher.stdout.readline()  # the first walk is done
        _searches(place, table)
        _replies(place, table)
        _edits(place, table, watcher.stdout)
        _rest(place, table, watcher.pid)
    finally:
        watcher.terminate()
        watcher.wait()


def _searches(place: Place, table: Table) -> None:
    rows = {
        "search": place.command("search", "server"),
        "sqlite": [place.python, "-c", "import sqlite3"],
        "bare": place.floor("search", "server"),
    }
    if place.rg:
        rows["rg"] = [place.rg, "-liwF", "server", str(place.store)]
    found = compare(rows, place.environ, place.rounds)
    table.ratio("S1", "search, watcher running, against import sqlite3", 2.0, *ratio(found["search"], found["sqlite"]))
    if "rg" in found:
        table.ratio("S2", "the same, against rg -liwF", 0.35, *ratio(found["search"], found["rg"]))
    table.ratio("S8", "the same, against bare FTS5 that looks for no edits", 0.9, *ratio(found["search"], found["bare"]))


def _replies(place: Place, table: Table) -> None:
    """W1: how long a reader waits for the watcher's word."""
    from remember.index.database import open_database
    from remember.index.handshake import vouched
    from remember.model import StoreRef

    ref = StoreRef("global", "global", str(place.store), "remember")
    database, why = open_database(str(place.cache), ref)
    assert database is not None, why
    times, refused = [], 0
    for _ in range(200):
        began = time.perf_counter()
        refused += not vouched(database, ref)
        times.append((time.perf_counter() - began) * 1000)
    database.close()
    table.figure("W1", f"the watcher's reply when idle, p95 ({refused} of 200 refused)", sorted(times)[190], 5, "ms")


def _edits(place: Place, table: Table, lines: IO[str]) -> None:
    """W2 and W3: from a write to its commit when nobody asks, and a search right after an edit."""
    target = sorted((place.store / "notes").iterdir())[11]
    old = target.read_bytes()
    waits = []
    for number in range(11):
        began = time.perf_counter()
        target.write_bytes(old + f"watched{number}\n".encode())
        while not json.loads(lines.readline())["read"]:
            continue
        waits.append((time.perf_counter() - began) * 1000)
    table.figure("W2", "from a write to its commit, nobody asking, median", statistics.median(waits), 100, "ms")
    command = place.command("search", "server")
    pairs = []
    for number in range(place.rounds + 4):
        quiet = run_once(command, place.environ)
        target.write_bytes(old + f"asked{number}\n".encode())
        changed = run_once(command, place.environ)
        pairs.append((changed[0] / quiet[0], changed[1] / quiet[1]))
        lines.readline()
    target.write_bytes(old)
    lines.readline()
    table.ratio("W3", "search right after an edit, against one without", 1.15, *(statistics.median(x) for x in zip(*pairs, strict=True)))


def _rest(place: Place, table: Table, pid: int) -> None:
    """W4: memory, and wake-ups while nothing happens."""
    time.sleep(3)
    before = _status(pid)
    time.sleep(5)
    after = _status(pid)
    wakes = (after["voluntary_ctxt_switches"] - before["voluntary_ctxt_switches"]) / 5
    table.figure("W4", "the watcher's memory at rest", after["VmRSS"] / 1024, 60, "MB")
    table.figure("W4", "its wake-ups a second while nothing happens", wakes, 0.2, "/s")


def _status(pid: int) -> dict[str, int]:
    lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace").splitlines()
    pairs = (line.split(":", 1) for line in lines)
    return {key: int(value.split()[0]) for key, value in pairs if key in ("VmRSS", "voluntary_ctxt_switches")}
