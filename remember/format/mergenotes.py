"""The three-way merge of notes: the header by field, the body by lines, two notes of one name told apart by their IDs."""

from __future__ import annotations

from remember.format import notes, times
from remember.format.mergeparts import Chunk, Piece, merged_text, side
from remember.format.mergepieces import merge_pieces

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from remember.format.mergeparts import Lines
    from remember.format.notes import Note

__all__ = ["merge_note"]

_MODIFIED = "last-modified-date"


def merge_note(base: str, ours: str, theirs: str, lines: Lines) -> list[Chunk]:
    """The merge as chunks. Where both changed the note it was modified at the later of the two times.

    A note whose header cannot be read is merged by lines as a whole. Two notes that were made under one file name (no base,
    two IDs) are one conflict, which names both.
    """
    old, mine, yours = notes.parse(base), notes.parse(ours), notes.parse(theirs)
    if mine.id and yours.id and mine.id != yours.id and (not base or old.id not in (mine.id, yours.id)):
        labels = (f"ours [{mine.id}], another note of this name", f"theirs [{yours.id}], another note of this name")
        return [Chunk(ours, theirs, *labels, f"{mine.id} and {yours.id}, two notes of one file name")]
    if not (_readable(mine) and _readable(yours) and (_readable(old) or not base)):
        return merged_text(base, ours, theirs, lines)
    head = _header(base, old, ours, mine, theirs, yours, lines)
    body = merged_text(base[old.body_start :], ours[mine.body_start :], theirs[yours.body_start :], lines)
    chunks = [*head, *body]
    if not all(_readable(notes.parse(side(chunks, one))) for one in (True, False)):
        return merged_text(base, ours, theirs, lines)
    name = mine.id or yours.id or ""
    return [_labelled(chunk, name) for chunk in chunks]


def _readable(note: Note) -> bool:
    return note.header.present and not note.broken


def _labelled(chunk: Chunk, name: str) -> Chunk:
    if chunk.theirs is None or not name:
        return chunk
    what = f"{name}, {chunk.what}" if chunk.what else name
    return chunk._replace(our_label=f"ours [{what}]", their_label=f"theirs [{what}]", what=what)


def _header(base: str, old: Note, ours: str, mine: Note, theirs: str, yours: Note, lines: Lines) -> list[Chunk]:
    """The header's chunks, delimiters included."""
    before, left, right = _pieces(base, old), _pieces(ours, mine), _pieces(theirs, yours)
    _one_time(before, left, right)
    opening, closing = ours[: _opening(ours)], ours[mine.header.close : mine.body_start]
    return [Chunk(opening), *merge_pieces(before, left, right, lines), Chunk(closing)]


def _opening(text: str) -> int:
    return text.find("\n") + 1


def _pieces(text: str, note: Note) -> list[Piece]:
    """A header's fields as pieces, comments and blank lines as prose; [] for no header."""
    if not note.header.present:
        return []
    found: list[Piece] = []
    at = _opening(text)
    seen: dict[str, int] = {}
    for field in note.header.fields:
        start = text.rfind("\n", 0, field.start) + 1
        end = text.find("\n", max(field.end - 1, field.start - 1)) + 1
        found += [Piece("", line + "\n") for line in text[at:start].split("\n")[:-1]]
        seen[field.key] = seen.get(field.key, 0) + 1
        whole = text[start:end]
        core = whole.strip() if field.nested else field.value.strip()
        found.append(Piece(f"{field.key}#{seen[field.key]}", whole, (core,), name=field.key))
        at = end
    return found + [Piece("", line + "\n") for line in text[at : note.header.close].split("\n")[:-1]]


def _one_time(base: Sequence[Piece], ours: list[Piece], theirs: list[Piece]) -> None:
    """Give both sides the later modification time, where each has one of its own."""
    key = f"{_MODIFIED}#1"
    places = [next((at for at, piece in enumerate(pieces) if piece.key == key), -1) for pieces in (ours, theirs)]
    if min(places) < 0:
        return
    left, right = ours[places[0]], theirs[places[1]]
    stamps = times.parse(left.core[0]), times.parse(right.core[0])
    before = next((piece for piece in base if piece.key == key), None)
    if stamps[0] is None or stamps[1] is None or (before is not None and before.core in (left.core, right.core)):
        return  # it is no time, or only one side changed it
    ours[places[0]] = theirs[places[1]] = left if stamps[0] >= stamps[1] else right
