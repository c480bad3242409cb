"""Notes and names in exactly the form in which the writer makes them: one expression proves it, and no rule need look again.

Whatever is not proved here is looked at by the rules one by one; nothing is ever found here.
"""

from __future__ import annotations

import re

from remember.format import times
from remember.format.comments import blank_comments
from remember.format.frontmatter import HEADER_BYTES
from remember.format.links import links, target_of
from remember.layouts.layout import FILE_LIMIT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["PlainNotes", "are_plain_names", "exact_links", "possible_links"]

_DAY_MS = 86_400_000
_DATE = (
    rb"(?:19|20)\d\d-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8]))"
)
_CLOCK = rb"T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z"
# A second header is none of the writer's. No part can be read in two ways, or a long line would be tried again and again.
_note = re.compile(
    rb'---\ndescription: "([^"\\\x00-\x1f]+)"\nmemory-id: "([0-9a-f]{8})"\n'
    rb'created-date: "((' + _DATE + rb")" + _CLOCK + rb')"\nlast-modified-date: "(' + _DATE + _CLOCK + rb')"\n---\n(?!---)'
).match
_worded = re.compile(rb"[0-9A-Za-z]").search
_link = re.compile(rb"\[\[([^\[\]\n]+)\]\]").findall
_names = re.compile(r"[0-9A-Za-z_\-.,+@=~#%&!'$^;`{}\[\]/\n]*").fullmatch
_reserved = re.compile(r"[\n/](?:con|prn|aux|nul|com[1-9]|lpt[1-9])[.\n]").search
_LONGEST_PATH = 220
_LONGEST_LINKED = 200_000


class PlainNotes:
    """Tells plain notes at one time of day; times are compared as text, which their one form allows."""

    def __init__(self, now_ms: int) -> None:
        self.latest = times.show(now_ms + _DAY_MS).encode()

    def read(self, path: str, data: bytes) -> tuple[str, str] | None:
        """Description and ID of a note of which no rule could find anything; None for others."""
        if b"\0" in data or b"\r" in data or (b"<" in data and b"<<<<<<<" in data):
            return None
        found = _note(data)
        if found is None or found.end() > HEADER_BYTES or len(data) >= FILE_LIMIT:
            return None
        description, memo_id, created, day, modified = found.groups()
        if not created <= modified <= self.latest or not _worded(description):
            return None  # without a letter or digit it could not be searched
        begin = path.rfind("/") + 1
        if len(path) - begin < 15 or not path.startswith(f"{day.decode()}-", begin) or path.find(" ", begin) >= 0:
            return None
        if not data.isascii():
            try:
                data.decode()
            except UnicodeDecodeError:
                return None
            return " ".join(description.decode().split()), memo_id.decode()
        title = description.decode()
        if b"  " in description or description[0] == 32 or description[-1] == 32:
            title = " ".join(title.split())
        return title, memo_id.decode()


def possible_links(data: bytes) -> tuple[list[str], bool]:
    """What links in a note without comments may mean, once each, and whether each is surely a link (there is no code)."""
    sure = not (b"`" in data or b"~" in data) and len(data) < _LONGEST_LINKED
    marks = _link(data)
    if not marks:
        return [], sure
    inside = marks[0] if len(marks) == 1 else b"\n".join(marks)
    if b"|" in inside or b"#" in inside or b"\\" in inside:
        found = [target_of(mark.decode()) for mark in marks]
    else:  # as nearly all: nothing but the target
        found = [target.strip() for target in inside.decode().split("\n")]
    return [target for target in dict.fromkeys(found) if target], sure


def exact_links(data: bytes) -> tuple[str, ...]:
    """The links of a note that was plain; () where it is no more."""
    found = _note(data)
    if found is None:
        return ()
    title, body = found[1].decode("utf-8", "replace"), data[found.end() :].decode("utf-8", "replace")
    return links(f"{title}\n\n{blank_comments(body)}")


def are_plain_names(paths: Sequence[str]) -> bool:
    """Whether every path is one that each system takes and no program has made for a purpose of its own."""
    joined = "\n".join(paths)
    return bool(
        _names(joined)
        and joined.count("\n") == max(len(paths) - 1, 0)
        and "./" not in joined
        and "conflict" not in joined
        and "-DESKTOP-" not in joined
        and "-LAPTOP-" not in joined
        and not _reserved(f"\n{joined.lower()}\n")
        and max(map(len, paths), default=0) <= _LONGEST_PATH
    )
