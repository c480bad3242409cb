"""What faces print: text for people without control characters from files, JSON for programs, messages on standard error."""

from __future__ import annotations

import os
import sys

from remember.errors import IOFailure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TextIO

__all__ = ["Output", "OutputLost", "safe"]

_STYLES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "cyan": "36"}
_BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def safe(text: str) -> str:
    """Text from a file as it may be shown: control characters, line ends and direction overrides as visible escapes."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_shown(char) for char in text)


def _shown(char: str) -> str:
    if char == "\t":
        return " "
    code = ord(char)
    if code < 0x20 or 0x7F <= code <= 0x9F:
        return f"\\x{code:02x}"
    if 0xDC80 <= code <= 0xDCFF:
        return f"\\x{code - 0xDC00:02x}"  # a byte that is no UTF-8
    if char in _BIDI or char in "\u2028\u2029\ufeff" or 0xD800 <= code <= 0xDFFF:
        return f"\\u{code:04x}"
    return char


class OutputLost(IOFailure):
    """Standard output cannot be written; whatever the command changed has been changed."""

    def __init__(self, error: OSError) -> None:
        super().__init__("standard output", error, "what was to be done has been done; only what is printed is lost")


class Output:
    """Standard output and error of one command."""

    def __init__(self, color: str = "auto", quiet: bool = False, verbose: bool = False, environ: dict[str, str] | None = None) -> None:
        environ = dict(os.environ) if environ is None else environ
        self.quiet = quiet
        self.verbose = verbose
        self.out: TextIO = sys.stdout
        self.err: TextIO = sys.stderr
        self.terminal = _is_terminal(self.out)
        self.error_terminal = _is_terminal(self.err)
        plain = environ.get("NO_COLOR") or environ.get("TERM") == "dumb"
        self.colored = color == "always" or (color == "auto" and self.terminal and not plain)
        self._said: set[str] = set()
        for stream in (self.out, self.err):
            # A console that knows few characters gets escapes, never an exception; lone surrogates likewise.
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="backslashreplace")

    @property
    def width(self) -> int:
        """Columns of the terminal; 0 when piped."""
        if not self.terminal:
            return 0
        try:
            return os.get_terminal_size(self.out.fileno()).columns
        except OSError:
            return 80

    def style(self, text: str, *styles: str) -> str:
        """The text in colours, where they are wanted."""
        if not self.colored or not text:
            return text
        return f"\x1b[{';'.join(_STYLES[s] for s in styles)}m{text}\x1b[0m"

    def line(self, text: str = "") -> None:
        """One line on standard output; what came from a file must have gone through `safe`."""
        self._write(text + "\n")

    def flush(self) -> None:
        """Let out what was printed, before something that takes long."""
        try:
            self.out.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            raise OutputLost(error) from error

    def raw(self, text: str, end: str = "") -> None:
        """Text as it is (a body, on request)."""
        self._write(text + end)

    def path(self, path: str, end: str) -> None:
        """A path for another program, its name's own bytes; a terminal gets it as it may be shown."""
        if self.terminal or not hasattr(self.out, "buffer"):
            self._write(safe(path) + end)
            return
        try:
            self.out.flush()
            self.out.buffer.write(os.fsencode(path) + end.encode())
            self.out.buffer.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            raise OutputLost(error) from error

    def _write(self, text: str) -> None:
        try:
            self.out.write(text)
        except BrokenPipeError:
            raise
        except OSError as error:
            raise OutputLost(error) from error

    def json(self, document: object) -> None:
        """One JSON document on standard output, in ASCII, so that every console can carry it."""
        import json

        self._write(json.dumps(document) + "\n")

    def warn(self, text: str) -> None:
        """A warning on standard error, each once."""
        if text not in self._said:
            self._said.add(text)
            self._complain("remember: " + safe(text) + "\n")

    def _complain(self, text: str) -> None:
        try:
            self.err.write(text)
            self.err.flush()
        except OSError:
            # Nobody listens; the exit status still tells, which the end of the interpreter would change if it found the text there.
            sys.stderr = self.err = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115

    def remark(self, text: str) -> None:
        """Something that is said with -v only."""
        if self.verbose:
            self.warn(text)

    def error(self, message: str, hint: str) -> None:
        """An error with its next step on standard error."""
        self._complain(self._red("remember: ") + safe(message) + "\n" + (f"hint: {safe(hint)}\n" if hint else ""))

    def _red(self, text: str) -> str:
        return f"\x1b[31m{text}\x1b[0m" if self.colored and self.error_terminal else text

    def progress(self) -> Callable[[int, int], None] | None:
        """A progress line on standard error for work of more than a second; None where no person looks."""
        if not self.error_terminal or self.quiet:
            return None
        return _Progress(self.err)

    def confirm(self, question: str) -> bool | None:
        """The answer to a question; None where nobody can be asked."""
        if not (self.error_terminal and _is_terminal(sys.stdin)):
            return None
        self.err.write(question + " [y/N] ")
        self.err.flush()
        return sys.stdin.readline().strip().lower() in ("y", "yes")

    def page(self, lines: Iterable[str]) -> None:
        """Lines, through the pager on a terminal when there are more than fit."""
        if not self.terminal:
            for line in lines:
                self.line(line)
            return
        held = list(lines)
        try:
            height = os.get_terminal_size(self.out.fileno()).lines
        except OSError:
            height = 24
        text = "".join(line + "\n" for line in held)
        if len(held) < height or not _paged(text):
            self.out.write(text)


def _paged(text: str) -> bool:
    """Show text in $PAGER (`less -RFX`); False where there is none."""
    import subprocess

    command = (os.environ.get("PAGER") or "").strip() or "less"
    if command == "cat":
        return False
    environ = {"LESS": "RFX", **os.environ}
    try:
        done = subprocess.run(command, shell=True, input=text.encode("utf-8", "replace"), env=environ, check=False)
    except OSError:
        return False
    return done.returncode not in (126, 127)


def _is_terminal(stream: TextIO) -> bool:
    try:
        return stream.isatty()
    except (AttributeError, ValueError):
        return False


class _Progress:
    """A bar that appears after a second and is wiped at the end."""

    def __init__(self, stream: TextIO) -> None:
        import time

        self.clock = time.monotonic
        self.stream = stream
        self.began = self.last = self.clock()
        self.shown = False

    def __call__(self, done: int, total: int) -> None:
        now = self.clock()
        if done >= total:
            if self.shown:
                self.stream.write("\r\x1b[K")
                self.stream.flush()
            return
        if now - self.began < 1 or now - self.last < 0.1:
            return
        self.last = now
        self.shown = True
        filled = 30 * done // max(1, total)
        self.stream.write(f"\r[{'#' * filled}{'.' * (30 - filled)}] {done}/{total} files")
        self.stream.flush()
