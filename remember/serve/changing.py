"""The tools that change memory: write, store, update, forget, restore, init."""

from __future__ import annotations

from remember.documents import change_document, memo_document
from remember.errors import Duplicate, NotFound, RefusedInput
from remember.serve import texts
from remember.serve.answer import Answer, answer_of
from remember.serve.bounds import HEAD_BYTES, LIST_BYTES, brief, brief_row, few, fitting, size
from remember.serve.elision import check_whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from remember.memory import Memory
    from remember.memory.served import Caller
    from remember.model import Change, Memo
    from remember.serve.arguments import Given

    Document = dict[str, object]

__all__ = ["changed", "forget", "forgotten", "init", "restore", "store", "update", "write"]

_NAMED = 20


def changed(change: Change, warnings: Sequence[str] = (), more: Document | None = None) -> Answer:
    """What a change did, with what else is to be told."""
    document = {**change_document(change), **(more or {})}
    document["warnings"] = few([*warnings, *change.warnings])
    return answer_of(document, texts.change_text)


def write(caller: Caller, given: Given) -> Answer:
    """Store a fact."""
    served = caller.writing(given.text("root"), given.text("scope"))
    return changed(served.memory.add(given.needed("content"))[0], served.warnings)


def store(caller: Caller, given: Given) -> Answer:
    """Store a note, or replace the one with its description."""
    served = caller.writing(given.text("root"), given.text("scope"))
    memory, content = served.memory, given.needed("content")
    if memory.around.one().layout == "zcode":
        return changed(_put(memory, given, content), served.warnings)
    warnings = [*served.warnings, *(["type is kept by zcode stores only"] if given.text("type") else [])]
    try:
        return changed(memory.note(given.needed("title"), content, slug=given.text("slug") or None), warnings)
    except Duplicate as error:
        if given.text("mode") == "upsert" and error.is_note:
            return changed(_replace(memory, error.memo, content, None, False), warnings)
        document: Document = {"changed": False, "kind": "note", "duplicate_of": error.memo, "hint": f"{error.message}; {error.hint}"}
        return answer_of({**document, "warnings": warnings}, texts.change_text)


def _put(memory: Memory, given: Given, content: str) -> Change:
    """Store a fact file, or with `mode: upsert` replace that of its name by a text that leaves nothing out. Raises Elided."""
    from remember.memory.changing import with_terms
    from remember.memory.noting import Draft, named_note, put_note

    draft = Draft(given.needed("title"), content, given.text("slug"), given.text("type") or "", given.text("mode") == "upsert")
    present = named_note(memory.around, draft) if draft.upsert else None
    if present is not None:
        check_whole(present.content, content)
    return put_note(memory.around, draft, with_terms())


def update(caller: Caller, given: Given) -> Answer:
    """Replace a memo's text."""
    root, address = given.text("root"), given.needed("id")
    served = caller.writing(root, given.text("scope"))
    try:
        change = _replace(served.memory, address, given.needed("content"), given.text("revision") or None, given.flag("confirm"))
    except NotFound as error:
        raise (error if given.text("scope") else caller.elsewhere(error, root, address)) from None
    return changed(change, served.warnings)


def _replace(memory: Memory, address: str, content: str, revision: str | None, confirmed: bool) -> Change:
    """Update a memo that is still as it was when the new text was compared with it. Raises Elided."""
    shown = memory.show(address)
    if not confirmed and (revision is None or revision == shown.revision):
        check_whole(shown.content, content)
    return memory.update(address, content, if_revision=revision)


def forget(caller: Caller, given: Given) -> Answer:
    """Remove memos; several only when that is confirmed."""
    root, text, memo_id = given.text("root"), given.text("text"), given.text("id")
    if (text is None) == (memo_id is None):
        raise RefusedInput("memory_forget takes either text or id", "give one of them")
    served = caller.writing(root, given.text("scope"))
    confirmed = given.flag("confirm")

    def agreed(memos: Sequence[Memo]) -> bool:
        return confirmed or len(memos) == 1

    named, by = (memo_id, "id") if memo_id is not None else (str(text), "text")
    try:
        memos, changes = served.memory.forget(named, by=by, agreed=agreed)
    except NotFound as error:
        raise (error if given.text("scope") or by == "text" else caller.elsewhere(error, root, named)) from None
    if changes is None:
        places = ", ".join(memo.id or memo.place for memo in memos[:_NAMED]) + (" …" if len(memos) > _NAMED else "")
        raise RefusedInput(f"{named!r} means {len(memos)} memos ({places}); nothing was forgotten", "pass confirm: true, or name one by id")
    return forgotten(memos, changes, served.warnings)


def forgotten(memos: Sequence[Memo], changes: Sequence[Change], warnings: Sequence[str]) -> Answer:
    """What was removed, as many as fit."""
    gone = [brief_row(memo_document(memo)) for memo in memos]
    done = [change_document(change) for change in changes]
    kept = fitting(list(zip(gone, done, strict=True)), lambda pair: size(pair), lambda _: 1, LIST_BYTES - HEAD_BYTES)
    document: Document = {
        "memos": gone[:kept],
        "changes": done[:kept],
        "recovery_ids": list(dict.fromkeys(c.recovery_id for c in changes if c.recovery_id)),
        "warnings": few([*warnings, *_cut(kept, len(gone)), *(w for c in changes for w in c.warnings)]),
    }
    return answer_of(document, texts.forget_text)


def restore(caller: Caller, given: Given) -> Answer:
    """Undo one change."""
    served = caller.reading(given.text("root"), given.text("scope"))
    turned = served.memory.restore(given.needed("recoveryId").strip())
    changes = [change_document(change) for change in turned.changes]
    kept = fitting(changes, lambda change: size(change) + 1, lambda _: 1, LIST_BYTES - HEAD_BYTES)
    document: Document = {
        "recovery_id": turned.recovery_id,
        "action": turned.action,
        "summary": brief(turned.summary, 300),
        "state": turned.state,
        "changes": changes[:kept],
        "warnings": few([*served.warnings, *_cut(kept, len(changes)), *turned.warnings]),
    }
    return answer_of(document, texts.restore_text)


def _cut(kept: int, count: int) -> list[str]:
    return [f"only {kept} of the {count} memos are named here; the change is whole"] if kept < count else []


def init(caller: Caller, given: Given) -> Answer:
    """Make the local store; one that was there already is never trusted from here."""
    from remember.setup import Setup

    done = Setup(caller.environ, caller.cwd).init(given.text("root") or caller.root)
    hint = f"it was there already and is not trusted; the user may look at it and run `remember trust add {done.root}`"
    document: Document = {
        "root": done.root,
        "store": done.store,
        "made": done.made,
        "trusted": done.trusted,
        "warnings": [] if done.trusted else [hint],
    }
    return answer_of(document, texts.init_text)
