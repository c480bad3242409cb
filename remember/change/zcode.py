"""Changes of a zcode store: the fact file first, then its line of the index, in one record."""

from __future__ import annotations

from remember._named import NamedTuple
from remember.change.add import checked
from remember.change.address import by_name, one
from remember.change.lines import line_items
from remember.change.locate import check_revision
from remember.change.target import writer
from remember.errors import ChangedOutside, PathTaken, RefusedInput
from remember.format import ids, slugs
from remember.format.notes import revision_of
from remember.format.spans import Edit, decode, encode
from remember.format.text import check_body, clean_description, cut
from remember.layouts import zcode_edit as grammar
from remember.layouts.zcode_header import read_header
from remember.layouts.zcode_index import INDEX
from remember.model import Change
from remember.store.commit import FileEdit, Plan, file_item

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from remember.change.target import Target, Terms, Wanted
    from remember.model import Memo
    from remember.store.commit import View
    from remember.store.records import Item

__all__ = ["TRIES", "Draft", "note", "removal", "update"]

TRIES = 2
"""Where an agent writes the index meanwhile it is read once more; then the change is refused, since agents write it whole."""


class Draft(NamedTuple):
    """A fact to be stored: `name` is its file's, `kind` its type ("" where none was given), `upsert` replaces one of that name."""

    name: str
    description: str
    kind: str
    body: str
    upsert: bool


def note(target: Target, draft: Draft, terms: Terms) -> Change:
    """Create a fact file and its index line, or with `upsert` give the one of that name this description, type and body.

    Raises PathTaken for a name in use, FormatError for a header that cannot be edited, RefusedInput, SecretRefused, Locked,
    ChangedOutside where the index is written by somebody else again and again, StoreError.
    """
    described = checked(clean_description(draft.description), terms)
    body = checked(check_body(draft.body), terms)
    name = draft.name.removesuffix(".md") or slugs.slug_of(described)
    if name.casefold() == INDEX.casefold().removesuffix(".md"):
        raise RefusedInput(f"{name!r} is the name of the index", "give another name with --slug")
    kind = grammar.check_type(draft.kind) if draft.kind else ""

    def plan(view: View) -> Plan:
        target.index.refresh()
        same = by_name([target.index], name)
        path = one(name, same)[1].path if same else ""
        if not path:
            path = f"{slugs.check(name)}.md"
            if view.exists(path):  # not indexed: a link, a folder, or too fresh
                raise PathTaken(path)
            return _plan(view, target, path, grammar.render(name, described, kind or "project", body), described)
        if not draft.upsert:
            raise PathTaken(path, "pass --upsert (an agent: `mode: upsert`) to replace it, or name the new one with --slug")
        old = decode(view.read(path) or b"")
        new = grammar.edited(old, path, described, kind or None, body)
        return _plan(view, target, path, new, described)

    with writer(target, terms) as store:
        made = store.commit(plan, "note", addition=not draft.upsert, tries=TRIES)
    change: Change = made.result  # type: ignore[assignment]
    return change._replace(recovery_id=made.recovery_id)


def _plan(view: View, target: Target, path: str, text: str, hook: str | None) -> Plan:
    """The plan that gives a fact file this text and its index line this hook (None: what the line says, if there is one)."""
    data = encode(text)
    edits: list[FileEdit] = []
    items: list[Item] = []
    if view.read(path) != data:
        edit = FileEdit(path, data, None if view.content(path) else 0o600)
        edits.append(edit)
        items.append(file_item(view, edit))
    index = decode(view.read(INDEX) or b"")
    header = read_header(text)
    line = grammar.put_line(index, path, hook)
    if line is None and hook is None and not edits:
        return Plan((), (), _change(target, path, False, data))
    if line is not None:
        if hook is None:
            line = grammar.put_line(index, path, header.description or None)
        assert line is not None
        more, lines = line_items(INDEX, index, [(line, None)], made=view.content(INDEX) is None)
        edits.append(FileEdit(INDEX, more))
        items += lines
    summary = cut(header.description or path, 300)
    return Plan(tuple(edits), tuple(items), _change(target, path, bool(edits), data), summary)


def _change(target: Target, path: str, changed: bool, data: bytes) -> Change:
    ref = target.ref
    return Change(changed, "note", ref.scope, ref.name, ids.derived(ref.layout, path), path, 1, revision=revision_of(data))


def update(target: Target, memo: Memo, wanted: Wanted, terms: Terms) -> Change:
    """Give a fact another body or description; its index line is made where it has none, and says a new description."""
    body = None if wanted.content is None else checked(check_body(wanted.content), terms)
    described = None if wanted.description is None else checked(clean_description(wanted.description), terms)
    seen: list[bytes] = []

    def plan(view: View) -> Plan:
        data = view.read(memo.path)
        if data is None:
            raise ChangedOutside(memo.id or memo.path)
        check_revision(memo, wanted.revision, revision_of(data))
        if seen and data != seen[0]:
            raise ChangedOutside(memo.id or memo.path)
        seen[:] = [data]
        text = decode(data)
        new = grammar.edited(text, memo.path, described, None, body)
        if new == text:
            return Plan((), (), _change(target, memo.path, False, data))
        return _plan(view, target, memo.path, new, described)

    with writer(target, terms) as store:
        made = store.commit(plan, "update", tries=TRIES)
    change: Change = made.result  # type: ignore[assignment]
    return change._replace(recovery_id=made.recovery_id)


def removal(view: View, target: Target, memos: Sequence[Memo]) -> Plan:
    """The plan that removes fact files, then their index lines."""
    target.index.refresh()
    edits: list[FileEdit] = []
    items: list[Item] = []
    for memo in memos:
        now = [found for found in target.index.by_path(memo.path) if found.kind == "note"]
        if view.read(memo.path) is None or not now or now[0].description != memo.description:
            raise ChangedOutside(memo.id or memo.path)
        edit = FileEdit(memo.path, None)
        edits.append(edit)
        items.append(file_item(view, edit))
    index = decode(view.read(INDEX) or b"")
    gone: list[tuple[Edit, None]] = [(edit, None) for edit in grammar.drop_lines(index, [memo.path for memo in memos])]
    if gone:
        data, lines = line_items(INDEX, index, gone)
        edits.append(FileEdit(INDEX, data))
        items += lines
    changes = [Change(True, memo.kind, memo.scope, memo.store, memo.id, memo.path, memo.line) for memo in memos]
    summary = memos[0].title if len(memos) == 1 else f"{len(memos)} memos, the first: {cut(memos[0].title, 120)}"
    return Plan(tuple(edits), tuple(items), changes, summary)
