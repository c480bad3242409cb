"""One item of a recovery record applied to a file that others may have changed since, by place, by memo ID, or by neighbours."""

from __future__ import annotations

from remember.errors import ChangedOutside, Conflict
from remember.format import facts as grammar
from remember.format import spans
from remember.store.records import FileItem, LinesItem, RenameItem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from remember.store.records import Item

__all__ = ["IN_THE_WAY", "NOT_AS_LEFT", "flipped", "step"]

NOT_AS_LEFT = "is not, or no longer, as that change left it"
IN_THE_WAY = "undo what came after it first (`remember history`); the record is kept, `remember history show ID` has both states"


def flipped(item: Item) -> Item:
    """The item that undoes this one."""
    if isinstance(item, RenameItem):
        return item._replace(old=item.new, new=item.old)
    if isinstance(item, LinesItem):
        return item._replace(before=item.after, after=item.before)
    if isinstance(item, FileItem):
        return item._replace(before=item.after, after=item.before)
    return item


def step(data: bytes, item: LinesItem) -> bytes | None:
    """The file with `item.before` made `item.after`; None where that is so already.

    Raises ChangedOutside where neither stands, so that nobody's later change is lost.
    """
    if not item.before:
        return _insert(data, item)
    if not item.after:
        return _remove(data, item)
    return _replace(data, item)


def _facts(data: bytes, memo_id: str | None) -> tuple[str, list[grammar.Fact]]:
    text = spans.decode(data)
    if memo_id is None or memo_id not in text:
        return text, []
    return text, [fact for fact in grammar.parse(text).facts if fact.id == memo_id]


def _fact_of(block: bytes, memo_id: str | None) -> str:
    """The text of the fact in a block that holds its comment too; the block itself where that is all."""
    found = [fact.text for fact in grammar.parse(spans.decode(block)).facts if fact.id == memo_id]
    return found[0] if found else spans.decode(block).strip()


def _changed(item: LinesItem) -> ChangedOutside:
    return ChangedOutside(f"{item.id or 'a fact'} in {item.path}", IN_THE_WAY, NOT_AS_LEFT)


def _stands_at(data: bytes, item: LinesItem, value: bytes) -> bool:
    """Whether the value stands at the item's own place between its own neighbours."""
    at, end = item.at, item.at + len(value)
    if data[max(0, at - len(item.prev)) : at] != item.prev or not data.startswith(value, at) or at > len(data):
        return False
    return data.startswith(item.next, end) and (bool(item.next) or end == len(data)) and (bool(item.prev) or at == 0)


# --- a block that goes


def _remove(data: bytes, item: LinesItem) -> bytes | None:
    if _stands_at(data, item, item.before):
        return data[: item.at] + data[item.at + len(item.before) :]
    text, facts = _facts(data, item.id)
    if item.id is not None:
        if not facts:
            return None
        wanted = _fact_of(item.before, item.id)
        facts = [fact for fact in facts if fact.text == wanted]
        if len(facts) != 1:
            raise _changed(item)
    places = list(_places(data, item.before))
    if len(places) == 1:
        return data[: places[0]] + data[places[0] + len(item.before) :]
    if facts:
        return spans.encode(spans.apply(text, [grammar.remove(text, facts[0])]))
    if not places:
        return None
    raise _changed(item)


def _places(data: bytes, block: bytes) -> Iterator[int]:
    """Where the block stands as whole lines."""
    at = data.find(block)
    while at >= 0:
        end = at + len(block)
        begins = at == 0 or data[at - 1 : at] == b"\n" or block[:1] in (b"\n", b"\r")
        if begins and (end == len(data) or block.endswith(b"\n") or data[end : end + 1] in (b"\n", b"\r")):
            yield at
        at = data.find(block, at + 1)


# --- a block that comes back


def _insert(data: bytes, item: LinesItem) -> bytes | None:
    _, facts = _facts(data, item.id)
    if facts:
        if len(facts) == 1 and facts[0].text == _fact_of(item.after, item.id):
            return None
        raise Conflict(f"{item.path}:{facts[0].line} has the memo ID {item.id} already", "forget or update that one first")
    if item.id is None and _stands_at(data, item, item.after):
        return None
    if _stands_at(data, item, b""):
        return data[: item.at] + item.after + data[item.at :]
    at = _between(data, item)
    return _joined(data, len(data) if at is None else at, item.after)


def _between(data: bytes, item: LinesItem) -> int | None:
    """The place between neighbours that still stand, both if possible, else one of them; None where none does."""
    before, after = item.prev.splitlines(keepends=True), item.next.splitlines(keepends=True)
    for count in (3, 2, 1):
        above, below = b"".join(before[-count:]), b"".join(after[:count])
        if above.strip() and below.strip():
            found = _only(data, above + below)
            if found is not None:
                return found + len(above)
    for count in (3, 2, 1):
        above = b"".join(before[-count:])
        found = _only(data, above) if above.strip() else None
        if found is not None:
            return found + len(above)
    for count in (3, 2, 1):
        below = b"".join(after[:count])
        found = _only(data, below) if below.strip() else None
        if found is not None:
            return found
    return None


def _only(data: bytes, lines: bytes) -> int | None:
    """Where these whole lines stand, if they do exactly once."""
    places = [at for at in _places(data, lines) if at == 0 or data[at - 1 : at] == b"\n"]
    return places[0] if len(places) == 1 else None


def _joined(data: bytes, at: int, block: bytes) -> bytes:
    """The block as lines of its own at a place, in a file that keeps its line ends and whether it ends with one."""
    newline = b"\r\n" if b"\r\n" in data[:4096] else b"\n"
    head, tail = data[:at], data[at:]
    block = block.strip(b"\r\n")
    if head and not head.endswith(b"\n"):
        return head + newline + block + (newline + tail if tail else b"")
    return head + block + newline + tail


def _whole_line(item: LinesItem, value: bytes) -> bytes:
    """The lines that the value stood in, as far as its neighbours tell: their other lines may have changed since."""
    head = item.prev[item.prev.rfind(b"\n") + 1 :]
    end = item.next.find(b"\n")
    return head + value + (item.next if end < 0 else item.next[:end].removesuffix(b"\r"))


# --- a text that becomes another


def _replace(data: bytes, item: LinesItem) -> bytes | None:
    if item.id is not None:
        text, facts = _facts(data, item.id)
        old, new = spans.decode(item.before), spans.decode(item.after)
        matching = [fact for fact in facts if fact.text == old]
        if len(matching) == 1:
            return spans.encode(spans.apply(text, [grammar.replace_text(text, matching[0], new)]))
        if not matching and any(fact.text == new for fact in facts):
            return None
        raise _changed(item)
    if _stands_at(data, item, item.before):
        return data[: item.at] + item.after + data[item.at + len(item.before) :]
    if _stands_at(data, item, item.after):
        return None
    around = item.prev + item.before + item.next
    if data.count(around) == 1:
        at = data.index(around) + len(item.prev)
        return data[:at] + item.after + data[at + len(item.before) :]
    there, wanted = _whole_line(item, item.before), _whole_line(item, item.after)
    places = list(_places(data, there))
    if len(places) == 1:
        return data[: places[0]] + wanted + data[places[0] + len(there) :]
    if not places:
        # Nothing says what the change left; where its line says what it was before, the change never reached the file.
        before = list(_places(data, wanted))
        if len(before) == 1 or item.at - (len(item.prev) - item.prev.rfind(b"\n") - 1) in before:
            return None
    raise _changed(item)
