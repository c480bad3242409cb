"""One writer at a time, no file for it in the store, and nothing left when a holder dies."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

from remember.errors import DamagedStore, Locked, RememberError, UnknownStore, UnsafePath
from remember.store.lock import locked

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HOLDER = """
import sys, time
sys.path.insert(0, {root!r})
from remember.store.lock import locked
with locked({path!r}):
    print("held", flush=True)
    time.sleep(30)
"""


@pytest.fixture
def holder(tmp_path):
    script = HOLDER.format(root=ROOT, path=str(tmp_path))
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE)
    assert process.stdout.readline() == b"held\n"
    yield process
    process.kill()
    process.wait()
    process.stdout.close()


def test_a_lock_leaves_no_file(tmp_path):
    with locked(str(tmp_path)) as folder:
        assert os.fstat(folder).st_ino == tmp_path.stat().st_ino
    assert list(tmp_path.iterdir()) == []


def test_the_holder_is_named_after_the_time_out(tmp_path, holder):
    began = time.monotonic()
    with pytest.raises(Locked, match=f"process {holder.pid}"), locked(str(tmp_path), 0.2):
        raise AssertionError("two held one lock")
    assert 0.15 < time.monotonic() - began < 2


def test_the_lock_of_a_killed_holder_is_free(tmp_path, holder):
    os.kill(holder.pid, signal.SIGKILL)
    holder.wait()
    with locked(str(tmp_path), 0):
        assert list(tmp_path.iterdir()) == []


def test_threads_and_processes_exclude_each_other(tmp_path):
    script = """
import os, sys
sys.path.insert(0, {root!r})
from remember.store.lock import locked
for _ in range(40):
    with locked({path!r}):
        with open({path!r} + "/count") as file:
            number = int(file.read())
        with open({path!r} + "/count", "w") as file:
            file.write(str(number + 1))
""".format(root=ROOT, path=str(tmp_path))
    (tmp_path / "count").write_text("0")
    running = [subprocess.Popen([sys.executable, "-c", script]) for _ in range(4)]
    assert [process.wait(60) for process in running] == [0] * 4
    assert (tmp_path / "count").read_text() == "160"


def test_what_is_no_store_is_refused(tmp_path):
    (tmp_path / "file").write_text("x")
    (tmp_path / "link").symlink_to(tmp_path)
    for name, error in (("none", UnknownStore), ("file", DamagedStore), ("link", UnsafePath)):
        with pytest.raises(error), locked(str(tmp_path / name), 0):
            raise AssertionError(name)


def test_a_store_replaced_while_waiting_is_locked_as_it_is_then(tmp_path):
    store = tmp_path / "store"
    store.mkdir()
    with locked(str(store)):
        os.rename(store, tmp_path / "old")
        store.mkdir()
        with locked(str(store), 0.5) as folder:
            assert os.fstat(folder).st_ino == store.stat().st_ino


def test_without_fcntl_a_lock_file_serves(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "fcntl", None)
    with locked(str(tmp_path)):
        assert [item.name for item in tmp_path.iterdir()] == [".remember-lock"]
        with pytest.raises(Locked), locked(str(tmp_path), 0.05):
            raise AssertionError("two held one lock")
    assert list(tmp_path.iterdir()) == []


def test_no_descriptor_is_left(tmp_path):
    before = len(os.listdir("/proc/self/fd"))
    for path in (tmp_path, tmp_path / "none"):
        try:
            with locked(str(path), 0):
                continue
        except RememberError:
            continue
    assert len(os.listdir("/proc/self/fd")) == before
