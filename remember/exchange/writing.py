"""Writes an export where the user wants it: whole or not at all, and never over a file that is there, unless told to."""

from __future__ import annotations

import os

from remember.errors import IOFailure, NotFound, PathTaken, RefusedInput, UnsafePath
from remember.exchange.topics import INDEX, index_text
from remember.files.atomic import publish_new
from remember.files.lines import read_small, replace_file
from remember.files.safe import Place, open_folder
from remember.files.swap import rename_new
from remember.files.temporary import temporary_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from remember.exchange.topics import Topic

__all__ = ["write_directory", "write_file"]


def _parent(path: str) -> tuple[str, str]:
    folder, name = os.path.split(path.rstrip("/"))
    folder = os.path.realpath(folder or ".")
    if not os.path.isdir(folder):
        raise NotFound(f"directory {folder}", hint="make it first, or name another path", said="there is no ")
    if not name or name in (".", ".."):
        raise RefusedInput(f"{path}: it names no new file", "give the path of the file to write")
    return folder, name


def _taken(path: str) -> PathTaken:
    error = PathTaken(path)
    error.hint = "name another path, or pass --force to replace it"
    return error


def write_file(path: str, text: str, force: bool) -> None:
    """One file (0600). Raises PathTaken where something is there and `force` is not given, NotFound, IOFailure."""
    folder, name = _parent(path)
    if os.path.isdir(path):
        raise _taken(path)
    data = text.encode("utf-8", "surrogateescape")
    if force and os.path.lexists(path):
        try:
            replace_file(path, data)
        except OSError as error:
            raise IOFailure(path, error) from error
        return
    descriptor = open_folder(folder)
    try:
        with Place(descriptor, folder, name) as spot:
            publish_new(spot, data)
    except PathTaken:
        raise _taken(path) from None
    finally:
        os.close(descriptor)


def write_directory(path: str, topics: Sequence[Topic], force: bool) -> None:
    """A new directory (0700) with the files and their index, visible when it is whole; with `force` into one that is there.

    Raises PathTaken for a directory that is not empty, NotFound, IOFailure.
    """
    folder, name = _parent(path)
    if os.path.lexists(path) and not os.path.isdir(path):
        raise _taken(path)
    if os.path.isdir(path) and os.listdir(path):
        if not force:
            raise _taken(path)
        _write_into(os.path.realpath(path), topics)
        return
    made = os.path.join(folder, temporary_name())
    try:
        os.mkdir(made, 0o700)
        try:
            _fill(made, topics)
            _rename(folder, made, os.path.join(folder, name))
        except BaseException:
            _discard(made)
            raise
    except OSError as error:
        raise IOFailure(path, error) from error


def _rename(folder: str, made: str, path: str) -> None:
    descriptor = os.open(folder, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0))
    try:
        if os.path.isdir(path):
            os.rename(made, path)  # an empty directory, which a rename replaces; one that is no longer empty is refused
        else:
            rename_new(descriptor, os.path.basename(made), os.path.basename(path))
        os.fsync(descriptor)
    except FileExistsError as error:
        raise _taken(path) from error
    finally:
        os.close(descriptor)


def _fill(made: str, topics: Sequence[Topic]) -> None:
    for file, text, modified_ms in (*((t.file, t.text, t.modified_ms) for t in topics), (INDEX, index_text("", topics), None)):
        replace_file(os.path.join(made, file), text.encode("utf-8", "surrogateescape"))
        _date(os.path.join(made, file), modified_ms)


def _write_into(path: str, topics: Sequence[Topic]) -> None:
    """Topic files first, the index last, so that no line names a file that is not there."""
    index = os.path.join(path, INDEX)
    try:
        present = (read_small(index) or b"").decode("utf-8", "surrogateescape")
        for file in (INDEX, *(topic.file for topic in topics)):
            if os.path.islink(os.path.join(path, file)):
                raise UnsafePath(os.path.join(path, file), "leads through a symbolic link")
        for topic in topics:
            replace_file(os.path.join(path, topic.file), topic.text.encode("utf-8", "surrogateescape"))
            _date(os.path.join(path, topic.file), topic.modified_ms)
        replace_file(index, index_text(present, topics).encode("utf-8", "surrogateescape"))
    except OSError as error:
        raise IOFailure(path, error) from error


def _date(path: str, modified_ms: int | None) -> None:
    """The format has no dates; the file's own says when the memo was changed."""
    if modified_ms is not None and modified_ms >= 0:
        os.utime(path, ns=(modified_ms * 1_000_000, modified_ms * 1_000_000))


def _discard(made: str) -> None:
    import shutil

    shutil.rmtree(made, ignore_errors=True)
