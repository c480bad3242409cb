"""`remember restore`, which is declared beside `undo`."""

from __future__ import annotations

from remember.cli.commands.undo import RESTORE as SPEC

__all__ = ["SPEC"]
