"""What a session would not see of a store (R901), asked of the index as it is: a check makes and refreshes none."""

from __future__ import annotations

import sqlite3

from remember.check.findings import Finding, Reporter
from remember.context.snapshot import Scope, render
from remember.errors import CacheError
from remember.format.counts import counted
from remember.index.catalogue import Index
from remember.index.database import open_database
from remember.memory.snapshot import BUDGETS, FILE_ORDER
from remember.model import Freshness

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.memory.context import Surroundings
    from remember.model import StoreRef

__all__ = ["over_budget"]

_NAMED = 20


def over_budget(around: Surroundings, ref: StoreRef) -> list[Finding]:
    """The finding that the snapshot leaves lines of the store out, with the memos that it leaves out; [] where it shows all."""
    if not ref.trusted or not around.config.switch("inject"):
        return []
    try:
        opened, _ = open_database(around.config.cache_dir, ref)
    except (CacheError, OSError, sqlite3.Error):
        return []  # what is wrong with the index is a finding of its own
    if opened is None:
        return []
    with Index(ref, opened, Freshness()) as index:
        try:
            memos = tuple(index.all(None, FILE_ORDER))
        except sqlite3.DatabaseError:
            return []
    budget = around.config.number(BUDGETS.get(ref.scope, "inject_chars_local"))
    (section,) = render([Scope(ref.name, ref.path, budget, memos=memos)]).sections
    if not section.omitted:
        return []
    report = Reporter(ref, around.config.severities)
    more = " …" if len(section.omitted) > _NAMED else ""
    named = ", ".join(section.omitted[:_NAMED])
    report.add("R901", "", 0, f"the snapshot leaves out {len(section.omitted)} of {counted(section.total, 'line')}: {named}{more}")
    return report.findings
