"""How much of a fact an agent recalls: the first 200 lines of its body, at most 4096 bytes."""

from __future__ import annotations

__all__ = ["RECALL_BYTES", "RECALL_LINES", "recalled"]

RECALL_LINES = 200
RECALL_BYTES = 4096
"""ZCode's limits when it puts a memory into a session; the rest of a longer one is read only on demand."""


def recalled(text: str) -> tuple[str, str]:
    """The beginning of a text that is recalled, and at which limit it was cut ("" where it is whole); no character is cut."""
    lines = text.split("\n")
    reasons = []
    if len(lines) > RECALL_LINES and any(lines[RECALL_LINES:]):
        text = "\n".join(lines[:RECALL_LINES])
        reasons.append(f"{RECALL_LINES} lines")
    data = text.encode("utf-8", "surrogateescape")
    if len(data) > RECALL_BYTES:
        text = data[:RECALL_BYTES].decode("utf-8", "ignore")
        reasons.append(f"{RECALL_BYTES} bytes")
    return text, " and ".join(reasons)
