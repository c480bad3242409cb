"""docs/git.md is true: its commands are run, and print what stands there (`--update` tells it anew, as for stories)."""

from __future__ import annotations

from pathlib import Path

import pytest
from telling import TESTS, Telling


def test_the_guide_to_git_is_true(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    path = TESTS.parent / "docs" / "git.md"
    told = Telling(tmp_path / "home", python_path=str(TESTS.parent)).tell(path.read_text(encoding="utf-8"))
    assert "Traceback" not in told
    if request.config.getoption("--update"):
        path.write_text(told, encoding="utf-8")
    assert told == path.read_text(encoding="utf-8")
