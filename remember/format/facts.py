"""The grammar of `MEMORY.md`: facts with their metadata comments, facts written by hand, and prose (FORMAT.md, section 2)."""

from __future__ import annotations

from remember._named import NamedTuple
from remember.format import times
from remember.format.problems import Problem, conflict_lines
from remember.format.spans import Edit, lines, newline_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from re import Match

__all__ = ["Fact", "Facts", "append", "parse", "remove", "replace_text", "revision"]

_LIMIT = 300
_compiled: dict[str, Callable[[str], Match[str] | None]] = {}


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


def _pattern(name: str) -> Callable[[str], Match[str] | None]:
    if not _compiled:
        import re

        _compiled["comment"] = re.compile(r"[ \t]*<!-- ?(\d{4}-\d\d-\d\d[Tt ]\S+) \[([0-9a-f]{8})\] ?-->[ \t]*").fullmatch
        _compiled["almost"] = re.compile(r"\s*<!--\s*(\S+)\s+\[([0-9A-Za-z]*)\]\s*-->\s*").fullmatch
        _compiled["item"] = re.compile(r"(?:[-*+]|\d{1,9}[.)])[ \t]+(?=\S)").match
        _compiled["rule"] = re.compile(r" {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|=+[ \t]*)").fullmatch
        _compiled["heading"] = re.compile(r" {0,3}#{1,6}(?:[ \t]|$)").match
        _compiled["reference"] = re.compile(r" {0,3}\[[^\]]+\]:").match
        _compiled["fence"] = re.compile(r" {0,3}(`{3,}(?=[^`]*$)|~{3,})").match
    return _compiled[name]


class _Parser:
    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = lines(text)
        self.start = 1 if text.startswith("\ufeff") else 0
        self.facts: list[Fact] = []
        self.problems: list[Problem] = []
        self.blanked: set[int] = set()
        self.is_comment = _pattern("comment")

    def content(self, number: int) -> str:
        start, end, _ = self.lines[number]
        return self.text[self.start if number == 0 else start : end]

    def run(self) -> Facts:
        at = self._frontmatter()
        count = len(self.lines)
        while at < count:
            line = self.content(at)
            if not line.strip():
                at += 1
            elif line.lstrip(" \t").startswith("<!--"):
                at = self._comment(at, line)
            elif line[:4].lstrip(" ")[:1] in ("`", "~") and self._fence_end(at, line):
                at = self._fence_end(at, line)
            else:
                self._by_hand(at, line)
                at += 1
        self._duplicates()
        for number in conflict_lines(self.text):
            self.problems.append(Problem("R203", number, "git conflict marker"))
        prose = self._prose()
        self.problems.sort(key=lambda p: (p.line, p.code))
        return Facts(tuple(self.facts), prose, tuple(self.problems))

    def _frontmatter(self) -> int:
        """The number of the first line after a frontmatter block at the very top."""
        if not self.lines or self.content(0).rstrip() != "---":
            return 0
        for number in range(1, min(len(self.lines), 400)):
            if self.content(number).rstrip() in ("---", "..."):
                return number + 1
        return 0

    def _comment(self, at: int, line: str) -> int:
        found = self.is_comment(line)
        if found:
            return self._ours(at, found)
        self._almost_ours(at, line)
        # Another program's comment: what it spans is prose, if it is closed.
        offset = self.lines[at][0] + line.find("<!--")
        end = self.text.find("-->", offset + 4)
        if end < 0:
            self._by_hand(at, line)
            return at + 1
        while at < len(self.lines) and self.lines[at][2] <= end:
            at += 1
        return at + 1

    def _ours(self, at: int, found: Match[str]) -> int:
        """A comment of ours and the fact it belongs to: the next line that is not blank, whatever it looks like."""
        created_ms = times.parse(found[1])
        self.blanked.add(at)
        below = at + 1
        while below < len(self.lines) and not self.content(below).strip():
            below += 1
        if created_ms is None:
            zoned = times.parse(found[1] + "Z") is None
            self.problems.append(
                Problem("R206", at + 1, f"the time {found[1]!r} is no ISO 8601 time")
                if zoned
                else Problem("R211", at + 1, f"the time {found[1]!r} has no zone")
            )
        if below == len(self.lines) or self.is_comment(self.content(below)):
            self.problems.append(Problem("R204", at + 1, f"the comment of {found[2]} has no fact below it"))
            return below
        if below > at + 1:
            self.problems.append(Problem("R204", at + 1, f"blank lines part the comment of {found[2]} from its fact", "info"))
        self._take(below, found[2], created_ms, at)
        return below + 1

    def _take(self, number: int, memo_id: str | None, created_ms: int | None, comment: int | None, marker: int = 0) -> None:
        start, end, block_end = self.lines[number]
        if number == 0:
            start = self.start
        raw = self.text[start:end]
        text = raw[marker:].strip()
        first = start + marker + len(raw[marker:]) - len(raw[marker:].lstrip())
        block_start = start if comment is None else max(self.lines[comment][0], self.start)
        self.blanked.add(number)
        self.facts.append(Fact(memo_id, created_ms, text, number + 1, first, first + len(text), block_start, block_end, _line(comment)))
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
            item = _pattern("item")(line)
            if item and not _pattern("rule")(line):
                if not self._indented_below(at):
                    self._take(at, None, None, None, item.end())
                return
        if len(line.strip()) > _LIMIT or not self._alone(at):
            return
        bare = line.lstrip(" ")
        if len(line) - len(bare) > 3 or first == "\t" or bare[0] in ">|<":
            return
        if any(_pattern(name)(line) for name in ("heading", "reference", "rule", "fence")):
            return
        self._take(at, None, None, None)

    def _indented_below(self, at: int) -> bool:
        below = at + 1
        while below < len(self.lines):
            line = self.content(below)
            if line.strip():
                return line[0] in " \t"
            below += 1
        return False

    def _alone(self, at: int) -> bool:
        return self._parts(at - 1) and self._parts(at + 1)

    def _parts(self, number: int) -> bool:
        """Whether a neighbouring line is none, blank or a comment of ours."""
        if not 0 <= number < len(self.lines):
            return True
        line = self.content(number)
        return not line.strip() or self.is_comment(line) is not None

    def _fence_end(self, at: int, line: str) -> int:
        """The number of the line after a closed fenced code block, 0 where none begins: an unclosed fence hides nothing."""
        found = _pattern("fence")(line)
        if not found:
            return 0
        mark = found[1]
        for number in range(at + 1, len(self.lines)):
            closing = self.content(number)
            bare = closing.strip()
            if bare.startswith(mark) and not bare.strip(mark[0]) and len(closing) - len(closing.lstrip(" ")) <= 3:
                return number + 1
        return 0

    def _almost_ours(self, at: int, line: str) -> None:
        found = _pattern("almost")(line)
        if not found:
            if "[" in line and self.is_comment(line.split("]", 1)[0].rstrip() + "] -->"):
                self.problems.append(Problem("R206", at + 1, "a metadata comment with further text in it", "info"))
            return
        if times.parse(found[1]) is not None:
            self.problems.append(Problem("R206", at + 1, f"{found[2]!r} is no memo ID (eight lowercase hexadecimal digits)"))

    def _duplicates(self) -> None:
        seen: dict[str, Fact] = {}
        for fact in self.facts:
            if fact.id is None:
                continue
            other = seen.setdefault(fact.id, fact)
            if other is not fact:
                how = "the same text" if other.text == fact.text else "another text"
                self.problems.append(Problem("R208", fact.line, f"the ID {fact.id} stands in line {other.line} too, with {how}"))

    def _prose(self) -> str:
        kept = []
        for number, (start, end, after) in enumerate(self.lines):
            if number in self.blanked:
                kept.append("\n" if after > end else "")
            else:
                kept.append(self.text[max(start, self.start) : after])
        prose = "".join(kept)
        return prose if prose.strip() else ""


def _line(number: int | None) -> int | None:
    return None if number is None else number + 1


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
