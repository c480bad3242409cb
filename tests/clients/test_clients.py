"""The clients that are installed, each as `run.py` runs it; minutes long, so only with `-m slow`."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

RUN = Path(__file__).with_name("run.py")
PROGRAMS = {"claude": "claude", "codex": "codex", "gemini": "gemini", "inspector": "mcp-inspector", "opencode": "opencode", "pi": "pi"}


@pytest.mark.slow
@pytest.mark.parametrize("client", PROGRAMS)
def test_a_client_works_with_what_was_installed(client: str) -> None:
    if shutil.which(PROGRAMS[client]) is None:
        pytest.skip(f"{PROGRAMS[client]} is not installed")
    done = subprocess.run([sys.executable, str(RUN), client], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
