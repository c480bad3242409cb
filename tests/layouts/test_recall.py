"""How much of a long fact an agent recalls."""

from __future__ import annotations

import pytest

from remember.layouts.recall import RECALL_BYTES, RECALL_LINES, recalled


@pytest.mark.parametrize(
    ("text", "shown", "why"),
    [
        ("short\n", "short\n", ""),
        ("x\n" * RECALL_LINES, "x\n" * RECALL_LINES, ""),
        ("x\n" * (RECALL_LINES + 1), ("x\n" * RECALL_LINES)[:-1], "200 lines"),
        ("y" * RECALL_BYTES, "y" * RECALL_BYTES, ""),
        ("y" * (RECALL_BYTES + 1), "y" * RECALL_BYTES, "4096 bytes"),
        ("é" * RECALL_BYTES, "é" * (RECALL_BYTES // 2), "4096 bytes"),
        ("a" + "é" * RECALL_BYTES, "a" + "é" * (RECALL_BYTES // 2 - 1), "4096 bytes"),
        ("z" * 30 + "\n" + ("z" * 30 + "\n") * 300, None, "200 lines and 4096 bytes"),
    ],
)
def test_a_fact_is_cut_by_lines_and_bytes_and_never_within_a_letter(text: str, shown: str | None, why: str) -> None:
    found, reason = recalled(text)
    assert reason == why and text.startswith(found)
    assert shown is None or found == shown
    assert len(found.encode()) <= RECALL_BYTES and len(found.split("\n")) <= RECALL_LINES + 1
