"""A terminal of its own for every test: a home, a workspace, and `remember` run there as a real process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema

TREE = Path(__file__).resolve().parents[1]


class Console:
    """Runs commands in `work` below a `home` of its own; nothing of the user who runs the tests is seen or touched."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.work = home / "work"
        self.work.mkdir(parents=True)
        self.environ = {"HOME": str(home), "PATH": os.environ["PATH"], "PYTHONPATH": str(TREE), "LANG": "C.UTF-8", "TZ": "UTC"}

    @property
    def store(self) -> Path:
        """The workspace's own store."""
        return self.work / ".pi" / "memory"

    def raw(self, *args: str | bytes, stdin: bytes = b"", cwd: Path | None = None, **environ: str) -> subprocess.CompletedProcess[bytes]:
        """One command as it ends, in bytes; never with a traceback."""
        done = subprocess.run(
            [sys.executable, "-m", "remember", *args],
            cwd=cwd or self.work,
            env={**self.environ, **environ},
            input=stdin,
            capture_output=True,
            timeout=60,
        )
        assert b"Traceback" not in done.stderr, done.stderr.decode("utf-8", "replace")
        return done

    def __call__(self, *args: str, expect: int = 0, stdin: str = "", cwd: Path | None = None, **environ: str) -> str:
        """Standard output of a command that ends with the expected status."""
        done = self.raw(*args, stdin=stdin.encode("utf-8", "surrogateescape"), cwd=cwd, **environ)
        assert done.returncode == expect, (args, done.returncode, done.stdout, done.stderr)
        return done.stdout.decode("utf-8")

    def json(self, *args: str, expect: int = 0, **more: Any) -> Any:
        """The one document that a command prints with --json."""
        return json.loads(self(*args, "--json", expect=expect, **more))

    def error(self, *args: str, expect: int, stdin: str = "", **environ: str) -> dict[str, str]:
        """The error that a command gives with --json, its code, message and hint; standard output stays empty."""
        done = self.raw(*args, "--json", stdin=stdin.encode(), **environ)
        assert done.returncode == expect, (args, done.returncode, done.stdout, done.stderr)
        assert done.stdout == b""
        document = json.loads(done.stderr.splitlines()[-1])
        jsonschema.validate(document, json.loads((TREE / "schema" / "error.schema.json").read_text()))
        found: dict[str, str] = document["error"]
        return found
