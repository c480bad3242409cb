"""Clones for the tests of sharing."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from clones import Clone, World


@pytest.fixture(autouse=True)
def private() -> Iterator[None]:
    """What git makes is as private as what the program makes, so that a check of a clone is clean."""
    before = os.umask(0o077)
    yield
    os.umask(before)


@pytest.fixture
def world(tmp_path: Path) -> World:
    """A bare repository."""
    return World(tmp_path)


@pytest.fixture
def pair(world: World) -> tuple[Clone, Clone]:
    """Two machines with the drivers and a store of three facts and a note."""
    one = world.first()
    for text in ("the kettle is blue", "the cup is white", "the spoon is short"):
        one.add(text)
    one.note("How to make tea", "Boil water.\n\nWait four minutes.\n\nPour it.\n")
    one.commit("what both know")
    one.git("push", "-q")
    return one, world.another("two")
