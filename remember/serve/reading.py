"""The tools that read: search, read, status, check."""

from __future__ import annotations

from remember.documents import hit_document, memo_document, search_document
from remember.errors import RefusedInput
from remember.serve import texts
from remember.serve.answer import Answer, answer_of
from remember.serve.bounds import LIST_BYTES, LIST_LINES, WHOLE_BYTES, WHOLE_LINES, clean, cut_lines, fitting, size

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.memory.served import Caller
    from remember.model import Hit, Shown
    from remember.serve.arguments import Given

    Document = dict[str, object]

__all__ = ["check", "read", "search", "status"]

_HEAD_BYTES = 2000
_HEAD_LINES = 12


def search(caller: Caller, given: Given) -> Answer:
    """Ranked hits within the bounds of a listing."""
    served = caller.reading(given.text("root"), given.text("scope"))
    limit = given.count("limit")
    result = served.memory.search(
        given.needed("query"),
        limit=20 if limit is None else limit,
        kind=given.text("kind"),
        tags=given.texts("tag"),
        since=given.text("since") or None,
    )
    hits = [_hit(hit) for hit in result.hits]
    room = LIST_BYTES - _HEAD_BYTES - size(result.query)
    kept = fitting(hits, lambda hit: size(hit) + 1, lambda hit: 1 if hit["kind"] == "fact" else 2, room)
    document = search_document(result._replace(hits=result.hits[:kept], truncated=result.truncated or kept < len(hits)))
    document["hits"] = hits[:kept]
    document["warnings"] = [*served.warnings, *result.warnings, *result.remarks]
    return answer_of(document, texts.search_text)


def _hit(hit: Hit) -> Document:
    """A hit; its highlights are gone where masking has moved the snippet's characters."""
    document = hit_document(hit)
    cleaned = clean(document)
    assert isinstance(cleaned, dict)
    if cleaned["snippet"] != document["snippet"]:
        cleaned["highlights"] = []
    return cleaned


def read(caller: Caller, given: Given) -> Answer:
    """One memo whole, or the catalogue."""
    named = [name for name in ("id", "path", "query") if given.text(name)]
    if len(named) > 1:
        raise RefusedInput(f"memory_read takes one of id, path and query, not {' and '.join(named)}", "give one of them, or none for all")
    served = caller.reading(given.text("root"), given.text("scope"))
    address = given.text("id") or given.text("path")
    if address:
        document = _whole(served.memory.show(address), _line_in(given.text("path")))
        document["warnings"] = [*served.warnings, *_texts(document["warnings"])]
        return answer_of(document, texts.memo_text)
    found = served.memory.list(match=given.text("query") or None, limit=LIST_LINES)
    memos = [clean(memo_document(memo)) for memo in found.memos]
    kept = fitting(memos, lambda memo: size(memo) + 1, lambda _: 1, LIST_BYTES - _HEAD_BYTES)
    rest = "" if kept == found.total else f"{found.total - kept} more are not shown; narrow it with query, or use memory_search."
    listing: Document = {
        "memos": memos[:kept],
        "total": found.total,
        "truncated": kept < found.total,
        "warnings": [*served.warnings, *found.warnings, *found.remarks],
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
    text, left = cut_lines(cleaned, WHOLE_BYTES - _HEAD_BYTES, WHOLE_LINES - _HEAD_LINES)
    document: Document = {**memo_document(shown.memo), "content": text, "revision": shown.revision, "warnings": list(shown.warnings)}
    document["truncated"] = left > 0
    if left:
        at = first + text.count("\n")
        document["rest"] = f"{left} more lines: " + (
            f"memory_read path {shown.memo.path}:{at}" if shown.memo.kind == "note" else f"remember show {shown.memo.path} --lines {at}:"
        )
    return document


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
    findings = [row for row in document.get("findings", []) if isinstance(row, dict)]
    stores = [{"store": ref.name, "path": ref.path} for ref in checked.stores]
    kept = fitting(findings, lambda row: size(row) + 1, lambda _: 1, LIST_BYTES - _HEAD_BYTES - size(stores))
    return answer_of(
        {
            "findings": findings[:kept],
            "total": len(findings),
            "truncated": kept < len(findings),
            "stores": stores,
            "warnings": [*served.warnings, *checked.warnings],
            "exit_status": checked.exit_status,
        },
        texts.check_text,
    )
