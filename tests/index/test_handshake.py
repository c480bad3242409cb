"""Both sides of the talk between readers and the watcher: only an exact word of our own watcher counts."""

from __future__ import annotations

import os
import shutil
import socket
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from stocking import note

from remember.index.catalogue import open_index
from remember.index.database import PROGRAM
from remember.index.handshake import DIRTY, OK, REPLY_S, Door, request, socket_path, vouched
from remember.index.partial import take_in_paths
from remember.layouts import layout_named
from remember.model import StoreRef


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A cache directory whose path leaves room for a socket's."""
    folder = tempfile.mkdtemp(prefix="rh")
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    yield folder
    shutil.rmtree(folder)


def answered(store: StoreRef, cache: str, word: bytes, wait_s: float = 0.0) -> tuple[bool, bytes]:
    """Whether the reader takes that word for a proof, and what it asked."""
    with open_index(store, cache) as index:
        assert index.database.path is not None
        door = Door(index.database.path)
        asked: list[bytes] = []

        def answer() -> None:
            assert door.listener is not None
            door.listener.setblocking(True)
            talk, _ = door.listener.accept()
            asked.append(talk.recv(256))
            time.sleep(wait_s)
            try:
                talk.send(word)
            except OSError:
                asked.append(b"hung up")
            talk.close()

        thread = threading.Thread(target=answer)
        thread.start()
        found = vouched(index.database, store)
        thread.join()
        door.close()
    return found, asked[0]


def test_the_question_names_store_program_and_index(store: StoreRef, short: str) -> None:
    found, asked = answered(store, short, OK)
    assert found
    stat = os.stat(store.path)
    word, device, inode, version, made = asked.decode().split()
    assert (word, int(device), int(inode), version) == ("SYNC", stat.st_dev, stat.st_ino, PROGRAM)
    with open_index(store, short) as index:
        assert index.database.meta["made"] == made


@pytest.mark.parametrize("word", [DIRTY, b"", b"OK", b"OK \n", b"OK\nOK\n", b"ok\n", b"OK\n\0", b"x" * 200])
def test_only_an_exact_word_counts(store: StoreRef, short: str, word: bytes) -> None:
    assert answered(store, short, word)[0] is False


def test_a_late_word_does_not_count_and_is_not_waited_for(store: StoreRef, short: str) -> None:
    with open_index(store, short) as index:
        door = Door(str(index.database.path))
        began = time.monotonic()
        assert not vouched(index.database, store)
        assert REPLY_S <= time.monotonic() - began < REPLY_S + 0.2
        door.close()


def test_no_socket_a_dead_one_and_one_that_is_none(store: StoreRef, short: str) -> None:
    with open_index(store, short) as index:
        path = socket_path(str(index.database.path))
        assert path is not None
        assert not vouched(index.database, store)
        dead = socket.socket(socket.AF_UNIX)
        dead.bind(path)
        dead.close()
        assert not vouched(index.database, store)
        os.unlink(path)
        Path(path).write_text("OK\n")
        assert not vouched(index.database, store)
        os.unlink(path)
        began = time.perf_counter()
        for _ in range(100):
            vouched(index.database, store)
        assert (time.perf_counter() - began) / 100 < 0.001


def test_a_path_too_long_for_a_socket_is_no_error(store: StoreRef, short: str) -> None:
    cache = os.path.join(short, "x" * 90)
    with open_index(store, cache) as index:
        assert socket_path(str(index.database.path)) is None
        assert not vouched(index.database, store)
        door = Door(str(index.database.path))
        assert door.listener is None and not door.taken
        door.close()


def test_the_runtime_directory_is_used_where_there_is_one() -> None:
    here = socket_path("/cache/key.sqlite", {"XDG_RUNTIME_DIR": tempfile.gettempdir()})
    assert here is not None and here.startswith(tempfile.gettempdir() + "/remember/")
    assert here != socket_path("/other/key.sqlite", {"XDG_RUNTIME_DIR": tempfile.gettempdir()})
    for unusable in ("", "relative", "/not/there"):
        assert socket_path("/cache/key.sqlite", {"XDG_RUNTIME_DIR": unusable}) == "/cache/key.sock"


def test_one_door_an_index(store: StoreRef, short: str) -> None:
    file = os.path.join(short, "0.sqlite")
    first, second = Door(file), Door(file)
    assert (first.taken, second.taken) == (False, True)
    second.close()
    assert first.path is not None and os.stat(first.path).st_mode & 0o777 == 0o600
    first.close()
    third = Door(file)
    assert not third.taken
    third.close()


def test_the_question_fails_where_the_store_is_gone(store: StoreRef) -> None:
    shutil.rmtree(store.path)
    with pytest.raises(OSError):
        request(store, "mark")


def test_only_the_files_that_are_named_are_taken_in(store: StoreRef, short: str) -> None:
    note(store, "a.md", "aaaa")
    with open_index(store, short) as index:
        note(store, "a.md", "changed")
        note(store, "b.md", "bbbb", "0000000b")
        here = os.stat(store.path)
        layout = layout_named(store.layout)
        found = take_in_paths(index.database, store, layout, {"notes/b.md", "notes/none.md"}, here.st_dev, here.st_ino)
        assert found is not None and (found.changed, found.removed) == (1, 0)
        assert dict(index.connection.execute("SELECT path, 0 FROM file")).keys() == {"MEMORY.md", "notes/a.md", "notes/b.md"}
        Path(store.path, "notes/b.md").unlink()
        found = take_in_paths(index.database, store, layout, {"notes/b.md"}, here.st_dev, here.st_ino)
        assert found is not None and found.removed == 1
        assert take_in_paths(index.database, store, layout, {"notes/a.md"}, here.st_dev, here.st_ino + 1) is None
        assert index.refresh().changed >= 1
    with open_index(store, short) as index:
        assert [memo.path for memo in index.all()] == ["notes/a.md"]


def test_a_walk_after_files_were_taken_in_compares_every_row(store: StoreRef, short: str) -> None:
    with open_index(store, short) as index:
        here = os.stat(store.path)
        note(store, "a.md", "aaaa")
        note(store, "b.md", "bbbb", "0000000b")
        take_in_paths(index.database, store, layout_named(store.layout), {"notes/a.md"}, here.st_dev, here.st_ino)
        index.refresh()
        assert {memo.path for memo in index.all()} == {"notes/a.md", "notes/b.md"}
