"""The native layout, format version 1: facts in `MEMORY.md`, notes with frontmatter below `notes/` (FORMAT.md)."""

from __future__ import annotations

from remember.layouts.layout import Entry, Rules

__all__ = ["NATIVE", "Native"]


class Native:
    """Facts and notes with IDs; other Markdown files in the store are notes without one."""

    name = "remember"
    writable = True
    has_ids = True
    rules = Rules(skip_top=frozenset({"recovery", "migrations"}), whole=frozenset({"MEMORY.md"}), skip_hashes=True)

    def of(self, file: str, public: str) -> Native:
        """It has one form."""
        return self

    def parse(self, path: str, data: bytes, mtime_ms: int) -> list[Entry]:
        """The facts and prose of `MEMORY.md`, or the one note of any other file."""
        from remember.layouts.native_files import parse_file  # only when a file is read: searching an index needs none of it

        return parse_file(path, data, mtime_ms)


NATIVE = Native()
