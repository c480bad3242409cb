"""The harness layout: a private directory of flat `.md` files that shadow those of the workspace's public `.memory/`."""

from __future__ import annotations

from remember.layouts.layout import Entry, Rules

__all__ = ["HARNESS", "MOST_BYTES", "MOST_FILES", "PUBLIC", "Harness"]

PUBLIC = ".memory"
"""The name of the public directory in its workspace, and what its files' paths begin with in a store."""

MOST_FILES = 1000
MOST_BYTES = 1 << 20
"""How many files of each directory are read, and how large one may be; the agent's own bounds are not published."""


class Harness:
    """Read in place; written through the mirror alone. Names end in `.md` in lower case, and links are not followed."""

    name = "harness"
    writable = False
    has_ids = False

    def __init__(self, public: str = "") -> None:
        self.rules = Rules(flat=True, most_bytes=MOST_BYTES, most_files=MOST_FILES, public=public, public_prefix=PUBLIC + "/")

    def of(self, file: str, public: str) -> Harness:
        """The layout of a store with that public directory."""
        return Harness(public)

    def parse(self, path: str, data: bytes, mtime_ms: int) -> list[Entry]:
        """The one note of a file; the index files that the agent keeps are read as notes too."""
        from remember.layouts.loose import loose_note  # only when a file is read

        return [loose_note(path, data, mtime_ms)]


HARNESS = Harness()
