"""Runs real coding agents against this checkout, offline: run.py [client …]; a client that is not installed is skipped."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from importlib import import_module
from pathlib import Path

from desk import Failed, found, prove

CLIENTS = {"claude": "Claude", "codex": "Codex", "gemini": "Gemini", "inspector": "Inspector", "opencode": "OpenCode", "pi": "Pi"}


def version(program: str) -> str:
    """What a program says of itself."""
    done = subprocess.run([program, "--version"], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60)
    return (done.stdout or done.stderr).strip().splitlines()[-1] if done.stdout or done.stderr else "unknown version"


def main(names: list[str]) -> int:
    """Each client in turn; 1 where one of them failed."""
    unknown = [name for name in names if name not in CLIENTS]
    if unknown:
        print(f"there is no client {', '.join(unknown)}; clients are {', '.join(CLIENTS)}", file=sys.stderr)
        return 2
    failed = 0
    for name in names or CLIENTS:
        client = getattr(import_module(name), CLIENTS[name])()
        if not found(client.program):
            print(f"{name}: skipped, {client.program} is not on the path", flush=True)
            continue
        began = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="remember-clients-", ignore_cleanup_errors=True) as top:
            try:
                seen = getattr(client, "prove", lambda top: prove(client, top))(Path(top).resolve())  # noqa: B023
            except Failed as error:
                failed += 1
                seen = [f"FAILED: {error}"]
        print(f"{name} ({version(client.program)}, {time.monotonic() - began:.0f} s)", flush=True)
        print("\n".join("  " + line for line in seen), flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
