"""The legacy format as it was: note references in `MEMORY.md`, and notes that begin with a comment in place of a header."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import UTC, datetime

TYPE_CHECKING = False

__all__ = ["Converted", "Reference", "convert", "fact_ids", "header_of", "is_legacy_note", "references", "without_references"]

_STAMP = r"<!--[ \t]+(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d))(?:[ \t]+\[([0-9a-f]{8})\])?[ \t]+-->"
_COMMENT = re.compile(_STAMP + r"[ \t]*")
_REFERENCE = re.compile(r"#note[ \t]+\[\[([^\[\]\n]*(?:/|\.md)[^\[\]\n]*)\]\](.*)")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")
_HEADING = re.compile(r"#[ \t]+(\S.*?)[ \t]*(?:[ \t]#+)?[ \t]*")
_FIELD = re.compile(r"([A-Za-z][\w-]*)[ \t]*:(?:[ \t]+(.*))?")
_KNOWN = ("description", "memory-id", "created-date", "last-modified-date")
if TYPE_CHECKING:
    _Entry = tuple[int, int, str, tuple[int, int, re.Match[str]] | None]
_CLOCK_SLACK_MS = 60_000
"""A reference and the note it names were written one after the other: so far their times may lie apart."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference: `line` is 1-based, `start` and `end` the offsets of its line, `comment` those of the comment above it."""

    path: str
    description: str
    id: str | None
    created_ms: int | None
    line: int
    start: int
    end: int
    comment: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class Converted:
    """A note in the new format, with its ID (None where it had a header and has none) and the rules by which values were inferred."""

    text: str
    id: str | None
    rules: tuple[str, ...] = ()


def _moment(text: str) -> int | None:
    try:
        value = datetime.fromisoformat(text)
        return None if value.tzinfo is None else int(value.astimezone(UTC).timestamp() * 1000)
    except (ValueError, OverflowError):
        return None


def _shown(ms: int) -> str:
    whole, rest = divmod(ms, 1000)
    return datetime.fromtimestamp(whole, UTC).strftime("%Y-%m-%dT%H:%M:%S") + f".{rest:03d}Z"


def _rows(text: str) -> list[tuple[int, int, str]]:
    """(start, end with the line end, line without it) of every line."""
    rows, at = [], 0
    for piece in text.split("\n"):
        end = min(at + len(piece) + 1, len(text))
        if end > at:
            rows.append((at, end, piece.removesuffix("\r")))
        at = end
    return rows


def _entries(text: str) -> list[_Entry]:
    """Every line outside fenced code with the metadata comment above it (blank lines between them do not part them)."""
    rows = _rows(text)
    bare = [line.removeprefix("\ufeff") if number == 0 else line for number, (_, _, line) in enumerate(rows)]
    stamps = [_stamp(line) for line in bare]
    closers = _closers(bare, stamps)
    found: list[_Entry] = []
    comment: tuple[int, int, re.Match[str]] | None = None
    after = 0
    for number, (start, end, line) in enumerate(rows):
        if number < after or not bare[number].strip():
            continue
        stamp = stamps[number]
        if stamp:
            comment = (start + len(line) - len(bare[number]), end, stamp)
            continue
        fence = _FENCE.fullmatch(bare[number])
        # The line below a comment of ours is a fact whatever it looks like, and a fence that is never closed hides nothing.
        if fence and comment is None and not (fence[1][0] == "`" and "`" in fence[2]):
            after = next((at + 1 for at, mark in closers if at > number and mark.startswith(fence[1])), 0)
            if after:
                continue
        found.append((start, end, line, comment))
        comment = None
    return found


def _stamp(line: str) -> re.Match[str] | None:
    match = _COMMENT.fullmatch(line)
    return match if match and _moment(match[1]) is not None else None


def _closers(lines: list[str], stamps: list[re.Match[str] | None]) -> list[tuple[int, str]]:
    """(number, marks) of the lines that can close fenced code; one right below a comment of ours cannot."""
    found = []
    barred = False
    for number, line in enumerate(lines):
        fence = _FENCE.fullmatch(line)
        if fence and not fence[2].strip() and not barred:
            found.append((number, fence[1]))
        if line.strip():
            barred = stamps[number] is not None
    return found


def references(text: str) -> list[Reference]:
    """Every note reference outside fenced code, in the order of the text."""
    found = []
    numbers = {start: number for number, (start, _, _) in enumerate(_rows(text), 1)}
    for start, end, line, comment in _entries(text):
        bare = line.removeprefix("\ufeff") if start == 0 else line
        match = _REFERENCE.fullmatch(bare.rstrip())
        if match:
            first = start + len(line) - len(bare)
            stamp = comment[2] if comment else None
            created = _moment(stamp[1]) if stamp else None
            span = (comment[0], comment[1]) if comment else None
            memo_id = stamp[2] if stamp else None
            found.append(Reference(match[1], " ".join(match[2].split()), memo_id, created, numbers[start], first, end, span))
    return found


def fact_ids(text: str) -> list[tuple[str, int]]:
    """(ID, offset) of every fact that is no reference."""
    mine = {reference.start for reference in references(text)}
    return [(comment[2][2], start) for start, _, _, comment in _entries(text) if comment and comment[2][2] and start not in mine]


def without_references(text: str) -> str:
    """The text without references and their comments; every other byte stays."""
    for reference in reversed(references(text)):
        text = text[: reference.start] + text[reference.end :]
        if reference.comment:
            text = text[: reference.comment[0]] + text[reference.comment[1] :]
    return text


def is_legacy_note(text: str) -> bool:
    """Whether a note's text has no header."""
    return re.match(r"\ufeff?---[ \t\r]*(?:\n|$)", text) is None


def header_of(text: str) -> tuple[dict[str, str], int] | None:
    """The fields of a header and the offset of its closing delimiter; None for a broken one."""
    rows = _rows(text)
    fields: dict[str, str] = {}
    for start, end, line in rows[1:]:
        if line.rstrip() == "---":
            return (fields, start) if len(text[:end].encode("utf-8", "surrogateescape")) <= 16 << 10 else None
        match = _FIELD.fullmatch(line.rstrip())
        if match:
            if match[1] in fields and match[1] in _KNOWN:
                return None
            fields[match[1]] = _scalar((match[2] or "").strip())
        elif line.strip() and line[0] not in " \t#-":
            return None
    return None


def _scalar(value: str) -> str:
    if len(value) > 1 and value[0] == value[-1] == "'":
        return value[1:-1].replace("''", "'")
    if len(value) > 1 and value[0] == value[-1] == '"':
        try:
            return str(json.loads(value, strict=False))
        except ValueError:
            return value[1:-1]
    return value


def convert(text: str, path: str, mtime_ns: int, reference: Reference | None, fresh_id: str) -> Converted:
    """A legacy note with a header, from its reference and from itself; one that has a valid header stays as it is.

    `fresh_id` is for a note without one. Raises ValueError saying what contradicts what.
    """
    if not is_legacy_note(text):
        return _with_header(text, reference, mtime_ns)
    bom = "\ufeff" if text.startswith("\ufeff") else ""
    body = text[len(bom) :]
    rows = _rows(body)
    stamp = _COMMENT.fullmatch(rows[0][2]) if rows else None
    stamped_ms = _moment(stamp[1]) if stamp else None
    given = reference.description if reference else ""
    title = ""
    if stamped_ms is not None:
        body, title = _stripped(body, rows, given)
    own_id = stamp[2] if stamp and stamped_ms is not None else None
    if own_id and reference and reference.id and own_id != reference.id:
        raise ValueError(f"the note says its ID is {own_id}, its reference says {reference.id}")
    referred_ms = reference.created_ms if reference else None
    if stamped_ms is not None and referred_ms is not None and abs(stamped_ms - referred_ms) > _CLOCK_SLACK_MS:
        raise ValueError(f"the note says it was created {_shown(stamped_ms)}, its reference says {_shown(referred_ms)}")
    if not is_legacy_note(body) and any(f"\n{key}:" in body[: body.find("\n---", 3)] for key in _KNOWN):
        raise ValueError("a header follows the generated comment")
    rules = ["modified: mtime"]
    created = referred_ms if referred_ms is not None else stamped_ms
    if created is None:
        created = mtime_ns // 1_000_000
        rules.append("created: mtime")
    description = given or title
    if not description:
        description = _inferred(body, path)
        rules.append("description: heading or file name")
    memo_id = (reference.id if reference else None) or own_id
    if memo_id is None:
        memo_id = fresh_id
        rules.append("id: new")
    newline = "\r\n" if "\r\n" in text else "\n"
    header = _lines(description, memo_id, created, mtime_ns // 1_000_000)
    return Converted(bom + newline.join(["---", *header, "---", ""]) + body, memo_id, tuple(rules))


def _stripped(body: str, rows: list[tuple[int, int, str]], given: str) -> tuple[str, str]:
    """The body without the generated comment, the generated heading and its blank line, and that heading's text."""
    heading = _HEADING.fullmatch(rows[1][2]) if len(rows) > 1 else None
    title = " ".join(heading[1].split()) if heading else ""
    if not title or (given and title != given):
        return body[rows[0][1] :], ""  # a heading that says something else is the author's
    blank = len(rows) > 2 and not rows[2][2].strip()
    return body[rows[2 if blank else 1][1] :], title


def _inferred(body: str, path: str) -> str:
    """A description for a note that nothing describes: its first heading, else its file name without the date."""
    for _, _, line, _ in _entries(body):
        heading = _HEADING.fullmatch(line)
        if heading:
            return " ".join(heading[1].split())
    name = path.rpartition("/")[2].removesuffix(".md").encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    bare = re.sub(r"^\d{4}-\d\d-\d\d-", "", name)
    return " ".join(re.sub(r"[-_\x00-\x1f\x7f]+", " ", bare).split()) or "note"


def _lines(description: str, memo_id: str, created_ms: int, modified_ms: int) -> list[str]:
    clean = "".join(char if char >= " " and not "\x7f" <= char <= "\x9f" else " " for char in description)
    values = (" ".join(clean.split()), memo_id, _shown(created_ms), _shown(modified_ms))
    return [f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in zip(_KNOWN, values, strict=True)]


def _with_header(text: str, reference: Reference | None, mtime_ns: int) -> Converted:
    """A note that has a header: checked against its reference, which fills in only what the header does not say."""
    read = header_of(text)
    if read is None:
        if reference:
            raise ValueError("its header is broken, so what its reference says cannot be put there")
        return Converted(text, None)
    fields, close = read
    memo_id = fields.get("memory-id") or None
    if reference is None:
        return Converted(text, memo_id)
    for what, key, said in (("ID", "memory-id", reference.id), ("description", "description", reference.description)):
        if said and fields.get(key) and " ".join(fields[key].split()) != said:
            raise ValueError(f"the note's header says its {what} is {fields[key]}, its reference says {said}")
    created = _moment(fields.get("created-date", ""))
    if created is not None and reference.created_ms is not None and abs(created - reference.created_ms) > _CLOCK_SLACK_MS:
        raise ValueError(f"the note's header says it was created {_shown(created)}, its reference says {_shown(reference.created_ms)}")
    modified_ms = mtime_ns // 1_000_000
    made_ms = modified_ms if reference.created_ms is None else reference.created_ms
    lines = _lines(reference.description, reference.id or "", made_ms, modified_ms)
    wanted = (reference.description, reference.id, True, True)
    missing = [line for key, line, known in zip(_KNOWN, lines, wanted, strict=True) if known and key not in fields]
    newline = "\r\n" if "\r\n" in text[:close] else "\n"
    added = "".join(line + newline for line in missing)
    rules = ("header: completed from the reference",) if added else ()
    return Converted(text[:close] + added + text[close:], memo_id or reference.id, rules)
