"""Names of note files: the UTC creation date and a slug in letters of any script."""

from __future__ import annotations

from remember.errors import RefusedInput
from remember.format.graphemes import boundary
from remember.format.times import date_of

__all__ = ["check", "file_name", "slug_of"]

_NAME_BYTES = 199
_LONGEST = 80


def _wordly(char: str) -> bool:
    if char.isalnum():
        return True
    from unicodedata import category

    return category(char)[0] == "M"


def slug_of(description: str) -> str:
    """The slug derived from a description; `note` if nothing is left."""
    from unicodedata import normalize

    text = normalize("NFC", description).lower().replace("'", "").replace("\u2019", "")
    words = "".join(char if _wordly(char) else " " for char in text).split()
    slug = "-".join(words)
    if len(slug) > _LONGEST:
        slug = slug[: boundary(slug, _LONGEST, -1)]
        slug = (slug.rsplit("-", 1)[0] if "-" in slug[20:] else slug).strip("-")
    return slug if any(char.isalnum() for char in slug) else "note"


def check(slug: str) -> str:
    """A slug given by the user, as it is. Raises RefusedInput for anything but 1 to 80 letters or digits with hyphens between."""
    hint = "give 1 to 80 letters or digits with hyphens between, without date, path or extension"
    if not 1 <= len(slug) <= _LONGEST or slug.startswith("-") or slug.endswith("-") or "--" in slug:
        raise RefusedInput(f"{slug!r} cannot be a slug", hint)
    if not all(char == "-" or _wordly(char) for char in slug) or not any(map(str.isalnum, slug)):
        raise RefusedInput(f"{slug!r} cannot be a slug", hint)
    if len(slug) >= 10 and slug[4] == slug[7] == "-" and (slug[:4] + slug[5:7] + slug[8:10]).isdigit():
        raise RefusedInput(f"{slug!r} begins with a date, which is put before it anyway", hint)
    return slug


def file_name(created_ms: int, slug: str, number: int = 1) -> str:
    """`2026-10-18-slug.md`, with `-2`, `-3` … for further files of that name; under 200 bytes in all."""
    tail = (f"-{number}" if number > 1 else "") + ".md"
    head = date_of(created_ms) + "-"
    room = _NAME_BYTES - len(head) - len(tail)
    while len(slug.encode("utf-8", "surrogateescape")) > room:
        slug = slug[: boundary(slug, len(slug) - 1, -1)].rstrip("-")
    return head + (slug or "note") + tail
