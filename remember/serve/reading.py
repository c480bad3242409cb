"""The tools that read: search, read, status, check."""

from __future__ import annotations

from remember.documents import hit_document, memo_document, search_document
from remember.errors import RefusedInput
from remember.format.counts import counted
from remember.serve import texts
from remember.serve.answer import Answer, answer_of
from remember.serve.bounds import (
    HEAD_BYTES,
    LIST_BYTES,
    LIST_LINES,
    WHOLE_BYTES,
    WHOLE_LINES,
    brief_row,
    clean,
    cut_lines,
    few,
    fitting,
    size,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.memory.served import Caller
    from remember.model import Hit, Memo, Shown
    from remember.serve.arguments import Given

    Document = dict[str, object]

__all__ = ["check", "read", "search", "status"]

_HEAD_LINES = 12
_LIMIT = 20


def search(caller: Caller, given: Given) -> Answer:
    """Ranked hits within the bounds of a listing."""
    served = caller.reading(given.text("root"), given.text("scope"))
    limit = given.count("limit")
    limit = _LIMIT if limit is None else limit
    result = served.memory.search(
        given.needed("query"),
        limit=limit,
        kind=given.text("kind"),
        tags=given.texts("tag"),
        since=given.text("since") or None,
    )
    hits = [_hit(hit) for hit in result.hits]
    head = brief_row({"query": result.query})
    room = LIST_BYTES - HEAD_BYTES - size(head)
    kept = fitting(hits, lambda hit: size(hit) + 1, lambda hit: 1 if hit["kind"] == "fact" else 2, room)
    document = search_document(result._replace(hits=(), truncated=result.truncated or kept < len(hits)))
    document.update(head, hits=hits[:kept], warnings=few([*served.warnings, *result.warnings, *result.remarks]))
    if document["truncated"]:
        more = f"raise limit (it was {limit}), or " if kept == len(hits) else ""
        document["rest"] = f"{result.total - kept} more were found; {more}narrow it with further words, kind, tag or since."
    return answer_of(document, texts.search_text)


def _hit(hit: Hit) -> Document:
    """A hit; its highlights are gone where masking has moved the snippet's characters."""
    document = hit_document(hit)
    cleaned = clean(brief_row(document))
    assert isinstance(cleaned, dict)
    if cleaned["snippet"] != document["snippet"]:
        cleaned["highlights"] = []
    return cleaned


def read(caller: Caller, given: Given, narrower: str = "query, or use memory_search") -> Answer:
    """One memo whole, or the catalogue; `narrower` is what the tool's user has against a catalogue that is cut."""
    named = [name for name in ("id", "path", "query") if given.text(name)]
    if len(named) > 1:
        raise RefusedInput(f"memory_read takes one of id, path and query, not {' and '.join(named)}", "give one of them, or none for all")
    served = caller.reading(given.text("root"), given.text("scope"))
    address = given.text("id") or given.text("path")
    if address:
        document = _whole(served.memory.show(address), _line_in(given.text("path")))
        document["warnings"] = few([*served.warnings, *_texts(document["warnings"])])
        return answer_of(document, texts.memo_text)
    found = served.memory.list(match=given.text("query") or None, limit=LIST_LINES)
    memos = [clean(brief_row(memo_document(memo))) for memo in found.memos]
    kept = fitting(memos, lambda memo: size(memo) + 1, lambda _: 1, LIST_BYTES - HEAD_BYTES)
    rest = "" if kept == found.total else f"not shown: {found.total - kept} more; narrow it with {narrower}."
    listing: Document = {
        "memos": memos[:kept],
        "total": found.total,
        "truncated": kept < found.total,
        "warnings": few([*served.warnings, *found.warnings, *found.remarks]),
        "stores": [{"store": s.store, "memos": s.memos, "refreshed": s.refreshed} for s in found.stores],
    }
    if rest:
        listing["rest"] = rest
    return answer_of(listing, texts.list_text)


def _texts(value: object) -> list[str]:
    return [str(item) for item in value] if isinstance(value, list) else []


def _line_in(path: str | None) -> int:
    """The line in `notes/x.md:LINE`; 0 without one."""
    _, colon, number = (path or "").rpartition(":")
    return int(number) if colon and number.isascii() and number.isdigit() and len(number) < 10 else 0


def _whole(shown: Shown, line: int) -> Document:
    """A memo with its content from a line of its file on, as far as it fits, and how to get the rest."""
    content, first = shown.content, shown.content_line
    if line > first and shown.memo.kind != "fact":
        content = "\n".join(content.split("\n")[line - first :])
        first = line
    cleaned = clean(content)
    assert isinstance(cleaned, str)
    row = brief_row(memo_document(shown.memo))
    text, left = cut_lines(cleaned, WHOLE_BYTES - HEAD_BYTES - size(row), WHOLE_LINES - _HEAD_LINES)
    document: Document = {**row, "content": text, "revision": shown.revision, "warnings": list(shown.warnings)}
    document["truncated"] = left > 0
    if left:
        document["rest"] = _rest(shown, first, text, left)
    return document


def _rest(shown: Shown, first: int, text: str, left: int) -> str:
    """How to get what is left of a memo, of which `text` is shown from the line `first` on."""
    memo = shown.memo
    after = first + text.count("\n")
    if memo.kind == "fact" or left == shown.content.count("\n") + (not shown.content.endswith("\n")) - (first - shown.content_line):
        whole = f"line {first} is cut: {_command(memo, f'{first}:{first}')} shows it whole"
        if left == 1:
            return whole
        return f"{whole}; {counted(left - 1, 'more line')}: {_next(memo, after)}"
    return f"{counted(left, 'more line')}: {_next(memo, after)}"


def _next(memo: Memo, line: int) -> str:
    return f"memory_read path {memo.path}:{line}" if memo.kind == "note" else _command(memo, f"{line}:")


def _command(memo: Memo, lines: str) -> str:
    from shlex import quote

    store = "" if memo.store in ("local", "global") else f" --store {quote(memo.store)}"
    named = quote(memo.place) if memo.kind == "fact" else f"{quote(memo.path)} --lines {lines}"
    return f"`remember show {named}{store}`"


def status(caller: Caller, given: Given) -> Answer:
    """Every store's place, counts and state."""
    rows, warnings = caller.states(given.text("root"))
    return answer_of({"stores": rows, "warnings": list(warnings)}, texts.status_text)


def check(caller: Caller, given: Given) -> Answer:
    """Findings, as many as fit."""
    from remember.memory.checking import check_output

    served = caller.reading(given.text("root"), given.text("scope"))
    checked = served.memory.check()
    document = check_output(checked, "json")[0]
    assert isinstance(document, dict)
    findings = [brief_row(row) for row in document.get("findings", []) if isinstance(row, dict)]
    stores = [{"store": ref.name, "path": ref.path} for ref in checked.stores]
    kept = fitting(findings, lambda row: size(row) + 1, lambda _: 1, LIST_BYTES - HEAD_BYTES - size(stores))
    found: Document = {
        "findings": findings[:kept],
        "total": len(findings),
        "truncated": kept < len(findings),
        "stores": stores,
        "warnings": few([*served.warnings, *checked.warnings]),
        "exit_status": checked.exit_status,
    }
    if kept < len(findings):
        found["rest"] = f"{counted(len(findings) - kept, 'more finding')}; `remember check` says all, scope narrows it."
    return answer_of(found, texts.check_text)
