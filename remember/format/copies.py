"""Recognises the copies that sync programs make of a file in conflict, by their names alone."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from re import Pattern

__all__ = ["is_telling", "original_of"]

_patterns: list[tuple[str, Pattern[str], bool]] = []


def original_of(path: str, exists: Callable[[str], bool]) -> str | None:
    """The original of a sync program's conflict copy ("" where its name does not tell); None for any other file.

    Names as Syncthing, Dropbox, Nextcloud, ownCloud, iCloud, OneDrive and browsers give them; those that people may give
    too count only where the original is there.
    """
    folder, slash, name = path.rpartition("/")
    stem, dot, ending = name.rpartition(".")
    numbered = stem.endswith(")") or (stem[-2:-1] == " " and stem[-1] in "23456789")
    if not numbered and not is_telling(stem):
        return None  # nearly all names, so that a search need not load `re`
    if not _patterns:
        import re

        _patterns.extend(
            (how, re.compile(pattern), sure)
            for how, pattern, sure in (
                ("Syncthing", r"(?P<stem>.+)\.sync-conflict-\d{8}-\d{6}(?:-[A-Z0-9]{7})?", True),
                ("Dropbox, Nextcloud", r"(?P<stem>.+?) \([^()]*conflicted copy[^()]*\)", True),
                ("ownCloud", r"(?P<stem>.+)_conflict-\d{8}-\d{6}", True),
                ("browser", r"(?P<stem>.+) ?\(\d{1,2}\)", False),
                ("iCloud", r"(?P<stem>.+) [2-9]", False),
                ("OneDrive", r"(?P<stem>.+)-(?:DESKTOP|LAPTOP)-[A-Z0-9]{4,}(?:-\d+)?", True),
            )
        )
    for _, pattern, sure in _patterns:
        found = pattern.fullmatch(stem)
        if found:
            original = f"{folder}{slash}{found['stem'].rstrip()}{dot}{ending}"
            if exists(original):
                return original
            if sure:
                return ""
    return None


def is_telling(path: str) -> bool:
    """Whether the name alone tells a copy: people write `Chapter 2`, but only sync programs write `conflict` with a date."""
    name = path.rpartition("/")[2]
    return "conflict" in name or "-DESKTOP-" in name or "-LAPTOP-" in name
