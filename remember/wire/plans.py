"""The border of consolidation plans: what a worker's one JSON document may hold, and the JSON Schema that says so.

What the other side controls: every byte. A plan is bounded in size and number before anything of it is looked at, and what it
says is only ever compared with the store, never believed.
"""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints, ValidationError

from remember.wire.shapes import DocumentBase, MemoId, Revision

__all__ = ["MEMOS_IN_MERGE", "OPERATIONS", "PLAN_BYTES", "ConsolidationPlan", "RunId", "plan_schema", "read_plan"]

PLAN_BYTES = 512 << 10
OPERATIONS = 100
MEMOS_IN_MERGE = 20
_TEXT_CHARS, _CONTENT_CHARS, _SUMMARY_CHARS = 2000, 64 << 10, 500
_PROBLEMS = 10
_SAID = {"union_tag_invalid": "op is none of add, note, update, merge, forget", "union_tag_not_found": "op is missing"}
"""In place of messages that repeat what a plan says."""

RunId = Annotated[str, StringConstraints(pattern=r"^[0-9]{8}T[0-9]{9}Z-[0-9a-f]{8}$")]
Text = Annotated[str, StringConstraints(min_length=1, max_length=_TEXT_CHARS)]
Content = Annotated[str, StringConstraints(min_length=1, max_length=_CONTENT_CHARS)]


class AddFact(DocumentBase):
    """A new fact."""

    op: Literal["add"]
    text: Text
    """Its line, at most 300 characters once it is cleaned."""


class AddNote(DocumentBase):
    """A new note."""

    op: Literal["note"]
    description: Text
    """Its one-line summary, at most 300 characters once it is cleaned."""
    content: Content
    """Its body, without frontmatter."""


class UpdateMemo(DocumentBase):
    """Another text for a fact, or another body for a note."""

    op: Literal["update"]
    id: MemoId
    revision: Revision
    """The revision that the snapshot gives for it."""
    content: Content


class Named(DocumentBase):
    """A memo as the snapshot shows it."""

    id: MemoId
    revision: Revision
    """The revision that the snapshot gives for it."""


class MergeMemos(DocumentBase):
    """One note in the place of several memos: the first note among them keeps ID, path and creation date, the others go."""

    op: Literal["merge"]
    memos: Annotated[list[Named], Field(min_length=2, max_length=MEMOS_IN_MERGE)]
    description: Text
    content: Content


class ForgetMemo(DocumentBase):
    """A memo that goes."""

    op: Literal["forget"]
    id: MemoId
    revision: Revision
    """The revision that the snapshot gives for it."""


Operation = Annotated[AddFact | AddNote | UpdateMemo | MergeMemos | ForgetMemo, Field(discriminator="op")]


class ConsolidationPlan(DocumentBase):
    """What a worker proposes for one consolidation run: one JSON document of at most 512 KiB; no operations change nothing."""

    run: RunId
    """The run that it answers."""
    summary: Annotated[str, StringConstraints(max_length=_SUMMARY_CHARS)]
    """One line for people on what it is about."""
    operations: Annotated[list[Operation], Field(max_length=OPERATIONS)]
    """In the order in which they are reported; no memo may be named by two of them."""


def read_plan(data: bytes) -> dict[str, Any]:
    """The plan's values in plain types. Raises ValueError that names every bad place (ten at most), never quoting a value."""
    if len(data) > PLAN_BYTES:
        raise ValueError(f"it has more than {PLAN_BYTES} bytes")
    if not data.strip():
        raise ValueError("it is empty")
    try:
        raw = json.loads(data.decode("utf-8"), object_pairs_hook=_once, parse_constant=_no_number)
    except UnicodeDecodeError:
        raise ValueError("it is no UTF-8") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"it is not exactly one JSON document ({error.msg} in line {error.lineno})") from None
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    try:
        return ConsolidationPlan.model_validate(raw).model_dump()
    except ValidationError as error:
        found = error.errors(include_url=False, include_context=False, include_input=False)
        said = [f"{_place(problem['loc'])}: {_SAID.get(problem['type'], problem['msg'])}" for problem in found[:_PROBLEMS]]
        more = f" and {len(found) - _PROBLEMS} more" if len(found) > _PROBLEMS else ""
        raise ValueError("; ".join(said) + more) from None


def plan_schema() -> str:
    """The text of schema/consolidation-plan.schema.json."""
    from remember.wire.describe import schema_of

    schema = schema_of(ConsolidationPlan)
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """An object whose members have names of their own: of two, readers would take different ones."""
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("an object has two members of one name")
    return members


def _no_number(name: str) -> object:
    raise ValueError(f"{name} is no JSON")


def _place(parts: tuple[int | str, ...]) -> str:
    """Where in the plan; the name of an operation's kind, which pydantic puts in, is of no use to a reader."""
    shown = [str(part + 1) if isinstance(part, int) else part for part in parts if part not in ("add", "note", "merge", "forget")]
    return " ".join("".join(char for char in part if char.isprintable())[:40] for part in shown if part != "update") or "the plan"
