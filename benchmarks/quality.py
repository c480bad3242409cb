"""Retrieval quality on a small set of our own: nDCG@10 and the share of queries answered first, through the Python API.

The set (quality_set.json) was written for this project: notes and facts in seven languages, questions, keywords, identifiers
whole, in part and restyled, versions, half-remembered words. It shows a fall, not a gain: it is far too small for tuning.
"""

from __future__ import annotations

import json
import os
import tempfile
from math import log2
from pathlib import Path

import remember

HERE = Path(__file__).resolve().parent


def write_store(data: dict, folder: Path) -> dict[str, str]:
    """A native store of the set; which name each memo ID stands for."""
    names: dict[str, str] = {}
    (folder / "notes").mkdir(parents=True)
    (folder / "pi-remember.json").write_text('{"version": 1}\n')
    facts = []
    for number, (name, text) in enumerate(data["facts"].items(), 0x200):
        names[f"{number:08x}"] = name
        facts.append(f"<!-- 2026-01-02T03:04:05Z [{number:08x}] -->\n{text}\n")
    (folder / "MEMORY.md").write_text("".join(facts), encoding="utf-8")
    for number, (name, (description, body)) in enumerate(data["notes"].items(), 0x100):
        names[f"{number:08x}"] = name
        stamp = "2026-01-02T03:04:05.000Z"
        (folder / "notes" / f"2026-01-02-n{number}.md").write_text(
            f'---\ndescription: "{description}"\nmemory-id: "{number:08x}"\n'
            f'created-date: "{stamp}"\nlast-modified-date: "{stamp}"\n---\n{body}\n',
            encoding="utf-8",
        )
    return names


def measure() -> tuple[float, float, list[str]]:
    """(mean nDCG@10, share of queries whose first hit is right, the queries that are not)."""
    data = json.loads((HERE / "quality_set.json").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        names = write_store(data, Path(folder, "store"))
        environ = {**os.environ, "HOME": folder, "REMEMBER_CACHE_DIR": os.path.join(folder, "cache")}
        memory = remember.open(store=os.path.join(folder, "store"), environ=environ)
        gains, wrong = [], []
        for query, relevant in data["queries"]:
            ranking = [names[hit.id] for hit in memory.search(query, limit=10).hits]
            gain = sum(relevant.get(name, 0) / log2(place + 2) for place, name in enumerate(ranking))
            gains.append(gain / sum(1 / log2(place + 2) for place in range(len(relevant))))
            if not ranking or ranking[0] not in relevant:
                wrong.append(f"{query}: {ranking[:3]}")
    return sum(gains) / len(gains), 1 - len(wrong) / len(gains), wrong


if __name__ == "__main__":
    ndcg, first, wrong = measure()
    print(f"nDCG@10 {ndcg:.4f}, right first {first:.4f}")
    print("\n".join(wrong))
