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
