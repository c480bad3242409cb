"""A store on disk with an index of its own, for every test here."""

from __future__ import annotations

from pathlib import Path

import pytest

from remember.model import StoreRef


@pytest.fixture
def store(tmp_path: Path) -> StoreRef:
    path = tmp_path / "store"
    (path / "notes").mkdir(parents=True)
    (path / "MEMORY.md").write_text("")
    (path / "pi-remember.json").write_text('{"version": 1}\n')
    return StoreRef("global", "global", str(path.resolve()), "remember")


@pytest.fixture
def cache(tmp_path: Path) -> str:
    return str(tmp_path / "cache")


def note(store: StoreRef, name: str, body: str, memo_id: str = "0000000a", description: str = "A note") -> Path:
    """A native note as the writer writes it."""
    path = Path(store.path, "notes", name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        f'---\ndescription: "{description}"\nmemory-id: "{memo_id}"\ncreated-date: "2026-01-02T03:04:05.000Z"\n'
        f'last-modified-date: "2026-01-02T03:04:05.000Z"\n---\n{body}\n'
    )
    return path
