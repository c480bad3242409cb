"""The three-way merge of named pieces: each decided by its name, each put where its side has it, prose between them by lines."""

from __future__ import annotations

from remember._named import NamedTuple
from remember.format.mergeorder import aligned, kept_order
from remember.format.mergeparts import Chunk, Piece, merged_text, pick

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from remember.format.mergeparts import Lines

__all__ = ["decide", "merge_pieces", "placed"]


class _Region(NamedTuple):
    """What stands between two anchors on one side: lines of prose, and the pieces with the number of prose lines above each."""

    prose: list[str]
    pieces: list[tuple[int, Piece]]


def merge_pieces(base: Sequence[Piece], ours: Sequence[Piece], theirs: Sequence[Piece], lines: Lines) -> list[Chunk]:
    """The merge as chunks. Keys are unique on each side."""
    return placed(base, ours, theirs, decide(base, ours, theirs), lines)


def decide(base: Sequence[Piece], ours: Sequence[Piece], theirs: Sequence[Piece]) -> dict[str, Chunk]:
    """What becomes of each piece that is in the result, by its key.

    A piece that one side changed, removed or added is so in the result; one that both changed differently, or one changed and
    the other removed, is a conflict of its own.
    """
    old, mine, yours = _by_key(base), _by_key(ours), _by_key(theirs)
    keys = dict.fromkeys((*mine, *yours))
    return {key: chunk for key in keys if (chunk := _decided(old.get(key), mine.get(key), yours.get(key))) is not None}


def placed(
    base: Sequence[Piece], ours: Sequence[Piece], theirs: Sequence[Piece], decided: Mapping[str, Chunk], lines: Lines
) -> list[Chunk]:
    """The decided pieces in their places, the merged prose between them.

    Anchors are the pieces that all three versions have in the same order; what stands between two of them is merged by itself.
    A piece that is no anchor stands where the side has it that moved or added it; those added at one place come in their order.
    """
    mine, yours = _by_key(ours), _by_key(theirs)
    common = [key for key in _by_key(base) if key in mine and key in yours]
    unmoved = kept_order(common, _places(mine))
    anchors = kept_order(unmoved, _places(yours))
    by_ours = set(mine) - (set(unmoved) - set(anchors))
    by_theirs = set(yours) - by_ours
    split = [_regions(pieces, anchors, wanted & set(decided)) for pieces, wanted in ((base, set()), (ours, by_ours), (theirs, by_theirs))]
    chunks: list[tuple[Chunk, bool]] = []
    for number, (before, left, right) in enumerate(zip(*split, strict=True)):
        chunks += _region(before, left, right, decided, lines)
        if number < len(anchors):
            anchor = anchors[number]
            chunks.append((decided[anchor], mine[anchor].loose or yours[anchor].loose))
    return _parted(chunks)


def _by_key(pieces: Sequence[Piece]) -> dict[str, Piece]:
    return {piece.key: piece for piece in pieces if piece.key}


def _places(pieces: Mapping[str, Piece]) -> dict[str, int]:
    return {key: number for number, key in enumerate(pieces)}


def _decided(base: Piece | None, ours: Piece | None, theirs: Piece | None) -> Chunk | None:
    """What becomes of one piece; None where it is gone."""
    if ours is None or theirs is None:
        left = ours or theirs
        assert left is not None
        if base is None:
            return Chunk(left.text)
        if base.core == left.core:
            return None
        name = f" [{left.name}]" if left.name else ""
        labels = (f"ours{name}", f"theirs{name}, removed") if ours else (f"ours{name}, removed", f"theirs{name}")
        return Chunk(left.text if ours else "", "" if ours else left.text, *labels, left.name)
    if ours.core == theirs.core:
        return Chunk(pick(base.text if base else ours.text, ours.text, theirs.text) or ours.text)
    if base is not None and base.core == ours.core:
        return Chunk(theirs.text)
    if base is not None and base.core == theirs.core:
        return Chunk(ours.text)
    if base is not None and len(base.core) == len(ours.core) == len(theirs.core) > 1:
        parts = [pick(*three) for three in zip(base.core, ours.core, theirs.core, strict=True)]
        if None not in parts:
            return Chunk("".join(f"{part}\n" for part in parts))
    name = f" [{ours.name}]" if ours.name else ""
    return Chunk(ours.text, theirs.text, f"ours{name}", f"theirs{name}", ours.name)


def _regions(pieces: Sequence[Piece], anchors: Sequence[str], wanted: set[str]) -> list[_Region]:
    """One side cut at the anchors; pieces that are not `wanted` of this side are left out."""
    found = [_Region([], [])]
    at = 0
    for piece in pieces:
        if not piece.key:
            found[-1].prose.append(piece.text)
        elif at < len(anchors) and piece.key == anchors[at]:
            found.append(_Region([], []))
            at += 1
        elif piece.key in wanted:
            found[-1].pieces.append((len(found[-1].prose), piece))
    return found


def _region(base: _Region, ours: _Region, theirs: _Region, decided: Mapping[str, Chunk], lines: Lines) -> Iterator[tuple[Chunk, bool]]:
    """What stands between two anchors, as chunks, each with whether it is a piece that must stand between blank lines."""
    prose: list[Chunk] = []
    for chunk in merged_text("".join(base.prose), "".join(ours.prose), "".join(theirs.prose), lines):
        prose += [chunk] if chunk.theirs is not None else [Chunk(line + "\n") for line in chunk.ours.split("\n")[:-1]]
    left = _slots(ours, prose, True)
    right = _slots(theirs, prose, False)
    for number in range(len(prose) + 1):
        for piece in _in_order(left.get(number, []), right.get(number, [])):
            yield decided[piece.key], piece.loose
        if number < len(prose):
            yield prose[number], False


def _slots(region: _Region, prose: Sequence[Chunk], ours: bool) -> dict[int, list[Piece]]:
    """One side's pieces by the number of chunks of the merged prose above them."""
    found: dict[int, list[Piece]] = {}
    if not region.pieces:
        return found
    lines: list[str] = []
    homes: list[int] = []
    for number, chunk in enumerate(prose):
        text = chunk.ours if ours or chunk.theirs is None else chunk.theirs
        mine = text.split("\n")[:-1]
        lines += [line + "\n" for line in mine]
        homes += [number] * len(mine)
    became = aligned(region.prose, lines)
    for above, piece in region.pieces:
        at = above - 1
        while at >= 0 and became[at] < 0:
            at -= 1
        found.setdefault(homes[became[at]] + 1 if at >= 0 else 0, []).append(piece)
    return found


def _in_order(ours: Sequence[Piece], theirs: Sequence[Piece]) -> Iterator[Piece]:
    """Two runs of pieces at one place as one run, sorted where both know an order, each in its own order; ours first."""
    at = 0
    for piece in ours:
        while at < len(theirs) and piece.order[1] and theirs[at].order[1] and theirs[at].order < piece.order:
            yield theirs[at]
            at += 1
        yield piece
    yield from theirs[at:]


def _parted(chunks: Sequence[tuple[Chunk, bool]]) -> list[Chunk]:
    """The chunks with blank lines round those pieces that need them and that stand beside a new neighbour."""
    found: list[Chunk] = []
    above_loose = False
    for chunk, loose in chunks:
        if not (chunk.ours or chunk.theirs):
            continue
        first = (chunk.ours or chunk.theirs or "").split("\n", 1)[0].strip()
        touches = bool(found) and bool(first) and (found[-1].theirs is not None or not found[-1].ours.endswith(("\n\n", "\n \n")))
        if touches and found[-1].ours.strip() and (loose or (above_loose and not first.startswith("<!--"))):
            found.append(Chunk("\n"))
        found.append(chunk)
        above_loose = loose
    return found
