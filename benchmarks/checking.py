"""The checker against what reads the same bytes."""

from __future__ import annotations

from place import Place
from rounds import compare, ratio
from table import Table

__all__ = ["measure"]


def measure(place: Place, table: Table) -> None:
    """C1, C2."""
    rows = {
        "quick": place.command("check", "--quick"),
        "files": place.command("check", "--files-only"),
        "check": place.command("check"),
        "status": place.command("index", "status"),
    }
    if place.rg:
        rows["rg"] = [place.rg, "-c", ".", str(place.store)]
    found = compare(rows, place.environ, 3)
    table.ratio("C1", "check --quick, against a refresh with nothing changed", 1.2, *ratio(found["quick"], found["status"]))
    if "rg" in found:
        table.ratio("C2", "check --files-only, against rg -c .", 3.0, *ratio(found["files"], found["rg"]))
        wall, cpu = ratio(found["check"], found["rg"])
        peak = found["check"].peak_mb
        table.note(f"check with the comparison of the cache, against rg -c .: wall {wall:.2f}, cpu {cpu:.2f}; peak {peak:.0f} MB")
