"""What a merge is made of: pieces of a text that have a name, chunks of the result, and how a chunk in conflict is written."""

from __future__ import annotations

from remember._named import NamedTuple
from remember.format.problems import conflict_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    Lines = Callable[[str, str, str], "list[Chunk]"]
    """A three-way merge of texts by lines: base, ours, theirs."""

__all__ = ["Chunk", "Merged", "Piece", "hunks", "merged_text", "pick", "rendered", "side"]


class Piece(NamedTuple):
    """A part of a text: whole lines (`text`) under a name (`key`, "" for a line of prose).

    `core` is what is compared, so that white space around it makes no difference; `order` sorts pieces that were added at one
    place; `name` is what people call it; a `loose` one must stand between blank lines.
    """

    key: str
    text: str
    core: tuple[str, ...] = ()
    order: tuple[int, str] = (0, "")
    name: str = ""
    loose: bool = False


class Chunk(NamedTuple):
    """A part of the result: lines that are agreed upon (`theirs` is None), or a conflict of two sides with a label each."""

    ours: str
    theirs: str | None = None
    our_label: str = "ours"
    their_label: str = "theirs"
    what: str = ""


class Merged(NamedTuple):
    """A merged text, with conflict markers where `conflicts` says what they are about ("" is prose)."""

    text: str
    conflicts: tuple[str, ...]


def pick(base: str, ours: str, theirs: str) -> str | None:
    """The value that a three-way merge gives without looking inside; None where both sides changed it differently."""
    if ours == theirs or theirs == base:
        return ours
    return theirs if ours == base else None


def merged_text(base: str, ours: str, theirs: str, lines: Lines) -> list[Chunk]:
    """A text without names merged by lines; `lines` is asked only where both sides changed it."""
    whole = pick(base, ours, theirs)
    return lines(base, ours, theirs) if whole is None else [Chunk(whole)] if whole else []


def side(chunks: Iterable[Chunk], ours: bool) -> str:
    """The text in which every conflict is settled for one side."""
    return "".join(chunk.ours if ours or chunk.theirs is None else chunk.theirs for chunk in chunks)


def rendered(chunks: Sequence[Chunk], size: int) -> str:
    """The text with conflicts between markers of `size` characters, as git writes them.

    Markers are longer where lines in conflict look like some, so that a conflict is always told from what stands in it.
    """
    disputed = "\n" + "\n".join(chunk.ours + chunk.theirs for chunk in chunks if chunk.theirs is not None)
    while any(f"\n{mark * size}" in disputed for mark in "<=>"):
        size += 2
    parts: list[str] = []
    for chunk in chunks:
        if chunk.theirs is None:
            parts.append(chunk.ours)
        else:
            opening, closing = f"{'<' * size} {chunk.our_label}\n", f"{'>' * size} {chunk.their_label}\n"
            parts += (opening, chunk.ours, "=" * size + "\n", chunk.theirs, closing)
    return "".join(parts)


def hunks(text: str) -> list[tuple[int, int]]:
    """The conflicts that stand in a text, as (offset of the opening marker's line, offset after the closing one's line)."""
    found: list[tuple[int, int]] = []
    numbers = set(conflict_lines(text))
    opened: list[int] = []
    at = 0
    for number, line in enumerate(text.split("\n") if numbers else (), 1):
        end = min(at + len(line) + 1, len(text))
        if number in numbers and line.lstrip("\ufeff")[0] == "<":
            opened.append(at)
        elif number in numbers and line[0] == ">" and opened:
            found.append((opened.pop(), end))
        at = end
    return found
