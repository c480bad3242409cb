"""The same searches with nothing in the page cache, where the system lets us empty it."""

from __future__ import annotations

import os
import statistics

from place import Place
from rounds import run_once
from table import Table

__all__ = ["measure"]

_SWITCH = "/proc/sys/vm/drop_caches"


def measure(place: Place, table: Table) -> None:
    """A first search after start, against the bare script's."""
    if not os.access(_SWITCH, os.W_OK):
        table.note("cold: the page cache cannot be emptied here")
        return
    walls: dict[str, list[float]] = {"search": [], "bare": []}
    for _ in range(3):
        for name, command in (("search", place.command("search", "server")), ("bare", place.floor("fresh-search", "server"))):
            os.sync()
            with open(_SWITCH, "w", encoding="ascii") as switch:
                switch.write("3")
            walls[name].append(run_once(command, place.environ)[0])
    wall = statistics.median(a / b for a, b in zip(walls["search"], walls["bare"], strict=True))
    table.note(f"cold: a search with the full walk, against bare FTS5 that looks for edits: wall {wall:.2f}")
