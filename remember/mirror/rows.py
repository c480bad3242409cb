"""The state of each mirrored memo, from what was named, what the private store holds, and what lies in public: values only."""

from __future__ import annotations

from remember._named import NamedTuple

__all__ = [
    "AMBIGUOUS",
    "BEHIND",
    "EDITED",
    "GONE",
    "LEFT",
    "MISSING",
    "SAME",
    "SECRET",
    "TAKEN",
    "UNREADABLE",
    "UNWRITTEN",
    "Listed",
    "Private",
    "Public",
    "Row",
    "judge",
]

SAME, BEHIND, UNWRITTEN, GONE = "same", "behind", "unwritten", "gone"
EDITED, MISSING, TAKEN, UNREADABLE, SECRET, AMBIGUOUS = "edited", "missing", "taken", "unreadable", "secret", "ambiguous"
LEFT = (EDITED, MISSING, TAKEN, UNREADABLE, SECRET, AMBIGUOUS)
"""States that a person has to look at: `sync` leaves them as they are."""

_SAID = {
    BEHIND: "the private memo has changed since; `remember mirror sync` copies it",
    UNWRITTEN: "it was not copied yet; `remember mirror sync` copies it",
    GONE: "the private memo is gone; `remember mirror sync` withdraws the copy",
    EDITED: "the public file was edited outside; `remember update` takes that over, `mirror sync --overwrite ID` gives it up",
    MISSING: "the public file was removed outside; `mirror sync --overwrite ID` writes it again, `mirror remove ID` leaves it so",
    TAKEN: "a file that is none of ours has its name; rename it and sync again",
    AMBIGUOUS: "several private memos have this ID; `remember check` names them",
}


class Listed(NamedTuple):
    """A memo that was named: its public file, and SHA-256 (hex) of what was written last; None where nothing of ours is there."""

    file: str
    sha256: str | None


class Private(NamedTuple):
    """The memo as it would be published; `data` None where it is gone, `trouble` says what else is wrong, as (state, reason)."""

    data: bytes | None
    sha256: str | None
    trouble: tuple[str, str] = ("", "")


class Public(NamedTuple):
    """The public file: its bytes' SHA-256 in hex, None where there is no file; `unreadable` says why it cannot be read."""

    sha256: str | None
    unreadable: str = ""


class Row(NamedTuple):
    """One mirrored memo and its state."""

    id: str
    file: str
    state: str
    reason: str


def judge(memo_id: str, listed: Listed, private: Private, public: Public) -> Row:
    """The state of one memo; being the same as in private comes first, whatever was written down about it."""
    state, reason = _state(listed, private, public)
    return Row(memo_id, listed.file, state, reason or _SAID.get(state, "").replace(" ID`", f" {memo_id}`"))


def _state(listed: Listed, private: Private, public: Public) -> tuple[str, str]:
    if public.unreadable:
        return UNREADABLE, public.unreadable
    if private.trouble[0]:
        return private.trouble
    if public.sha256 is not None and public.sha256 == private.sha256:
        return SAME, ""
    ours = public.sha256 == listed.sha256
    if private.data is None:
        return (GONE, "") if public.sha256 is None or ours else (EDITED, "")
    if listed.sha256 is None:
        return (UNWRITTEN, "") if public.sha256 is None else (TAKEN, "")
    if public.sha256 is None:
        return MISSING, ""
    return (BEHIND, "") if ours else (EDITED, "")
