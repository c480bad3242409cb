"""Changes of zcode and bullets stores, killed before each call by which they change a file: old or new, and undo gives all back."""

from __future__ import annotations

import os
import random
import shutil
import signal
import time

import pytest
from test_points import MOST, in_child, patched

from remember.change.add import add
from remember.change.forget import forget, select
from remember.change.note import note
from remember.change.target import Target, Terms, Wanted
from remember.change.undo import redo, undo
from remember.change.update import update
from remember.errors import NotFound
from remember.index.catalogue import open_index
from remember.model import StoreRef

pytestmark = pytest.mark.slow

FACT = "---\nname: tea\ndescription: How to make tea\nmetadata:\n  type: project\n---\nBoil.\n"

VERBS = {
    "note": lambda target, terms: note(target, "New thing", "Body.", terms, "thing"),
    "upsert": lambda target, terms: note(target, "Tea: better", "Steep.", terms, "tea", (), "user", True),
    "describe": lambda target, terms: update([target], "tea", Wanted(None, "Another way"), terms),
    "forget fact": lambda target, terms: forget(select([target], "tea"), terms),
    "add": lambda target, terms: add(target, ["one", "two"], terms),
    "replace": lambda target, terms: update([target], "a", Wanted("b"), terms),
    "forget bullet": lambda target, terms: forget(select([target], "a"), terms),
    "undo": lambda target, terms: undo([target], terms),
    "redo": lambda target, terms: redo([target], terms),
}
CASES = {
    "zcode": [["note"], ["upsert"], ["describe"], ["forget fact"], ["note", "undo"], ["forget fact", "undo"], ["note", "undo", "redo"]],
    "bullets": [["add"], ["replace"], ["forget bullet"], ["forget bullet", "undo"]],
}


def prepare(root, layout):
    os.makedirs(os.path.join(root, "store"))
    files = {"MEMORY.md": "# Memory\n\n- [Tea](tea.md) — make it\n", "tea.md": FACT}
    for name, text in (files if layout == "zcode" else {"memory.md": "# M\n- a\n- c\n- a\n"}).items():
        with open(os.path.join(root, "store", name), "w", encoding="utf-8") as file:
            file.write(text)


def run(root, layout, verb):
    ref = StoreRef("it", "it", os.path.join(root, "store"), layout, file="memory.md" if layout == "bullets" else "")
    with open_index(ref, os.path.join(root, "cache")) as index:
        target = Target(index, os.path.join(root, "recovery"))
        VERBS[verb](target, Terms(int(time.time() * 1000), random.SystemRandom().getrandbits, timeout_s=5))
    return 0


def files(root):
    found = {}
    for name in os.listdir(os.path.join(root, "store")):
        if not name.startswith(".remember-"):
            with open(os.path.join(root, "store", name), "rb") as file:
                found[name] = file.read()
    return found


@pytest.mark.parametrize(("layout", "verbs"), [(layout, verbs) for layout, cases in CASES.items() for verbs in cases])
def test_killed_before_any_call(tmp_path, layout, verbs):
    prepared = str(tmp_path / "prepared")
    prepare(prepared, layout)
    base = files(prepared)
    for verb in verbs[:-1]:
        run(prepared, layout, verb)
    old = files(prepared)
    done = shutil.copytree(prepared, tmp_path / "done")
    run(str(done), layout, verbs[-1])
    new = files(str(done))
    assert old != new
    for number in range(1, MOST):
        root = str(shutil.copytree(prepared, tmp_path / str(number)))

        def act(root=root, number=number):
            patched(number, lambda: os.kill(os.getpid(), signal.SIGKILL))
            return run(root, layout, verbs[-1])

        status = in_child(act)
        if status == 0:
            assert files(root) == new and number > 3
            return
        assert status == -signal.SIGKILL
        now = files(root)
        assert all(now.get(name) in (old.get(name), new.get(name)) for name in {*old, *new, *now})
        try:
            run(root, layout, "undo")
        except NotFound:
            assert now == base  # nothing had happened, or all of it was undone
        assert files(root) == base
        shutil.rmtree(root)
    raise AssertionError("never came to an end")
