"""Which layout a directory or file has, by what lies there; read a little, changed never."""

from __future__ import annotations

import os

from remember.errors import UnknownStore

__all__ = ["public_of", "recognise"]

_LOOKED_AT = 40
_HEAD_BYTES = 64 << 10
_PUBLIC = ".memory"


def recognise(path: str) -> str:
    """The layout of a directory or a single file as it looks. Raises UnknownStore where there is neither."""
    if os.path.isfile(path):
        if path.endswith(".md"):
            return "bullets"
        raise UnknownStore(path, "it is no Markdown file", "a store is a directory, or a file of bullets that ends in .md")
    if not os.path.isdir(path):
        reason = "no such directory" if not os.path.lexists(path) else "it is no directory"
        raise UnknownStore(path, reason, "give the path of a directory of Markdown files")
    if os.path.lexists(os.path.join(path, "pi-remember.json")):
        return "remember"
    if _is_zcode(path):
        return "zcode"
    if os.path.isfile(os.path.join(path, "MEMORY.md")) and os.path.isdir(os.path.join(path, "notes")):
        return "remember"
    name = os.path.basename(path)
    return "harness" if name == _PUBLIC or _is_hash(name) else "vault"


def _is_hash(name: str) -> bool:
    return len(name) == 64 and all(char in "0123456789abcdef" for char in name)


def _is_zcode(path: str) -> bool:
    """Whether a file that the index names, or one beside it, has a fact file's header."""
    from remember.layouts.zcode_header import read_header
    from remember.layouts.zcode_index import INDEX, index_lines

    index = _head(os.path.join(path, INDEX))
    named = [target for line in index_lines(index or "") for target in line.targets][:_LOOKED_AT]
    for name in named:
        header = read_header(_head(os.path.join(path, name)) or "")
        if header.present and header.name:
            return True
    try:
        beside = sorted(name for name in os.listdir(path) if name.endswith(".md") and name[0] != "." and name != INDEX)[:_LOOKED_AT]
    except OSError:
        return False
    for name in beside:
        text = _head(os.path.join(path, name)) or ""
        header = read_header(text)
        if header.present and header.name and header.description and header.type and header.raw.get("metadata") is not None:
            return True
    return False


def _head(path: str) -> str | None:
    """The beginning of a regular file; None where there is none to be read."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
    try:
        descriptor = os.open(path, flags)
    except (OSError, ValueError):
        return None
    try:
        return os.read(descriptor, _HEAD_BYTES).decode("utf-8", "replace")
    except OSError:
        return None
    finally:
        os.close(descriptor)


def public_of(path: str, near: str) -> str:
    """The public directory that belongs to a harness's private one; "" where none does.

    The private one is named by the SHA-256 of its workspace's canonical path, so that only a workspace can be asked: `near`
    or a directory above it.
    """
    wanted = os.path.basename(path)
    if not _is_hash(wanted):
        return ""
    from hashlib import sha256

    folder = os.path.realpath(near)
    while True:
        if sha256(os.fsencode(folder)).hexdigest() == wanted:
            public = os.path.join(folder, _PUBLIC)
            return public if os.path.isdir(public) and not os.path.islink(public) else ""
        above = os.path.dirname(folder)
        if above == folder:
            return ""
        folder = above
