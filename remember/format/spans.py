"""A user's text is edited by spans and never printed anew; everything outside a span stays byte for byte."""

from __future__ import annotations

from remember._named import NamedTuple
from remember.errors import RefusedInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Edit", "apply", "decode", "encode", "lines", "newline_of"]


class Edit(NamedTuple):
    """Replace the characters from `start` to `end` by `text`."""

    start: int
    end: int
    text: str


def apply(text: str, edits: Iterable[Edit]) -> str:
    """The text with all edits made; offsets refer to the text as given, and edits must not overlap.

    Several insertions at one place come in the order given.
    """
    parts: list[str] = []
    at = 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        assert at <= edit.start <= edit.end <= len(text), edit
        parts += (text[at : edit.start], edit.text)
        at = edit.end
    parts.append(text[at:])
    return "".join(parts)


def decode(data: bytes) -> str:
    """Bytes as text; what is no UTF-8 becomes lone surrogates, which `encode` turns back."""
    return data.decode("utf-8", "surrogateescape")


def encode(text: str) -> bytes:
    """The bytes that `decode` was given. Raises RefusedInput for text that stands for no bytes (other lone surrogates)."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as error:
        raise RefusedInput(f"the text is not valid UTF-8 (character {error.start + 1})", "convert it to UTF-8 first") from None


def newline_of(text: str) -> str:
    """The line ending of the text: that of its first line, a line feed where there is none."""
    at = text.find("\n")
    return "\r\n" if at > 0 and text[at - 1] == "\r" else "\n"


def lines(text: str) -> list[tuple[int, int, int]]:
    """Each line as (start, end, end with its line end); only LF and CR LF end lines."""
    found = []
    start = 0
    while start < len(text):
        at = text.find("\n", start)
        if at < 0:
            found.append((start, len(text), len(text)))
            break
        found.append((start, at - 1 if at > start and text[at - 1] == "\r" else at, at + 1))
        start = at + 1
    return found
