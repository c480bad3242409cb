"""Whether a new memo is there already: compared by one key with the facts and descriptions of its scope."""

from __future__ import annotations

from remember.errors import Duplicate
from remember.format.spans import decode
from remember.format.text import duplicate_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from remember.change.target import Target
    from remember.index.catalogue import Index
    from remember.model import Memo
    from remember.store.view import View

__all__ = ["alike", "elsewhere", "fact_twin", "key_of", "note_twin"]


def key_of(text: str) -> str:
    """The key under which texts are compared; a text of punctuation alone is its own."""
    return duplicate_key(text) or text


def alike(index: Index, text: str) -> Iterator[Memo]:
    """Facts and notes whose line or description says the same."""
    key = key_of(text)
    for memo, _ in index.alike(text):
        line = memo.text if memo.kind == "fact" else memo.description
        if line and key_of(line) == key:
            yield memo


def fact_twin(index: Index, text: str) -> Memo | None:
    """The fact, or the note by its description, that says the same; an exact spelling is preferred."""
    found = sorted(alike(index, text), key=lambda memo: (memo.title != text, memo.kind != "fact"))
    return found[0] if found else None


def note_twin(index: Index, view: View, description: str, body: str) -> Memo | None:
    """The note with the same description and body, ends and line ends aside.

    Raises Duplicate where a note with that description has another body, or a fact says the same.
    """
    other: Memo | None = None
    for memo in alike(index, description):
        if memo.kind == "note" and _plain(_body(view, memo)) == _plain(body):
            return memo
        other = other or memo
    if other is not None:
        raise Duplicate(other.id or other.place, description, other.kind == "note")
    return None


def _plain(body: str) -> str:
    return body.replace("\r\n", "\n").strip()


def _body(view: View, memo: Memo) -> str:
    from remember.format import notes

    text = decode(view.read(memo.path) or b"")
    return text[notes.parse(text).body_start :]


def elsewhere(others: Sequence[Target], texts: Sequence[str]) -> list[tuple[str, ...]]:
    """For each text, warnings that name memos of the other scopes that say the same."""
    for other in others:
        other.index.refresh()
    return [tuple(_warnings(others, text)) for text in texts]


def _warnings(others: Sequence[Target], text: str) -> Iterator[str]:
    for other in others:
        memo = fact_twin(other.index, text)
        if memo is not None:
            yield f"the store {other.ref.name} has this too: {memo.id or memo.place}"
