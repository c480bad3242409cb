"""A bare repository and clones of it with a store in each, changed as people and programs change one, and merged by real git."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

from remember.errors import ChangedOutside
from remember.format import facts, notes
from remember.format.spans import apply, decode, encode
from remember.model import StoreRef
from remember.store.create import create_store
from remember.sync.setup import Done, Place, install, place_of

TREE = Path(__file__).resolve().parents[2]
COMMAND = (sys.executable, "-m", "remember")
STAMP_MS = 1_790_000_000_000


class Clone:
    """One machine's clone; the store is the repository's top, or lies `below` it."""

    def __init__(self, world: World, name: str, below: str = "") -> None:
        self.world, self.name = world, name
        self.top = world.folder / name
        self.store = self.top / below if below else self.top

    def git(self, *words: str, expect: int | None = 0) -> str:
        """A git command's output, standard error with it."""
        done = subprocess.run(["git", *words], cwd=self.top, env=self.world.environ, capture_output=True)
        said = (done.stdout + done.stderr).decode("utf-8", "replace")
        assert expect is None or done.returncode == expect, (words, done.returncode, said)
        return said

    @property
    def ref(self) -> StoreRef:
        return StoreRef("local", "local", os.path.realpath(self.store), "remember", str(self.top), True)

    def place(self) -> Place:
        return place_of(self.ref, self.world.environ)

    def setup(self) -> Done:
        return install(self.place(), COMMAND)

    def commit(self, message: str = "change") -> None:
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)

    def read(self, path: str = "MEMORY.md") -> str:
        return decode((self.store / path).read_bytes())

    def write(self, text: str, path: str = "MEMORY.md") -> None:
        (self.store / path).parent.mkdir(parents=True, exist_ok=True)
        (self.store / path).write_bytes(encode(text))

    # Memos, changed in the files as the program changes them.

    def facts(self) -> dict[str, str]:
        found = facts.parse(self.read()).facts
        assert len({fact.id for fact in found}) == len(found), self.read()
        return {str(fact.id): fact.text for fact in found}

    def notes(self) -> dict[str, tuple[str, str, str]]:
        """ID to description, body and path."""
        found = {}
        for path in sorted((self.store / "notes").glob("*.md")):
            text = decode(path.read_bytes())
            note = notes.parse(text)
            assert note.id and not note.broken, text
            assert note.id not in found
            found[note.id] = (str(note.description), text[note.body_start :], f"notes/{path.name}")
        return found

    def add(self, text: str) -> str:
        name = self.world.new_id()
        self.write(apply(self.read(), [facts.append(self.read(), [(name, self.world.stamp(), text)])]))
        return name

    def update(self, name: str, new: str) -> None:
        text = self.read()
        fact = next(fact for fact in facts.parse(text).facts if fact.id == name)
        self.write(apply(text, [facts.replace_text(text, fact, new)]))

    def forget(self, name: str) -> None:
        text = self.read()
        fact = next(fact for fact in facts.parse(text).facts if fact.id == name)
        self.write(apply(text, [facts.remove(text, fact)]))

    def note(self, description: str, body: str) -> str:
        name = self.world.new_id()
        self.world.clock_ms += 1000
        self.write(notes.render(description, name, self.world.clock_ms, body), self.path_of(name))
        return name

    def rewrite(self, name: str, old: str, new: str) -> None:
        """Replace a part of a note's body."""
        path = self.path_of(name)
        text = self.read(path)
        note = notes.parse(text)
        body = text[note.body_start :]
        if old not in body:
            raise ChangedOutside(path)
        self.world.clock_ms += 1000
        self.write(apply(text, notes.replace_body(text, note, body.replace(old, new, 1), self.world.clock_ms)), path)

    def describe(self, name: str, new: str) -> None:
        self.describe_at(self.path_of(name), new)

    def describe_at(self, path: str, new: str) -> None:
        text = self.read(path)
        self.world.clock_ms += 1000
        self.write(apply(text, notes.replace_description(text, notes.parse(text), new, self.world.clock_ms)), path)

    def drop(self, name: str) -> None:
        (self.store / self.path_of(name)).unlink()

    @staticmethod
    def path_of(name: str) -> str:
        """The file of a note that was made by `note`."""
        return f"notes/2026-10-18-{name}.md"

    def body(self, name: str) -> tuple[str, str]:
        """A note's description and body."""
        text = self.read(self.path_of(name))
        note = notes.parse(text)
        return str(note.description), text[note.body_start :]


class World:
    """The bare repository, its clones, and one clock and source of chance for all."""

    def __init__(self, folder: Path, seed: int = 1) -> None:
        self.folder = folder
        self.random = random.Random(seed)
        self.clock_ms = STAMP_MS
        self.environ = {
            "HOME": str(folder),
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(TREE),
            "LANG": "C.UTF-8",
            "GIT_CONFIG_NOSYSTEM": "1",
            **{f"GIT_{who}_{what}": "someone" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
        }
        self.origin = folder / "origin.git"
        subprocess.run(["git", "init", "-q", "--bare", "-b", "main", str(self.origin)], env=self.environ, check=True)

    def new_id(self) -> str:
        return f"{self.random.getrandbits(32):08x}"

    def stamp(self) -> str:
        from datetime import UTC, datetime

        self.clock_ms += 1000
        return datetime.fromtimestamp(self.clock_ms / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")

    def first(self, name: str = "one", below: str = "") -> Clone:
        """The machine on which the store was made, with the drivers, everything pushed."""
        clone = Clone(self, name, below)
        subprocess.run(["git", "clone", "-q", str(self.origin), name], cwd=self.folder, env=self.environ, check=True, capture_output=True)
        create_store(os.path.realpath(self.folder) + f"/{name}" + (f"/{below}" if below else ""))
        clone.git("switch", "-q", "-C", "main", expect=None)
        clone.setup()
        clone.commit("the store")
        clone.git("push", "-q", "-u", "origin", "HEAD:main")
        return clone

    def another(self, name: str, below: str = "", setup: bool = True, *options: str) -> Clone:
        """Another machine's clone."""
        command = ["git", "clone", "-q", *options, str(self.origin), name]
        subprocess.run(command, cwd=self.folder, env=self.environ, check=True, capture_output=True)
        clone = Clone(self, name, below)
        if setup:
            clone.setup()
        return clone
