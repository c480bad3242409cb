"""Interrupted work is simply run again: killed or failed before every call that changes a file, the end is the same."""

from __future__ import annotations

import errno
import os
import shutil
import signal

import legacy
import pytest

from remember.errors import RememberError
from remember.files import swap
from remember.migrate.exclusive import LOCK_NAME

CALLS = ["open", "write", "fsync", "fchmod", "fchown", "utime", "mkdir", "unlink", "link", "rename"]
MOST = 600

FILES = {
    "MEMORY.md": legacy.REFERENCE + legacy.FACT,
    "notes/2026-01-02-env.md": legacy.NOTE,
    "notes/gone.md": "gone\n",
    f"recovery/{legacy.RECORD}.json": legacy.record(
        legacy.span(f"<!-- {legacy.STAMP} [aaaa0009] -->\n#note [[notes/gone.md]] Gone\n", memo_id="aaaa0009")
    ),
}


def disturb(number, act):
    """Let `act` come before the nth call that changes a file, counted over all of them; the list of calls."""
    calls = []

    def wrap(real, counts):
        def call(*args, **kwargs):
            if counts(args):
                calls.append(1)
                if len(calls) == number:
                    act()
            return real(*args, **kwargs)

        return call

    for name in CALLS:
        counts = (lambda args: bool(args[1] & (os.O_CREAT | os.O_WRONLY))) if name == "open" else lambda args: True
        setattr(os, name, wrap(getattr(os, name), counts))
    swap._rename = wrap(swap._rename, lambda args: True)
    return calls


def in_child(act):
    """The exit status of `act` in a forked process, or minus the signal that ended it."""
    child = os.fork()
    if child == 0:
        try:
            os._exit(act())
        except BaseException:
            import traceback

            traceback.print_exc()
            os._exit(70)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def backups_hold_every_original(store, original):
    """Whether each original's bytes are in the store or in a backup set."""
    kept = {data for data, _ in legacy.tree(store, True).values()}
    return [path for path, (data, _) in original.items() if data not in kept] == []


def without_lock(store):
    """The store but for a lock that was left after the marker was written, which is no obstacle and which `check` names."""
    return {path: file for path, file in legacy.tree(store).items() if path != LOCK_NAME}


@pytest.fixture(autouse=True)
def no_waiting_for_the_disk(monkeypatch):
    """What is killed here are processes, not machines."""
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)


@pytest.fixture
def calm(tmp_path):
    store = legacy.make(tmp_path / "calm", FILES)
    legacy.run(store)
    return legacy.tree(store)


@pytest.mark.slow
def test_killed_at_every_step_and_run_again_equals_an_undisturbed_run(tmp_path, calm):
    prepared = legacy.make(tmp_path / "prepared", FILES)
    original = legacy.tree(prepared)
    for number in range(1, MOST):
        store = os.path.join(os.path.realpath(tmp_path), "trial")
        shutil.copytree(prepared, store)

        def act(store=store, number=number):
            disturb(number, lambda: os.kill(os.getpid(), signal.SIGKILL))
            legacy.run(store)
            return 0

        status = in_child(act)
        if status == 0:
            assert number > 30
            return
        assert status == -signal.SIGKILL
        assert backups_hold_every_original(store, original), number
        legacy.run(store)
        assert without_lock(store) == calm, number
        assert [name for name in os.listdir(os.path.join(store, "migrations")) if name.startswith(".")] == []
        shutil.rmtree(store)
    raise AssertionError("never came to an end")


@pytest.mark.slow
def test_failed_at_every_step_and_run_again_equals_an_undisturbed_run(tmp_path, calm):
    prepared = legacy.make(tmp_path / "prepared", FILES)
    original = legacy.tree(prepared)

    def fail():
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    for number in range(1, MOST):
        store = os.path.join(os.path.realpath(tmp_path), "trial")
        shutil.copytree(prepared, store)

        def act(store=store, number=number):
            calls = disturb(number, fail)
            try:
                legacy.run(store)
            except RememberError as error:
                return error.exit_status
            return 0 if len(calls) >= number else 100

        status = in_child(act)
        if status == 100:
            assert number > 30
            return
        assert status in (0, 4), number
        assert backups_hold_every_original(store, original), number
        legacy.run(store)
        assert without_lock(store) == calm, number
        shutil.rmtree(store)
    raise AssertionError("never came to an end")
