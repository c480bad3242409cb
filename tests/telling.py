"""Runs a story (a Markdown file with console blocks) as a shell session and gives it back as it went.

A line `$ command` is run by `sh` in a workspace of the story's own, with `remember` on the path; what follows is what it
printed on both streams, and `[N]` where it ended with status N. What differs from run to run (new IDs, today's times, the
home directory) is told by stand-ins, which a later command may use. `<!-- store: NAME -->` begins with tests/fixtures/NAME as
the workspace's store.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

TESTS = Path(__file__).resolve().parent
TODAY = "2026-10-18"
_RECORD = r"\b\d{8}T\d{9}Z-[0-9a-f]{8}\b"
_STAND_IN = re.compile(r"20261018T161033\d{3}Z-[0-9a-f]{8}|0000000[1-9a-f]|00000000f[0-9a-f]{3}")
_BLOCK = re.compile(r"(^```console\n)(.*?)(^```$)", re.M | re.S)
_OLD = datetime(2025, 12, 1, tzinfo=UTC).timestamp()


class Telling:
    """One run of a story below `home`; `program` is the command that `remember` stands for."""

    def __init__(self, home: Path, program: Sequence[str] = (sys.executable, "-m", "remember"), python_path: str | None = None) -> None:
        self.home = home
        self.work = home / "project"
        self.work.mkdir(parents=True)
        script = home / ".bin" / "remember"
        script.parent.mkdir()
        quoted = " ".join(f"'{part}'" for part in program)
        script.write_text(f'#!/bin/sh\nexec {quoted} "$@"\n')
        script.chmod(0o755)
        self.environ = {"HOME": str(home), "PATH": f"{script.parent}:{os.environ['PATH']}", "LANG": "C.UTF-8", "TZ": "UTC"}
        if python_path is not None:
            self.environ["PYTHONPATH"] = python_path
        self.names: dict[str, str] = {}
        self.known = ""

    def tell(self, text: str) -> str:
        """The story with what its commands printed in place of what stands in it."""
        store = re.search(r"<!-- store: (\w+) -->", text)
        if store:
            self._stock(store[1])
        return _BLOCK.sub(lambda block: block[1] + self._session(block[2]) + block[3], text)

    def _stock(self, name: str) -> None:
        place = self.work / ".pi" / "memory"
        shutil.copytree(TESTS / "fixtures" / name, place)
        for path in [place, *place.rglob("*")]:
            path.chmod(0o700 if path.is_dir() else 0o600)
            os.utime(path, (_OLD, _OLD))
            if path.is_file():
                self.known += path.read_text(encoding="utf-8", errors="replace")
        subprocess.run(["remember", "trust", "add"], cwd=self.work, env=self.environ, check=True, capture_output=True)

    def _session(self, block: str) -> str:
        told = []
        lines = block.split("\n")
        for number, line in enumerate(lines):
            if not line.startswith("$ "):
                continue
            command = [line[2:]]
            while command[-1].endswith("\\") or command[-1].startswith("> "):
                number += 1
                command.append(lines[number])
            told.append("$ " + "\n".join(command) + "\n" + self._run("\n".join(command)))
        return "".join(told)

    def _run(self, command: str) -> str:
        self.known += (
            " ".join(word for word in re.findall(r"[0-9A-Za-z-]*[0-9a-f]{8,12}\b", command) if not _STAND_IN.fullmatch(word)) + "\n"
        )
        real = command
        for name, stand_in in self.names.items():
            real = real.replace(stand_in, name)
        real = real.replace(TODAY, datetime.now(UTC).strftime("%Y-%m-%d"))
        done = subprocess.run(
            ["sh", "-c", real],
            cwd=self.work,
            env=self.environ,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=60,
        )
        output = self._plain(done.stdout.decode("utf-8", "replace"))
        if output and not output.endswith("\n"):
            output += "\n"
        return output + (f"[{done.returncode}]\n" if done.returncode else "")

    def _plain(self, output: str) -> str:
        output = output.replace(str(self.home), "/home/you")
        output = re.sub(r"\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b", "0f8b2c1e-6d5a-4b7e-9c3d-2a1b0c9d8e7f", output)
        output = re.sub(_RECORD, lambda found: self._stand_in(found[0], "20261018T161033{:03}Z-{:08x}"), output)
        now = datetime.now(UTC)
        for day in (now, now - timedelta(days=1)):
            date = day.strftime("%Y-%m-%d")
            output = re.sub(date + r"T\d\d:\d\d:\d\d\.\d{3}Z", TODAY + "T16:10:33.000Z", output)
            output = re.sub(date + r"T\d\d:\d\d:\d\dZ", TODAY + "T16:10:33Z", output)
            output = re.sub(date + r" \d\d:\d\d", TODAY + " 16:10", output)
            output = output.replace(date, TODAY)
        output = re.sub(r"\b[0-9a-f]{32}\.sqlite", "0123456789abcdef0123456789abcdef.sqlite", output)
        output = re.sub(r"\b[0-9a-f]{12}\b", lambda found: self._stand_in(found[0], "00000000f{:03x}"), output)
        output = re.sub(r"(?<![-\w])[0-9a-f]{8}\b(?!-)", lambda found: self._stand_in(found[0], "0000000{:x}"), output)
        output = re.sub(r"\(\d+ bytes\)", "(45056 bytes)", output)
        return re.sub(r"(\"elapsed_ms\": )[\d.]+|(?<=\()[\d.]+(?= ms\))", r"\g<1>4.2", output)

    def _stand_in(self, name: str, form: str) -> str:
        if name in self.known or name in self.names.values():
            return name
        if name not in self.names:
            number = sum(len(other) == len(name) for other in self.names) + 1
            self.names[name] = form.format(number, number)
        return self.names[name]
