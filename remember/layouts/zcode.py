"""The zcode layout, which Claude Code's automatic memory has too: a fact a file, and `MEMORY.md` with a line for each."""

from __future__ import annotations

from remember.layouts.layout import Entry, Rules

__all__ = ["ZCODE", "Zcode"]

_SKIPPED = frozenset({"node_modules", "__pycache__"})


class Zcode:
    """Every `.md` file is a fact but `MEMORY.md`, whose index lines stand for the files and whose other text is text."""

    name = "zcode"
    writable = True
    has_ids = False
    rules = Rules(skip=_SKIPPED, whole=frozenset({"MEMORY.md"}), whole_limit=4 << 20)

    def of(self, file: str, public: str) -> Zcode:
        """It has one form."""
        return self

    def parse(self, path: str, data: bytes, mtime_ms: int) -> list[Entry]:
        """The fact of a file, or the text of the index beside its lines."""
        from remember.layouts.zcode_files import parse_file  # only when a file is read

        return parse_file(path, data, mtime_ms)


ZCODE = Zcode()
