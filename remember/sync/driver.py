"""What git runs for each memory file that two sides changed (gitattributes(5), "Defining a custom merge driver").

git gives the path of three temporary files and takes the merged text from that of `ours`; exit status 0 is a clean merge, 1 a
conflict. No store, configuration or index is opened here. Whatever goes wrong, the file ends with conflict markers and the
status says conflict: a file without any would be committed by mistake.
"""

from __future__ import annotations

import os

from remember.errors import IOFailure, RefusedInput
from remember.format.merge import KINDS, merge, whole_conflict
from remember.format.mergeparts import Chunk
from remember.format.spans import decode, encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.format.mergeparts import Merged

__all__ = ["drive", "merge_lines"]


def drive(kind: str, base: str, ours: str, theirs: str, size: str, path: str) -> tuple[int, tuple[str, ...]]:
    """Merge three files into that of `ours`; (exit status for git, what there is to say).

    `size` is the length of conflict markers, `path` what the file is called in the work tree. Raises RefusedInput for an
    unknown kind or size, IOFailure where a file cannot be read or written.
    """
    if kind not in KINDS:
        raise RefusedInput(f"there is no kind {kind}", "kinds are " + ", ".join(KINDS))
    if not (size.isascii() and size.isdigit() and 0 < int(size) < 1000):
        raise RefusedInput(f"{size} is no length of conflict markers", "git gives it as %L")
    texts = [decode(_read(name)) for name in (base, ours, theirs)]
    said: tuple[str, ...] = ()
    try:
        merged = merge(kind, texts[0], texts[1], texts[2], merge_lines, int(size))
    except Exception as error:  # a bug of ours must not look like a merge that is done
        merged = whole_conflict(texts[1], texts[2], int(size))
        said = (f"{path}: cannot be merged by memo ({type(error).__name__}: {error}); both sides stand in it whole",)
    _write(ours, encode(merged.text))
    return (1 if merged.conflicts else 0), said or _told(path, merged)


def _told(path: str, merged: Merged) -> tuple[str, ...]:
    return tuple(f"{path}: in conflict: {what or 'text between memos'}" for what in merged.conflicts)


def _read(name: str) -> bytes:
    try:
        with open(name, "rb") as file:
            return file.read()
    except OSError as error:
        raise IOFailure(name, error) from error


def _write(name: str, data: bytes) -> None:
    """Replace a file whole: if this process is killed meanwhile, git's merge by lines must find our side as it was."""
    new = os.path.join(os.path.dirname(name), f".remember-{os.getpid()}.tmp")
    try:
        with open(new, "wb") as file:
            file.write(data)
        os.replace(new, name)
    except OSError as error:
        raise IOFailure(name, error) from error


def merge_lines(base: str, ours: str, theirs: str) -> list[Chunk]:
    """A merge by lines, made by `git merge-file`; texts that it refuses (with NULs in them) are one conflict.

    Raises IOFailure where git cannot be run.
    """
    import subprocess
    import tempfile

    size = 32
    while any("<" * size in text or "=" * size in text or ">" * size in text for text in (base, ours, theirs)):
        size *= 2  # no line of the texts may look like a marker of this run
    with tempfile.TemporaryDirectory(prefix="remember-") as folder:
        names = []
        for name, text in (("ours", ours), ("base", base), ("theirs", theirs)):
            names.append(os.path.join(folder, name))
            _write(names[-1], encode(text))
        # A configured conflict style with a base part is not what is read below.
        command = ["git", "-c", "merge.conflictStyle=merge", "merge-file", "-p", "-q", f"--marker-size={size}", *names]
        try:
            done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
        except OSError as error:
            raise IOFailure("git", error) from error
    if done.returncode < 0 or done.returncode > 127:
        return [Chunk(ours, theirs)]
    return _parted(decode(done.stdout), size)


def _parted(text: str, size: int) -> list[Chunk]:
    """The output of `git merge-file` as chunks, told by markers of `size` characters."""
    chunks: list[Chunk] = []
    clean: list[str] = []
    sides: tuple[list[str], list[str]] = ([], [])
    into = clean
    for line in text.split("\n")[:-1]:
        mark = line[:size]
        if mark == "<" * size:
            if clean:
                chunks.append(Chunk("".join(clean)))
            clean, sides = [], ([], [])
            into = sides[0]
        elif mark == "=" * size and into is sides[0]:
            into = sides[1]
        elif mark == ">" * size:
            chunks.append(Chunk("".join(sides[0]), "".join(sides[1])))
            into = clean
        else:
            into.append(line + "\n")
    return [*chunks, Chunk("".join(clean))] if clean else chunks
