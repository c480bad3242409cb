"""What is odd in a zcode store: index and files that disagree, facts that say nothing of themselves, a long index (Zxx)."""

from __future__ import annotations

from remember.format.counts import counted
from remember.format.spans import decode
from remember.layouts.zcode_header import read_header
from remember.layouts.zcode_index import INDEX, index_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.check.findings import Reporter
    from remember.check.tree import Tree

__all__ = ["LOADED_BYTES", "LOADED_LINES", "Facts"]

LOADED_LINES = 200
LOADED_BYTES = 25_000
"""What Claude Code loads of the index when a session begins; ZCode takes as many lines."""


class Facts:
    """Collects what the files of a store say, then compares them with its index."""

    def __init__(self, report: Reporter) -> None:
        self.report = report
        self.index: bytes | None = None
        self.paths: list[str] = []

    def take(self, path: str, data: bytes) -> None:
        """One file that could be read."""
        if path == INDEX:
            self.index = data
            return
        self.paths.append(path)
        header = read_header(data.decode("utf-8", "replace"))
        if header.broken:
            self.report.add("Z103", path, 1, f"has a header that agents do not read: {header.broken}")
        elif not header.present or not (header.name or header.description):
            self.report.add("Z103", path, 1, "has no name and no description in a header")

    def compare(self, tree: Tree) -> None:
        """Z101, Z102 and Z104; nothing is said of what could not be looked at."""
        there = {node.path for node in tree.nodes if node.kind != "folder"}
        if self.index is None and INDEX in there:
            return  # it is there and could not be read, which is a finding itself
        text = decode(self.index or b"")
        listed: set[str] = set()
        for line in index_lines(text):
            listed.update(line.targets)
            for target in line.targets:
                hidden = any(target == place or target.startswith(place + "/") for place, _ in tree.unreadable)
                if target not in there and not hidden:
                    self.report.add("Z101", INDEX, line.number, f"names {target}, which is not there")
        for path in self.paths:
            if path not in listed:
                self.report.add("Z102", path, 0, f"has no line in {INDEX}, so no agent is told of it")
        lines, size = text.count("\n") + (not text.endswith("\n")), len(self.index or b"")
        if lines > LOADED_LINES or size > LOADED_BYTES:
            limits = f"{LOADED_LINES} lines or {LOADED_BYTES} bytes"
            self.report.add("Z104", INDEX, 0, f"has {counted(lines, 'line')} and {counted(size, 'byte')}; {limits} are loaded")
