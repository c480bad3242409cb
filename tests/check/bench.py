"""A clean store with an index and ways to damage both, and what a check of it says."""

from __future__ import annotations

import os
import random
import sqlite3

from remember.check.codes import CODES
from remember.check.repair import apply_repairs
from remember.check.run import Ask, Subject, check
from remember.check.steps import Means
from remember.format import notes
from remember.index.catalogue import rebuild
from remember.index.database import cache_path
from remember.model import StoreRef
from remember.store.create import create_store

NOW_MS = 4_000_000_000_000
CREATED_MS = 1_760_000_000_000  # 2025-10-09
COMMENT = "<!-- 2025-10-09T08:53:20Z [{}] -->\n"
NOTE = "notes/2025-10-09-tea.md"


class Bench:
    """A store below `folder` with two facts and two notes, all of it as the writer writes it, and a settled index."""

    def __init__(self, folder, name="local", layout="remember"):
        self.path = os.path.join(folder, name)
        self.cache = os.path.join(folder, "cache")
        create_store(self.path)
        os.mkdir(self.file("notes"), 0o700)
        self.ref = StoreRef(name, name, self.path, layout)
        self.write("MEMORY.md", COMMENT.format("aaaaaaa1") + "The kettle is blue.\n" + COMMENT.format("aaaaaaa2") + "The cup is white.\n")
        self.note(NOTE, "How to make tea", "bbbbbbb1", "Boil water, see [[aaaaaaa1]].\n")
        self.note("notes/2025-10-09-coffee.md", "How to make coffee", "bbbbbbb2", "Grind beans. #kitchen\n")

    def file(self, path):
        return os.path.join(self.path, path)

    def write(self, path, data, mode=0o600):
        data = data.encode("utf-8", "surrogateescape") if isinstance(data, str) else data
        os.makedirs(os.path.dirname(self.file(path)), 0o700, exist_ok=True)
        with open(os.open(self.file(path), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "wb") as file:
            file.write(data)

    def append(self, path, text):
        self.write(path, self.read(path) + text.encode())

    def read(self, path):
        with open(self.file(path), "rb") as file:
            return file.read()

    def note(self, path, description, memo_id, body):
        self.write(path, notes.render(description, memo_id, CREATED_MS, body))

    def edit(self, path, old, new):
        data = self.read(path)
        old, new = (x.encode() if isinstance(x, str) else x for x in (old, new))
        assert old in data
        self.write(path, data.replace(old, new))

    def index(self):
        """Build the index, and let it believe that every file had long been still."""
        rebuild(self.ref, self.cache)
        self.sql("UPDATE file SET racy = 0", "UPDATE meta SET value = 0 WHERE key = 'racy'")

    @property
    def cache_file(self):
        return cache_path(self.cache, self.path)

    def sql(self, *statements):
        """Damage the index behind everybody's back."""
        connection = sqlite3.connect(self.cache_file, isolation_level=None)
        for statement in statements:
            connection.execute(*([statement] if isinstance(statement, str) else statement))
        connection.close()

    def subject(self):
        return Subject(self.ref, self.file("recovery"))

    def check(self, **more):
        more.setdefault("now_ms", NOW_MS)
        found = check([self.subject()], Ask(self.cache, **more))
        if not more.get("severities"):
            # What a code may be, its row says: docs and `--explain` are made from it.
            assert [f for f in found if f.severity not in CODES[f.code].severities] == []
        return found

    def codes(self, **more):
        """The codes found, with their severities."""
        return {(f.code, f.severity) for f in self.check(**more)}

    def repair(self):
        """Repair what is found, the codes that have to be chosen left alone; the steps that were made."""
        return apply_repairs(self.subject(), self.check(), Means(self.cache, NOW_MS, random.Random(1).getrandbits, 1.0, frozenset()))
