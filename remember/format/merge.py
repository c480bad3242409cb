"""The three-way merge of memory files: texts in, one text out, with conflicts only where both sides changed one memo."""

from __future__ import annotations

from remember.format.mergekinds import READERS, named, with_doubt
from remember.format.mergenotes import merge_note
from remember.format.mergeparts import Chunk, Merged, merged_text, rendered, side
from remember.format.mergepieces import decide, placed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from remember.format.mergeparts import Lines

__all__ = ["KINDS", "merge", "whole_conflict"]

KINDS = (*READERS, "note")
"""What `.gitattributes` can name."""

_BOM = "\ufeff"


def merge(kind: str, base: str, ours: str, theirs: str, lines: Lines, size: int = 7) -> Merged:
    """Merge a file of that kind; `size` is the length of conflict markers, `lines` merges prose that both sides changed.

    Byte order mark, line ends and the final newline are each decided like a value: a side that changed them wins. A file with
    mixed line ends keeps them line by line. No memo of a side is lost: what the merge by name cannot put together is merged
    by lines, and where that would lose a memo too, the whole file is one conflict.
    """
    if ours == theirs or theirs == base:
        return Merged(ours, ())
    if ours == base:
        return Merged(theirs, ())
    texts = (base, ours, theirs)
    bom = _flag([text.startswith(_BOM) if text else None for text in texts])
    ended = _flag([text.endswith("\n") if text.lstrip(_BOM) else None for text in texts])
    plain = [text.removeprefix(_BOM) for text in texts]
    ends = [_line_end(text) for text in plain]
    crlf = False
    if "mixed" not in ends:
        crlf = _flag([end == "\r\n" if end else None for end in ends])
        plain = [text.replace("\r\n", "\n") for text in plain]
    plain = [text + "\n" if text and not text.endswith("\n") else text for text in plain]
    chunks = _chunks(kind, plain[0], plain[1], plain[2], lines)
    text = rendered(chunks, size)
    if not ended and text.endswith("\n") and chunks[-1].theirs is None:
        text = text[:-1]
    text = text.replace("\n", "\r\n") if crlf else text
    return Merged(_BOM + text if bom else text, tuple(chunk.what for chunk in chunks if chunk.theirs is not None))


def whole_conflict(ours: str, theirs: str, size: int = 7) -> Merged:
    """Both sides whole, as one conflict: for what cannot be merged at all."""
    mine, yours = (text if not text or text.endswith("\n") else text + "\n" for text in (ours, theirs))
    return Merged(rendered([Chunk(mine, yours)], size), ("",))


def _flag(values: Sequence[bool | None]) -> bool:
    """A yes or no that three versions give (None: it says nothing), base first; without a base the answer is ours."""
    base, ours, theirs = values
    if ours is None or theirs is None:
        return bool(theirs if ours is None else ours)
    return theirs if ours == base else ours


def _line_end(text: str) -> str:
    """The one line end of a text, "" where it has none, or `mixed`."""
    every, carriage = text.count("\n"), text.count("\r\n")
    if not every:
        return ""
    return "\r\n" if every == carriage else "mixed" if carriage else "\n"


def _chunks(kind: str, base: str, ours: str, theirs: str, lines: Lines) -> list[Chunk]:
    if kind == "note":
        return merge_note(base, ours, theirs, lines)
    read = READERS[kind]
    old, mine, yours = with_doubt(base, read(base)), read(ours), read(theirs)
    first, mine = named(old, mine)
    first, yours = named(old, yours)
    decided = decide(first, mine, yours)
    chunks = placed(first, mine, yours, decided, lines)
    # Without a conflict the two sides are one text, and looked at once.
    sides = (True, False) if any(chunk.theirs is not None for chunk in chunks) else (True,)
    expected = [_named(kind, side(decided.values(), one)) for one in sides]
    if expected == [_named(kind, side(chunks, one)) for one in sides]:
        return chunks
    by_lines = merged_text(base, ours, theirs, lines)
    if any(chunk.theirs is not None for chunk in by_lines) or expected[0] == _named(kind, side(by_lines, True)):
        return by_lines
    return [Chunk(ours, theirs)]


def _named(kind: str, text: str) -> list[tuple[str, tuple[str, ...]]]:
    """The memos that a reader finds in a text, in no order: those that have a name, or every bullet."""
    return sorted((piece.name, piece.core) for piece in READERS[kind](text) if piece.name or (piece.key and kind == "bullets"))
