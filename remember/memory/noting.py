"""Notes with a type, or in the place of one that is there: what some layouts know and others do not."""

from __future__ import annotations

from remember._named import NamedTuple
from remember.errors import Duplicate, RefusedInput
from remember.layouts.recall import recalled as recalled
from remember.layouts.zcode_header import TYPES as TYPES
from remember.memory.changing import change_memo, with_targets, writable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.change.target import Target, Terms
    from remember.memory.context import Surroundings
    from remember.model import Change, Shown

__all__ = ["TYPES", "Draft", "named_note", "put_note", "recalled"]


class Draft(NamedTuple):
    """A note to be stored: `kind` is its type ("" for none), `upsert` puts it in the place of one of its name or description."""

    description: str
    body: str
    slug: str | None = None
    kind: str = ""
    upsert: bool = False


def named_note(around: Surroundings, draft: Draft) -> Shown | None:
    """The fact file of a zcode store that the draft would replace, None where there is none. Raises Ambiguous."""
    from remember.change.address import by_name, one
    from remember.format.slugs import slug_of
    from remember.memory.reading import read_whole

    def ask(targets: list[Target]) -> Shown | None:
        found = by_name([targets[0].index], draft.slug or slug_of(draft.description))
        return read_whole(*one(draft.description, found)) if found else None

    return with_targets(around, [around.one()], ask)


def put_note(around: Surroundings, draft: Draft, terms: Terms) -> Change:
    """Store a note in the chosen store.

    Raises RefusedInput for a type where the layout keeps none, Duplicate or PathTaken where one is there and `upsert` is not
    given, and what `Memory.note` raises.
    """
    from remember.change.note import note
    from remember.change.target import Wanted
    from remember.memory.changing import other_stores

    ref = writable(around, terms.timeout_s)
    if ref.layout != "zcode" and draft.kind:
        hint = "leave --type out, or use a tag in the text"
        raise RefusedInput(f"store {ref.name} has the layout {ref.layout}, which keeps no type", hint)
    refs = [ref, *other_stores(around, ref)]
    try:
        return with_targets(
            around,
            refs,
            lambda targets: note(targets[0], draft.description, draft.body, terms, draft.slug, targets[1:], draft.kind, draft.upsert),
        )
    except Duplicate as error:
        if not draft.upsert or not error.is_note:
            raise
        return change_memo(around, error.memo, Wanted(draft.body), terms)
