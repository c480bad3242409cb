"""What a whole recovery record would change in a store as it is now: file edits, and how much of it is so already."""

from __future__ import annotations

from remember._named import NamedTuple
from remember.change.inverse import IN_THE_WAY, NOT_AS_LEFT, flipped, step
from remember.errors import ChangedOutside, Conflict, PathTaken, UnsafePath
from remember.files.safe import check_relative
from remember.layouts.layout import is_outside
from remember.model import Change
from remember.store.commit import FileEdit
from remember.store.records import Content, FileItem, KeptItem, LinesItem, RenameItem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.change.target import Target
    from remember.store.commit import View
    from remember.store.records import Item, Record

__all__ = ["Reversal", "reversal"]


class Reversal(NamedTuple):
    """Edits in the order of writing, one Change an item, and whether every item stands as it should already."""

    edits: tuple[FileEdit, ...]
    changes: tuple[Change, ...]
    nothing: bool


def reversal(record: Record, view: View, target: Target, forward: bool) -> Reversal:
    """Undo the record (or apply it again, `forward`) on the files of the view.

    Raises ChangedOutside where a memo is not what the change (or its undo) left, PathTaken and Conflict where a path or memo
    ID that would come back is in use, UnsafePath for a record that names anything but a memory file.
    """
    return _Reversal(record, view, target, forward).run()


class _Reversal:
    def __init__(self, record: Record, view: View, target: Target, forward: bool) -> None:
        self.record, self.view, self.target, self.forward = record, view, target, forward
        self.files: dict[str, Content | None] = {}
        self.renames: list[FileEdit] = []
        self.changes: list[Change] = []

    def run(self) -> Reversal:
        items = self.record.changes if self.forward else tuple(flipped(item) for item in reversed(self.record.changes))
        for item in items:
            if not isinstance(item, KeptItem):
                self._check_path(item)
                done = self._step(item)
                self.changes.append(self._change(item, done))
        edits = [self._edit(path, content) for path, content in self.files.items() if content != self.view.content(path)]
        nothing = not any(change.changed for change in self.changes)
        return Reversal((*edits, *self.renames), tuple(self.changes[::-1] if not self.forward else self.changes), nothing)

    def _edit(self, path: str, content: Content | None) -> FileEdit:
        if content is None:
            return FileEdit(path, None)
        return FileEdit(path, content.data, content.mode & 0o777, content.mtime_ns)

    def _check_path(self, item: Item) -> None:
        """A record may have been forged or damaged: it may name readable files of the store only."""
        for path in (item.old, item.new) if isinstance(item, RenameItem) else (item.path,):
            check_relative(path)
            if is_outside(self.target.index.layout.rules, path):
                raise UnsafePath(path, "is no memory file, so no recovery record may change it")

    def _now(self, path: str) -> Content | None:
        return self.files[path] if path in self.files else self.view.content(path)

    def _step(self, item: Item) -> bool:
        """Whether the item has something to change."""
        if isinstance(item, LinesItem):
            return self._lines(item)
        if isinstance(item, FileItem):
            return self._file(item)
        assert isinstance(item, RenameItem)
        return self._rename(item)

    def _lines(self, item: LinesItem) -> bool:
        now = self._now(item.path)
        if item.before == b"" and item.id is not None:
            self._id_is_free(item.id, item.path)
        data = step(b"" if now is None else now.data, item)
        if data is None:
            return False
        if item.made and not data and not item.after:
            self.files[item.path] = None
        else:
            self.files[item.path] = Content(data, 0o600 if now is None else now.mode, None)
        return True

    def _file(self, item: FileItem) -> bool:
        now = self._now(item.path)
        there, wanted = (None if c is None else c.data for c in (now, item.after))
        if there == wanted:
            if wanted is None and item.before is not None:
                # Gone by this name; under another one it is still there, and was never what this record left.
                self._is_nowhere(_id_in(item.before.data))
            return False
        if there != (None if item.before is None else item.before.data):
            if item.before is None:
                raise PathTaken(item.path)
            raise ChangedOutside(item.path, IN_THE_WAY, NOT_AS_LEFT)
        if item.before is None and item.after is not None:
            self._id_is_free(_id_in(item.after.data), item.path)
        self.files[item.path] = item.after
        return True

    def _rename(self, item: RenameItem) -> bool:
        old, new = self._now(item.old), self._now(item.new)
        if old is None and new is not None and _is(new, item):
            return False
        if old is None or not _is(old, item):
            raise ChangedOutside(item.old, IN_THE_WAY, NOT_AS_LEFT)
        if new is not None or self.view.exists(item.new):
            raise PathTaken(item.new)
        self.renames.append(FileEdit(item.old, None, to=item.new))
        return True

    def _is_nowhere(self, memo_id: str | None) -> None:
        found = self.target.index.by_id(memo_id) if memo_id else []
        if found:
            raise ChangedOutside(found[0].place, IN_THE_WAY, NOT_AS_LEFT)

    def _id_is_free(self, memo_id: str | None, path: str) -> None:
        taken = [memo for memo in self.target.index.by_id(memo_id) if memo.path != path] if memo_id else []
        if taken:
            raise Conflict(f"{taken[0].place} has the memo ID {memo_id} already", "forget that one first; the record is kept")

    def _change(self, item: Item, changed: bool) -> Change:
        ref = self.target.ref
        if isinstance(item, LinesItem):
            # A line that is no memo of its own: one of an index.
            kind = "fact" if ref.layout in ("remember", "bullets") else "text"
            return Change(changed, kind, ref.scope, ref.name, item.id, item.path, None, self.record.id)
        path = item.new if isinstance(item, RenameItem) else item.path
        memo_id = None
        if isinstance(item, FileItem):
            content = item.after or item.before
            memo_id = _id_in(content.data) if content else None
        return Change(changed, "note", ref.scope, ref.name, memo_id, path, None, self.record.id)


def _is(content: Content, item: RenameItem) -> bool:
    if len(content.data) != item.size_bytes:
        return False
    from hashlib import sha256

    return sha256(content.data).hexdigest() == item.digest


def _id_in(data: bytes) -> str | None:
    from remember.format import notes
    from remember.format.spans import decode

    return notes.parse(decode(data)).id
