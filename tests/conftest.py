"""Fixtures for tests that run the program as a person does."""

from __future__ import annotations

from pathlib import Path

import pytest
from console import Console

from remember.memory import open_memory
from remember.setup import Setup


@pytest.fixture
def remember(tmp_path: Path) -> Console:
    """`remember` in an empty workspace without a store."""
    return Console(tmp_path / "home")


@pytest.fixture
def stocked(remember: Console) -> Console:
    """`remember` in a workspace with a store of two facts and a note."""
    Setup(remember.environ, str(remember.work)).init()
    memory = open_memory(environ=remember.environ, cwd=str(remember.work))
    memory.add("#lesson Restart the proxy after renewing certificates.")
    memory.add("Backups run at 3 am, see [[tv-server]].")
    memory.note("TV server configuration", "Port 8096, behind the proxy.\n\n- 日本語\n", slug="tv-server")
    return remember


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update", action="store_true", help="tell the stories in tests/stories anew")
