"""What is killed, on which stores, and what must hold afterwards; the command to be killed can be given from outside.

With REMEMBER_CRASH_COMMAND (`python -m remember`, say) the real command line is driven in place of driver.py.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys

import driver

COMMAND = shlex.split(os.environ.get("REMEMBER_CRASH_COMMAND", ""))

FACTS = """# Memory

<!-- 2026-02-15T14:30:00Z [aaaa0001] -->
first fact
<!-- 2026-02-15T14:30:00Z [aaaa0002] -->
second fact, see [[2026-02-15-bravo]]
- by hand
"""
NOTE = """---
description: "{name} note"
memory-id: "{memo_id}"
created-date: "2026-02-15T14:30:00.000Z"
last-modified-date: "2026-02-15T14:30:00.000Z"
---
body of {name}, see [[alpha]]
"""

SCENARIOS = {
    "init": ([], ["init"]),
    "add": ([], ["add", "a new fact"]),
    "add lines": ([], ["add-lines", "one", "two", "three"]),
    "note": ([], ["note", "a new note", "--body", "text"]),
    "update fact": ([], ["update", "aaaa0001", "--content", "another text"]),
    "update note": ([], ["update", "bbbb0001", "--content", "another body"]),
    "update description": ([], ["update", "bbbb0001", "--description", "another"]),
    "forget fact": ([], ["forget", "aaaa0001"]),
    "forget note": ([], ["forget", "bbbb0002"]),
    "forget many": ([], ["forget", "a"]),
    "rename": ([], ["move", "bbbb0002", "--slug", "charlie"]),
    "move note": ([], ["move", "bbbb0002", "--to", "global"]),
    "move fact": ([], ["move", "aaaa0001", "--to", "global"]),
    "undo add": ([["add", "a new fact"]], ["undo"]),
    "undo forget": ([["forget", "a"]], ["undo"]),
    "undo rename": ([["move", "bbbb0002", "--slug", "charlie"]], ["undo"]),
    "undo move": ([["move", "bbbb0002", "--to", "global"]], ["undo"]),
    "redo forget": ([["forget", "a"], ["undo"]], ["redo"]),
}
"""Name: the commands that come before, and the one that is killed."""


def prepare(root: str, name: str) -> list[str]:
    """Two stores with facts and notes, and the commands that come before; the command to be killed."""
    for store in (driver.local_of(root), driver.global_of(root)):
        driver.create_store(store)
    local = driver.local_of(root)
    os.mkdir(os.path.join(local, "notes"), 0o700)
    put(os.path.join(local, "MEMORY.md"), FACTS)
    for number, what in enumerate(("alpha", "bravo"), 1):
        path = os.path.join(local, "notes", f"2026-02-15-{what}.md")
        put(path, NOTE.format(name=what, memo_id=f"bbbb000{number}"))
    before, argv = SCENARIOS[name]
    if argv == ["init"]:
        shutil.rmtree(local)
    for command in before:
        driver.run(root, *command)
    return argv


def put(path: str, text: str) -> None:
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, 0o600)


def command_line(root: str, argv: list[str]) -> tuple[list[str], dict[str, str]]:
    """The process to start for one command, and its environment."""
    here = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    environment = {**os.environ, "PYTHONPATH": here, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0", "HOME": root}
    if not COMMAND:
        return [sys.executable, driver.__file__, root, *argv], environment
    environment |= {"REMEMBER_DIR": driver.global_of(root), "REMEMBER_CACHE_DIR": os.path.join(root, "cache")}
    environment |= {"XDG_CONFIG_HOME": os.path.join(root, "config")}
    if argv[0] == "add-lines":
        argv = ["add", " ".join(argv[1:])]
    if argv[0] == "forget":
        argv = [*argv, "--yes"]
    if argv[0] in ("forget", "update"):
        argv = [*argv, "--scope", "local"]
    return [*COMMAND, argv[0], "--root", os.path.join(root, "work"), *argv[1:]], environment


def memory(root: str) -> dict[str, bytes]:
    """Every memory file of both stores by its path; records and our temporary files are none."""
    found = {}
    for store in (driver.local_of(root), driver.global_of(root)):
        for folder, folders, names in os.walk(store):
            if "recovery" in folders:
                folders.remove("recovery")
            for name in names:
                path = os.path.join(folder, name)
                if not re.fullmatch(r"\.remember-\d+-[0-9a-f]+\.tmp", name):
                    with open(path, "rb") as file:
                        found[os.path.relpath(path, root)] = file.read()
    return found


def plain(data: bytes | None) -> bytes | None:
    """Bytes without what differs from run to run: IDs that were drawn, and times."""
    if data is None:
        return None
    return re.sub(rb"\d{4}-\d\d-\d\dT[0-9:.]+Z|\[?\b(?!aaaa|bbbb)[0-9a-f]{8}\b", b"*", data)


def assert_old_or_new(root: str, old: dict[str, bytes], new: dict[str, bytes]) -> None:
    """Each file is as it was before or as the command leaves it, and nothing else is there."""
    now = memory(root)
    for path in {*old, *new, *now}:
        assert plain(now.get(path)) in (plain(old.get(path)), plain(new.get(path))), path


def assert_nothing_doubled(root: str) -> None:
    """No memo ID stands twice in both stores."""
    ids = re.findall(rb"(?:memory-id: \"|Z \[)([0-9a-f]{8})", b"\n".join(memory(root).values()))
    assert len(ids) == len(set(ids)), ids


def assert_recovers(root: str, name: str, base: dict[str, bytes], call) -> None:
    """The next command works at once, and undoing brings back what was there before the change, byte for byte."""
    if name == "init":
        assert call(root, ["init"]) == 0
        assert call(root, ["add", "after the kill"]) == 0
        return
    assert call(root, ["undo"]) in (0, 1)
    assert memory(root) == base, {p: d for p, d in memory(root).items() if base.get(p) != d}
    assert call(root, ["add", "after the kill"]) == 0
    assert b"after the kill" in b"".join(memory(root).values())


def call(root: str, argv: list[str]) -> int:
    """The exit status of a command that nobody disturbs."""
    if not COMMAND:
        return driver.main([root, *argv])
    line, environment = command_line(root, argv)
    return subprocess.run(line, env=environment, capture_output=True, timeout=30).returncode
