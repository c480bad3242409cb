"""The bullets layout: one Markdown file, a bullet a note; every other line of it is text and stays."""

from __future__ import annotations

from remember.layouts.layout import Entry, Rules

__all__ = ["BULLETS", "CAP_BYTES", "Bullets"]

CAP_BYTES = 256 << 10
"""A larger file is not read, by this program nor by the agents that write it."""


class Bullets:
    """A store that is one file, `memory.md` unless it has another name."""

    name = "bullets"
    writable = True
    has_ids = False

    def __init__(self, file: str = "memory.md") -> None:
        self.rules = Rules(only=frozenset({file}), whole=frozenset({file}), whole_limit=CAP_BYTES, flat=True, most_bytes=CAP_BYTES)

    def of(self, file: str, public: str) -> Bullets:
        """The layout of a store in a file of that name."""
        return Bullets(file)

    def parse(self, path: str, data: bytes, mtime_ms: int) -> list[Entry]:
        """The bullets as facts, and what stands beside them as text."""
        from remember.layouts.bullet_lines import parse_file  # only when a file is read

        return parse_file(data, mtime_ms)


BULLETS = Bullets()
