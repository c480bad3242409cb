"""The codes about identity, cache, recovery, processes, recall and other layouts (5xx to 9xx, Zxx)."""

from __future__ import annotations

from remember.check.code import CACHE, METADATA, NONE, PERSON, Code

__all__ = ["REST_CODES"]

_E, _W, _I, _X = ("error",), ("warning",), ("info",), ("unknown",)
_REBUILD = "`--repair` (or `remember index rebuild`) makes the index anew from the files."

REST_CODES = (
    Code("R501", _E, PERSON, "one ID in two notes", "Give one of them a new ID (eight hexadecimal digits), or delete the copy."),
    Code("R502", _E, PERSON, "one ID in a fact and a note", "Give one of them a new ID, or forget one by its place."),
    Code("R503", _W, NONE, "one ID in both scopes", "Commands by ID are ambiguous; choose with `--scope`, or forget one of the two."),
    Code("R504", ("info", "warning"), PERSON, "a link to nothing, or to several memos", "Link by ID or path, or write the missing note."),
    Code("R505", _I, NONE, "near-equal descriptions", "Merge the notes if they are about the same thing."),
    Code("R600", _I, CACHE, "files changed since the index saw them", "The next read takes them in."),
    Code("R601", ("warning", "info"), CACHE, "the index is absent or not usable", _REBUILD),
    Code("R602", _W, CACHE, "an index made for another store", _REBUILD),
    Code("R603", _E, CACHE, "the index file is damaged", _REBUILD),
    Code("R604", _E, CACHE, "the full-text index disagrees with its rows", _REBUILD),
    Code("R605", _W, CACHE, "a file or memo without a row", _REBUILD),
    Code("R606", _W, CACHE, "a row without its file or memo", _REBUILD),
    Code("R607", _E, CACHE, "content changed although size and times agree", _REBUILD + " Find out what writes files behind their times."),
    Code("R608", _E, CACHE, "a row says something else than its file", _REBUILD),
    Code("R609", _E, CACHE, "indexed words differ from those of the file", _REBUILD),
    Code("R610", _E, CACHE, "two rows for one memo", _REBUILD),
    Code("R611", _E, CACHE, "a row outside the store's readable paths", _REBUILD),
    Code("R612", _E, CACHE, "counters disagree with the tables", _REBUILD),
    Code("R613", _E, CACHE, "a memo is not found by its own rarest word", _REBUILD),
    Code("R701", _W, PERSON, "a recovery record that is unreadable or open to others",
         "`chmod 600` an open one; a damaged one cannot be undone and may be deleted."),
    Code("R702", _I, CACHE, "the record of a change that never happened", "`undo` passes over it; `--repair` drops it."),
    Code("R703", _I, NONE, "a record that no longer applies", "The memo was changed since; `remember history show ID` has both states."),
    Code("R704", _W, PERSON, "a forgotten memo is there again", "A sync or merge brought it back: forget it once more, or keep it."),
    Code("R801", _W, CACHE, "a left-over lock", "`--repair` removes it once nobody holds it."),
    Code("R802", _W, NONE, "a watcher that is silent or over its limit",
         "End it and start `remember watch` again; raise fs.inotify.max_user_watches if that is the limit."),
    Code("R803", _W, NONE, "file times ahead of the clock", "Set the clock; files with such times are read again each time."),
    Code("R901", _I, NONE, "the session snapshot is over its budget",
         "Raise `inject_chars_local` or `inject_chars_global`, or forget what is stale."),
    Code("R902", _I, NONE, "a memo that no query can reach", "It holds no letter or digit; give it a word."),
    Code("R903", _I, NONE, "the local store is not trusted", "Look at it, then run `remember trust add`."),
    Code("Z101", _W, PERSON, "an index line without its file", "Take the line out, or restore the file."),
    Code("Z102", _W, METADATA, "a file without its index line", "`--repair` adds the line."),
    Code("Z103", _W, NONE, "a file without readable metadata", "Give it `name` and `description`."),
    Code("Z104", _I, NONE, "an index longer than what the agent loads", "Only the first 200 lines or 25 KB are loaded; shorten it."),
)
"""In the order of their numbers."""
