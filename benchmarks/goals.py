"""Every goal as a ratio in one run: goals.py WORK [NOTES …], called by `benchmarks/run`."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import building
import checking
import cold
import latency
import searching
import watching
from corpus import make
from place import Place
from table import Table


def main() -> None:
    """Print the table for each size."""
    work = Path(sys.argv[1]).resolve()
    sizes = [int(n) for n in sys.argv[2:]] or [10_000]
    print(f"{os.cpu_count()} cores, Python {sys.version.split()[0]}; ratios, medians over rounds, smaller is better")
    for notes in sizes:
        place = Place(work, notes)
        if not (place.store / "MEMORY.md").exists():
            make(place.store, notes)
            time.sleep(3)  # files that are too young are read again, which is not what is measured
        print(f"\n{notes} notes, load {os.getloadavg()[0]:.1f}")
        table = Table()
        for part in (building, searching, watching, checking, latency, cold):
            part.measure(place, table)
        print(f"not met: {', '.join(table.missed) or 'none'}; load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
