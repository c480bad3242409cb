"""Many new files in one commit: each durable before it is visible, their names durable together before anything after them."""

from __future__ import annotations

import os
import random
import stat
from pathlib import Path

import pytest

from remember.files.atomic import NotDurable
from remember.store.commit import FileEdit, Plan, commit, file_item
from remember.store.create import create_store

NEW = 40


@pytest.fixture
def store(tmp_path: Path) -> str:
    path = str(tmp_path / "store")
    create_store(path)
    Path(path, "notes").mkdir(exist_ok=True)
    return path


def write(store: str) -> None:
    def plan(view):
        edits = (*(FileEdit(f"notes/{n}.md", b"text\n") for n in range(NEW)), FileEdit("MEMORY.md", b"- a fact\n"))
        return Plan(edits, tuple(file_item(view, edit) for edit in edits), None, "many")

    commit(store, os.path.join(store, "recovery"), plan, action="import", now_ms=1, bits=random.getrandbits)


def test_their_folder_is_synchronised_once_and_before_the_index(store: str, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[tuple[str, int]] = []
    real = os.fsync

    def fsync(descriptor: int) -> None:
        kind = "folder" if stat.S_ISDIR(os.fstat(descriptor).st_mode) else "file"
        synced.append((kind, len(os.listdir(os.path.join(store, "notes")))))
        real(descriptor)

    before = Path(store, "MEMORY.md").read_bytes() if Path(store, "MEMORY.md").exists() else None
    assert before != b"- a fact\n"
    monkeypatch.setattr(os, "fsync", fsync)
    write(store)
    files = [at for at, (kind, _) in enumerate(synced) if kind == "file"]
    folders_between = [synced[at] for at in range(files[1], files[-1]) if synced[at][0] == "folder"]
    # The record's file comes first, that of MEMORY.md last; between them are the notes, and then their folder once.
    assert len(files) == NEW + 2 and folders_between == [("folder", NEW)]
    assert synced[files[-1] - 1] == ("folder", NEW)


def test_a_folder_that_cannot_be_synchronised_is_said(store: str, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.fsync

    def fsync(descriptor: int) -> None:
        folder = os.path.join(store, "notes")
        if os.path.samestat(os.fstat(descriptor), os.stat(folder)):
            raise OSError(5, "Input/output error")
        real(descriptor)

    monkeypatch.setattr(os, "fsync", fsync)
    with pytest.raises(NotDurable):
        write(store)
    assert len(os.listdir(os.path.join(store, "notes"))) == NEW and Path(store, "MEMORY.md").read_bytes() == b"- a fact\n"
