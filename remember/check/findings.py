"""The finding: what is wrong, where, how much it matters, and what would repair it."""

from __future__ import annotations

from remember._named import NamedTuple
from remember.check.code import CACHE, PERSON
from remember.check.codes import CODES
from remember.check.severities import CHOICES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from remember.model import StoreRef

__all__ = ["Finding", "Reporter", "exit_status", "order"]

_BY_HAND = "`--repair` leaves it alone; the message says what to do."
_RANK = {"error": 0, "unknown": 1, "warning": 2, "info": 3}


class Finding(NamedTuple):
    """One finding: `path` is relative to the store ("" for the store itself), `line` 1-based or 0, `repair` a sentence.

    `store_path` is the store's directory; `repairable` says that `--repair` can do something about it; `memo` is what the
    finding is about where a path and line do not tell (a memo ID, a recovery ID, a field).
    """

    code: str
    severity: str
    scope: str
    store: str
    store_path: str
    path: str
    line: int
    message: str
    repair: str
    fix: str
    memo: str = ""

    def is_of(self, ref: StoreRef) -> bool:
        """Whether it is about that store."""
        return (self.scope, self.store) == (ref.scope, ref.name)

    @property
    def key(self) -> tuple[str, str, str, str]:
        """What makes two findings of two looks the same (lines may move meanwhile)."""
        return (self.code, f"{self.scope} {self.store}", self.path, self.message)


class Reporter:
    """Collects the findings of one store."""

    def __init__(self, ref: StoreRef, severities: Mapping[str, str] | None = None) -> None:
        self.ref = ref
        self.severities = {code: severity for code, severity in (severities or {}).items() if severity in CHOICES}
        self.findings: list[Finding] = []

    def add(self, code: str, path: str, line: int, message: str, severity: str = "", fix: str = "", memo: str = "") -> None:
        """Report; `severity` and `fix` (repair class) are given where they are not the code's usual ones."""
        meant = CODES[code]
        shown = severity or meant.severities[0]
        if shown != "unknown":
            shown = self.severities.get(code, shown)
        if shown == "off":
            return
        advice = _BY_HAND if fix == PERSON and meant.repair == CACHE else meant.advice
        ref = self.ref
        folder = ref.whole(path)[: -len(path) - 1] if ref.public and path else ref.path
        self.findings.append(
            Finding(code, shown, ref.scope, ref.name, folder, path, line, message, advice, fix or meant.repair, memo)
        )


def order(findings: Iterable[Finding]) -> list[Finding]:
    """The worst first, then by store, path, line and code; each once."""
    unique = dict.fromkeys(findings)
    return sorted(unique, key=lambda f: (_RANK[f.severity], f.store, f.path, f.line, f.code, f.message))


def exit_status(findings: Iterable[Finding]) -> int:
    """4 where something could not be looked at, else 1 with errors or warnings, else 0."""
    seen = {finding.severity for finding in findings}
    return 4 if "unknown" in seen else 1 if seen & {"error", "warning"} else 0
