"""Nothing is read or written through a link, outside the store, or from what is no file."""

from __future__ import annotations

import os
import socket

import pytest

from remember.errors import DamagedStore, RememberError, TooLarge, UnsafePath
from remember.files.safe import Place, check_inside, check_relative, open_folder, read_bytes
from remember.files.temporary import temporary_name, writer_of


@pytest.fixture
def root(tmp_path):
    descriptor = open_folder(str(tmp_path))
    yield descriptor
    os.close(descriptor)


def read(root, tmp_path, path, limit=1 << 20):
    with Place(root, str(tmp_path), path) as spot:
        return read_bytes(spot, limit)[0]


@pytest.mark.parametrize("path", ["", "/etc/passwd", "..", "../x.md", "a/../b.md", "a//b.md", ".x.md", "a/.git/x.md", "a/", "x\0.md"])
def test_paths_that_lead_elsewhere_are_refused(path, tmp_path):
    with pytest.raises(UnsafePath):
        check_relative(path)
    with pytest.raises(UnsafePath):
        check_inside(str(tmp_path), path)


@pytest.mark.parametrize("path", ["x.md", "notes/x.md", "a/b/c/d.md", "notes/mit leer zeichen.md", "notes/\udcff.md", "a\\b.md", "x..y.md"])
def test_other_paths_are_themselves(path, tmp_path):
    assert check_relative(path) == path
    assert check_inside(str(tmp_path), path) == os.path.join(tmp_path, path)


def test_links_are_refused_wherever_they_stand(tmp_path, root):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text("secret")
    (tmp_path / "notes").symlink_to(outside)
    (tmp_path / "link.md").symlink_to(outside / "secret.md")
    (tmp_path / "loop.md").symlink_to("loop.md")
    for path in ("notes/secret.md", "link.md", "loop.md"):
        with pytest.raises(UnsafePath):
            check_inside(str(tmp_path), path)
        with pytest.raises(UnsafePath):
            read(root, tmp_path, path)
    with pytest.raises(UnsafePath):
        open_folder(str(tmp_path / "notes"))
    with pytest.raises(UnsafePath), Place(root, str(tmp_path), "notes/new.md", make=True):
        raise AssertionError("a folder behind a link was opened")


def test_what_is_no_regular_file_is_refused_at_once(tmp_path, root):
    os.mkfifo(tmp_path / "fifo.md")
    (tmp_path / "folder.md").mkdir()
    with socket.socket(socket.AF_UNIX) as listening:
        here = os.getcwd()
        os.chdir(tmp_path)
        listening.bind("socket.md")
        os.chdir(here)
    for path in ("fifo.md", "folder.md", "socket.md"):
        with pytest.raises(DamagedStore):
            read(root, tmp_path, path)


def test_a_file_in_the_place_of_a_folder_is_damage(tmp_path, root):
    (tmp_path / "notes").write_text("x")
    with pytest.raises(DamagedStore), Place(root, str(tmp_path), "notes/new.md", make=True):
        raise AssertionError("a file was opened as a folder")


def test_missing_folders_are_made_private_only_when_asked(tmp_path, root):
    with pytest.raises(FileNotFoundError), Place(root, str(tmp_path), "a/b/c.md"):
        raise AssertionError("a missing folder was opened")
    with Place(root, str(tmp_path), "a/b/c.md", make=True) as spot:
        assert spot.name == "c.md"
        assert spot.shown == str(tmp_path / "a/b/c.md")
    assert (tmp_path / "a/b").stat().st_mode & 0o777 == 0o700


def test_a_folder_swapped_for_a_link_after_opening_changes_nothing(tmp_path, root):
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes/x.md").write_text("mine")
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "x.md").write_text("theirs")
    with Place(root, str(tmp_path), "notes/x.md") as spot:
        os.rename(tmp_path / "notes", tmp_path / "old")
        (tmp_path / "notes").symlink_to(outside)
        assert read_bytes(spot, 100)[0] == b"mine"


def test_too_much_is_refused_not_cut(tmp_path, root):
    (tmp_path / "x.md").write_bytes(b"x" * 101)
    with pytest.raises(TooLarge):
        read(root, tmp_path, "x.md", 100)
    assert len(read(root, tmp_path, "x.md", 101)) == 101


def test_no_descriptor_is_leaked(tmp_path, root):
    os.mkfifo(tmp_path / "fifo.md")
    (tmp_path / "d").mkdir()
    before = len(os.listdir("/proc/self/fd"))
    for path in ("fifo.md", "d", "d/none.md", "none/none.md"):
        with pytest.raises((RememberError, FileNotFoundError)):
            read(root, tmp_path, path)
    assert len(os.listdir("/proc/self/fd")) == before


def test_temporary_names_say_who_wrote_them():
    assert writer_of(temporary_name()) == os.getpid()
    assert writer_of(".remember-12-ab.txt") is None
    assert writer_of("MEMORY.md") is None


def test_a_file_that_never_rests_is_read_as_it_is_in_the_end(tmp_path, root, monkeypatch):
    path = tmp_path / "a.md"
    path.write_bytes(b"0")
    plain, count = os.read, [0]

    def restless(descriptor, size):
        data = plain(descriptor, size)
        if count[0] < 50:
            count[0] += 1
            path.write_bytes(b"%d" % count[0])
        return data

    monkeypatch.setattr(os, "read", restless)
    assert read(root, tmp_path, "a.md").isdigit() and count[0] > 2


def test_a_file_that_grows_beyond_the_limit_while_it_is_read_is_too_large(tmp_path, root, monkeypatch):
    path = tmp_path / "a.md"
    path.write_bytes(b"x" * 10)
    plain, grown = os.read, [False]

    def growing(descriptor, size):
        if not grown[0]:
            grown[0] = True
            path.write_bytes(b"x" * 5000)
        return plain(descriptor, size)

    monkeypatch.setattr(os, "read", growing)
    with pytest.raises(TooLarge):
        read(root, tmp_path, "a.md", 1000)


def test_a_path_below_a_file_is_none_and_one_below_nothing_is_inside(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(RememberError, match="Not a directory"):
        check_inside(str(tmp_path), "file/below.md")
    assert check_inside(str(tmp_path), "nothing/below/it.md") == os.path.join(tmp_path, "nothing/below/it.md")
