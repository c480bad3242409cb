"""Makes an empty native store: the marker first, `MEMORY.md` last, since that is what "initialised" means."""

from __future__ import annotations

import os

from remember.errors import IOFailure, PathTaken
from remember.files.atomic import make_dirs, publish_new
from remember.files.safe import Place
from remember.format import marker
from remember.store.lock import locked

__all__ = ["create_store"]

_FACTS = "MEMORY.md"


def create_store(path: str, timeout_s: float = 10.0) -> bool:
    """Make the store at `path` (0700), or finish one whose making was cut short; whether anything was made.

    A directory that has content without a marker is of the legacy format and is left alone. Nothing is ever overwritten.
    Raises IOFailure, DamagedStore, UnsafePath, Locked.
    """
    make_dirs(path)
    with locked(path, timeout_s) as folder:
        try:
            present = set(os.listdir(folder))
        except OSError as error:
            raise IOFailure(path, error) from error
        if _FACTS in present or (marker.NAME not in present and "notes" in present):
            return False
        for name, data in ((marker.NAME, marker.render()), (_FACTS, b"")):
            if name not in present:
                with Place(folder, path, name) as spot:
                    try:
                        publish_new(spot, data)
                    except PathTaken:  # somebody else made it meanwhile, which serves as well
                        continue
    return True
