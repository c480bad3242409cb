"""Creates a note in a file of its own; an existing path is never overwritten."""

from __future__ import annotations

from remember.change import duplicates
from remember.change.add import checked, new_id, unchanged
from remember.change.target import keeps_notes, writer
from remember.format import notes, slugs
from remember.format.spans import encode
from remember.format.text import check_body, clean_description
from remember.model import Change
from remember.store.commit import FileEdit, Plan, file_item

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from remember.change.target import Target, Terms
    from remember.store.commit import View

__all__ = ["free_path", "note"]


def note(
    target: Target,
    description: str,
    body: str,
    terms: Terms,
    slug: str | None = None,
    others: Sequence[Target] = (),
    kind: str = "",
    upsert: bool = False,
) -> Change:
    """Create a note; `slug` names its file, else the description does; `kind` and `upsert` are for stores that know types.

    A note that is there already, description and body, is not stored again (`duplicate_of`). Raises Duplicate where only the
    description matches, RefusedInput, SecretRefused, Locked, StoreError.
    """
    keeps_notes(target)
    if target.ref.layout == "zcode":
        from remember.change import zcode

        return zcode.note(target, zcode.Draft(slug or "", description, kind, body, upsert), terms)
    described = checked(clean_description(description), terms)
    checked(check_body(body), terms)
    named = slugs.check(slug) if slug is not None else slugs.slug_of(described)
    warnings = duplicates.elsewhere(others, [described])[0]

    def plan(view: View) -> Plan:
        target.index.refresh()
        twin = None if terms.allow_duplicate else duplicates.note_twin(target.index, view, described, body)
        if twin is not None:
            return Plan((), (), unchanged(twin, duplicate=True))
        memo_id = new_id(target, others, terms)
        data = encode(notes.render(described, memo_id, terms.now_ms, body))
        edit = FileEdit(free_path(view, terms.now_ms, named), data, 0o600)
        ref = target.ref
        change = Change(True, "note", ref.scope, ref.name, memo_id, edit.path, 1, revision=notes.revision_of(data))
        return Plan((edit,), (file_item(view, edit),), change, described)

    with writer(target, terms) as store:
        made = store.commit(plan, "note", addition=True)
    change: Change = made.result  # type: ignore[assignment]
    return change._replace(recovery_id=made.recovery_id, warnings=warnings)


def free_path(view: View, created_ms: int, slug: str) -> str:
    """The first path of a note with that date and slug that nothing has: `-2`, `-3` … are tried in turn."""
    number = 1
    while view.exists(path := f"notes/{slugs.file_name(created_ms, slug, number)}"):
        number += 1
    return path
