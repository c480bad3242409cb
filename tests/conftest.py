"""Fixtures for tests that run the program as a person does."""

from __future__ import annotations

from pathlib import Path

import pytest
from console import Console


@pytest.fixture
def remember(tmp_path: Path) -> Console:
    """`remember` in an empty workspace without a store."""
    return Console(tmp_path / "home")


@pytest.fixture
def stocked(remember: Console) -> Console:
    """`remember` in a workspace with a store of two facts and a note."""
    remember("init")
    remember("add", "#lesson Restart the proxy after renewing certificates.")
    remember("add", "Backups run at 3 am, see [[tv-server]].")
    remember("note", "TV server configuration", "--slug", "tv-server", "--body", "Port 8096, behind the proxy.\n\n- 日本語\n")
    return remember


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update", action="store_true", help="tell the stories in tests/stories anew")
