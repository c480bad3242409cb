"""Notes of the native layout: strict when written, kind when read (FORMAT.md, section 3)."""

from __future__ import annotations

from remember._named import NamedTuple
from remember.errors import FormatError
from remember.format import frontmatter, ids, times
from remember.format.problems import Problem, conflicts
from remember.format.spans import Edit, newline_of

__all__ = ["Note", "parse", "problems", "render", "replace_body", "replace_description", "revision_of"]


class Note(NamedTuple):
    """What a note's header says, None where it does not say it readably; the body begins at `body_start`, line `body_line`."""

    description: str | None
    id: str | None
    created_ms: int | None
    modified_ms: int | None
    body_start: int
    body_line: int
    broken: str
    header: frontmatter.Header


def parse(text: str) -> Note:
    """Read a note; without a readable header only the body's place is known."""
    header = frontmatter.read(text)
    if header.broken or not header.present:
        return Note(None, None, None, None, 0, 1, header.broken, header)
    description = _described(text, header)
    memo_id = _value(header, "memory-id")
    created, modified = _value(header, "created-date"), _value(header, "last-modified-date")
    return Note(
        " ".join(description.split()) or None if description else None,
        memo_id if memo_id and ids.is_id(memo_id) else None,
        _instant(created),
        _instant(modified),
        header.body_start,
        header.body_line,
        "",
        header,
    )


def _instant(value: str | None) -> int | None:
    """The time of a field; a date alone is not the format's, but tells the day."""
    if not value:
        return None
    found = times.parse(value)
    return times.parse_day(value) if found is None else found


def _value(header: frontmatter.Header, key: str) -> str | None:
    field = header.get(key)
    return None if field is None or field.nested else field.value.strip()


def _described(text: str, header: frontmatter.Header) -> str | None:
    """The description's text; one that takes several lines is read as one line, since it is knowledge all the same."""
    field = header.get("description")
    if field is None or not field.nested:
        return None if field is None else field.value
    first, _, below = text[field.start : field.end].partition("\n")
    first = first.strip()
    # `>` and `|` with their marks only say how other readers join the lines.
    whole = ("" if first[:1] in ("|", ">") and not first.strip("|>+-0123456789") else first) + "\n" + below
    bare = whole.strip()
    quoted = len(bare) > 1 and bare[0] in "\"'" and bare[-1] == bare[0]
    return bare[1:-1] if quoted else bare


def render(description: str, memo_id: str, created_ms: int, body: str, newline: str = "\n", modified_ms: int | None = None) -> str:
    """A new note: exactly the four fields, quoted, then the body with one line end after it if it has none.

    Line ends of the body become `newline`; a byte order mark before it is dropped. It was changed when it was made, unless
    `modified_ms` tells otherwise.
    """
    stamp = times.show(created_ms)
    changed = stamp if modified_ms is None else times.show(modified_ms)
    head = (
        f"---\ndescription: {frontmatter.quote(description)}\nmemory-id: {frontmatter.quote(memo_id)}\n"
        f"created-date: {frontmatter.quote(stamp)}\nlast-modified-date: {frontmatter.quote(changed)}\n---\n"
    )
    return head.replace("\n", newline) + _ended(_lined(body, newline), newline)


def _lined(body: str, newline: str) -> str:
    """The body with the file's line ends."""
    body = body.lstrip("\ufeff")
    if "\r" not in body and newline == "\n":
        return body
    return newline.join(line.rstrip("\r") for line in body.split("\n"))


def _ended(body: str, newline: str) -> str:
    return body if body.endswith("\n") else body + newline


def _refuse_broken(note: Note, path: str) -> None:
    if note.broken or not note.header.present:
        raise FormatError([(_line_in(note.broken), note.broken or "there is no header")], path)


def replace_body(text: str, note: Note, body: str, modified_ms: int, path: str = "") -> list[Edit]:
    """The edits that give a note another body; [] where it is equal but for white space at its ends.

    Line ends of the new body become the file's; whether the file ends with one stays as it was, and so do blank lines
    between header and body unless the new body begins with some. Raises FormatError for a note without a readable header.
    """
    _refuse_broken(note, path)
    old = text[note.body_start :]
    newline = newline_of(text)
    new = _lined(body, newline)
    if _lined(old, "\n").strip() == _lined(new, "\n").strip():
        return []
    start = note.body_start
    if old.strip() and not new.startswith(("\n", "\r\n")):
        start += len(old) - len(old.lstrip("\r\n"))
    new = new.rstrip("\r\n") if old and not old.endswith("\n") else _ended(new, newline)
    if not old and not text.endswith("\n"):
        new = newline + new  # the closing delimiter was the file's last line, without a line end
    return [_stamp(text, note, modified_ms), Edit(start, len(text), new)]


def _stamp(text: str, note: Note, modified_ms: int) -> Edit:
    return frontmatter.set_value(text, note.header, "last-modified-date", times.show(modified_ms))


def replace_description(text: str, note: Note, description: str, modified_ms: int, path: str = "") -> list[Edit]:
    """The edits that give a note another description; [] where it is the same. Raises FormatError as `replace_body`."""
    _refuse_broken(note, path)
    if note.description == description:
        return []
    return [frontmatter.set_value(text, note.header, "description", description), _stamp(text, note, modified_ms)]


def revision_of(data: bytes) -> str:
    """First 12 hex digits of SHA-256 over a note's bytes."""
    from hashlib import sha256

    return sha256(data).hexdigest()[:12]


def problems(text: str, now_ms: int) -> tuple[Problem, ...]:
    """What is wrong with a note as its text alone shows (codes R301 to R311, R315)."""
    note = parse(text)
    found = conflicts("R311", text)
    header = note.header
    if not header.present:
        found.append(_no_header(text))
    elif header.broken:
        code = "R303" if "second header" in header.broken else "R306" if "twice" in header.broken else "R302"
        found.append(Problem(code, _line_in(header.broken), header.broken))
    else:
        found += _field_problems(header)
        found += _date_problems(note, now_ms)
    return tuple(sorted(found, key=lambda p: (p.line, p.code)))


def _line_in(reason: str) -> int:
    digits = "".join(char if char.isdigit() else " " for char in reason.replace("16 KiB", "")).split()
    return int(digits[0]) if digits else 1


def _no_header(text: str) -> Problem:
    for number, line in enumerate(text.split("\n")[:12], 1):
        if number > 1 and line.startswith("memory-id:"):
            return Problem("R315", number, "this looks like a header that does not begin at the file's first byte")
    return Problem("R301", 1, "there is no header")


def _field_problems(header: frontmatter.Header) -> list[Problem]:
    found = []
    for key in frontmatter.KNOWN:
        field = header.get(key)
        if field is None or (not field.value.strip() and not field.nested):
            found.append(
                Problem("R304", 1 if field is None else field.line, f"the field {key} is {'missing' if field is None else 'empty'}")
            )
        elif key == "memory-id" and not ids.is_id(field.value.strip()):
            found.append(Problem("R308", field.line, f"{field.value.strip()!r} is no memo ID (eight lowercase hexadecimal digits)"))
        elif not field.quoted and _ambiguous(field.value.strip()):
            found.append(Problem("R305", field.line, f"other readers of YAML take {key} for something else than text; it is not quoted"))
    for field in header.fields:
        if field.key not in frontmatter.KNOWN:
            found.append(Problem("R307", field.line, f"the field {field.key} is not one of the format's"))
    return found


def _ambiguous(value: str) -> bool:
    """Whether YAML 1.1 or 1.2 would make a number, date, boolean or null of an unquoted scalar."""
    low = value.lower()
    if low in ("true", "false", "yes", "no", "on", "off", "y", "n", "null", "~", ".nan", ".inf", "-.inf", "+.inf"):
        return True
    digits = low.replace("_", "").lstrip("+-")
    if not digits or not (digits[0].isdigit() or digits[0] == "."):
        return False
    bare = digits.replace(".", "").replace("e", "").replace("+", "").replace("-", "").replace(":", "").replace("t", "").replace("z", "")
    if digits.startswith(("0x", "0o", "0b")):
        return digits[2:].isalnum()
    return bare.replace(" ", "").isdigit()


def _date_problems(note: Note, now_ms: int) -> list[Problem]:
    found = []
    for key, value in (("created-date", note.created_ms), ("last-modified-date", note.modified_ms)):
        field = note.header.get(key)
        if field is None or not field.value.strip():
            continue
        if times.parse(field.value.strip()) is None or value is None:
            found.append(Problem("R309", field.line, f"{key} is not ISO 8601 with a zone"))
        elif value > now_ms + 86_400_000:
            found.append(Problem("R309", field.line, f"{key} lies in the future"))
    if note.created_ms is not None and note.modified_ms is not None and note.modified_ms < note.created_ms:
        field = note.header.get("last-modified-date")
        assert field is not None
        found.append(Problem("R309", field.line, "it was modified before it was created"))
    return found
