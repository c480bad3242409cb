"""Memos as single lines of a snapshot: harmless whatever is in them.

What the other side controls: every text of a memo, its path included. A line must stay one line, must not hold what a reader
could take for the end of the block or the beginning of another, and must not repeat a credential.
"""

from __future__ import annotations

from remember.format.secrets import mask
from remember.format.times import date_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.model import Memo

__all__ = ["MARKER", "harmless", "memo_line"]

MARKER = "remember-memory"
"""The name of the block's tags."""

_OPENING = "<\uff1c\ufe64\u2039\u3008\u27e8\u00ab"
_SLASHES = "/!?\\\uff0f\u2044\u2215\u29f8"
_UNSEEN = frozenset(
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2061\u2062\u2063\u2064"
    "\u2066\u2067\u2068\u2069\u206a\u206b\u206c\u206d\u206e\u206f\u3164\ufeff\uffa0\ufff9\ufffa\ufffb"
)


def _visible(char: str) -> str:
    code = ord(char)
    if code < 0x20 or 0x7F <= code <= 0x9F or char in "\u2028\u2029":
        return " "
    if char in _UNSEEN or 0xE0000 <= code <= 0xE007F:
        return ""
    if 0xD800 <= code <= 0xDFFF:
        return "\ufffd"
    return char


def harmless(text: str) -> str:
    """One line without control, unseen or direction characters, credentials masked, and no tag in it that closes or opens a block."""
    masked = mask(text)
    if not (masked.isascii() and masked.isprintable()):
        masked = "".join(map(_visible, masked))
        # What was cut apart by characters that are gone now may be a credential after all.
        masked = mask(masked)
    line = " ".join(masked.split())
    if not any(mark in line for mark in _OPENING):
        return line
    return "".join("&lt;" if char in _OPENING and _opens(line, at + 1) else char for at, char in enumerate(line))


def _opens(line: str, at: int) -> bool:
    """Whether what follows an angle bracket makes a closing tag, a comment, or a tag of ours or of an agent's own frame."""
    rest = line[at : at + 60].lstrip(" \u200c\u200d")
    if rest[:1] in _SLASHES and rest:
        return True
    from unicodedata import normalize

    name = normalize("NFKC", rest).casefold().replace("_", "-")
    return name.startswith(("remember", "system", "hook-", "untrusted", "mcp-", "user", "assistant", "tool", "function", "|"))


def memo_line(memo: Memo) -> str:
    """A fact with its text, a note with its description and path, prose by its path; IDs in brackets, dates in UTC."""
    name = f"[{memo.id}] " if memo.id else ""
    place = harmless(memo.path)
    if memo.kind == "fact":
        day = f" ({date_of(memo.created_ms)})" if memo.created_ms is not None else ""
        return f"- {name}{harmless(memo.text or '')}{day}"
    if memo.kind == "text":
        return f"- {place}: text beside the facts; read it by this path"
    dates = _dates(memo)
    title = harmless(memo.description or "") or "(no description)"
    broken = ", header broken" if memo.broken else ""
    return f"- {name}{title} ({', '.join(part for part in (dates, place) if part)}{broken})"


def _dates(memo: Memo) -> str:
    created = "" if memo.created_ms is None else date_of(memo.created_ms)
    changed = "" if memo.modified_ms is None else date_of(memo.modified_ms)
    if created and changed and created != changed:
        return f"{created}, changed {changed}"
    return created or changed
