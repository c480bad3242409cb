"""Where bytes go that somebody else saved in the very moment of a conversion."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from remember.store.journal import Journal
from remember.store.records import DONE, KeptItem, Record

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["keeper"]


def keeper(folder: int, path: str, now_ms: int, bits: Callable[[int], int]) -> Callable[[str, bytes], None]:
    """What saves the bytes of a file of the store as a recovery record that can only be shown. Raises IOFailure."""

    def keep(name: str, data: bytes) -> None:
        with Journal(path, os.path.join(path, "recovery"), folder) as journal:
            record_id = journal.new_id(now_ms, bits, False)
            summary = f"what somebody else saved into {name} while it was migrated"
            journal.save(Record(record_id, "keep", now_ms, summary, DONE, (KeptItem(name, data),)))

    return keep
