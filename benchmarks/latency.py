"""Query latency in one process, the walk left out (refresh=False)."""

from __future__ import annotations

import os
import statistics
import time

from place import Place
from table import Table

__all__ = ["measure"]

QUERIES = (
    "server",
    "server timeout config",
    "needle0000042x",
    "how do I configure the server timeout when the docker network is slow",
)


def measure(place: Place, table: Table) -> None:
    """The p50 of each kind of query."""
    import remember

    environ = {**os.environ, "REMEMBER_CACHE_DIR": str(place.cache), "HOME": str(place.work / "home")}
    memory = remember.open(store=str(place.store), environ=environ)
    limit = 60 if place.notes > 20_000 else 15
    for query in QUERIES:
        times = []
        for _ in range(31):
            began = time.perf_counter()
            memory.search(query, refresh=False)
            times.append((time.perf_counter() - began) * 1000)
        table.figure("Q", f"in process, p50 ({query[:44]})", statistics.median(times), limit, "ms")
