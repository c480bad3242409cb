"""Finds in fresh bytes the very fact or note that was meant, or says that somebody changed it."""

from __future__ import annotations

from remember.change.address import TWICE
from remember.errors import Ambiguous, ChangedOutside
from remember.format import facts as grammar
from remember.format import notes
from remember.format.spans import decode, encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.model import Memo
    from remember.store.commit import View

__all__ = ["check_revision", "fact_in", "note_in"]


def fact_in(parsed: grammar.Facts, memo: Memo, same_text: bool = True) -> grammar.Fact:
    """The fact that the memo stands for: by its ID, else by its line and text, else by its text alone.

    Raises ChangedOutside where it is gone, or has another text and `same_text` asks for this one; Ambiguous.
    """
    if memo.id is not None:
        found = [fact for fact in parsed.facts if fact.id == memo.id]
        if len(found) > 1 and same_text:
            found = [fact for fact in found if fact.line == memo.line and _as_indexed(fact.text) == memo.text] or found
    else:
        found = [fact for fact in parsed.facts if fact.id is None and _as_indexed(fact.text) == memo.text]
        if len(found) > 1:
            found = [fact for fact in found if fact.line == memo.line] or found
    if len(found) > 1:
        raise Ambiguous(memo.id or memo.title, [f"{memo.path}:{fact.line}" for fact in found], TWICE if memo.id else "")
    if not found or (same_text and _as_indexed(found[0].text) != memo.text):
        raise ChangedOutside(memo.id or memo.place)
    return found[0]


def _as_indexed(text: str) -> str:
    """A fact's text as the index holds it: bytes that are no UTF-8 replaced, NUL a space."""
    if text.isascii():
        return text.replace("\0", " ")
    return encode(text).decode("utf-8", "replace").replace("\0", " ")


def note_in(view: View, memo: Memo) -> tuple[bytes, str, notes.Note]:
    """A note's bytes, text and parsed header. Raises ChangedOutside where it is gone or another memo has its path."""
    data = view.read(memo.path)
    if data is None:
        raise ChangedOutside(memo.id or memo.path)
    text = decode(data)
    note = notes.parse(text)
    if memo.path.startswith("notes/") and not memo.broken and note.id != memo.id:
        raise ChangedOutside(memo.id or memo.path)
    return data, text, note


def check_revision(memo: Memo, wanted: str | None, present: str) -> None:
    """Refuse where the memo is no longer at the revision that the caller saw. Raises ChangedOutside."""
    if wanted is not None and wanted.strip().lower() != present:
        what = memo.id or memo.place
        hint = f"run `remember show {what}`, then repeat the change on what it says"
        raise ChangedOutside(f"{what} (it is at revision {present}, not {wanted})", hint)
