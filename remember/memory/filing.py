"""One store as a folder of Markdown files that are viewed and edited as they are, every change with a recovery record."""

from __future__ import annotations

import os

from remember._named import NamedTuple
from remember.change.target import writer
from remember.errors import ChangedOutside, IOFailure, NotFound, PathTaken
from remember.files.safe import Place, check_relative, open_folder, read_bytes
from remember.format import secrets
from remember.format.spans import decode, encode
from remember.memory.changing import with_targets, with_terms, writable
from remember.model import Change
from remember.store.commit import FileEdit, Plan, file_item
from remember.store.records import RenameItem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from remember.change.target import Target
    from remember.memory.context import Surroundings
    from remember.model import StoreRef
    from remember.store.commit import View

__all__ = ["LIMIT_BYTES", "Filing", "Found"]

LIMIT_BYTES = 64 << 20
_DEPTH_MOST = 64


class Found(NamedTuple):
    """A file or folder: `kind` is `file`, `folder`, `link` or `other`; size in bytes."""

    path: str
    kind: str
    size_bytes: int


class Filing:
    """The files of the one store that a memory means; paths are relative to it."""

    def __init__(self, around: Surroundings) -> None:
        self.around = around

    def _ref(self) -> StoreRef:
        refs = self.around.selection().refs
        if not refs:
            raise NotFound("the store", hint="it does not exist yet; its first write makes it")
        return refs[0]

    def look(self, path: str) -> Found | None:
        """What is at a path, "" for the store itself; None where nothing of memory's is. Links are told, not followed."""
        try:
            ref = self._ref()
        except NotFound:
            return None
        if path and self._hidden(path):
            return None
        whole = ref.path
        parts = path.split("/") if path else []
        for number, part in enumerate(["", *parts]):
            whole = os.path.join(whole, part) if part else whole
            try:
                found = os.lstat(whole)
            except (FileNotFoundError, NotADirectoryError):
                return None
            except OSError as error:
                raise IOFailure(whole, error) from error
            kind = {0o100000: "file", 0o040000: "folder", 0o120000: "link"}.get(found.st_mode & 0o170000, "other")
            if kind == "link" or number == len(parts):
                return Found(path, kind, found.st_size)
        raise AssertionError("unreachable")

    def _hidden(self, path: str) -> bool:
        """Whether a path is none of memory's: a hidden part, or a folder or file that the layout keeps for itself."""
        from remember.layouts import layout_named, layout_of

        parts = path.split("/")
        try:
            rules = layout_of(self._ref()).rules
        except NotFound:
            rules = layout_named("remember").rules
        outside = bool(rules.only and path not in rules.only) or (rules.flat and len(parts) > 1)
        return outside or any(not part or part.startswith(".") or part in rules.skip for part in parts) or rules.skips_top(parts[0])

    def suits(self, path: str) -> bool:
        """Whether a file of that name is a memory file that can be written."""
        check_relative(path)
        return path.endswith(".md") and not self._hidden(path)

    def children(self, path: str) -> list[Found]:
        """The memory files and folders in a folder, sorted by name."""
        ref = self._ref()
        try:
            names = sorted(os.listdir(os.path.join(ref.path, path) if path else ref.path))
        except OSError as error:
            raise IOFailure(f"{ref.path}/{path}", error) from error
        found = [self.look(f"{path}/{name}" if path else name) for name in names]
        return [f for f in found if f is not None and (f.kind == "folder" or (f.kind == "file" and f.path.endswith(".md")))]

    def below(self, path: str) -> list[str]:
        """Every memory file in a folder and the folders in it."""
        files: list[str] = []
        waiting = [(path, 0)]
        while waiting:
            folder, depth = waiting.pop()
            for found in self.children(folder):
                if found.kind == "file":
                    files.append(found.path)
                elif depth < _DEPTH_MOST:
                    waiting.append((found.path, depth + 1))
        return sorted(files)

    def text(self, path: str) -> str:
        """A file's text. Raises UnsafePath, DamagedStore, TooLarge, FileNotFoundError."""
        ref = self._ref()
        folder = open_folder(ref.path)
        try:
            with Place(folder, ref.path, path) as spot:
                return decode(read_bytes(spot, LIMIT_BYTES)[0])
        finally:
            os.close(folder)

    def _change(self, action: str, plan: Callable[[View], Plan]) -> Change:
        ref = writable(self.around, 10.0)
        terms = with_terms()

        def ask(targets: list[Target]) -> Change:
            with writer(targets[0], terms) as store:
                made = store.commit(plan, action)
            return Change(made.recovery_id is not None, "note", ref.scope, ref.name, recovery_id=made.recovery_id)

        return with_targets(self.around, [ref], ask)

    def create(self, path: str, text: str) -> Change:
        """Make a file. Raises PathTaken, SecretRefused, UnsafePath, Locked, StoreError."""
        secrets.check(text)

        def plan(view: View) -> Plan:
            if view.exists(path):
                raise PathTaken(path)
            edit = FileEdit(path, encode(text))
            return Plan((edit,), (file_item(view, edit),), None, path)

        return self._change("create", plan)

    def replace(self, path: str, old: str, new: str) -> Change:
        """Put a new text in the place of what was read. Raises ChangedOutside, SecretRefused for a credential that is new."""
        known = {kind for kind, _ in secrets.find(old)}
        if {kind for kind, _ in secrets.find(new)} - known or len(secrets.find(new)) > len(secrets.find(old)):
            secrets.check(new)

        def plan(view: View) -> Plan:
            if view.read(path) != encode(old):
                raise ChangedOutside(path)
            edit = FileEdit(path, encode(new))
            return Plan((edit,) if old != new else (), (file_item(view, edit),), None, path)

        return self._change("edit", plan)

    def remove(self, paths: Sequence[str]) -> Change:
        """Remove files, with one record for all; folders that are empty afterwards go too."""

        def plan(view: View) -> Plan:
            edits = tuple(FileEdit(path, None) for path in paths if view.content(path) is not None)
            return Plan(edits, tuple(file_item(view, edit) for edit in edits), None, ", ".join(paths)[:300])

        return self._change("delete", plan)

    def prune(self, folder: str) -> None:
        """Remove a folder and those in it, as far as they are empty."""
        top = os.path.join(self._ref().path, folder)
        if os.path.realpath(top) != top:
            return
        for where, _, _ in os.walk(top, topdown=False):
            try:
                os.rmdir(where)
            except OSError:
                continue  # something that is none of memory's lies in it, and stays

    def rename(self, pairs: Sequence[tuple[str, str]]) -> Change:
        """Give files other paths, with one record for all. Raises PathTaken."""
        from hashlib import sha256

        def plan(view: View) -> Plan:
            items = []
            for old, new in pairs:
                data = view.read(old)
                if data is None:
                    raise ChangedOutside(old)
                if view.exists(new):
                    raise PathTaken(new)
                items.append(RenameItem(old, new, len(data), sha256(data).hexdigest()))
            summary = ", ".join(f"{old} -> {new}" for old, new in pairs)[:300]
            return Plan(tuple(FileEdit(old, None, to=new) for old, new in pairs), tuple(items), None, summary)

        return self._change("rename", plan)
