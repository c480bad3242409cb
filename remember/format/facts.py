"""The grammar of `MEMORY.md`: facts with their metadata comments, facts written by hand, and prose (FORMAT.md, section 2)."""

from __future__ import annotations

from remember._named import NamedTuple
from remember.format.fences import Fences
from remember.format.metadata import problem_of, stamp_of
from remember.format.problems import Problem, conflicts
from remember.format.shapes import is_prose_only, pattern
from remember.format.spans import Edit, newline_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Fact", "Facts", "append", "parse", "remove", "replace_text", "revision"]

_LIMIT = 300
_FRONTMATTER_LINES = 400


class Fact(NamedTuple):
    """One fact: `start` and `end` span its text, `block_start` and `block_end` all that forgetting removes.

    `line` is the 1-based line of its text, `comment_line` that of its metadata comment (None: written by hand, no ID).
    """

    id: str | None
    created_ms: int | None
    text: str
    line: int
    start: int
    end: int
    block_start: int
    block_end: int
    comment_line: int | None


class Facts(NamedTuple):
    """A parsed file: facts in order, the rest of it with facts blanked (line numbers stay), and what is wrong."""

    facts: tuple[Fact, ...]
    prose: str
    problems: tuple[Problem, ...]


class _Parser:
    """One pass over the lines; whatever looks ahead remembers what it found, so that time grows with the length alone."""

    def __init__(self, text: str) -> None:
        from itertools import accumulate

        base = 1 if text.startswith("\ufeff") else 0
        self.text = text
        self.lines = text[base:].split("\n")
        self.starts = list(accumulate([len(line) + 1 for line in self.lines], initial=base))
        self.kept = list(self.lines)
        self.facts: list[Fact] = []
        self.problems: list[Problem] = []
        self.fences = Fences(self.lines, stamp_of)
        self.in_list = False
        self.next_close = -2
        self.own_line = -2
        self.stack = (0, "")

    def run(self) -> Facts:
        at = self._frontmatter()
        while at < len(self.lines):
            line = self.lines[at]
            if not line or line.isspace():
                at += 1
                continue
            first = line[0] if line[0] != " " else line[:4].lstrip(" ")[:1]
            if first == "<":
                at = self._markup(at, line)
                continue
            end = self.fences.end(at) if first in ("`", "~") else 0
            if end:
                self.in_list = self.in_list and line[0] == " "
            else:
                self._by_hand(at, line)
            at = end or at + 1
        self._duplicates()
        self.problems += conflicts("R203", self.text)
        self.problems.sort(key=lambda problem: (problem.line, problem.code))
        prose = "\n".join(self.kept)
        return Facts(tuple(self.facts), "" if not prose or prose.isspace() else prose, tuple(self.problems))

    def _frontmatter(self) -> int:
        """The number of the first line after a frontmatter block at the very top; 0 where a rule stands there."""
        if self.lines[0].rstrip() != "---":
            return 0
        inside = False
        for number in range(1, min(len(self.lines), _FRONTMATTER_LINES)):
            line = self.lines[number]
            if inside and line.rstrip() in ("---", "..."):
                return number + 1
            if stamp_of(line):
                return 0  # a fact of ours lies before any end: the rule is only a rule
            if not inside and line.strip():
                if ":" not in line:
                    return 0
                inside = True
        return 0

    def _markup(self, at: int, line: str) -> int:
        """A line that begins with `<`: our comment, another program's, or HTML; the number of the line to go on with."""
        stamp = stamp_of(line)
        if stamp:
            return self._ours(at, stamp)
        self.in_list = self.in_list and line[0] == " "
        opening = line.find("<!--")
        if opening < 0 or line[:opening].strip():
            return at + 1
        problem = problem_of(line, at + 1)
        if problem:
            self.problems.append(problem)
        if "-->" in line[opening + 4 :]:
            return at + 1
        return self._comment_end(at) or at + 1

    def _comment_end(self, at: int) -> int:
        """The line after another program's comment of several lines; 0 where it is not closed before a comment of ours."""
        after = self.starts[at + 1]
        if self.next_close != -1 and self.next_close < after:
            self.next_close = self.text.find("-->", after)
        if self.next_close < 0:
            return 0
        from bisect import bisect_right

        number = bisect_right(self.starts, self.next_close) - 1
        return 0 if stamp_of(self.lines[number]) else number + 1

    def _ours(self, at: int, stamp: tuple[int, str]) -> int:
        """A comment of ours and the fact it belongs to: the next line that is not blank, whatever it looks like."""
        self.in_list = False
        self.kept[at] = "\r" if self.lines[at][-1] == "\r" else ""
        below = at + 1
        while below < len(self.lines) and (not self.lines[below] or self.lines[below].isspace()):
            below += 1
        if below == len(self.lines) or ("<!--" in self.lines[below] and stamp_of(self.lines[below])):
            self.problems.append(Problem(self._orphan(below), at + 1, f"the comment of {stamp[1]} has no fact below it"))
            return below
        if below > at + 1:
            self.problems.append(Problem("R204", at + 1, f"blank lines part the comment of {stamp[1]} from its fact", "info"))
        self._take(below, stamp, at)
        if not (at and stamp_of(self.lines[at - 1])):
            self.own_line = below  # else the finding about the comments above it says it all
        return below + 1

    def _orphan(self, below: int) -> str:
        """R212 where several comments stand above several lines, so that nobody can tell which belongs to which; else R204."""
        if below >= self.stack[0]:
            end = below
            while end < len(self.lines) and stamp_of(self.lines[end]):
                end += 1
            both = [line for line in self.lines[end : end + 2] if line.strip() and not stamp_of(line)]
            self.stack = (end, "R212" if len(both) == 2 else "R204")
        return self.stack[1]

    def _take(self, number: int, stamp: tuple[int, str] | None, comment: int | None, marker: int = 0) -> None:
        line = self.lines[number]
        start = self.starts[number]
        text = line[marker:].strip() if marker else line.strip()
        first = start if text == line else start + len(line) - len(line[marker:].lstrip())
        created_ms, memo_id = stamp or (None, None)
        if comment is not None:
            start = self.starts[comment]
            comment += 1
        after = min(self.starts[number + 1], len(self.text))
        # The tuple is made directly: half the cost of the class's own constructor, and files hold many facts.
        values = (memo_id, created_ms, text, number + 1, first, first + len(text), start, after, comment)
        self.facts.append(tuple.__new__(Fact, values))
        self.kept[number] = "\r" if line[-1] == "\r" else ""
        if len(text) > _LIMIT:
            self.problems.append(Problem("R207", number + 1, f"the fact has {len(text)} characters; {_LIMIT} are the limit"))
        elif not text.isprintable() and any(c < " " or "\x7f" <= c <= "\x9f" for c in text):
            self.problems.append(Problem("R207", number + 1, "the fact holds control characters"))
        if memo_id and text.startswith("#note [["):
            self.problems.append(Problem("R210", number + 1, "a note reference of the legacy format"))

    def _by_hand(self, at: int, line: str) -> None:
        """A fact without a comment: a top-level list item of one line, or one line standing alone."""
        first = line[0]
        if first in "-*+0123456789":
            item = pattern("item").match(line)
            if item and not pattern("rule").match(line):
                self.in_list = True
                if not self._indented_below(at):
                    self._take(at, None, None, item.end())
                return
        if first not in " \t":
            self.in_list = False
        if self.in_list or len(line.strip()) > _LIMIT or not (self._parts(at - 1) and self._parts(at + 1)) or is_prose_only(line):
            if at - 1 == self.own_line and self._parts(at + 1) and not is_prose_only(line):
                what = f"this line below the fact {self.facts[-1].id} has no comment of its own; a union merge leaves such lines"
                self.problems.append(Problem("R212", at + 1, what, "warning"))
            return
        self._take(at, None, None)

    def _indented_below(self, at: int) -> bool:
        for number in range(at + 1, len(self.lines)):
            line = self.lines[number]
            if line and not line.isspace():
                return line[0] in " \t" and not stamp_of(line)
        return False

    def _parts(self, number: int) -> bool:
        """Whether a neighbouring line is none, blank or a comment of ours."""
        if not 0 <= number < len(self.lines):
            return True
        line = self.lines[number]
        return not line or line.isspace() or stamp_of(line) is not None

    def _duplicates(self) -> None:
        seen: dict[str, Fact] = {}
        for fact in self.facts:
            if fact.id is None:
                continue
            other = seen.setdefault(fact.id, fact)
            if other is not fact:
                how = "the same text" if other.text == fact.text else "another text"
                self.problems.append(Problem("R208", fact.line, f"the ID {fact.id} stands in line {other.line} too, with {how}"))


def parse(text: str) -> Facts:
    """Facts, prose and problems of a `MEMORY.md`; any text has an answer, and time grows with its length."""
    return _Parser(text).run()


def append(text: str, facts: Sequence[tuple[str, str, str]]) -> Edit:
    """The edit that adds facts, each given as (ID, stamp, text), at the end of the file.

    The file's line ending is kept, and so is a missing final newline; an empty file ends with one.
    """
    newline = newline_of(text)
    body = newline.join(f"<!-- {stamp} [{memo_id}] -->{newline}{fact}" for memo_id, stamp, fact in facts)
    if not text or text == "\ufeff":
        return Edit(len(text), len(text), body + newline)
    return Edit(len(text), len(text), body + newline if text.endswith("\n") else newline + body)


def replace_text(text: str, fact: Fact, new: str) -> Edit:
    """The edit that puts `new` in the place of the fact's text, nothing else."""
    return Edit(fact.start, fact.end, new)


def remove(text: str, fact: Fact) -> Edit:
    """The edit that takes out the fact with its comment and line end."""
    return Edit(fact.block_start, fact.block_end, "")


def revision(text: str, fact: Fact) -> str:
    """First 12 hex digits of SHA-256 over the comment, a line feed and the fact's line (its text, where there is no comment)."""
    from hashlib import sha256

    line = text[fact.start : fact.end]
    if fact.comment_line is not None:
        block = text[fact.block_start : fact.start]
        line = block.split("\n", 1)[0].strip() + "\n" + line
    return sha256(line.encode("utf-8", "surrogateescape")).hexdigest()[:12]
