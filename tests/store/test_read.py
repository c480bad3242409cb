"""A file that changes while it is read, grows, is exchanged for something else, or is larger than is read."""

from __future__ import annotations

import os

import pytest

from remember.layouts import layout_named
from remember.store.read import Reader, read_file

RULES = layout_named("remember").rules


@pytest.fixture
def busy(tmp_path, monkeypatch):
    """A store whose note somebody changes during so many reads, by `change`."""

    def made(times: int, change):
        (tmp_path / "notes").mkdir()
        path = tmp_path / "notes" / "a.md"
        path.write_bytes(b"first\n")
        left = [times]
        plain = os.read

        def read(descriptor, size):
            data = plain(descriptor, size)
            if left[0]:
                left[0] -= 1
                change(path, left[0])
            return data

        monkeypatch.setattr(os, "read", read)
        return str(tmp_path)

    return made


def test_a_file_that_changes_while_it_is_read_is_read_again(busy):
    store = busy(2, lambda path, n: path.write_bytes(b"version %d\n" % n))
    read = read_file(store, "notes/a.md", RULES, 1 << 20)
    assert read.data == b"version 0\n"
    found = os.stat(os.path.join(store, "notes/a.md"))
    assert read.signature == (found.st_ino, found.st_mtime_ns, found.st_ctime_ns, found.st_size)


def test_a_file_that_never_rests_is_taken_with_an_old_signature(busy):
    store = busy(99, lambda path, n: path.write_bytes(b"x" * (100 + n)))
    read = read_file(store, "notes/a.md", RULES, 1 << 20)
    found = os.stat(os.path.join(store, "notes/a.md"))
    assert read.signature != (found.st_ino, found.st_mtime_ns, found.st_ctime_ns, found.st_size)


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir], ids=["fifo", "folder"])
def test_what_is_no_regular_file_is_no_memory(tmp_path, make):
    (tmp_path / "notes").mkdir()
    make(tmp_path / "notes" / "a.md")
    assert read_file(str(tmp_path), "notes/a.md", RULES, 1 << 20) is None


def test_links_are_not_followed_and_what_is_gone_is_none(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "a.md").write_text("x")
    os.symlink("real", tmp_path / "notes")
    os.symlink("real/a.md", tmp_path / "b.md")
    with Reader(str(tmp_path), RULES, 1 << 20) as reader:
        assert reader.read("notes/a.md") is None and reader.read("b.md") is None and reader.read("c/d.md") is None
        assert reader.read("real/a.md").data == b"x"


def test_a_long_file_is_read_as_far_as_the_limit(tmp_path):
    data = os.urandom(300_000)
    (tmp_path / "a.md").write_bytes(data)
    for limit in (1, 65_535, 65_536, 65_537, 200_000, 300_000, 400_000):
        read = read_file(str(tmp_path), "a.md", RULES, limit)
        assert read.data == data[:limit] and read.size_bytes == 300_000
