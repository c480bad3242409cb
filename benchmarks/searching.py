"""Start-up and searches without a watcher, each with its full walk."""

from __future__ import annotations

import statistics

from place import Place
from rounds import compare, ratio
from table import Table

__all__ = ["measure"]


def measure(place: Place, table: Table) -> None:
    """S3, S4, S7, S9."""
    start = compare({"a": [place.remember, "--version"], "b": [place.python, "-c", "pass"]}, place.environ, 15)
    table.ratio("S9", "--version, against python -c pass", 1.3, *ratio(start["a"], start["b"]))
    rows = {
        "search": place.command("search", "server"),
        "rare": place.command("search", "needle0000042x"),
        "sqlite": [place.python, "-c", "import sqlite3"],
        "fresh": place.floor("fresh-search", "server"),
        "scan": place.floor("scan"),
    }
    if place.rg:
        rows["rg"] = [place.rg, "-liwF", "server", str(place.store)]
    found = compare(rows, place.environ, place.rounds)
    if "rg" in found:
        table.ratio("S3", "search with the full walk, against rg -liwF", 0.9, *ratio(found["search"], found["rg"]))
    else:
        table.note("S3: no rg on this machine")
    table.ratio("S4", "the same, against bare FTS5 that looks for edits", 0.85, *ratio(found["search"], found["fresh"]))
    for name, what in (("search", "a common word"), ("rare", "a rare word")):
        wall, cpu = (
            statistics.median(a / (b + c) for a, b, c in zip(*(getattr(found[row], kind) for row in (name, "scan", "sqlite")), strict=True))
            for kind in ("wall", "cpu")
        )
        table.ratio("S7", f"the same, {what}, against scandir + stat and import sqlite3", 1.4, wall, cpu)
