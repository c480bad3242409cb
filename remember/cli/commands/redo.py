"""`remember redo`, which is declared beside `undo`."""

from __future__ import annotations

from remember.cli.commands.undo import REDO as SPEC

__all__ = ["SPEC"]
