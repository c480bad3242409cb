"""`apply` killed before any call that changes a file: the next command finds all of it applied, or takes all of it back."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "crash"))

from test_points import in_child, patched

from remember.consolidate.begin import Context
from remember.memory import Memory
from remember.memory.consolidating import abort_run, apply_run, begin_run, list_runs
from remember.memory.context import Surroundings
from remember.setup import Setup


def around(root: Path) -> Surroundings:
    environ = {"HOME": str(root), "PATH": os.environ["PATH"]}
    return Surroundings(None, "local", (), False, environ, str(root / "work"))


def memory_files(root: Path) -> dict[str, bytes]:
    store = root / "work" / ".pi" / "memory"
    return {str(path.relative_to(store)): path.read_bytes() for path in store.rglob("*.md")}


def prepared(root: Path) -> tuple[str, bytes]:
    """A store with a run that waits for its plan, and the plan."""
    (root / "work").mkdir(parents=True)
    Setup({"HOME": str(root)}, str(root / "work")).init()
    memory = Memory(around(root))
    memory.add("first", "second", "third")
    memory.note("one", "body one")
    memory.note("two", "body two")
    run = str(begin_run(around(root), Context(None, "x"))["run"])
    shown = {memo.title: memory.show(memo.id or "") for memo in memory.list().memos}
    by = {title: {"id": found.memo.id, "revision": found.revision} for title, found in shown.items()}
    operations = [
        {"op": "forget", **by["first"]},
        {"op": "update", **by["second"], "content": "SECOND"},
        {"op": "merge", "memos": [by["one"], by["two"]], "description": "both", "content": "body one and two"},
        {"op": "note", "description": "new", "content": "new body"},
    ]
    return run, json.dumps({"run": run, "summary": "s", "operations": operations}).encode()


def moved(home: Path, to: Path) -> None:
    """The prepared home at the place for which its run was begun (stores are known by their path)."""
    shutil.rmtree(to, ignore_errors=True)
    shutil.copytree(home, to, symlinks=True)


def killed_at(root: Path, run: str, plan: bytes, number: int) -> int:
    def act() -> int:
        patched(number, lambda: os.kill(os.getpid(), signal.SIGKILL))
        apply_run(around(root), run, plan)
        return 0

    return in_child(act)


@pytest.mark.parametrize("step", [pytest.param(7, id="some"), pytest.param(1, id="every", marks=pytest.mark.slow)])
def test_killed_before_a_call(tmp_path: Path, step: int) -> None:
    root, saved = tmp_path / "home", tmp_path / "saved"
    run, plan = prepared(root)
    old = memory_files(root)
    shutil.copytree(root, saved, symlinks=True)
    ends = set()
    for number in range(1, 400, step):
        moved(saved, root)
        status = killed_at(root, run, plan, number)
        if status == 0:
            break
        assert status == -signal.SIGKILL
        [row] = list_runs(around(root))["runs"]  # type: ignore[attr-defined]
        if row["state"] in ("open", "applying"):
            row = abort_run(around(root), run)
            assert row["state"] == "aborted"
            assert memory_files(root) == old, (number, row)
        else:
            assert row["state"] == "applied"
            assert memory_files(root) != old
            assert json.loads((Path(str(row["directory"])) / "receipt.json").read_text())["recovery_id"]
            Memory(around(root)).undo()
            assert memory_files(root) == old
        ends.add(row["state"])
        # The store is free for the next run.
        assert begin_run(around(root), Context(None, "x"))["run"] != run
    else:
        raise AssertionError("never came to an end")
    assert "aborted" in ends and number > 20


def test_the_next_run_settles_what_was_cut_short(tmp_path: Path) -> None:
    root = tmp_path / "home"
    run, plan = prepared(root)
    old = memory_files(root)
    saved = tmp_path / "saved"
    shutil.copytree(root, saved, symlinks=True)
    taken_back = 0
    for number in range(12, 60, 6):
        moved(saved, root)
        if killed_at(root, run, plan, number) == 0:
            break
        [row] = list_runs(around(root))["runs"]  # type: ignore[attr-defined]
        if row["state"] == "applying":
            begun = begin_run(around(root), Context(None, "x"))
            assert run in str(begun["warnings"])
            assert memory_files(root) == old
            taken_back += "was taken back" in str(begun["warnings"])
    assert taken_back
