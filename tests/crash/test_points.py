"""Every changing verb, killed or failed before each call by which it changes a file, without any tool but fork."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import time

import driver
import kit
import pytest

from remember.files import swap

pytestmark = pytest.mark.slow

CALLS = ["open", "write", "fsync", "fchmod", "fchown", "utime", "mkdir", "unlink", "link", "rename"]
MOST = 400


def patched(number, act):
    """Let `act` come before the nth call that changes a file, counted over all of them; returns the list of calls."""
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
    """Run `act` in a forked process; its exit status, or minus the signal that ended it."""
    child = os.fork()
    if child == 0:
        try:
            os._exit(act())
        except BaseException:
            import traceback

            traceback.print_exc()
            os._exit(70)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status)


def quietly(root, argv):
    """A command in this process, with its exit status."""
    return driver.main([root, *argv])


def cases(tmp_path, name):
    """The prepared tree, the state before the change, before the command, and after it; and the command."""
    prepared = str(tmp_path / "prepared")
    argv = kit.prepare(prepared, name)
    old = kit.memory(prepared)
    done = copy(prepared, tmp_path / "done")
    assert quietly(done, argv) == 0
    base = old
    if name.startswith("undo"):
        base = kit.memory(done)
    return prepared, argv, base, old, kit.memory(done)


def copy(prepared, to):
    shutil.copytree(prepared, to, symlinks=True)
    return str(to)


@pytest.mark.parametrize("name", kit.SCENARIOS)
def test_killed_before_any_call(tmp_path, name):
    prepared, argv, base, old, new = cases(tmp_path, name)
    for number in range(1, MOST):
        root = copy(prepared, tmp_path / str(number))

        def act(root=root, number=number):
            patched(number, lambda: os.kill(os.getpid(), signal.SIGKILL))
            return driver.main([root, *argv])

        status = in_child(act)
        if status == 0:
            assert kit.plain(repr(sorted(kit.memory(root).items())).encode()) == kit.plain(repr(sorted(new.items())).encode())
            assert number > 3
            return
        assert status == -signal.SIGKILL
        kit.assert_old_or_new(root, old, new)
        kit.assert_nothing_doubled(root)
        kit.assert_recovers(root, name, base, quietly)
        shutil.rmtree(root)
    raise AssertionError("never came to an end")


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO])
@pytest.mark.parametrize("name", kit.SCENARIOS)
def test_failed_at_any_call(tmp_path, name, code, capfd):
    prepared, argv, base, old, new = cases(tmp_path, name)

    def fail():
        raise OSError(code, os.strerror(code))

    for number in range(1, MOST):
        root = copy(prepared, tmp_path / str(number))

        def act(root=root, number=number):
            calls = patched(number, fail)
            status = driver.main([root, *argv])
            return status if len(calls) >= number else 100

        status = in_child(act)
        if status == 100:
            assert number > 3
            return
        assert status in (0, 4), (number, capfd.readouterr())
        if status == 4:
            assert os.strerror(code) in capfd.readouterr().err
        kit.assert_old_or_new(root, old, new)
        kit.assert_recovers(root, name, base, quietly)
        shutil.rmtree(root)
    raise AssertionError("never came to an end")


def test_the_time_to_take_over_from_a_killed_holder_is_short(tmp_path):
    root = str(tmp_path / "prepared")
    kit.prepare(root, "add")

    def act():
        patched(5, lambda: os.kill(os.getpid(), signal.SIGKILL))
        return driver.main([root, "add", "x"])

    assert in_child(act) == -signal.SIGKILL
    began = time.monotonic()
    assert quietly(root, ["add", "y"]) == 0
    assert time.monotonic() - began < 2
