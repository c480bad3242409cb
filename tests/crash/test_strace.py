"""The same from outside: a real process killed by strace before every system call that changes a file, or failing in it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess

import driver
import kit
import pytest

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not shutil.which("strace"), reason="strace is not installed")]

CHANGING = "openat,write,pwrite64,fsync,fdatasync,rename,renameat,renameat2,link,linkat,unlink,unlinkat,mkdir,mkdirat,"
CHANGING += "fchmod,fchmodat,fchown,utimensat,ftruncate,flock"
ERRORS = os.environ.get("REMEMBER_CRASH_ERRORS", "ENOSPC,EIO,EROFS,EACCES").split(",")


def traced(root, argv, *options):
    line, environment = kit.command_line(root, argv)
    log = os.path.join(os.path.dirname(root), "trace")
    command = ["strace", "-f", "-qq", "-y", "-o", log, "-e", f"trace={CHANGING}", *options, *line]
    done = subprocess.run(command, env=environment, capture_output=True, timeout=120)
    with open(log, errors="replace") as file:
        return done, file.read()


def points(log, root):
    """(system call, number among its kind, the line) of each call that changes something in a store."""
    seen: dict[str, int] = {}
    found = []
    for line in log.splitlines():
        match = re.match(r"\d+ +(\w+)\((.*)", line)
        if match is None:
            continue
        call, rest = match.groups()
        seen[call] = seen.get(call, 0) + 1
        if call == "openat" and not re.search(r"O_CREAT|O_WRONLY|O_RDWR|O_TRUNC", rest):
            continue
        if driver.local_of(root) in rest or driver.global_of(root) in rest:
            found.append((call, seen[call], line))
    return found


@pytest.fixture(params=kit.SCENARIOS)
def case(request, tmp_path):
    """The scenario, a maker of fresh copies, the states before and after, and the points."""
    name = request.param
    prepared = str(tmp_path / "prepared")
    argv = kit.prepare(prepared, name)
    number = [0]

    def fresh():
        number[0] += 1
        shutil.rmtree(tmp_path / str(number[0] - 1), ignore_errors=True)
        return shutil.copytree(prepared, tmp_path / str(number[0]), symlinks=True)

    old = kit.memory(prepared)
    root = str(fresh())
    done, log = traced(root, argv)
    assert done.returncode == 0, done.stderr
    new = kit.memory(root)
    base = new if name.startswith("undo") else old
    return name, argv, lambda: str(fresh()), (base, old, new), points(log, root)


def test_killed_before_every_call(case):
    name, argv, fresh, (base, old, new), calls = case
    assert len(calls) > 5
    for call, number, line in calls:
        root = fresh()
        traced(root, argv, "-e", f"inject={call}:signal=KILL:when={number}")
        kit.assert_old_or_new(root, old, new)
        kit.assert_nothing_doubled(root)
        kit.assert_recovers(root, name, base, kit.call)
        assert line


@pytest.mark.parametrize("error", ERRORS)
def test_failed_in_every_call(case, error):
    name, argv, fresh, (base, old, new), calls = case
    for call, number, line in calls:
        root = fresh()
        done, _ = traced(root, argv, "-e", f"inject={call}:error={error}:when={number}")
        assert done.returncode in (0, 4), (line, done)
        assert b"Traceback" not in done.stderr, (line, done.stderr)
        if done.returncode == 4:
            assert root.encode() in done.stderr, (line, done.stderr)
        kit.assert_old_or_new(root, old, new)
        kit.assert_recovers(root, name, base, kit.call)


def test_names_are_made_durable_in_order(case):
    """A file's bytes are synchronised before it gets its name, and the folder after it."""
    _, _, _, _, calls = case
    synced: set[str] = set()
    waiting = ""
    for call, _, line in calls:
        paths = re.findall(r"<([^>]+)>", line)
        if call == "fsync":
            synced.add(paths[0])
            if waiting and paths[0] == waiting:
                waiting = ""
        elif call == "renameat2":
            names = re.findall(r'"([^"]+)"', line)
            folder = paths[0]
            if names[0].startswith(".remember-"):
                assert f"{folder}/{names[0]}" in synced, line
            assert waiting in ("", folder), f"{waiting} is not synchronised before: {line}"
            waiting = folder
    assert waiting == ""
