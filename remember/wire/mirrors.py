"""The border of the public mirror: its list in the private store, and the JSON documents of `mirror`."""

from __future__ import annotations

import json
from typing import Annotated, Literal

from pydantic import StringConstraints, ValidationError

from remember.wire.shapes import DocumentBase, MemoId, Warnings

__all__ = ["Mirror", "MirrorList", "read"]

Digest = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
FileName = Annotated[str, StringConstraints(pattern=r"^[^/\\.\x00-\x1f\x7f][^/\\\x00-\x1f\x7f]*\.md$", max_length=255)]


class Mirrored(DocumentBase):
    """A memo that was named."""

    file: FileName
    """Its public file, in `.memory` of the workspace."""
    sha256: Digest | None
    """SHA-256 of what was written there last; null where nothing of ours is there."""


class MirrorList(DocumentBase):
    """`mirror.json` of a store: which memos are mirrored in public, by memo ID."""

    version: Literal[1]
    memos: dict[MemoId, Mirrored]


class MirrorRow(DocumentBase):
    """A mirrored memo."""

    id: MemoId
    file: str
    state: Literal["same", "behind", "unwritten", "gone", "edited", "missing", "taken", "unreadable", "secret", "ambiguous"]
    """From `edited` on, what a person has to look at: `sync` leaves it as it is."""
    reason: str
    """The state in words; empty for `same`."""


class Mirror(DocumentBase):
    """The answer of `mirror add`, `remove`, `sync` and `status` with --json."""

    directory: str
    """The public directory."""
    written: list[str]
    """Files that were written."""
    withdrawn: list[str]
    """Files that were removed."""
    memos: list[MirrorRow]
    foreign: list[str]
    """Files in the public directory that are none of the mirror's."""
    warnings: Warnings


def read(data: bytes) -> list[tuple[str, str, str | None]]:
    """(ID, file, digest) of each memo in a list. Raises ValueError that names what is wrong."""
    try:
        raw = json.loads(data)
        found = MirrorList.model_validate(raw)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        raise ValueError(f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}") from None
    except (UnicodeDecodeError, RecursionError):
        raise ValueError("it is no JSON") from None
    rows = [(memo_id, memo.file, memo.sha256) for memo_id, memo in found.memos.items()]
    if len({file for _, file, _ in rows}) != len(rows):
        raise ValueError("two memos have one file")
    return rows
