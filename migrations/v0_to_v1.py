"""From the legacy format to version 1: note references leave `MEMORY.md`, and every note gets a header of its own."""

from __future__ import annotations

import os
from dataclasses import dataclass
from hashlib import sha256

from remember.errors import FormatError, RememberError
from remember.files.atomic import exchange, publish_new, remove
from remember.files.safe import Place

from .v0_format import Converted, Reference, convert, fact_ids, header_of, is_legacy_note, references, without_references
from .v0_records import convert_record, forgotten_paths, left_behind, read_record, told_references

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    Document = dict[str, object]

__all__ = ["FROM", "MARKER", "RULES", "TO", "Edit", "File", "LegacyRefused", "Plan", "apply", "is_input", "plan"]

FROM, TO = 0, 1
MARKER = ("pi-remember.json", b'{"version": 1}\n')
"""The file that says the version, and what it says afterwards."""

RULES = {
    "id": "the reference's, else the generated comment's, else the first eight hex digits of SHA-256 over path, content and mtime",
    "description": "the reference's, else the generated heading's, else the first heading's, else the file name's without its date",
    "created": "the reference's comment, else the generated comment, else the file's mtime",
    "modified": "the file's mtime",
    "header": "one that is there stays; only fields that it lacks are added from the reference",
}
_FACTS = "MEMORY.md"


@dataclass(frozen=True, slots=True)
class File:
    """A file as it was read: its bytes, permission bits, mtime (ns since 1970) and number of names."""

    data: bytes
    mode: int
    mtime_ns: int
    names: int = 1


@dataclass(frozen=True, slots=True)
class Edit:
    """One file's new bytes; None removes it. `rules` are the inferences that were needed."""

    path: str
    data: bytes | None
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """Edits in the order in which they are made, and the files that are backed up though they stay as they are."""

    edits: tuple[Edit, ...]
    kept: tuple[str, ...] = ()


class LegacyRefused(FormatError):
    """A legacy store that cannot be converted without a guess; `problems` has (line, path and reason) of every bad place."""

    def __init__(self, problems: Sequence[tuple[str, int, str]]) -> None:
        text = "; ".join(f"{path}:{line}: {what}" if line else f"{path}: {what}" for path, line, what in problems)
        hint = "nothing was changed; mend this, then run `remember migrate`"
        RememberError.__init__(self, f"the legacy store cannot be migrated: {text}", hint)
        self.problems = tuple((line, f"{path}: {what}") for path, line, what in problems)
        self.path = ""


def is_input(path: str) -> bool:
    """Whether a file of the store belongs to what is converted."""
    if any(part.startswith(".") for part in path.split("/")):
        return False
    if path.startswith("notes/"):
        return path.endswith(".md")
    return path == _FACTS or (path.startswith("recovery/") and path.endswith(".json") and path.count("/") == 1)


def plan(files: Mapping[str, File], links: Sequence[str] = ()) -> Plan:
    """What is to be changed in a store of these input files; nothing is touched.

    `links` are symbolic links among the inputs. Raises LegacyRefused naming every file that stands in the way.
    """
    return _Planner(files, links).plan()


class _Planner:
    """The conversion of one store."""

    def __init__(self, files: Mapping[str, File], links: Sequence[str]) -> None:
        self.files = files
        self.problems: list[tuple[str, int, str]] = [(path, 0, "is a symbolic link") for path in links]
        facts = files.get(_FACTS)
        self.facts = facts.data.decode("utf-8", "surrogateescape") if facts else ""
        self.notes = {path: self._text(path) for path in files if path.startswith("notes/")}
        self.named: dict[str, Reference] = {}
        self.records: dict[str, Document] = {}
        self.foreign: list[str] = []
        self.edits: list[Edit] = []
        self.taken: dict[str, str] = {}

    def plan(self) -> Plan:
        self._read_references()
        self._read_records()
        gone = self._forgotten()
        self._note_ids(gone)
        converted = {path: self._convert(path) for path in sorted(self.notes)}
        self._edit_records(gone, converted)
        for path, new in converted.items():
            if path in gone:
                self.edits.append(Edit(path, None))
            elif new is not None and new.text != self.notes[path]:
                self.edits.append(Edit(path, new.text.encode("utf-8", "surrogateescape"), new.rules))
        left = without_references(self.facts)
        if left != self.facts:
            self.edits.append(Edit(_FACTS, left.encode("utf-8", "surrogateescape")))
        self._check_writable()
        if self.problems:
            raise LegacyRefused(self.problems)
        return Plan(tuple(self.edits), tuple(self.foreign))

    def _text(self, path: str) -> str:
        return self.files[path].data.decode("utf-8", "surrogateescape")

    def _refuse(self, path: str, line: int, what: str) -> None:
        self.problems.append((path, line, what))

    def _read_references(self) -> None:
        for reference in references(self.facts):
            parts = reference.path.split("/")
            if reference.path.startswith("/") or "\\" in reference.path or any(p in ("", ".", "..") for p in parts):
                self._refuse(_FACTS, reference.line, f"an unsafe reference to {reference.path}")
            elif not is_input(reference.path) or parts[0] != "notes":
                self._refuse(_FACTS, reference.line, f"an unsafe reference: {reference.path} is no note below notes/")
            elif reference.path not in self.notes:
                self._refuse(_FACTS, reference.line, f"a dangling reference: {reference.path} is not there")
            elif reference.path in self.named:
                self._refuse(_FACTS, reference.line, f"a second reference to {reference.path}")
            else:
                self.named[reference.path] = reference

    def _read_records(self) -> None:
        for path in sorted(path for path in self.files if path.startswith("recovery/")):
            try:
                document = read_record(path.removeprefix("recovery/"), self.files[path].data)
            except ValueError as error:
                self._refuse(path, 0, str(error))
                continue
            if document is None:
                self.foreign.append(path)
            else:
                self.records[path] = document

    def _forgotten(self) -> set[str]:
        """Legacy notes that were forgotten, but whose files were left: no reference names them, and a record's deletion does."""
        unnamed = {path for path, text in self.notes.items() if path not in self.named and is_legacy_note(text)}
        gone = set()
        for document in self.records.values():
            gone |= unnamed.intersection(forgotten_paths(document))
            for path, data in left_behind(document).items():
                if path in unnamed and (data == self.files[path].data or self._same_body(path, data)):
                    gone.add(path)
        return gone

    def _same_body(self, path: str, data: bytes) -> bool:
        """Whether a snapshot in the new format is what its legacy file becomes, whatever its metadata."""
        text = data.decode("utf-8", "surrogateescape")
        read = None if is_legacy_note(text) else header_of(text)
        if read is None:
            return False
        reference = Reference(path, read[0].get("description", ""), None, None, 0, 0, 0, None)
        made = self._converted(path, self.notes[path], 0, reference, "00000000")
        new = header_of(made.text) if made else None
        return made is not None and new is not None and made.text[new[1] :] == text[read[1] :]

    def _note_ids(self, gone: set[str]) -> None:
        """Every ID that is given already, and the places that share one."""
        for memo_id, offset in fact_ids(self.facts):
            self._take(memo_id, f"{_FACTS}:{self.facts.count(chr(10), 0, offset) + 1}")
        for path, reference in self.named.items():
            if reference.id:
                self._take(reference.id, path)
        for path, text in self.notes.items():
            named = self.named.get(path)
            if path in gone or (named and named.id):
                continue
            read = None if is_legacy_note(text) else header_of(text)
            own = read[0].get("memory-id") if read else None
            if is_legacy_note(text):
                made = self._converted(path, text, self.files[path].mtime_ns, named, "")
                own = made.id if made else None
            if own:
                self._take(own, path)

    def _take(self, memo_id: str, place: str) -> None:
        if memo_id in self.taken:
            self._refuse(place, 0, f"the ID {memo_id} is that of {self.taken[memo_id]} too")
        else:
            self.taken[memo_id] = place

    def _fresh_id(self, path: str, data: bytes, mtime_ns: int) -> str:
        """An ID that another run on the same file draws too, so that interrupted work comes to the same end."""
        seed = os.fsencode(path) + b"\0" + data + b"\0" + str(mtime_ns).encode()
        for number in range(1 << 16):
            memo_id = sha256(seed + (b"\0%d" % number if number else b"")).hexdigest()[:8]
            if self.taken.setdefault(memo_id, path) == path:
                return memo_id
        raise AssertionError("no ID is free")

    def _converted(self, path: str, text: str, mtime_ns: int, named: Reference | None, fresh: str) -> Converted | None:
        try:
            return convert(text, path, mtime_ns, named, fresh)
        except ValueError:
            return None

    def _convert(self, path: str) -> Converted | None:
        text, file, named = self.notes[path], self.files[path], self.named.get(path)
        try:
            made = convert(text, path, file.mtime_ns, named, "")
            if made.id == "":
                made = convert(text, path, file.mtime_ns, named, self._fresh_id(path, file.data, file.mtime_ns))
            if is_legacy_note(text) and header_of(made.text) is None:
                raise ValueError("its header would be larger than 16 KiB")
        except ValueError as error:
            self._refuse(path, 1, str(error))
            return None
        return made

    def _snapshot(self, path: str, data: bytes, mtime_ns: int, named: Reference | None = None) -> bytes:
        """A note in a record in the new format."""
        text = data.decode("utf-8", "surrogateescape")
        if not is_legacy_note(text):
            return data
        made = self._converted(path, text, mtime_ns, named, "")
        if made is not None and made.id == "":
            made = self._converted(path, text, mtime_ns, named, self._fresh_id(path, data, mtime_ns))
        return data if made is None else made.text.encode("utf-8", "surrogateescape")

    def _edit_records(self, gone: set[str], converted: Mapping[str, Converted | None]) -> None:
        for path, document in self.records.items():
            told = told_references(document)
            left = {}
            for name in gone:
                file = self.files[name]
                left[name] = (self._snapshot(name, file.data, file.mtime_ns, told.get(name)), file.mode, file.mtime_ns)

            def snapshot(name: str, data: bytes, mtime_ns: int, told: dict[str, Reference] = told) -> bytes:
                file, new = self.files.get(name), converted.get(name)
                if file and new and file.data == data and name not in gone:
                    return new.text.encode("utf-8", "surrogateescape")
                return self._snapshot(name, data, mtime_ns, told.get(name) or self.named.get(name))

            new = convert_record(document, left, snapshot)
            if new is not None:
                self.edits.append(Edit(path, new))

    def _check_writable(self) -> None:
        for edit in self.edits:
            file = self.files[edit.path]
            if not file.mode & 0o222:
                self._refuse(edit.path, 0, "is read-only")
            elif file.names > 1:
                self._refuse(edit.path, 0, "has a second name (a hard link)")


def apply(folder: int, store: str, plan: Plan, files: Mapping[str, File], keep: Callable[[str, bytes], None]) -> None:
    """Write the plan's edits, in order, against the bytes that it was made from; modes and notes' times stay.

    `folder` is a descriptor of the store at the path `store`; `keep` gets a path and foreign bytes that no file holds any more.
    Raises ChangedOutside, IOFailure, NotDurable.
    """
    for edit in plan.edits:
        before = files[edit.path]

        def keep_here(data: bytes, path: str = edit.path) -> None:
            keep(path, data)

        with Place(folder, store, edit.path) as spot:
            if edit.data is None:
                remove(spot, before.data, keep_here)
            else:
                exchange(spot, edit.data, before.data, keep_here, None, before.mtime_ns)
    with Place(folder, store, MARKER[0]) as spot:
        marker = files.get(MARKER[0])
        if marker is None:
            publish_new(spot, MARKER[1])
        elif marker.data != MARKER[1]:
            exchange(spot, MARKER[1], marker.data, lambda data: keep(MARKER[0], data))
