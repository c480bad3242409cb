"""Mended texts: headers that miss a line, values without quotes, comments without a fact; every other byte stays."""

from __future__ import annotations

from remember._named import NamedTuple
from remember.format import facts as grammar
from remember.format import frontmatter, ids, notes, times
from remember.format.spans import Edit, apply, lines, newline_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection

__all__ = ["Known", "mend_facts", "mend_note"]

_AMBIGUOUS = "R305"


class Known(NamedTuple):
    """What is put in where a note does not say it: a description, times (ms), and what draws a new ID.

    `claim` takes an ID for the note where no memo has it, and says whether it did.
    """

    description: str
    created_ms: int
    modified_ms: int
    draw: Callable[[], str]
    claim: Callable[[str], bool]


def mend_note(text: str, codes: Collection[str], known: Known) -> tuple[str, list[tuple[str, str]]]:
    """The text with these codes mended, and what was done as (code, sentence); the text as it is where nothing can be."""
    done: list[tuple[str, str]] = []
    header = notes.parse(text).header
    if not header.present:
        if "R301" in codes and text.strip():
            return _with_header(text, known), [("R301", "puts a header before the text")]
        return text, done
    if header.broken:
        return text, done
    if "R304" in codes:
        text = _fields(text, known, done)
    if "R308" in codes:
        text = _memo_id(text, known, done)
    if _AMBIGUOUS in codes:
        text = _quoted(text, done)
    return text, done


def _with_header(text: str, known: Known) -> str:
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    body = text.removeprefix("\ufeff")
    whole = notes.render(known.description, known.draw(), known.created_ms, "", newline_of(text))
    head = whole.removesuffix(newline_of(text))
    parsed = notes.parse(head)
    head = apply(head, [frontmatter.set_value(head, parsed.header, "last-modified-date", times.show(known.modified_ms))])
    return mark + head + body


def _fields(text: str, known: Known, done: list[tuple[str, str]]) -> str:
    for key in frontmatter.KNOWN:
        note = notes.parse(text)
        field = note.header.get(key)
        if field is not None and (field.value.strip() or field.nested):
            continue
        created = known.created_ms if note.created_ms is None else note.created_ms
        values = {
            "description": known.description,
            "memory-id": "",
            "created-date": times.show(created),
            "last-modified-date": times.show(max(created, known.modified_ms)),
        }
        value = values[key] or known.draw()
        text = apply(text, [frontmatter.set_value(text, note.header, key, value)])
        done.append(("R304", f"{'adds' if field is None else 'fills in'} the field {key}"))
    return text


def _memo_id(text: str, known: Known, done: list[tuple[str, str]]) -> str:
    header = notes.parse(text).header
    field = header.get("memory-id")
    if field is None or field.nested or not field.value.strip() or ids.is_id(field.value.strip()):
        return text
    lower = field.value.strip().lower()
    kept = ids.is_id(lower) and known.claim(lower)
    done.append(("R308", "writes the ID in lower case" if kept else "gives the note a new ID"))
    return apply(text, [frontmatter.set_value(text, header, "memory-id", lower if kept else known.draw())])


def _quoted(text: str, done: list[tuple[str, str]]) -> str:
    wrong = {p.line for p in notes.problems(text, 1 << 62) if p.code == _AMBIGUOUS}
    header = notes.parse(text).header
    edits = []
    for field in header.fields:
        if field.line in wrong and not field.nested and not field.quoted:
            edits.append(frontmatter.set_value(text, header, field.key, field.value))
            done.append((_AMBIGUOUS, f"puts the value of {field.key} in quotes"))
    return apply(text, edits)


def mend_facts(
    text: str, codes: Collection[str], draw: Callable[[], str], now_ms: int, says: Callable[[str], str | None]
) -> tuple[list[tuple[Edit, str | None]], list[tuple[str, int, str]]]:
    """Edits with the IDs of their memos, and what they do as (code, line, sentence).

    `says` gives the ID in the header of the note at a path, None where it has none.
    """
    parsed = grammar.parse(text)
    spans = lines(text)
    edits: list[tuple[Edit, str | None]] = []
    done: list[tuple[str, int, str]] = []
    for problem in parsed.problems:
        if problem.code == "R204" and "R204" in codes and problem.severity != "info":
            start, _, after = spans[problem.line - 1]
            edits.append((Edit(1 if start == 0 and text.startswith("\ufeff") else start, after, ""), None))
            done.append(("R204", problem.line, "takes out the comment that has no fact"))
    first: dict[str, str] = {}
    for fact in parsed.facts:
        if fact.id is None:
            if "R205" in codes:
                start = max(spans[fact.line - 1][0], 1 if text.startswith("\ufeff") else 0)
                comment = f"<!-- {times.fact_stamp(now_ms)} [{draw()}] -->{newline_of(text)}"
                edits.append((Edit(start, fact.start, comment), None))
                done.append(("R205", fact.line, "gives the fact an ID"))
        elif first.setdefault(fact.id, fact.text) == fact.text and "R208" in codes and _again(parsed, fact):
            edits.append((grammar.remove(text, fact), None))
            done.append(("R208", fact.line, f"takes out the second copy of {fact.id}"))
        elif "R210" in codes and fact.text.startswith("#note [[") and says(_target(fact.text)) == fact.id:
            edits.append((grammar.remove(text, fact), None))
            done.append(("R210", fact.line, f"takes out the reference to {_target(fact.text)}, which says the same itself"))
    return _joined(edits), done


def _again(parsed: grammar.Facts, fact: grammar.Fact) -> bool:
    """Whether an earlier fact has the same ID and text."""
    return any(other.id == fact.id and other.text == fact.text and other.start < fact.start for other in parsed.facts)


def _target(text: str) -> str:
    return text[len("#note [[") :].partition("]]")[0]


def _joined(edits: list[tuple[Edit, str | None]]) -> list[tuple[Edit, str | None]]:
    """The edits in order, those that meet made one."""
    joined: list[tuple[Edit, str | None]] = []
    for edit, memo_id in sorted(edits):
        if joined and joined[-1][0].end >= edit.start:
            last = joined[-1][0]
            joined[-1] = (Edit(last.start, max(last.end, edit.end), last.text + edit.text), None)
        else:
            joined.append((edit, memo_id))
    return joined
