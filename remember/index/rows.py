"""Entries as rows of the index, the same for a build, a refresh and an audit."""

from __future__ import annotations

from zlib import crc32

from remember.format.tokens import camel_parts, segment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.layouts.layout import Entry

__all__ = ["MEMO_COLUMNS", "checksum", "from_key", "memo_row", "path_key", "words_row"]

MEMO_COLUMNS = (
    "id, file, kind, memo_id, line, description, body, body_line, created_ms, modified_ms, tags, tag_keys, links, names, broken, labels,"
    " description_cut, labels_cut, body_cut, parts, checksum"
)

MemoRow = tuple[object, ...]


def path_key(path: str) -> str | bytes:
    """A path as it is stored: text, or its bytes where it is no UTF-8 (SQLite text must be UTF-8)."""
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        return path.encode("utf-8", "surrogateescape")
    return path


def from_key(key: str | bytes) -> str:
    """The path that `path_key` stored."""
    return key if isinstance(key, str) else key.decode("utf-8", "surrogateescape")


def checksum(
    path: str,
    kind: str,
    memo_id: str | None,
    line: int,
    description: str | None,
    body: bytes,
    created_ms: int | None,
    modified_ms: int | None,
    tags: str | None,
) -> int:
    """CRC-32 over what a row shows of its memo (its body in UTF-8); a flipped bit in any of it changes the sum."""
    head = f"{path}\0{kind}\0{memo_id}\0{line}\0{description}\0{created_ms}\0{modified_ms}\0{tags}\0"
    return crc32(body, crc32(head.encode("utf-8", "surrogatepass")))


def memo_row(row_id: int, file_id: int, path: str, entry: Entry, memo_id: str | None) -> MemoRow:
    """One memo as values for MEMO_COLUMNS; `memo_id` is the entry's or the one derived for it."""
    kind, _, line, description, body, body_line, created_ms, modified_ms, own_tags, links, names, broken = entry
    body = _storable(body)
    if description is not None:
        description = _storable(description)
    tags = "\n".join(own_tags) if own_tags else None
    labels = _labels(path, kind, description or "", own_tags, links, names)
    body_bytes = body.encode()
    return (
        row_id,
        file_id,
        kind,
        memo_id,
        line,
        description,
        body,
        body_line,
        created_ms,
        modified_ms,
        tags,
        _tag_keys(tags) if tags else None,
        "\n".join(links) if links else None,
        "\n".join(names) if names else None,
        broken or None,
        labels,
        _cut(description),
        _cut(labels),
        _cut(body),
        camel_parts(description.encode() + b"\n" + body_bytes if description else body_bytes),
        checksum(path, kind, memo_id, line, description, body_bytes, created_ms, modified_ms, tags),
    )


def words_row(row: MemoRow) -> MemoRow:
    """The row of the full-text table that belongs to a memo row: (rowid, description, labels, body, parts)."""
    return (row[0], row[16] or row[5], row[17] or row[15], row[18] or row[6], row[19])


def _storable(text: str) -> str:
    """Text without NUL, which ends a string for most of SQLite's functions, and without lone surrogates."""
    if "\0" in text:
        text = text.replace("\0", " ")
    if not text.isascii():
        try:
            text.encode("utf-8")
        except UnicodeEncodeError:
            return text.encode("utf-8", "replace").decode("utf-8")
    return text


def _cut(text: str | None) -> str | None:
    """The text as FTS5 gets it where that differs from the text itself."""
    if not text or text.isascii():
        return None
    cut = segment(text)
    return None if cut == text else cut


def _tag_keys(tags: str) -> str:
    if tags.isascii():
        return f"\n{tags.lower()}\n"
    from remember.format.links import tag_key

    return "\n" + "\n".join(tag_key(tag) for tag in tags.split("\n")) + "\n"


def _labels(
    path: str, kind: str, description: str, tags: tuple[str, ...], links: tuple[str, ...], names: tuple[str, ...]
) -> str | None:
    """Tags, links, further names and what the path says beyond the description, one a line."""
    own = _path_words(path, description) if kind == "note" else ""
    if not (own or tags or links or names):
        return None
    return _storable("\n".join((*tags, *links, *names, own)).strip("\n"))


def _path_words(path: str, description: str) -> str:
    """The path without `notes/`, date and ending, or "" where the description says it already."""
    name = path.removeprefix("notes/").removesuffix(".md")
    if len(name) > 10 and name[4] == name[7] == name[10:11] == "-" and name[:4].isdigit():
        name = name[11:]
    known = description.lower()
    spoken = name.lower().replace("-", " ")
    return "" if spoken in known or all(word in known for word in spoken.split()) else name
