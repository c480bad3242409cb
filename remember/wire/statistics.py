"""The JSON document of `stats`."""

from __future__ import annotations

from typing import Annotated

from pydantic import StringConstraints

from remember.wire.shapes import Count, DocumentBase, Kind, Memo, Store, Warnings

__all__ = ["Statistics"]

MonthName = Annotated[str, StringConstraints(pattern=r"^[0-9]{4}-[0-9]{2}$")]


class Month(DocumentBase):
    """A month in which memos were made."""

    month: MonthName
    """Year and month, in local time."""
    memos: Count
    """How many were made in it."""
    bytes: Count
    """Their bytes."""
    total_memos: Count
    """How many there were at its end, of those that are there now."""
    total_bytes: Count
    """Their bytes."""


class KindCount(DocumentBase):
    """The memos of a kind."""

    kind: Kind
    """Which kind."""
    memos: Count
    """How many."""
    bytes: Count
    """Their bytes."""


class TagCount(DocumentBase):
    """A tag."""

    tag: str
    """As it is written most often."""
    memos: Count
    """How many memos have it."""


class Size(DocumentBase):
    """The memos of a class of size."""

    below_bytes: Count | None
    """Each is smaller than this, and not in a smaller class; null for the largest ones."""
    memos: Count
    """How many."""


class Large(DocumentBase):
    """A large memo."""

    memo: Memo
    """Which one."""
    bytes: Count
    """Its size."""


class Statistics(DocumentBase):
    """The answer of `stats --json`; bytes are those of the texts in UTF-8 (a fact's line, a note's body without its header)."""

    memos: Count
    """How many memos there are."""
    bytes: Count
    """Their bytes."""
    undated: Count
    """How many have no time at all."""
    months: list[Month]
    """Those in which something was made, oldest first."""
    kinds: list[KindCount]
    """Facts, notes, text; those that there are."""
    tags: list[TagCount]
    """Most frequent first."""
    sizes: list[Size]
    """Classes of size, smallest first."""
    largest: list[Large]
    """The largest memos, as many as `--limit` says."""
    oldest: list[Memo]
    """The memos made first."""
    unreferenced_total: Count
    """How many notes there are to which no other memo of their store links."""
    unreferenced: list[Memo]
    """The oldest of these."""
    warnings: Warnings
    """What the reader should know."""
    stores: list[Store]
    """The stores that answered."""
