"""From a file's text to the text with what is wanted in it, as pure insertions, and back."""

from __future__ import annotations

import json

from remember._named import NamedTuple
from remember.errors import Conflict, RefusedInput
from remember.hooks.jsonspans import Insertion, Malformed, Node, inserted, parse, path_of, removal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from remember.hooks.agents import Entry, Wish

__all__ = ["Edited", "holds", "put_in", "take_out"]


class Edited(NamedTuple):
    """A new text and the spans in it that are ours, as (offset, length), in order."""

    text: str
    spans: tuple[tuple[int, int], ...]


def put_in(file: str, text: str | None, wish: Wish) -> Edited:
    """The file's text with what is wanted; `text` is None where there is no file. Raises RefusedInput for a file that is
    not what it must be, Conflict where something else has the place."""
    if wish.text:
        if text is not None and text != wish.text:
            raise Conflict(f"{file} is there already and is not ours", "move it away, then repeat the command")
        return Edited(wish.text, ((0, len(wish.text)),))
    if wish.blocks:
        return _toml(file, text or "", wish.blocks)
    return _json(file, text, wish.entries)


def _applied(text: str, spans: list[tuple[int, int]], insertion: Insertion) -> tuple[str, list[tuple[int, int]]]:
    """The text with an insertion, and all spans where they are now; what is put into a span of ours makes that longer."""
    at, size = insertion.at, len(insertion.text)
    moved: list[tuple[int, int]] = []
    inside = False
    for start, length in spans:
        if at <= start:
            moved.append((start + size, length))
        elif at < start + length:
            moved.append((start, length + size))
            inside = True
        else:
            moved.append((start, length))
    if not inside:
        moved.append((at, size))
    return text[:at] + insertion.text + text[at:], sorted(moved)


def _json(file: str, text: str | None, entries: Sequence[Entry]) -> Edited:
    spans: list[tuple[int, int]] = []
    if text is None or not text.strip():
        made = json.dumps(_document(entries), ensure_ascii=False, indent=2) + "\n"
        return Edited((text or "") + made, ((len(text or ""), len(made)),))
    for entry in entries:
        root = _root(file, text)
        for insertion in _insertions(file, text, root, entry):
            text, spans = _applied(text, spans, insertion)
    return Edited(text, tuple(spans))


def _root(file: str, text: str) -> Node:
    try:
        root = parse(text)
    except Malformed as error:
        raise RefusedInput(f"{file} is no valid JSON ({error}); it is left as it is", "mend it, then repeat the command") from error
    if root.kind != "object":
        raise RefusedInput(f"{file} holds no JSON object; it is left as it is", "mend it, then repeat the command")
    return root


def _document(entries: Sequence[Entry]) -> dict[str, object]:
    document: dict[str, object] = {}
    for entry in entries:
        _merge(document, entry.path, entry)
    return document


def _merge(document: dict[str, object], path: Sequence[str], entry: Entry) -> None:
    for key in path[:-1] if not entry.key else path:
        inner = document.setdefault(key, {})
        assert isinstance(inner, dict)
        document = inner
    if entry.key:
        document[entry.key] = entry.value
    else:
        document[path[-1]] = [entry.value]


def _insertions(file: str, text: str, root: Node, entry: Entry) -> list[Insertion]:
    """One insertion at the deepest place of the entry's path that is there; none where the entry is there."""
    node = root
    for number, key in enumerate(entry.path):
        below = node.get(key)
        if below is None:
            rest = entry._replace(path=entry.path[number:])
            return [inserted(text, node, key, _document([rest])[key])]
        wanted = "list" if not entry.key and number == len(entry.path) - 1 else "object"
        if below.kind != wanted:
            raise RefusedInput(f"{file}: {'.'.join(entry.path[: number + 1])} is no {wanted}; it is left as it is", "mend it first")
        node = below
    if not entry.key:
        return [] if any(member.plain() == entry.value for _, _, member in node.members) else [inserted(text, node, "", entry.value)]
    there = node.get(entry.key)
    if there is None:
        return [inserted(text, node, entry.key, entry.value)]
    if there.plain() != entry.value:
        raise Conflict(f"{file} has an entry {entry.key} already that is not ours", "remove or rename it, then repeat the command")
    return []


def _toml(file: str, text: str, blocks: Sequence[str]) -> Edited:
    import tomllib

    def read(source: str) -> Mapping[str, object]:
        return tomllib.loads(source.removeprefix("\ufeff").replace("\r\n", "\n"))

    try:
        before = read(text)
    except (ValueError, RecursionError) as error:
        raise RefusedInput(f"{file} is no valid TOML ({error}); it is left as it is", "mend it, then repeat the command") from error
    newline = "\r\n" if "\r\n" in text else "\n"
    spans: list[tuple[int, int]] = []
    after = text
    for block in blocks:
        gap = "" if not after else newline if after.endswith("\n") else newline * 2
        made = gap + block.replace("\n", newline)
        if block.replace("\n", newline) not in after:
            spans.append((len(after), len(made)))
            after += made
    try:
        found = read(after)
    except ValueError as error:
        reason = "something else has the place of our entries"
        raise Conflict(f"{file}: {reason} ({error}); it is left as it is", "remove its entries for remember, then repeat") from error
    assert all(key in found for key in before)
    return Edited(after, tuple(spans))


def holds(text: str, wish: Wish) -> bool:
    """Whether everything that is wanted is in the text."""
    if wish.text:
        return text == wish.text
    plain = text.replace("\r\n", "\n")
    if wish.blocks:
        return all(block in plain for block in wish.blocks)
    try:
        root = parse(text)
    except Malformed:
        return False
    return all(_number(path_of(root, entry.path), entry) is not None for entry in wish.entries)


def _number(node: Node | None, entry: Entry) -> int | None:
    """Which member of the container the entry is."""
    if node is None:
        return None
    for number, (key, _, member) in enumerate(node.members):
        if key == entry.key and member.plain() == entry.value:
            return number
    return None


def take_out(text: str, wish: Wish, made: Sequence[tuple[str, ...]] = ()) -> str | None:
    """The text without what is ours, found by what it says; None where nothing is left of the file.

    `made` are the paths of containers that were made for our entries: they go too where they are empty now.
    """
    if wish.text:
        return None if text == wish.text else text
    if wish.blocks:
        for block in wish.blocks:
            for newline in ("\r\n", "\n"):
                shown = block.replace("\n", newline)
                text = text.replace(newline + shown, "", 1) if newline + shown in text else text.replace(shown, "", 1)
        return text
    for entry in wish.entries:
        node = path_of(parse(text), entry.path)
        number = _number(node, entry)
        if node is not None and number is not None:
            start, end = removal(text, node, number)
            text = text[:start] + text[end:]
    for path in sorted(made, key=len, reverse=True):
        text = _without_empty(text, path)
    return text


def _without_empty(text: str, path: tuple[str, ...]) -> str:
    parent = path_of(parse(text), path[:-1])
    node = parent.get(path[-1]) if parent is not None else None
    if parent is None or node is None or node.members:
        return text
    number = next(n for n, (key, _, _) in enumerate(parent.members) if key == path[-1])
    start, end = removal(text, parent, number)
    return text[:start] + text[end:]
