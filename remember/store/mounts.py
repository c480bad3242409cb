"""Whether every change of a directory can be heard: the file systems that lie at and below it, as Linux lists them."""

from __future__ import annotations

import os

__all__ = ["deaf_spot", "mount_table"]

_LOCAL = frozenset(
    (
        *("bcachefs", "btrfs", "erofs", "exfat", "ext2", "ext3", "ext4", "f2fs", "hfsplus", "jfs", "msdos", "nilfs2", "ntfs3"),
        *("overlay", "ramfs", "reiserfs", "squashfs", "tmpfs", "ubifs", "udf", "vfat", "xfs", "zfs"),
    )
)
"""Types whose every change passes through this kernel, so that inotify tells of it (9p, nfs, cifs, fuse and others do not)."""

_TABLE = "/proc/self/mountinfo"


def mount_table() -> bytes:
    """The kernel's list of mounts (proc(5), mountinfo); empty where there is none."""
    try:
        with open(_TABLE, "rb") as file:
            return file.read()
    except OSError:
        return b""


def deaf_spot(path: str, table: bytes) -> str:
    """Where and why changes below `path` may go unheard, as `PLACE (TYPE)`, or ""."""
    place = os.fsencode(path)
    home, kind = b"", ""
    for line in table.splitlines():
        # 36 35 98:0 /root /mount/point rw,noatime shared:1 - ext4 /dev/sda1 rw
        head, _, tail = line.partition(b" - ")
        words, rest = head.split(b" "), tail.split(b" ")
        if len(words) < 5:
            continue
        point = _unescaped(words[4])
        name = os.fsdecode(rest[0])
        if place == point or place.startswith(point.rstrip(b"/") + b"/"):
            if len(point) >= len(home):  # of mounts over each other the last counts
                home, kind = point, name
        elif point.startswith(place + b"/") and name not in _LOCAL:
            return f"{os.fsdecode(point)} ({name})"
    return "" if kind in _LOCAL else f"{os.fsdecode(home) or path} ({kind or 'unknown file system'})"


def _unescaped(point: bytes) -> bytes:
    """A path in which space, tab, line feed and backslash stand as octal numbers."""
    for code, char in ((b"\\040", b" "), (b"\\011", b"\t"), (b"\\012", b"\n"), (b"\\134", b"\\")):
        point = point.replace(code, char)
    return point
