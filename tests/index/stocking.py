"""Notes as the writer writes them, for the tests of the index."""

from __future__ import annotations

from pathlib import Path

from remember.model import StoreRef


def note(store: StoreRef, name: str, body: str, memo_id: str = "0000000a", description: str = "A note") -> Path:
    """A native note as the writer writes it."""
    path = Path(store.path, "notes", name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        f'---\ndescription: "{description}"\nmemory-id: "{memo_id}"\ncreated-date: "2026-01-02T03:04:05.000Z"\n'
        f'last-modified-date: "2026-01-02T03:04:05.000Z"\n---\n{body}\n'
    )
    return path
