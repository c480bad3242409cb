"""The vault layout: any directory of Markdown (Obsidian, documents, a wiki), read in place and never written."""

from __future__ import annotations

from remember.layouts.layout import Entry, Rules

__all__ = ["VAULT", "Vault"]


class Vault:
    """Every `.md` file below the directory is a note; what is odd in a header is information, never an error."""

    name = "vault"
    writable = False
    has_ids = False
    rules = Rules(skip=frozenset({"node_modules", "__pycache__", "_trash", "Trash", "$RECYCLE.BIN", "site-packages"}))

    def of(self, file: str, public: str) -> Vault:
        """It has one form."""
        return self

    def parse(self, path: str, data: bytes, mtime_ms: int) -> list[Entry]:
        """The one note of a file."""
        from remember.layouts.loose import loose_note  # only when a file is read

        return [loose_note(path, data, mtime_ms, obsidian=True)]


VAULT = Vault()
