"""What a finding code is: its usual severity, who may repair it, and what a person needs to know about it."""

from __future__ import annotations

from remember._named import NamedTuple

__all__ = ["CACHE", "METADATA", "NONE", "PERSON", "SELECTED", "SEVERITIES", "Code"]

SEVERITIES = ("error", "warning", "info", "unknown")
"""`unknown` says that something could not be looked at; it is never clean and never gone."""

CACHE, METADATA, SELECTED, PERSON, NONE = "C", "M", "S", "U", "-"
"""Repair classes: no memory file is changed; metadata, saved for undo first; the same where selected by code only; a person; nobody."""


class Code(NamedTuple):
    """One kind of finding; `severities` are those it may have, the usual one first; `advice` says what to do about it."""

    name: str
    severities: tuple[str, ...]
    repair: str
    title: str
    advice: str
