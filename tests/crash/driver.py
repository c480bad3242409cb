"""The changing verbs as a small command line of its own: what the crash kit kills when no other command is given.

    python driver.py ROOT [GLOBAL] CACHE VERB ARGUMENT…
"""

from __future__ import annotations

import os
import random
import sys
import time

from remember.change.add import add
from remember.change.forget import forget, select
from remember.change.move import move, rename
from remember.change.note import note
from remember.change.target import Target, Terms
from remember.change.undo import redo, undo
from remember.change.update import Wanted, update
from remember.errors import RememberError
from remember.index.catalogue import open_index
from remember.model import StoreRef
from remember.store.create import create_store


def local_of(root: str) -> str:
    return os.path.join(root, "work", ".pi", "memory")


def global_of(root: str) -> str:
    return os.path.join(root, "global")


def opened(path: str, name: str, root: str) -> Target:
    index = open_index(StoreRef(name, name, path, "remember"), os.path.join(root, "cache"))
    return Target(index, os.path.join(path, "recovery"))


def run(root: str, verb: str, *arguments: str) -> None:
    """Carry out one verb on the stores below `root`, as the command line would."""
    if verb == "init":
        create_store(local_of(root))
        return
    terms = Terms(int(time.time() * 1000), random.SystemRandom().getrandbits, timeout_s=5)
    local, everywhere = opened(local_of(root), "local", root), opened(global_of(root), "global", root)
    both = [local, everywhere]
    try:
        if verb == "add":
            add(local, [" ".join(arguments)], terms)
        elif verb == "add-lines":
            add(local, arguments, terms)
        elif verb == "note":
            note(local, arguments[0], arguments[2], terms)
        elif verb == "update":
            update(both, arguments[0], Wanted(**{arguments[1].removeprefix("--"): arguments[2]}), terms)
        elif verb == "forget":
            forget(select([local], arguments[0]), terms)
        elif verb == "move" and arguments[1] == "--slug":
            rename(both, arguments[0], arguments[2], terms)
        elif verb == "move":
            move([local], arguments[0], everywhere, terms)
        else:
            {"undo": undo, "redo": redo}[verb](both, terms)
    finally:
        for target in both:
            target.index.close()


def main(arguments: list[str]) -> int:
    try:
        run(*arguments)
    except RememberError as error:
        print(f"{error.code}: {error.message}", file=sys.stderr)
        return error.exit_status
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
