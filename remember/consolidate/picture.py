"""What the memory files of a store hold at one moment: bytes, digests, and the memos with their revisions."""

from __future__ import annotations

from hashlib import sha256

from remember._named import NamedTuple
from remember.errors import IOFailure, TooLarge
from remember.format import facts, notes
from remember.format.spans import decode
from remember.layouts import layout_named
from remember.store.commit import View
from remember.store.scan import scan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["PICTURE_BYTES", "PictureMemo", "digest_of", "hex_digest", "memos_of", "take_picture"]

PICTURE_BYTES = 64 << 20
"""A store with more than this is not copied for a worker."""

_FACTS = "MEMORY.md"


class PictureMemo(NamedTuple):
    """A memo that a plan can name: it has an ID of its own and a readable header."""

    id: str
    revision: str
    kind: str
    path: str
    line: int
    description: str | None
    content: str


def take_picture(folder: int, store: str) -> dict[str, bytes]:
    """Every memory file of a native store by its path; `folder` is a descriptor of the store, whose lock is held.

    Raises IOFailure where one cannot be read (it is never taken for gone), TooLarge.
    """
    walk = scan(store, layout_named("remember").rules)
    for path, reason in walk.unreadable:
        raise IOFailure(f"{store}/{path}", reason, "what cannot be read cannot be consolidated; mend that first")
    view = View(folder, store)
    picture: dict[str, bytes] = {}
    size = 0
    for path, _ in walk.files():
        data = view.read(path)
        if data is not None:
            picture[path] = data
            size += len(data)
        if size > PICTURE_BYTES:
            raise TooLarge(store, size, PICTURE_BYTES)
    return picture


def hex_digest(data: bytes) -> str:
    """SHA-256 as 64 hex digits."""
    return sha256(data).hexdigest()


def digest_of(picture: Mapping[str, bytes]) -> str:
    """One digest for a whole picture: SHA-256 over a line `<SHA-256>  <path>` for each file, by path."""
    whole = sha256()
    for path in sorted(picture):
        whole.update(f"{hex_digest(picture[path])}  {path}\n".encode("utf-8", "surrogateescape"))
    return whole.hexdigest()


def memos_of(picture: Mapping[str, bytes]) -> dict[str, PictureMemo]:
    """The memos that a plan can name, by ID; of one ID that two memos have, neither."""
    found: dict[str, PictureMemo] = {}
    twice: set[str] = set()
    for path in sorted(picture):
        for memo in _memos(path, picture[path]):
            if memo.id in found:
                twice.add(memo.id)
            found[memo.id] = memo
    return {memo_id: memo for memo_id, memo in found.items() if memo_id not in twice}


def _memos(path: str, data: bytes) -> Iterable[PictureMemo]:
    text = decode(data)
    if path == _FACTS:
        for fact in facts.parse(text).facts:
            if fact.id is not None:
                yield PictureMemo(fact.id, facts.revision(text, fact), "fact", path, fact.line, None, fact.text)
    elif path.startswith("notes/"):
        note = notes.parse(text)
        if note.id is not None:
            yield PictureMemo(note.id, notes.revision_of(data), "note", path, 1, note.description, text[note.body_start :])
