"""A real store with a real index, and what tests of changes ask of it."""

from __future__ import annotations

import os
import random

from remember.change.target import Target, Terms
from remember.index.catalogue import open_index
from remember.model import StoreRef
from remember.store.create import create_store

NOW_MS = 1_792_339_833_000  # 2026-10-18T16:10:33Z


class Shop:
    """A store below `folder`, its open index, and what tests ask of them."""

    def __init__(self, folder, name="local", layout="remember"):
        self.path = os.path.join(folder, name)
        create_store(self.path)
        self.ref = StoreRef(name, name, self.path, layout)
        self.index = open_index(self.ref, os.path.join(folder, "cache"))
        self.target = Target(self.index, os.path.join(self.path, "recovery"))
        self.random = random.Random(name)
        self.now_ms = NOW_MS

    def terms(self, **more):
        """Each call a second later than the one before."""
        self.now_ms += 1000
        return Terms(self.now_ms, self.random.getrandbits, **more)

    def file(self, path="MEMORY.md"):
        return os.path.join(self.path, path)

    def read(self, path="MEMORY.md"):
        with open(self.file(path), "rb") as file:
            return file.read()

    def write(self, data, path="MEMORY.md"):
        """As an editor does it, then seen by the index."""
        os.makedirs(os.path.dirname(self.file(path)), exist_ok=True)
        with open(self.file(path), "wb") as file:
            file.write(data)
        self.index.refresh()

    def files(self):
        """Every memory file's bytes by path."""
        found = {}
        for folder, folders, names in os.walk(self.path):
            if "recovery" in folders:
                folders.remove("recovery")
            for name in names:
                whole = os.path.join(folder, name)
                with open(whole, "rb") as file:
                    found[os.path.relpath(whole, self.path)] = file.read()
        return found

    def memos(self, kind=None):
        self.index.refresh()
        return [memo for memo in self.index.all() if kind in (None, memo.kind)]

    def records(self):
        folder = os.path.join(self.path, "recovery")
        return sorted(os.listdir(folder)) if os.path.isdir(folder) else []

