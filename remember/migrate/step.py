"""What every module in `migrations/` offers: a pure plan, and its application."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, cast

from remember._resources import package

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

__all__ = ["Edit", "File", "Plan", "Step", "load"]


class File(Protocol):
    """A file as it was read: bytes, permission bits, mtime in nanoseconds since 1970, number of names."""

    @property
    def data(self) -> bytes: ...
    @property
    def mode(self) -> int: ...
    @property
    def mtime_ns(self) -> int: ...


class Edit(Protocol):
    """One file's new bytes (None removes it), and the inferences that were needed."""

    @property
    def path(self) -> str: ...
    @property
    def data(self) -> bytes | None: ...
    @property
    def rules(self) -> tuple[str, ...]: ...


class Plan(Protocol):
    """Edits in the order in which they are made, and paths that are backed up though they stay as they are."""

    @property
    def edits(self) -> Sequence[Edit]: ...
    @property
    def kept(self) -> tuple[str, ...]: ...


class Step(Protocol):
    """A migration from the format version FROM to TO; MARKER is the marker's name and its bytes afterwards, RULES the inferences."""

    FROM: int
    TO: int
    MARKER: tuple[str, bytes]
    RULES: dict[str, str]
    File: Any

    def is_input(self, path: str) -> bool:
        """Whether a file of the store is one that is read and perhaps converted."""

    def plan(self, files: Mapping[str, File], links: Sequence[str]) -> Plan:
        """What is to be done; raises FormatError naming everything that stands in the way. Touches nothing."""

    def apply(self, folder: int, store: str, plan: Plan, files: Mapping[str, File], keep: Callable[[str, bytes], None]) -> None:
        """Do it, the marker last."""


def load(version: int) -> Step:
    """The step that leads away from a format version; a missing one is a broken installation."""
    name = f"{package('migrations').__name__}.v{version}_to_v{version + 1}"
    return cast("Step", import_module(name))
