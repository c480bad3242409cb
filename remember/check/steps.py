"""What a repair is made of: the steps that are planned or made, and the means it is given."""

from __future__ import annotations

from remember._named import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Means", "Repair"]


class Repair(NamedTuple):
    """One step of a repair: what it does (`action`) for which code and place.

    `done` is None in a plan; `recovery_id` names the record of a step that changed a memory file; `error` says why not.
    """

    code: str
    scope: str
    store: str
    path: str
    line: int
    action: str
    done: bool | None = None
    recovery_id: str | None = None
    error: str | None = None
    memo: str = ""


class Means(NamedTuple):
    """Time and chance (`bits` gives a number of random bits), how long to wait for locks, and the codes chosen by name."""

    cache_dir: str
    now_ms: int
    bits: Callable[[int], int]
    timeout_s: float = 10.0
    selected: frozenset[str] = frozenset()
