"""The formats that can be imported, and how each is opened."""

from __future__ import annotations

import os

from remember.errors import IOFailure, NotFound, RefusedInput
from remember.exchange import codex, directory, graph, jsonl
from remember.exchange.item import REFUSED, Broken
from remember.layouts import layout_named
from remember.scope.recognise import public_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from remember.exchange.item import Item

__all__ = ["FORMATS", "open_source"]

_DIRECTORIES = {"remember": "remember", "vault": "vault", "basic-memory": "vault", "zcode": "zcode", "harness": "harness"}
_LINES = ("jsonl", "mcp-memory")
FORMATS = ("remember", "zcode", "bullets", "harness", "vault", "basic-memory", "mcp-memory", "jsonl", "codex")
"""Names that `import` takes."""

_OTHER_NAMES = {
    **dict.fromkeys(("claude", "claude-code", "claudecode"), "zcode"),
    **dict.fromkeys(("obsidian", "logseq", "markdown", "md", "wiki", "foam", "docs"), "vault"),
    **dict.fromkeys(("mcp", "server-memory", "memory-server"), "mcp-memory"),
    **dict.fromkeys(("json", "ndjson"), "jsonl"),
    **dict.fromkeys(("pi", "pi-remember", "native"), "remember"),
}
"""What people call a source, and the format that it has."""

_LINE_LIMIT = 16 << 20


def open_source(format_name: str, path: str, near: str) -> list[Item | Broken]:
    """Everything that the source holds, read before any lock is taken; `near` is where a harness's public directory may be.

    Raises RefusedInput for an unknown format or a source of another kind, NotFound where there is none, IOFailure.
    """
    if format_name not in FORMATS:
        other = _OTHER_NAMES.get(format_name.casefold())
        meant = f"that is {other}: `remember import {other} PATH`; " if other else ""
        raise RefusedInput(f"there is no format {format_name} to import", f"{meant}formats are " + ", ".join(FORMATS))
    try:
        found = os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        dash = os.path.basename(path) == "-"
        hint = "standard input is not read here; put it into a file" if dash else "give the path of what is to be imported"
        raise NotFound(path, hint=hint) from None
    except OSError as error:
        raise IOFailure(path, error) from error
    is_directory = found.st_mode & 0o170000 == 0o040000
    if format_name == "codex" and is_directory:
        path = os.path.join(path, "MEMORY.md")
    elif format_name in _DIRECTORIES and not is_directory:
        raise RefusedInput(f"{path}: it is no directory", f"give the directory that holds the memos ({format_name})")
    elif format_name in (*_LINES, "codex", "bullets") and is_directory:
        raise RefusedInput(f"{path}: it is a directory", f"give the file that holds the memos ({format_name})")
    path = os.path.realpath(path)
    if format_name == "bullets":
        folder, name = os.path.split(path)
        return list(directory.read(folder, layout_named("bullets").of(name, "")))
    if format_name in _DIRECTORIES:
        layout = layout_named(_DIRECTORIES[format_name])
        if format_name == "harness":
            layout = layout.of("", public_of(path, near))
        return list(directory.read(path, layout, format_name == "basic-memory"))
    return list(_of_file(format_name, path))


def _of_file(format_name: str, path: str) -> Iterator[Item | Broken]:
    shown = os.path.basename(path)
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0))
        with os.fdopen(descriptor, "rb") as file:
            found = os.fstat(descriptor)
            if found.st_mode & 0o170000 != 0o100000:
                raise RefusedInput(f"{path}: it is no regular file", "give a file")
            if found.st_size > directory.TOTAL_BYTES:
                raise RefusedInput(f"{path}: {found.st_size} bytes, more than {directory.TOTAL_BYTES}", "split the file")
            mtime_ms = found.st_mtime_ns // 1_000_000
            broken: list[Broken] = []
            if format_name == "codex":
                data = file.read()
                yield from codex.read(data.decode("utf-8", "surrogateescape"), shown, mtime_ms)
            elif format_name == "jsonl":
                yield from jsonl.read(_lines(file, shown, broken), shown)
            else:
                yield from graph.read(_lines(file, shown, broken), shown, mtime_ms)
            yield from broken
    except FileNotFoundError:
        raise NotFound(path, hint="give the path of what is to be imported") from None
    except OSError as error:
        raise IOFailure(path, error) from error


def _lines(file: object, shown: str, broken: list[Broken]) -> Iterator[tuple[int, bytes]]:
    """Numbered lines; one that is too long to be a memo is passed over and said."""
    readline = file.readline  # type: ignore[attr-defined]
    number = 0
    while line := readline(_LINE_LIMIT):
        number += 1
        if len(line) < _LINE_LIMIT or line.endswith(b"\n"):
            yield number, line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line
            continue
        broken.append(Broken(f"{shown}:{number}", REFUSED, f"the line has more than {_LINE_LIMIT} bytes"))
        while (more := readline(_LINE_LIMIT)) and not more.endswith(b"\n"):
            pass
