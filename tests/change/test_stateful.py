"""Any changes, with a person's edits of other memos between them, then undone all: byte for byte what was there before."""

from __future__ import annotations

import shutil
import tempfile

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from shop import Shop

from remember.change.add import add
from remember.change.forget import forget
from remember.change.move import rename
from remember.change.note import note
from remember.change.undo import redo, undo
from remember.change.update import Wanted, update
from remember.errors import RememberError

line = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), min_size=1, max_size=40).filter(lambda t: t.strip())
starts = st.sampled_from(
    [
        b"",
        b"# Memory\n\nprose of somebody\n",
        b"no final newline",
        b"a\r\n\r\n- item\r\n- another item\r\n",
        b"\xef\xbb\xbf<!-- 2026-02-15T14:30:00Z [aaaaaaaa] -->\nfact of long ago\n\n| a | b |\n|---|---|\n",
        b"- hand written\n- second\n\xff\xfe\n```\ncode\n```\n",
        b"<!-- 2026-02-15T14:30:00Z [bbbbbbbb] -->\n\nformatted fact\n\n<!-- 2026-02-15T14:30:00Z [cccccccc] -->\n- listed fact",
    ]
)


class Changes(RuleBasedStateMachine):
    """`before` holds the files as they were before each change that is not undone."""

    def __init__(self):
        super().__init__()
        self.folder = tempfile.mkdtemp()
        self.shop = Shop(self.folder)
        self.before = []
        self.undone = []

    def teardown(self):
        try:
            while self.before:
                self.undo()
        finally:
            self.shop.index.close()
            shutil.rmtree(self.folder)

    @initialize(text=starts)
    def start(self, text):
        self.shop.write(text)
        self.shop.write(b"---\ndescription: by hand\nmemory-id: dddddddd\n---\nsee [[by-hand]]", "notes/by-hand.md")

    def changing(self, act):
        """Do something that may be refused; remember how things were if it changed anything."""
        before = self.shop.files()
        records = len(self.shop.records())
        try:
            act()
        except RememberError as error:
            assert self.shop.files() == before, error
            assert len(self.shop.records()) == records
            return
        if self.shop.files() != before:
            self.before.append(before)
            self.undone.clear()
        assert (len(self.shop.records()) > records) == (self.shop.files() != before)

    @rule(texts=st.lists(line, min_size=1, max_size=3), twice=st.booleans())
    def add(self, texts, twice):
        self.changing(lambda: add(self.shop.target, texts, self.shop.terms(allow_duplicate=twice)))

    @rule(description=line, body=line)
    def note(self, description, body):
        self.changing(lambda: note(self.shop.target, description, body, self.shop.terms()))

    def pick(self, data, kinds):
        memos = sorted((memo for memo in self.shop.memos() if memo.kind in kinds), key=lambda memo: memo.place)
        return data.draw(st.sampled_from(memos)) if memos else None

    @rule(data=st.data(), content=line, described=st.none() | line)
    def update(self, data, content, described):
        memo = self.pick(data, ("fact", "note"))
        if memo is not None:
            wanted = Wanted(content, described if memo.kind == "note" else None)
            self.changing(lambda: update([self.shop.target], memo.id or memo.place, wanted, self.shop.terms()))

    @rule(data=st.data(), number=st.integers(1, 3))
    def forget(self, data, number):
        memos = {memo.place: memo for memo in (self.pick(data, ("fact", "note")) for _ in range(number)) if memo is not None}
        if memos:
            chosen = [(self.shop.target, memo) for memo in memos.values()]
            self.changing(lambda: forget(chosen, self.shop.terms()))

    @rule(data=st.data(), slug=st.sampled_from(["a", "by-hand", "new-name", "été"]))
    def rename(self, data, slug):
        memo = self.pick(data, ("note",))
        if memo is not None:
            self.changing(lambda: rename([self.shop.target], memo.path, slug, self.shop.terms()))

    @precondition(lambda self: self.before)
    @rule()
    def undo(self):
        now = self.shop.files()
        undo([self.shop.target], self.shop.terms())
        before = self.before.pop()
        assert self.shop.files() == before
        self.undone.append(now)

    @precondition(lambda self: self.undone)
    @rule()
    def redo(self):
        before = self.shop.files()
        redo([self.shop.target], self.shop.terms())
        assert self.shop.files() == self.undone.pop()
        self.before.append(before)

    @invariant()
    def nothing_is_left_lying_about(self):
        assert not [path for path in self.shop.files() if ".tmp" in path]


Changes.TestCase.settings = settings(
    max_examples=30, stateful_step_count=14, deadline=None, suppress_health_check=list(HealthCheck), print_blob=True
)
TestChanges = Changes.TestCase
