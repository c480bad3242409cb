"""Copies named memos out of the private store and finds out what became of the copies.

What the other side controls: the public directory comes with a repository, so everything in it may be anybody's (links, FIFOs,
edited files). Nothing in it is followed, overwritten or removed unless it holds exactly what was written there before.
"""

from __future__ import annotations

import os
from hashlib import sha256

from remember.change.target import writer
from remember.errors import ChangedOutside, IOFailure, NotFound, RefusedInput, RememberError, SecretRefused
from remember.files.atomic import exchange, publish_new, remove
from remember.files.safe import Place, open_folder, read_bytes
from remember.format import facts, notes
from remember.format.spans import decode, encode
from remember.mirror.listing import read_list, write_list
from remember.mirror.rows import AMBIGUOUS, BEHIND, GONE, SAME, SECRET, UNWRITTEN, Listed, Private, Public, Row, judge
from remember.mirror.scanning import find_secrets
from remember.store.records import DONE, KeptItem, Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from remember.change.target import Target, Terms
    from remember.model import Memo

__all__ = ["DIRECTORY", "FILE_BYTES", "Mirroring", "SecretInMirror"]

DIRECTORY = ".memory"
FILE_BYTES = 1 << 20
"""The most bytes of a public file; readers of such directories have bounds."""


class SecretInMirror(SecretRefused):
    """A memo that was to be published and looks as if it held a credential; the text itself is never part of the message."""

    def __init__(self, place: str, found: Sequence[tuple[str, int]]) -> None:
        said = ", ".join(f"line {line} looks like {kind}" for kind, line in found[:5])
        RefusedInput.__init__(self, f"{place}: {said}; it is not published", "take it out of the memo first; there is no way around this")


class Mirroring:
    """The mirror of one workspace while its private store is locked, for a `with` block.

    `written` and `withdrawn` name the public files that were changed. Raises Locked, UnsafePath, DamagedStore, IOFailure.
    """

    def __init__(self, target: Target, root: str, terms: Terms) -> None:
        self.target, self.terms = target, terms
        self.directory = os.path.join(root, DIRECTORY)
        self.written: list[str] = []
        self.withdrawn: list[str] = []
        self.left: list[str] = []
        self.folder = -1

    def __enter__(self) -> Mirroring:
        self.store = writer(self.target, self.terms)
        self.store.__enter__()
        try:
            self.target.index.refresh()
            self.view = self.store.view()
            self.memos, self.before = read_list(self.store.folder, self.target.ref.path)
            self._open(False)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        if self.folder >= 0:
            os.close(self.folder)
            self.folder = -1
        self.store.__exit__()

    def _open(self, make: bool) -> None:
        """Open the public directory, or make it, readable for everybody as the rest of a workspace is."""
        if self.folder < 0 and make:
            try:
                os.mkdir(self.directory, 0o755)
            except FileExistsError:
                pass  # opening it says what it is
            except OSError as error:
                raise IOFailure(self.directory, error) from error
        if self.folder < 0:
            try:
                self.folder = open_folder(self.directory)
            except FileNotFoundError:
                self.folder = -1

    # --- what there is

    def _rendered(self, memo: Memo) -> bytes | None:
        """The memo as it is published: a note as it stands, a fact as a note of its own; None where it is gone."""
        data = self.view.read(memo.path)
        if data is None or memo.kind == "note":
            return data
        found = [fact for fact in facts.parse(decode(data)).facts if fact.id == memo.id]
        if len(found) != 1:
            return None
        return encode(notes.render(found[0].text, str(memo.id), found[0].created_ms or 0, found[0].text))

    def private(self, memo_id: str) -> Private:
        """The private memo as it would be published, looked through for secrets."""
        found = [memo for memo in self.target.index.by_id(memo_id) if memo.kind in ("fact", "note")]
        if len(found) > 1:
            return Private(None, None, (AMBIGUOUS, ""))
        data = self._rendered(found[0]) if found else None
        if data is None:
            return Private(None, None)
        secret = find_secrets(decode(data))
        if secret:
            said = ", ".join(f"line {line} looks like {kind}" for kind, line in secret[:5])
            return Private(data, None, (SECRET, f"{said}; it is not published"))
        return Private(data, sha256(data).hexdigest())

    def public(self, file: str) -> tuple[Public, bytes | None]:
        """The public file, and its bytes."""
        if self.folder < 0:
            return Public(None), None
        try:
            with Place(self.folder, self.directory, file) as spot:
                data, _ = read_bytes(spot, FILE_BYTES)
        except FileNotFoundError:
            return Public(None), None
        except RememberError as error:
            return Public(None, error.message), None
        return Public(sha256(data).hexdigest()), data

    def row(self, memo_id: str) -> Row:
        """The state of one named memo."""
        listed = self.memos[memo_id]
        return judge(memo_id, listed, self.private(memo_id), self.public(listed.file)[0])

    def rows(self) -> list[Row]:
        """The state of every named memo, by file."""
        return sorted((self.row(memo_id) for memo_id in self.memos), key=lambda row: row.file)

    def foreign(self) -> list[str]:
        """Names in the public directory that are none of the mirror's."""
        if self.folder < 0:
            return []
        try:
            names = os.listdir(self.folder)
        except OSError as error:
            raise IOFailure(self.directory, error) from error
        ours = {listed.file for listed in self.memos.values()}
        return sorted(name for name in names if name not in ours and not name.startswith("."))

    # --- what is done

    def name(self, memos: Sequence[Memo]) -> None:
        """Put memos on the list. Raises RefusedInput for one without an ID or too large, SecretInMirror; then none is put on it."""
        named: dict[str, Listed] = {}
        for memo in memos:
            if memo.id is None or memo.kind not in ("fact", "note"):
                raise RefusedInput(
                    f"{memo.place} has no memo ID, so it cannot be mirrored", "`remember check --repair --select R205` gives facts one"
                )
            private = self.private(memo.id)
            if private.trouble[0] == SECRET:
                raise SecretInMirror(memo.place, find_secrets(decode(private.data or b"")))
            if len(private.data or b"") > FILE_BYTES:
                raise RefusedInput(f"{memo.place} has more than {FILE_BYTES} bytes, too many for a mirror", "split it")
            if memo.id not in self.memos:
                named[memo.id] = Listed(self._file_for(memo, private, named), None)
        self.memos |= named
        self._save()

    def _file_for(self, memo: Memo, private: Private, named: Mapping[str, Listed]) -> str:
        """A public name that nothing else has, of another's as little as of ours."""
        stem = os.path.basename(memo.path).removesuffix(".md") if memo.kind == "note" else f"fact-{memo.id}"
        printable = stem.isprintable() and "\\" not in stem and not any("\ud800" <= char <= "\udfff" for char in stem)
        stem = stem if printable else f"note-{memo.id}"
        used = {listed.file for listed in (*self.memos.values(), *named.values())}
        for file in (f"{stem}.md", f"{stem}-{memo.id}.md"):
            there, _ = self.public(file)
            if file not in used and not there.unreadable and there.sha256 in (None, private.sha256):
                return file
        raise RefusedInput(f"{self.directory}/{stem}.md is taken, and so is the name with the ID", "rename the file that is there")

    def drop(self, memo_ids: Sequence[str]) -> None:
        """Take memos off the list; a copy that is as it was written goes, any other stays (`left`). Raises NotFound."""
        for memo_id in memo_ids:
            if memo_id not in self.memos:
                raise NotFound(f"a mirrored memo {memo_id}", hint="see `remember mirror status`")
        for memo_id in memo_ids:
            listed = self.memos[memo_id]
            public, data = self.public(listed.file)
            written = public.sha256 is not None and public.sha256 in (listed.sha256, self.private(memo_id).sha256)
            if data is not None and written:
                self._withdraw(listed.file, data)
            elif data is not None or public.unreadable:
                self.left.append(listed.file)
            del self.memos[memo_id]
            self._save()

    def sync(self, only: Sequence[str] | None = None, overwrite: Sequence[str] = ()) -> None:
        """Write what is behind or unwritten, withdraw what is gone; what a person has to look at stays, but for `overwrite`."""
        for memo_id in sorted(self.memos) if only is None else only:
            row, listed = self.row(memo_id), self.memos[memo_id]
            private = self.private(memo_id)
            public, data = self.public(listed.file)
            forced = memo_id in overwrite and private.sha256 is not None and not public.unreadable
            if row.state in (BEHIND, UNWRITTEN) or (forced and row.state != SAME):
                self.memos[memo_id] = Listed(listed.file, self._publish(listed.file, private.data or b"", data))
            elif row.state == SAME:
                self.memos[memo_id] = Listed(listed.file, public.sha256)
            elif row.state == GONE:
                if data is not None:
                    self._withdraw(listed.file, data)
                self.memos[memo_id] = Listed(listed.file, None)
            self._save()

    def _publish(self, file: str, data: bytes, before: bytes | None) -> str:
        """Write a public file against what was read, and read it back; its digest."""
        self._open(True)
        with Place(self.folder, self.directory, file) as spot:
            if before is None:
                publish_new(spot, data, 0o644)
            else:
                exchange(spot, data, before, self._keep)
        self.written.append(file)
        found, _ = self.public(file)
        if found.sha256 != sha256(data).hexdigest():
            raise ChangedOutside(f"{self.directory}/{file}", "run `remember mirror status`")
        return found.sha256

    def _withdraw(self, file: str, data: bytes) -> None:
        with Place(self.folder, self.directory, file) as spot:
            remove(spot, data, self._keep)
        self.withdrawn.append(file)

    def _keep(self, data: bytes) -> None:
        """Save what somebody else wrote into a file while it was replaced, as a record that can only be shown."""
        name = self.store.journal.new_id(self.terms.now_ms, self.terms.bits, False)
        summary = f"what somebody else saved into {self.directory} while it was changed"
        self.store.journal.save(Record(name, "keep", self.terms.now_ms, summary, DONE, (KeptItem("mirrored.md", data),)))

    def _save(self) -> None:
        self.before = write_list(self.store.folder, self.target.ref.path, self.memos, self.before, self._keep)
