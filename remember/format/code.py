"""Where a Markdown text is code or an HTML comment, found from left to right as CommonMark 0.31 reads it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from remember._named import NamedTuple
from remember.format.fences import spans_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from re import Pattern

__all__ = ["Hidden", "contains", "hidden"]

_compiled: list[Pattern[str]] = []


class Hidden(NamedTuple):
    """Spans (start, end) in order: `code` fenced or between backticks, `comments` closed `<!-- … -->` outside code."""

    code: list[tuple[int, int]]
    comments: list[tuple[int, int]]


def hidden(text: str) -> Hidden:
    """The code and the comments of a text; what is not closed hides nothing, and time grows with the length alone."""
    if "`" not in text and "<!--" not in text and "~~~" not in text:
        return Hidden([], [])
    return _Scan(text).run()


class _Scan:
    def __init__(self, text: str) -> None:
        if not _compiled:
            import re

            _compiled.extend((re.compile(r"`+|<!--"), re.compile(r"\n[ \t\r]*\n")))
        self.text = text
        self.fences = spans_of(text)
        self.marks = [(m.start(), m.end() - m.start()) for m in _compiled[0].finditer(text)]
        self.runs: dict[int, list[int]] = {}
        for start, length in self.marks:
            if text[start] == "`":
                self.runs.setdefault(length, []).append(start)
        self.blank = self.close = -1

    def run(self) -> Hidden:
        found = Hidden([], [])
        at = fence = 0
        for start, length in self.marks:
            while fence < len(self.fences) and self.fences[fence][0] < at:
                fence += 1  # it lies in a comment
            while fence < len(self.fences) and self.fences[fence][1] <= start:
                found.code.append(self.fences[fence])
                at = self.fences[fence][1]
                fence += 1
            limit = self.fences[fence][0] if fence < len(self.fences) else len(self.text)
            if start < at or start >= limit:
                continue
            if self.text[start] == "<":
                end = self._comment(start)
                if end:
                    found.comments.append((start, end))
                    at = end
            else:
                end = self._inline(start, length, limit)
                if end:
                    found.code.append((start, end))
                    at = end
        found.code.extend(span for span in self.fences[fence:] if span[0] >= at)
        return found

    def _comment(self, start: int) -> int:
        if self.close < start + 4:
            here = self.text.find("-->", start + 4)
            self.close = len(self.text) if here < 0 else here
        return self.close + 3 if self.close < len(self.text) else 0

    def _inline(self, start: int, length: int, limit: int) -> int:
        """The end of the code span that a run of backticks opens: the next run as long, within the paragraph; 0 for none."""
        if length == 1 and start and self.text[start - 1] == "\\":
            return 0
        runs = self.runs[length]
        here = bisect_right(runs, start)
        if here == len(runs) or runs[here] >= limit:
            return 0
        if self.blank < start:
            found = _compiled[1].search(self.text, start)
            self.blank = found.start() if found else len(self.text)
        return runs[here] + length if runs[here] < self.blank else 0


def contains(spans: list[tuple[int, int]], at: int) -> bool:
    """Whether an offset lies in one of the spans, which are in order and apart."""
    here = bisect_left(spans, (at + 1,))
    return here > 0 and at < spans[here - 1][1]
