"""One check of one store: every detector once, and a second look at what it found before anything is reported."""

from __future__ import annotations

import os
import time

from remember._named import NamedTuple
from remember.check.content import TELLS_PLACEHOLDERS, is_placeholder
from remember.check.findings import Reporter
from remember.check.identity import Identities, both_scopes
from remember.check.linking import Linking
from remember.check.names import names
from remember.check.plain import PlainNotes
from remember.check.store import facts_file, format_state, migrations, modes, present, times
from remember.check.texts import Texts, secrets
from remember.check.tree import look
from remember.layouts import layout_of
from remember.layouts.layout import FILE_LIMIT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from remember.check.findings import Finding
    from remember.check.tree import Node, Tree
    from remember.check.zcode import Facts
    from remember.index.audit import Audit
    from remember.layouts import Entry
    from remember.model import StoreRef
    from remember.store.read import Reader

    Progress = Callable[[int, int], None]

__all__ = ["Ask", "Subject", "check"]

_PAUSE_S = 0.05


class Subject(NamedTuple):
    """A store to be checked, and where its recovery records lie."""

    ref: StoreRef
    recovery: str


class Ask(NamedTuple):
    """What to look at: `quick` believes size and times, `files_only` leaves the cache out, `secrets` looks for credentials.

    `now_ms` is the clock, `severities` overrides by code (`off` silences one).
    """

    cache_dir: str
    now_ms: int
    quick: bool = False
    files_only: bool = False
    secrets: bool = False
    severities: Mapping[str, str] = {}


def check(subjects: Sequence[Subject], ask: Ask, progress: Progress | None = None) -> list[Finding]:
    """Everything that is found in these stores, twice: what is gone at the second look was somebody's save in progress."""
    import gc

    collecting = gc.isenabled()
    gc.disable()  # nothing here makes circles; the collector would walk what is kept of every memo again and again
    try:
        return _twice(subjects, ask, progress)
    finally:
        if collecting:
            gc.enable()


def _twice(subjects: Sequence[Subject], ask: Ask, progress: Progress | None) -> list[Finding]:
    found = _look(subjects, ask, progress)
    doubtful = [f for f in found if f.severity != "info" or f.code == "R600"]
    shared = any(f.code == "R503" for f in found)
    again = [subject for subject in subjects if shared or any(f.is_of(subject.ref) for f in doubtful)]
    if not again:
        return found
    time.sleep(_PAUSE_S)
    second = _look(again, ask, None)
    seen_again = {f.key for f in second}
    return [f for f in found if f.key in seen_again or not any(f.is_of(subject.ref) for subject in again)]


def _look(subjects: Sequence[Subject], ask: Ask, progress: Progress | None) -> list[Finding]:
    looks = [_Look(subject, ask, progress) for subject in subjects]
    for one in looks:
        one.run()
    both_scopes([(one.report, one.identities) for one in looks])
    return [finding for one in looks for finding in one.report.findings]


class _Look:
    """One look at one store."""

    def __init__(self, subject: Subject, ask: Ask, progress: Progress | None) -> None:
        self.ref, self.recovery = subject
        self.ask, self.progress = ask, progress
        self.layout = layout_of(self.ref)
        self.native = self.ref.layout == "remember"
        self.report = Reporter(self.ref, ask.severities)
        self.identities = Identities(not self.layout.has_ids, Linking(self.ref.path, self.layout.rules))
        self.plain = PlainNotes(ask.now_ms) if self.native else None
        self.texts = Texts(self.report, self.recovery, self.identities, ask.now_ms)
        self.legacy = False
        self.indexed: Facts | None = None
        if self.ref.layout == "zcode":
            from remember.check.zcode import Facts

            self.indexed = Facts(self.report)

    def run(self) -> None:
        if not present(self.report):
            return
        try:
            tree = look(self.ref.path, self.layout.rules, self.ask.quick and not self.ask.files_only)
        except OSError as error:
            self.report.add("R408", "", 0, f"the store cannot be listed: {error.strerror}")
            return
        if self._surroundings(tree) == "future":
            return  # nothing is read by guessing
        if self.ask.quick and not self.ask.files_only and self._settled(tree):
            self._about_memos(tree)
            return
        audit = None if self.ask.files_only else self._open_audit()
        try:
            self._files(tree.memory(), audit)
            if audit is not None:
                self._finish(audit)
        finally:
            if audit is not None:
                audit.close()
        if self.indexed is not None:
            self.indexed.compare(tree)
        self._about_memos(tree)

    def _settled(self, tree: Tree) -> bool:
        """Whether size and times prove the index current; every memo is then taken from its row."""
        from remember.index.settled import settled_rows

        if not tree.digest or self.indexed is not None or self.ask.secrets:
            return False
        rows = settled_rows(self.ref, self.ask.cache_dir, tree.digest, tree.stat.st_dev)
        if rows is None:
            return False
        self.identities.take_rows(rows)
        if self.native:
            for row in rows:
                if row.body is not None and not _reachable(row.path, row.kind, row.description, row.body):
                    self._not_reachable(row.path, row.line if row.kind == "fact" else 0)
        return True

    def _about_memos(self, tree: Tree) -> None:
        """What is known when every memo was taken."""
        self.identities.report(self.report, [node.path for node in tree.nodes if not node.memory and node.kind == "file"])
        if self.layout.writable and os.path.lexists(self.recovery):
            from remember.check.recovery import left_over, records

            records(self.report, self.recovery, self.identities, judged=self.native)
            if self.recovery == os.path.join(self.ref.path, "recovery"):
                left_over(self.report, self.recovery, self.ask.now_ms)
        if not self.ask.files_only:
            from remember.check.processes import watcher

            watcher(self.report, self.ask.cache_dir)

    def _surroundings(self, tree: Tree) -> str:
        """What lies around the memory files; the state of the format."""
        names(self.report, tree, self.ask.now_ms)
        if not self.native:
            return "current"
        state = format_state(self.report, tree)
        self.legacy = state == "legacy"
        facts_file(self.report, tree)
        migrations(self.report, tree, state)
        modes(self.report, tree)
        times(self.report, tree, self.ask.now_ms)
        return state

    def _open_audit(self) -> Audit | None:
        from remember.index.audit import open_audit

        audit, problems = open_audit(self.ref, self.ask.cache_dir, self.ask.quick)
        for problem in problems:
            self.report.add(*problem)
        return audit

    def _files(self, nodes: list[Node], audit: Audit | None) -> None:
        from remember.store.read import Reader

        with Reader(self.ref.path, self.layout.rules, FILE_LIMIT) as reader:
            for done, node in enumerate(nodes):
                if audit is None:
                    if not self._is_plain(node, reader):
                        self._file(node, audit, reader)
                elif self.ask.quick and self.indexed is None and audit.is_same(node.path, node.signature):
                    self._take(node.path, audit.recorded(node.path))
                else:
                    self._file(node, audit, reader)
                if done % 100 == 0 and self.progress is not None:
                    self.progress(done, len(nodes))

    def _is_plain(self, node: Node, reader: Reader) -> bool:
        """Whether it is a note exactly as the writer makes it, so that nothing can be found in it; it is then taken."""
        path, _, _, found = node
        plain = self.plain
        if plain is None or path[:6] != "notes/" or self.ask.secrets or (TELLS_PLACEHOLDERS and is_placeholder(found)):
            return False
        data = reader.read_small(path, found.st_size)
        if data is None or (good := plain.read(path, data)) is None:
            return False
        self.identities.take_plain(path, *good, data)
        return True

    def _file(self, node: Node, audit: Audit | None, reader: Reader) -> None:
        path = node.path
        if TELLS_PLACEHOLDERS and is_placeholder(node.stat):
            self._elsewhere(node, audit)
            return
        try:
            read = reader.read(path)
        except OSError as error:
            self.report.add("R408", path, 0, f"cannot be read: {error.strerror}")
            return
        if read is None:
            return  # gone since the walk, or replaced by something that is no file
        if self.indexed is not None:
            self.indexed.take(path, read.data)
        if self.plain is None or not path.startswith("notes/") or self.plain.read(path, read.data) is None:
            self.texts.judge(node, read.data, self.legacy)
        if self.ask.secrets:
            secrets(self.report, path, read.data)
        entries = self.layout.parse(path, read.data, read.signature[1] // 1_000_000)
        self._take(path, entries)
        if audit is not None:
            audit.compare(path, read.signature, read.data, entries)

    def _elsewhere(self, node: Node, audit: Audit | None) -> None:
        """A placeholder is not read, since that would fetch it; what the index knows of it is believed."""
        self.report.add("R313", node.path, 0, "is a placeholder; its content is elsewhere", "unknown")
        if audit is not None and audit.is_same(node.path, node.signature):
            self._take(node.path, audit.recorded(node.path))

    def _take(self, path: str, entries: list[Entry]) -> None:
        self.identities.take(path, entries)
        for entry in entries:
            if self.native and not _reachable(path, entry.kind, entry.description, entry.body):
                self._not_reachable(path, entry.line if entry.kind == "fact" else 0)

    def _not_reachable(self, path: str, line: int) -> None:
        self.report.add("R902", path, line, "holds no letter or digit that could be searched")

    def _finish(self, audit: Audit) -> None:
        import sqlite3

        try:
            problems = audit.finish(self.ask.quick)
        except sqlite3.DatabaseError as error:
            self.report.add("R603", "", 0, f"the index cannot be read ({error})")
            problems = audit.problems
        for problem in problems:
            self.report.add(*problem)


def _reachable(path: str, kind: str, description: str | None, body: str) -> bool:
    if kind == "text" or any(char.isalnum() for char in body[:200]):
        return True
    text = f"{description or ''}{body}"
    stem = path.rpartition("/")[2].removesuffix(".md") if kind == "note" else ""
    return any(char.isalnum() for char in text) or any(char.isalpha() for char in stem)
