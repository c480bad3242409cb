"""Edits of a file of bullets: what may be a note, when two are the same, and the spans that add, replace and drop them."""

from __future__ import annotations

from remember.errors import RefusedInput
from remember.format.spans import Edit, newline_of
from remember.format.text import clean
from remember.layouts.bullet_lines import bullets_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from remember.layouts.bullet_lines import Bullet

__all__ = ["NOTE_LIMIT", "append", "clean_note", "drop", "note_key", "replace"]

NOTE_LIMIT = 500
"""Code points in a note."""


def clean_note(text: str) -> str:
    """A note as one line: control characters become spaces, white space collapses, a leading marker goes. Raises RefusedInput."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise RefusedInput(f"the note is not valid UTF-8 (character {error.start + 1})", "convert it to UTF-8 first") from None
    cleaned = clean(text)
    while cleaned[:2] in ("- ", "* ", "+ "):
        cleaned = cleaned[2:].lstrip()
    if not cleaned.strip("-*+_ "):
        raise RefusedInput("the note is empty", "say what is to be remembered")
    if len(cleaned) > NOTE_LIMIT:
        raise RefusedInput(f"the note has {len(cleaned)} characters; {NOTE_LIMIT} are the limit", "shorten it, or make several of it")
    return cleaned


def note_key(text: str) -> str:
    """The form under which notes are the same: white space and case folded, closing punctuation dropped, and no more."""
    cleaned = clean(text).lower()
    return cleaned.rstrip(".!?,;: ") or cleaned


def append(text: str, notes: Sequence[str]) -> Edit:
    """The edit that puts notes behind the last bullet and what is indented below it, or at the end where there is none."""
    newline = newline_of(text)
    found = bullets_of(text)
    at = len(text)
    if found:
        at = found[-1].after
        while at < len(text) and text[at] in " \t":
            end = text.find("\n", at)
            end = len(text) if end < 0 else end + 1
            if not text[at:end].strip():
                break
            at = end
    added = newline.join(f"- {note}" for note in notes)
    if at and text[at - 1] != "\n":
        return Edit(at, at, newline + added)
    if not found and text.strip("\ufeff \t\r\n") and not text.endswith(("\n\n", "\r\n\r\n")):
        added = newline + added
    return Edit(at, at, added + newline)


def replace(bullet: Bullet, note: str) -> Edit:
    """The edit that gives a bullet another text; marker and indentation stay."""
    return Edit(bullet.start, bullet.end, note)


def drop(bullets: Sequence[Bullet]) -> list[Edit]:
    """The edits that remove the lines of these bullets, one for each run of them."""
    edits: list[Edit] = []
    for bullet in sorted(bullets, key=lambda b: b.begin):
        if edits and edits[-1].end == bullet.begin:
            edits[-1] = edits[-1]._replace(end=bullet.after)
        else:
            edits.append(Edit(bullet.begin, bullet.after, ""))
    return edits
