"""Which file systems tell of every change."""

from __future__ import annotations

import pytest

from remember.store.mounts import deaf_spot, mount_table

TABLE = b"""22 1 254:0 / / rw - ext4 /dev/root rw
30 22 0:26 / /home/me/far\\040away rw,noatime shared:1 - nfs4 server:/x rw
31 22 0:27 / /home/me/vault/shared rw - fuse.sshfs host:/ rw
32 22 0:28 / /home/me/fast rw - tmpfs tmpfs rw
33 22 0:29 / /home/me/twice rw - tmpfs tmpfs rw
34 33 0:30 / /home/me/twice rw - 9p share rw
35 22 0:31 / /home/me/newer rw - somefs x rw
"""


@pytest.mark.parametrize(
    ("path", "spot"),
    [
        ("/home/me/notes", ""),
        ("/home/me/fast/store", ""),
        ("/home/me/faster", ""),
        ("/home/me/far away/store", "/home/me/far away (nfs4)"),
        ("/home/me/vault", "/home/me/vault/shared (fuse.sshfs)"),
        ("/home/me/twice/store", "/home/me/twice (9p)"),
        ("/home/me/newer", "/home/me/newer (somefs)"),
    ],
)
def test_a_place_is_deaf_by_its_own_mount_or_one_below(path: str, spot: str) -> None:
    assert deaf_spot(path, TABLE) == spot


def test_without_a_table_nothing_is_known() -> None:
    assert deaf_spot("/home/me", b"") == "/home/me (unknown file system)"


def test_this_system_has_a_table_or_none_at_all() -> None:
    assert b" / " in mount_table() or mount_table() == b""


def test_lines_of_a_shape_that_nobody_knows_are_passed_over() -> None:
    table = b"short line\n\n1 2 8:1 / / rw - ext4 /dev/sda rw\n"
    assert deaf_spot("/home/x", table) == ""
    assert deaf_spot("/home/x", b"1 2\n") == "/home/x (unknown file system)"


def test_of_mounts_over_each_other_the_deepest_and_last_counts() -> None:
    deep = b"1 2 8:1 / /home/x rw - ext4 /dev/a rw\n1 2 0:1 / / rw - nfs4 host:/ rw\n"
    assert deaf_spot("/home/x/y", deep) == ""
    over = b"1 2 8:1 / /home rw - ext4 /dev/a rw\n1 2 0:1 / /home rw - nfs4 host:/ rw\n"
    assert deaf_spot("/home/x", over) == "/home (nfs4)"
