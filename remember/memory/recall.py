"""What a session would not see of a store (R901), asked of the index as it is: a check makes and refreshes none."""

from __future__ import annotations

import sqlite3

from remember.check.findings import Finding, Reporter
from remember.context.choose import choose
from remember.context.lines import memo_line
from remember.errors import CacheError
from remember.format.counts import counted
from remember.index.catalogue import COLUMNS, Index, row_memo
from remember.index.database import open_database
from remember.memory.snapshot import BUDGETS, FILE_ORDER
from remember.model import Freshness

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.memory.context import Surroundings
    from remember.model import Memo, StoreRef

__all__ = ["over_budget"]

_NAMED = 20
_FROM = "FROM memo JOIN file ON file.id = memo.file"


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
    key = BUDGETS.get(ref.scope, "inject_chars_local")
    budget = around.config.number(key)
    with Index(ref, opened, Freshness()) as index:
        try:
            order = [row for (row,) in index.connection.execute(f"SELECT memo.id {_FROM} ORDER BY {FILE_ORDER}")]
            missing = choose(len(order), lambda at: len(memo_line(_memo(index, order[at]))), budget).missing
            omitted = [_memo(index, order[at]) for at in missing[:_NAMED]]
        except sqlite3.DatabaseError:
            return []
    if not missing:
        return []
    report = Reporter(ref, around.config.severities)
    more = " …" if len(missing) > _NAMED else ""
    named = ", ".join(memo.id or memo.place for memo in omitted)
    lines = counted(len(order), "line")
    message = f"what an agent sees at first (`remember context`) leaves out {len(missing)} of {lines}, since {key} is {budget}"
    report.add("R901", "", 0, f"{message}: {named}{more}")
    return report.findings


def _memo(index: Index, row: int) -> Memo:
    """One memo by its row; of ten thousand some thirty are asked for."""
    return row_memo(index.ref, index.connection.execute(f"SELECT {COLUMNS} {_FROM} WHERE memo.id = ?", (row,)).fetchone())
