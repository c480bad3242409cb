"""The answer to a check, as every face prints it."""

from __future__ import annotations

from remember._named import NamedTuple
from remember.check.findings import exit_status

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.check.findings import Finding
    from remember.check.steps import Repair
    from remember.model import StoreRef

__all__ = ["Checked"]


class Checked(NamedTuple):
    """The answer to a check: findings (those left after a repair), the repairs planned or made, the stores, remarks."""

    findings: tuple[Finding, ...]
    repairs: tuple[Repair, ...]
    stores: tuple[StoreRef, ...]
    warnings: tuple[str, ...] = ()

    @property
    def exit_status(self) -> int:
        """4 where something could not be looked at, else 1 with errors or warnings, else 0."""
        return exit_status(self.findings)
