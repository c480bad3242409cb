"""Memos of a directory of any layout, file by file, in order of their paths; the directory itself is only read."""

from __future__ import annotations

from remember._named import NamedTuple
from remember.errors import RefusedInput
from remember.exchange.item import REFUSED, SKIPPED, Broken, Item, Whole
from remember.exchange.jsonl import PROSE
from remember.files.atomic import LIMIT_BYTES
from remember.format import facts as grammar
from remember.layouts import layout_of
from remember.model import Memo
from remember.store.read import Reader
from remember.store.scan import scan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from remember.layouts import Entry, Layout
    from remember.model import StoreRef

__all__ = ["TOTAL_BYTES", "below", "read", "wholes"]

TOTAL_BYTES = 256 << 20
"""What one import takes at most: it is held in memory, and in one recovery record."""


class File(NamedTuple):
    """A file of a store: its bytes and when it was changed (milliseconds since 1970 UTC)."""

    path: str
    data: bytes
    mtime_ms: int


def files(path: str, layout: Layout) -> Iterator[File | Broken]:
    """The files of the store at `path` in order of their paths, and what cannot be read.

    Raises IOFailure when the directory cannot be listed, RefusedInput for more than TOTAL_BYTES.
    """
    walk = scan(path, layout.rules)
    total = 0
    with Reader(path, layout.rules._replace(whole_limit=LIMIT_BYTES), LIMIT_BYTES) as reader:
        for name, _ in sorted(walk.files()):
            try:
                found = reader.read(name)
            except OSError as error:
                yield Broken(name, REFUSED, error.strerror or "it cannot be read")
                continue
            if found is None:
                continue
            if found.size_bytes > len(found.data):
                yield Broken(name, REFUSED, f"it has {found.size_bytes} bytes, more than the {LIMIT_BYTES} that are read")
                continue
            total += found.size_bytes
            if total > TOTAL_BYTES:
                raise RefusedInput(f"{path}: more than {TOTAL_BYTES} bytes", "take one folder of it after the other")
            yield File(name, found.data, found.signature[1] // 1_000_000)
    for name, reason in walk.unreadable:
        yield Broken(name, REFUSED, reason)


def read(path: str, layout: Layout, permalinks: bool = False) -> Iterator[Item | Broken]:
    """Every memo of the store at `path`; `permalinks` are names too, as basic-memory has them. Raises what `files` raises."""
    for found in files(path, layout):
        if isinstance(found, Broken):
            yield found
        else:
            yield from _items(layout, found, permalinks)


def _items(layout: Layout, found: File, permalinks: bool) -> Iterator[Item | Broken]:
    name, data, mtime_ms = found
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        yield Broken(f"{name}:{line}", REFUSED, "it is not valid UTF-8")
        return
    entries = layout.parse(name, data, mtime_ms)
    if not entries and data.strip() and not _is_index(layout, name):
        yield Broken(name, SKIPPED, "nothing in it is a memo")
    for entry in entries:
        if entry.broken:
            yield Broken(name, REFUSED, entry.broken, entry.description or "")
            continue
        item = _item(layout, name, text, entry, mtime_ms, permalinks)
        # A title that is the file's name alone says nothing.
        yield Broken(name, SKIPPED, "it is empty") if not item.own and not item.body.strip() and item.title == item.hint else item


def wholes(ref: StoreRef) -> Iterator[Whole | Broken]:
    """Every memo of a store with all its text, and what cannot be read. Raises what `files` raises."""
    layout = layout_of(ref)
    for found in files(ref.path, layout):
        if isinstance(found, Broken):
            yield found
            continue
        text = found.data.decode("utf-8", "replace")
        for entry in layout.parse(found.path, found.data, found.mtime_ms):
            body = "" if entry.kind == "fact" else _prose(layout, text, entry) if entry.kind == "text" else below(text, entry.body_line)
            yield Whole(_memo(ref, layout, found.path, entry), body)


def _memo(ref: StoreRef, layout: Layout, path: str, entry: Entry) -> Memo:
    return Memo(
        ref.scope,
        ref.name,
        entry.kind,
        entry.id if layout.has_ids else None,
        path,
        entry.line,
        entry.description,
        entry.body if entry.kind == "fact" else None,
        entry.tags,
        entry.created_ms,
        entry.modified_ms,
        entry.broken,
        False,
        ref.path,
    )


def _prose(layout: Layout, text: str, entry: Entry) -> str:
    """The prose of a facts file, without the gaps that the facts leave."""
    prose = grammar.parse(text).prose if layout.has_ids else entry.body
    kept: list[str] = []
    for line in prose.split("\n"):
        if line.strip() or (kept and kept[-1].strip()):
            kept.append(line)
    return "\n".join(kept)


def _is_index(layout: Layout, name: str) -> bool:
    return name in layout.rules.whole or name in layout.rules.only


def _item(layout: Layout, name: str, text: str, entry: Entry, mtime_ms: int, permalinks: bool) -> Item:
    own = layout.has_ids and entry.id is not None
    memo_id = entry.id if own else None
    if entry.kind == "fact":
        created = mtime_ms if entry.created_ms is None else entry.created_ms
        source = f"{name}:{entry.line}"
        return Item(source, "fact", entry.body, "", created, None, entry.tags, memo_id, line=entry.line, own=own)
    if entry.kind == "text":
        return Item(name, "note", PROSE, _prose(layout, text, entry), entry.created_ms, mtime_ms, entry.tags, hint="memory")
    body = below(text, entry.body_line)
    bare = name.removesuffix(".md")
    stem = bare.rpartition("/")[2]
    names = [bare, stem, entry.description or "", *entry.names]
    if permalinks:
        names.append(_permalink(text, entry.body_line))
    modified = mtime_ms if entry.modified_ms is None else entry.modified_ms
    return Item(
        name,
        "note",
        entry.description or stem,
        body,
        entry.created_ms,
        modified,
        entry.tags,
        memo_id,
        name if layout.has_ids else "",
        tuple(n for n in names if n),
        stem,
        entry.body_line,
        own,
    )


def below(text: str, line: int) -> str:
    """The text from a 1-based line on."""
    at = 0
    for _ in range(line - 1):
        at = text.find("\n", at) + 1
        if not at:
            return ""
    return text[at:]


def _permalink(text: str, body_line: int) -> str:
    for line in text.split("\n", body_line)[: body_line - 1]:
        if line.startswith("permalink:"):
            return line[10:].strip().strip("'\"")
    return ""
