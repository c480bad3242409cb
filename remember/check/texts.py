"""The rules about one file's text: facts, notes, and what other layouts hold."""

from __future__ import annotations

import os

from remember.check.findings import Reporter
from remember.check.notes import note

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from remember.check.identity import Identities
    from remember.check.tree import Node

__all__ = ["Texts", "secrets"]


class Texts:
    """Judges the files of one store; `recovery` is where its records lie, which may know a longer copy of a damaged note."""

    def __init__(self, report: Reporter, recovery: str, identities: Identities, now_ms: int) -> None:
        self.report, self.recovery, self.identities, self.now_ms = report, recovery, identities, now_ms
        self.native = report.ref.layout == "remember"
        self.copies: Mapping[str, bytes] | None = None

    def judge(self, node: Node, data: bytes, legacy: bool) -> None:
        """Every finding in a file's bytes; in a `legacy` store notes need no header yet."""
        path, now_ms = node.path, self.now_ms
        if self.native and path == "MEMORY.md":
            from remember.check.facts import facts

            facts(self.report, path, data, now_ms, legacy)
        elif self.native and path.startswith("notes/"):
            if legacy and not data.startswith((b"---", b"\xef\xbb\xbf---")):
                return
            note(self.report, node, data, now_ms, True, self._longest(path, data))
        else:
            note(self.report, node, data, now_ms, False)
            if self.report.ref.layout == "vault":
                self._header(path, data)
            if self.native:
                self.report.add("R409", path, 0, "lies beside notes/")

    def _header(self, path: str, data: bytes) -> None:
        from remember.layouts.loose import header_trouble

        trouble = header_trouble(data)
        if trouble is not None:
            self.report.add("R302", path, trouble[0], f"the header is read as far as it goes: {trouble[1]}", "info", "-")

    def _longest(self, path: str, data: bytes) -> bytes | None:
        """The longest copy that a recovery record has of a note whose header is not closed."""
        if not data.startswith(b"---") or b"\n---" in data or not os.path.isdir(self.recovery):
            return None
        if self.copies is None:
            from remember.check.recovery import longest_copies, records

            # Not judged: the memos are not all taken yet, and whoever asks for their IDs now would have these for good.
            self.copies = longest_copies(records(Reporter(self.report.ref), self.recovery, self.identities, judged=False))
        return self.copies.get(path)


def secrets(report: Reporter, path: str, data: bytes) -> None:
    """Credentials by kind and line, never by their text (R316)."""
    from remember.format.secrets import find

    for kind, line in find(data.decode("utf-8", "replace")):
        report.add("R316", path, line, f"holds what looks like {kind}")
