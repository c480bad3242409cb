"""Where a body comes from: an option, a file, standard input, or the user's editor."""

from __future__ import annotations

import os
import sys

from remember.errors import IOFailure, RefusedInput

__all__ = ["body_from", "from_editor"]

_LIMIT = 64 << 20


def body_from(text: str | None, file: str | None, dash: str | None, advice: str = "put the description in quotes") -> str | None:
    """The body given by at most one of the three; None where none is. Raises RefusedInput (`advice` for a stray word), IOFailure."""
    if dash is not None and dash != "-":
        raise RefusedInput(f"unexpected argument {dash!r}", advice)
    given = [source for source in (text, file, dash) if source is not None]
    if len(given) > 1:
        raise RefusedInput("the body is given twice", "give one of --body, --file and -")
    if dash is not None or text == "-" or file == "-":
        return _decoded(sys.stdin.buffer.read(_LIMIT + 1), "standard input")
    if file is None:
        return text
    try:
        with open(file, "rb") as opened:
            return _decoded(opened.read(_LIMIT + 1), file)
    except OSError as error:
        raise IOFailure(file, error, "give a file that can be read") from error


def _decoded(data: bytes, source: str) -> str:
    if len(data) > _LIMIT:
        raise RefusedInput(f"{source} holds more than {_LIMIT >> 20} MiB", "split it into several notes")
    try:
        return data.decode("utf-8-sig" if data.startswith(b"\xef\xbb\xbf") else "utf-8")
    except UnicodeDecodeError as error:
        raise RefusedInput(f"{source} is not UTF-8 (byte {error.start + 1})", "convert it to UTF-8 first") from error


def from_editor(text: str, suffix: str) -> str:
    """The text after the user has edited a copy of it in $VISUAL or $EDITOR. Raises RefusedInput where none runs."""
    import shlex
    import subprocess
    import tempfile

    command = os.environ.get("VISUAL") or os.environ.get("EDITOR")
    if not command and not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise RefusedInput("there is no terminal for an editor", "give the text as an option or in a file, or set EDITOR")
    command = command or "vi"
    with tempfile.TemporaryDirectory(prefix="remember-") as folder:
        path = os.path.join(folder, "memo" + suffix)
        with open(path, "w", encoding="utf-8", errors="surrogateescape", newline="") as file:
            file.write(text)
        try:
            done = subprocess.run([*shlex.split(command), path], check=False)
        except (OSError, ValueError) as error:
            raise RefusedInput(f"the editor {command!r} cannot be run ({error})", "set EDITOR, or give the text as an option") from error
        if done.returncode != 0:
            raise RefusedInput(f"the editor ended with status {done.returncode}; nothing was changed", "save and leave it normally")
        with open(path, "rb") as edited:
            return _decoded(edited.read(_LIMIT + 1), "the edited text")
