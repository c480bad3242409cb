"""Gives a note's file another name, its links following, or moves a memo to the other scope."""

from __future__ import annotations

from contextlib import ExitStack

from remember.change import address, duplicates
from remember.change.add import new_id, unchanged
from remember.change.forget import removal
from remember.change.lines import append_items, line_items
from remember.change.locate import note_in
from remember.change.relink import Renaming, linking_files, stem, undated
from remember.change.target import FACTS, fresh, writer
from remember.errors import ChangedOutside, Conflict, Duplicate, NotFound, PathTaken, RefusedInput
from remember.files.atomic import LIMIT_BYTES, NotDurable
from remember.format import facts as grammar
from remember.format import notes, slugs, spans
from remember.format.times import fact_stamp
from remember.model import Change
from remember.store.commit import TRIES, FileEdit, Plan, Writer, file_item
from remember.store.read import Reader
from remember.store.records import DONE, Record, RenameItem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from remember.change.target import Target, Terms
    from remember.model import Memo
    from remember.store.commit import View
    from remember.store.records import Item

__all__ = ["move", "rename"]


def rename(targets: Sequence[Target], named: str, slug: str, terms: Terms) -> Change:
    """Give a note's file another slug; the date before it stays, and links to it by its name in this store follow.

    Raises NotFound, Ambiguous, RefusedInput for a fact or a bad slug, ChangedOutside, Locked, StoreError.
    """
    index, memo = address.find(fresh(targets), named)
    target = next(t for t in targets if t.index is index)
    _native(target)
    slugs.check(slug)
    if memo.kind != "note":
        raise RefusedInput(f"{memo.place} is no note, so it has no file name of its own", "`remember update` changes a fact's text")
    with writer(target, terms) as store:
        made = store.commit(lambda view: _rename_plan(view, target, memo, slug, terms), "move")
    change: Change = made.result  # type: ignore[assignment]
    return change._replace(recovery_id=made.recovery_id)


def _native(target: Target) -> None:
    if target.ref.layout != "remember":
        raise RefusedInput(
            f"store {target.ref.name} has the layout {target.ref.layout}, whose memos are not moved",
            "`remember import` brings them into a store of this program's own",
        )


def _rename_plan(view: View, target: Target, memo: Memo, slug: str, terms: Terms) -> Plan:
    target.index.refresh()
    data, _, note = note_in(view, memo)
    new = _new_path(view, memo, slug, note.created_ms, terms.now_ms)
    if new == memo.path:
        return Plan((), (), unchanged(memo))
    renaming = Renaming(memo.path, new, _alone(target, memo))
    edits: list[FileEdit] = []
    items: list[Item] = []
    for path in linking_files(target.index, memo.path):
        present = view.read(path)
        if present is None:
            continue
        text = spans.decode(present)
        found = list(renaming.edits(text, path))
        if found and path == FACTS:
            after, lines = line_items(path, text, _whole_facts(text, found))
            edits.append(FileEdit(path, after))
            items += lines
        elif found:
            edit = FileEdit(path, spans.encode(spans.apply(text, found)))
            edits.append(edit)
            items.append(file_item(view, edit))
    from hashlib import sha256

    edits.append(FileEdit(memo.path, None, to=new))
    items.append(RenameItem(memo.path, new, len(data), sha256(data).hexdigest()))
    change = Change(True, "note", memo.scope, memo.store, memo.id, new, 1, revision=notes.revision_of(data))
    return Plan(tuple(edits), tuple(items), change, f"{memo.path} -> {new}")


def _whole_facts(text: str, edits: Sequence[spans.Edit]) -> list[tuple[spans.Edit, str | None]]:
    """Edits inside facts as edits of the facts' whole texts, which can be found again by memo ID; others as they are."""
    whole: list[tuple[spans.Edit, str | None]] = []
    rest = list(edits)
    for fact in grammar.parse(text).facts:
        inside = [edit for edit in rest if fact.start <= edit.start and edit.end <= fact.end]
        if inside:
            shifted = [spans.Edit(e.start - fact.start, e.end - fact.start, e.text) for e in inside]
            whole.append((grammar.replace_text(text, fact, spans.apply(fact.text, shifted)), fact.id))
            rest = [edit for edit in rest if edit not in inside]
    return whole + [(edit, None) for edit in rest]


def _new_path(view: View, memo: Memo, slug: str, created_ms: int | None, now_ms: int) -> str:
    folder = memo.path[: len(memo.path) - len(memo.path.rpartition("/")[2])]
    old = stem(memo.path)
    dated = undated(old) != old
    number = 1
    while True:
        name = slugs.file_name(created_ms if created_ms is not None else now_ms, slug, number)
        path = folder + (old[:11] + name[11:] if dated else name)
        if path == memo.path or not view.exists(path):
            return path
        number += 1


def _alone(target: Target, memo: Memo) -> bool:
    """Whether no other note has the same name without its date."""
    name = undated(stem(memo.path)).casefold()
    return not any(
        other.path != memo.path and name in (undated(stem(other.path)).casefold(), (other.description or "").casefold())
        for other in target.index.all()
        if other.kind == "note"
    )


def move(targets: Sequence[Target], named: str, to: Target, terms: Terms) -> Change:
    """Move a memo to another store with its ID, dates and bytes; links to it stay and are named in warnings.

    Each store gets a recovery record; undoing either undoes both. Raises NotFound, Ambiguous, Conflict for an ID that is in
    use there, Duplicate, ChangedOutside, Locked, StoreError.
    """
    indexes = fresh(targets)
    try:
        index, memo = address.find(indexes, named)
    except NotFound:
        # Looked for there last: a place like MEMORY.md:2 means the store it is to leave.
        try:
            return unchanged(address.find(fresh([to]), named)[1])
        except NotFound:
            raise address.nothing([*indexes, to.index], named) from None
    source = next(t for t in targets if t.index is index)
    _native(source)
    if source.ref.path == to.ref.path:
        return unchanged(memo)
    if memo.kind == "text":
        raise RefusedInput(f"{memo.path} holds text that is no memo of its own", "name a fact by its line")
    linking = _linking(source, memo) if memo.kind == "note" else []
    with ExitStack() as stack:
        locks = {t.ref.path: stack.enter_context(writer(t, terms)) for t in sorted((source, to), key=lambda t: t.ref.path)}
        change = _across(source, locks[source.ref.path], to, locks[to.ref.path], memo, terms)
    return change._replace(warnings=tuple(f"{path} in {source.ref.name} still links to it" for path in linking))


def _linking(source: Target, memo: Memo) -> list[str]:
    """Paths of the files that link to a note by its file's name."""
    links = Renaming(memo.path, memo.path, _alone(source, memo))
    found = []
    with Reader(source.ref.path, source.index.layout.rules, LIMIT_BYTES) as reader:
        for path in linking_files(source.index, memo.path):
            read = reader.read(path)
            if read is not None and any(links.edits(spans.decode(read.data), path)):
                found.append(path)
    return found


def _across(source: Target, out_store: Writer, to: Target, in_store: Writer, memo: Memo, terms: Terms) -> Change:
    for attempt in range(1, TRIES + 1):
        out_view, in_view = out_store.view(), in_store.view()
        out = removal(out_view, source, [memo])
        into = _arrival(in_view, out_view, source, to, memo, terms)
        names = [store.journal.new_id(terms.now_ms, terms.bits, False) for store in (out_store, in_store)]
        leaving = Record(names[0], "move-out", terms.now_ms, out.summary, DONE, out.items, names[1])
        coming = Record(names[1], "move-in", terms.now_ms, out.summary, DONE, into.items, names[0])
        in_store.journal.save(coming)
        try:
            out_store.journal.save(leaving)
        except BaseException:
            in_store.drop_record(coming)
            raise
        try:
            _write_both(out_store, out_view, out, in_store, in_view, into)
        except NotDurable:
            raise
        except BaseException as error:
            if not getattr(error, "half_done", False):
                out_store.drop_record(leaving)
                in_store.drop_record(coming)
                if attempt < TRIES and isinstance(error, ChangedOutside | PathTaken):
                    continue
            raise
        change: Change = into.result  # type: ignore[assignment]
        return change._replace(recovery_id=names[0])
    raise AssertionError("unreachable")


def _write_both(out_store: Writer, out_view: View, out: Plan, in_store: Writer, in_view: View, into: Plan) -> None:
    """First out, then in: a kill between the two leaves a memo that `undo` brings back, never two of one ID."""
    late: NotDurable | None = None
    try:
        out_store.write(out_view, out.edits)
    except NotDurable as error:
        late = error
    try:
        in_store.write(in_view, into.edits)
    except NotDurable as error:
        late = error
    except BaseException as error:
        if not out_store.put_back(out_view, out.edits):
            error.half_done = True  # type: ignore[attr-defined]
        raise
    if late is not None:
        raise late


def _arrival(view: View, old: View, source: Target, to: Target, memo: Memo, terms: Terms) -> Plan:
    """What the other store gets: the note's file as it is, or the fact with its comment."""
    to.index.refresh()
    if memo.id is not None and to.index.has_id(memo.id):
        raise Conflict(f"the store {to.ref.name} has the memo ID {memo.id} already", "see `remember check`")
    ref = to.ref
    if memo.kind == "note":
        content = old.content(memo.path)
        if content is None:
            raise NotFound(memo.path)
        path = memo.path if memo.path.startswith("notes/") else f"notes/{memo.path.rpartition('/')[2]}"
        number = 2
        while view.exists(path):
            path = f"{memo.path.removesuffix('.md')}-{number}.md"
            number += 1
        edit = FileEdit(path, content.data, content.mode & 0o777, content.mtime_ns)
        change = Change(True, "note", ref.scope, ref.name, memo.id, path, 1, revision=notes.revision_of(content.data))
        return Plan((edit,), (file_item(view, edit),), change)
    twin = None if terms.allow_duplicate else duplicates.fact_twin(to.index, memo.text or "")
    if twin is not None:
        raise Duplicate(twin.id or twin.place, memo.text or "")
    present = view.read(FACTS)
    text = spans.decode(present or b"")
    memo_id = memo.id or new_id(to, (source,), terms)
    stamp = fact_stamp(terms.now_ms if memo.created_ms is None else memo.created_ms)
    added = grammar.append(text, [(memo_id, stamp, memo.text or "")]).text
    data, items = append_items(FACTS, text, [(added, memo_id)], made=present is None)
    line = text.count("\n") + added.rstrip("\r\n").count("\n") + 1
    return Plan((FileEdit(FACTS, data),), items, Change(True, "fact", ref.scope, ref.name, memo_id, FACTS, line))
