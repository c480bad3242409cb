"""Walks a store and says, in one number, whether anything changed; reads nothing but directories and stat.

A file's signature is (inode, mtime, ctime, size) in nanoseconds; ctime is what catches a restored mtime. The digest is the
sum of their hashes modulo 2**64, so the order in which a file system lists names does not matter. Tuples of integers hash
alike in every process of one Python build; another build only makes the digests differ, which costs a comparison of tables.
"""

from __future__ import annotations

import os
from errno import ELOOP
from operator import attrgetter
from zlib import crc32

from remember._named import NamedTuple
from remember.errors import IOFailure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from remember.layouts.layout import Rules

__all__ = ["MODULUS", "Folder", "Scan", "file_mark", "folder_mark", "scan"]

_REGULAR, _DIRECTORY, _TYPE = 0o100000, 0o040000, 0o170000
MODULUS = 1 << 64
_signature = attrgetter("st_ino", "st_mtime_ns", "st_ctime_ns", "st_size")
_FLAGS = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)


def file_mark(found: os.stat_result) -> int:
    """What a memory file adds to the digest of a walk."""
    return hash(_signature(found))


def folder_mark(own: os.stat_result, prefix: str) -> int:
    """What a directory adds by itself: it counts with its name, since renaming it changes no file's signature."""
    return hash((own.st_ino, own.st_mtime_ns, own.st_ctime_ns)) + crc32(os.fsencode(prefix))


class Folder(NamedTuple):
    """One directory's files: names beside their signatures' hashes; `prefix` is its path below the store with a slash, or empty."""

    prefix: str
    names: list[str]
    marks: list[int]


class Scan(NamedTuple):
    """A walk: its digest, the folders, what could not be looked at as (path, reason), and the store's device."""

    digest: int
    folders: list[Folder]
    unreadable: list[tuple[str, str]]
    device: int

    def files(self) -> Iterator[tuple[str, int]]:
        """Every file as (path below the store, hash of its signature)."""
        for prefix, names, marks in self.folders:
            for name, mark in zip(names, marks, strict=True):
                yield prefix + name, mark

    def file_count(self) -> int:
        """How many files there are."""
        return sum(len(folder.names) for folder in self.folders)


def scan(path: str, rules: Rules) -> Scan:
    """Walk the store at `path` by its layout's rules, without recursion and without following links.

    Raises IOFailure when the store's own directory cannot be listed: nothing is ever concluded from that.
    """
    digest = 0
    folders: list[Folder] = []
    unreadable: list[tuple[str, str]] = []
    try:
        device = os.stat(path).st_dev
    except OSError as error:
        raise IOFailure(path, error, "is the file system mounted?") from error
    pending = [rules.public_prefix, ""] if rules.public else [""]
    first: frozenset[str] = frozenset()
    skip = rules.skip
    while pending:
        prefix = pending.pop()
        try:
            folder, below, stamp = _list(path, prefix, rules, unreadable)
        except FileNotFoundError:
            if not prefix:
                raise IOFailure(path, "it vanished while it was being read") from None
            continue
        except OSError as error:
            if not prefix:
                raise IOFailure(path, error, "is the file system mounted?") from error
            unreadable.append((prefix[:-1], error.strerror or "cannot be listed"))
            continue
        if rules.public:
            first, folder = _shadowed(first, folder, prefix)
        digest += stamp + sum(folder.marks)
        folders.append(folder)
        for name in below:
            if name not in skip and (prefix or not rules.skips_top(name)):
                pending.append(f"{prefix}{name}/")
    return Scan(digest % MODULUS, folders, unreadable, device)


def _shadowed(first: frozenset[str], folder: Folder, prefix: str) -> tuple[frozenset[str], Folder]:
    """The names of the first directory, and a folder without the files that the first one has too."""
    if not prefix:
        return frozenset(folder.names), folder
    kept = [(name, mark) for name, mark in zip(folder.names, folder.marks, strict=True) if name not in first]
    return first, Folder(prefix, [name for name, _ in kept], [mark for _, mark in kept])


def _list(path: str, prefix: str, rules: Rules, unreadable: list[tuple[str, str]]) -> tuple[Folder, list[str], int]:
    """One directory: its files, its directories' names and what it adds to the digest by itself."""
    if prefix and prefix == rules.public_prefix:
        path = os.path.dirname(rules.public)
        if os.path.islink(rules.public):
            raise OSError(ELOOP, "is a symbolic link, which is not followed")
    names: list[str] = []
    marks: list[int] = []
    below: list[str] = []
    suffix, only, flat = rules.suffix, rules.only, rules.flat
    descriptor = os.open(os.path.join(path, prefix) if prefix else path, _FLAGS)
    try:
        own = os.fstat(descriptor)
        with os.scandir(descriptor) as listing:
            for item in listing:
                name = item.name
                if name.endswith(suffix) and name[0] != "." and (not only or name in only):
                    try:
                        found = item.stat(follow_symlinks=False)
                    except FileNotFoundError:
                        continue
                    mode = found.st_mode & _TYPE
                    if mode == _REGULAR:
                        names.append(name)
                        marks.append(hash(_signature(found)))  # the tuple itself would cost more memory than time
                        continue
                    if mode != _DIRECTORY:
                        if only:  # the store is this file: it is there, though not to be read
                            unreadable.append((prefix + name, "is a symbolic link or no regular file, which is not read"))
                        continue
                if not flat and name[0] != "." and item.is_dir(follow_symlinks=False):
                    below.append(name)
    finally:
        os.close(descriptor)
    if rules.most_files and len(names) > rules.most_files:
        kept = sorted(zip(names, marks, strict=True))
        unreadable += [(prefix + name, f"is beyond the first {rules.most_files} files") for name, _ in kept[rules.most_files :]]
        names, marks = [name for name, _ in kept[: rules.most_files]], [mark for _, mark in kept[: rules.most_files]]
    if only:
        return Folder(prefix, names, marks), below, crc32(os.fsencode(prefix))  # what else happens in the directory is not the store's
    return Folder(prefix, names, marks), below, folder_mark(own, prefix)
