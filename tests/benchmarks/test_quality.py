"""A fall in the quality of search is seen here (benchmarks/quality.py holds the set)."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks"))


def test_the_right_memo_is_among_the_first() -> None:
    from quality import measure

    ndcg, first, wrong = measure()
    assert ndcg >= 0.95, wrong
    assert first >= 0.93, wrong
