"""The named pieces of each kind of file that is merged by memo: facts by ID, bullets by their text, index lines by their target."""

from __future__ import annotations

from remember.format import facts as grammar
from remember.format.mergeorder import matched
from remember.format.mergeparts import Piece, hunks
from remember.format.shapes import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Read = Callable[[str], list[Piece]]

__all__ = ["READERS", "named", "with_doubt"]

_NAMELESS = "?"
"""The key of a piece that has no name of its own until it is compared with the base."""


def read_facts(text: str) -> list[Piece]:
    """Facts by ID; those written by hand are nameless. `order` is their time, then their ID."""
    pieces: list[Piece] = []
    seen: dict[str, int] = {}
    at = 0
    for fact in grammar.parse(text).facts:
        pieces += _prose(text[at : fact.block_start])
        at = fact.block_end
        block = text[fact.block_start : at]
        if fact.id is None:
            item = pattern("item").match(block)
            pieces.append(Piece(_NAMELESS, block, (block.strip(),), loose=item is None))
            continue
        core = (block.split("\n", 1)[0].strip(), fact.text)
        pieces.append(Piece(_again(fact.id, seen), block, core, (fact.created_ms or 0, fact.id), fact.id))
    return pieces + _prose(text[at:])


def read_bullets(text: str) -> list[Piece]:
    """Top-level list items with the indented lines below them, all nameless."""
    return _items(text, lambda line: _NAMELESS if pattern("item").match(line) and not pattern("rule").match(line) else "")


def read_index(text: str) -> list[Piece]:
    """List items by the Markdown file that they link to; other lines are prose."""
    return _items(text, _target)


READERS: dict[str, Read] = {"facts": read_facts, "bullets": read_bullets, "index": read_index}
"""The kinds that `.gitattributes` can name, notes aside."""


def _items(text: str, key_of: Callable[[str], str]) -> list[Piece]:
    pieces: list[Piece] = []
    seen: dict[str, int] = {}
    for line in _lines(text):
        key = key_of(line)
        if key:
            name = "" if key == _NAMELESS else key
            pieces.append(Piece(_again(key, seen) if name else key, line, (line.strip(),), name=name))
        elif line[0] in " \t" and line.strip() and pieces and pieces[-1].key:
            whole = pieces[-1].text + line
            pieces[-1] = pieces[-1]._replace(text=whole, core=(whole.strip(),))
        else:
            pieces.append(Piece("", line))
    return pieces


def _target(line: str) -> str:
    """The path of the first Markdown file that a list item links to, "" for any other line."""
    if not pattern("item").match(line):
        return ""
    at = line.find("](")
    while at >= 0:
        inside = line[at + 2 :]
        pointed = inside.startswith("<")
        inside = inside[pointed:]
        ends = [end for mark in ((">", "#") if pointed else (")", "#", " ")) if (end := inside.find(mark)) >= 0]
        target = inside[: min(ends, default=0)]
        if target.endswith(".md"):
            return target.removeprefix("./")
        at = line.find("](", at + 2)
    return ""


def _again(key: str, seen: dict[str, int]) -> str:
    """The key itself the first time, with a number after that, so that what stands twice stays twice."""
    seen[key] = seen.get(key, 0) + 1
    return key if seen[key] == 1 else f"{key}#{seen[key]}"


def _lines(text: str) -> list[str]:
    return [line + "\n" for line in text.split("\n")[:-1]]


def _prose(text: str) -> list[Piece]:
    return [Piece("", line) for line in _lines(text)]


def named(base: Sequence[Piece], changed: Sequence[Piece]) -> tuple[list[Piece], list[Piece]]:
    """Base and side with a key for every nameless piece: that of the base's piece which it is, or one of its own."""
    old = [piece.core[0] for piece in base if piece.key == _NAMELESS]
    new = [piece.core[0] for piece in changed if piece.key == _NAMELESS]
    numbers, keys = iter(range(len(old))), iter(matched(old, new))
    first = [piece._replace(key=f"~{next(numbers)}") if piece.key == _NAMELESS else piece for piece in base]
    return first, [piece._replace(key=next(keys)) if piece.key == _NAMELESS else piece for piece in changed]


def with_doubt(text: str, pieces: Sequence[Piece]) -> list[Piece]:
    """A base whose pieces inside a conflict are like nothing else: git makes such a base of two that were in conflict."""
    spans = hunks(text)
    if not spans:
        return list(pieces)
    found: list[Piece] = []
    at = 0
    for piece in pieces:
        doubtful = piece.key and any(start < at + len(piece.text) and at < end for start, end in spans)
        found.append(piece._replace(core=("\0",) * len(piece.core)) if doubtful else piece)
        at += len(piece.text)
    return found
