"""What is cleaned and what is refused before text is stored, and the key under which duplicates are compared."""

from __future__ import annotations

from remember.errors import RefusedInput
from remember.format.graphemes import boundary

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["FACT_LIMIT", "check_body", "clean", "clean_description", "clean_fact", "cut", "duplicate_key", "duplicate_keys"]

FACT_LIMIT = 300
"""Code points in a fact or a description."""

_MARKERS = ("- ", "* ", "+ ")
_CLOSING = ".!?,;:。！？，；：、 "


def clean(text: str) -> str:
    """Control characters become spaces, runs of white space collapse, the ends are trimmed."""
    if not text.isascii() or not text.isprintable():
        text = "".join(" " if char < " " or "\x7f" <= char <= "\x9f" or char in "\u2028\u2029" else char for char in text)
    return " ".join(text.split()).lstrip("\ufeff ")


def _check_unicode(text: str, what: str) -> None:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise RefusedInput(f"the {what} is not valid UTF-8 (character {error.start + 1})", "convert it to UTF-8 first") from None


def _one_line(text: str, what: str) -> str:
    _check_unicode(text, what)
    cleaned = clean(text)
    if not cleaned:
        raise RefusedInput(f"the {what} is empty", "say what is to be remembered")
    if len(cleaned) > FACT_LIMIT:
        raise RefusedInput(
            f"the {what} has {len(cleaned)} characters; {FACT_LIMIT} are the limit",
            "keep it as a note: `remember note DESCRIPTION --body TEXT`",
        )
    if cleaned.startswith("<!--"):
        raise RefusedInput(f"the {what} begins with `<!--`, which would break the format", "begin with another word")
    return cleaned


def clean_fact(text: str) -> str:
    """A fact ready to be stored, its leading list marker dropped. Raises RefusedInput."""
    cleaned = clean(text)
    if cleaned.startswith(_MARKERS):
        return _one_line(cleaned[2:], "fact")
    number, dot, rest = cleaned.partition(". ")
    # Longer numbers begin sentences (a year, say) rather than lists.
    if dot and len(number) <= 3 and number.isascii() and number.isdigit():
        return _one_line(rest, "fact")
    return _one_line(cleaned, "fact")


def clean_description(text: str) -> str:
    """A note's description ready to be stored. Raises RefusedInput."""
    return _one_line(text, "description")


def check_body(text: str) -> str:
    """A note's body as it may be stored: not blank, no frontmatter delimiter first, valid UTF-8 without NUL. Raises RefusedInput."""
    _check_unicode(text, "body")
    if "\0" in text:
        raise RefusedInput("the body holds a NUL character", "remove it; a memo is text")
    text = text.lstrip("\ufeff")
    if not text.strip():
        raise RefusedInput("the body is empty", "give it with --body, --file or on standard input")
    if text.lstrip().split("\n", 1)[0].rstrip() == "---":
        raise RefusedInput(
            "the body begins with a frontmatter delimiter (---)", "give the body without frontmatter, or put a line before it"
        )
    return text


def duplicate_key(text: str) -> str:
    """The form under which two texts are the same: NFKC, folded case, single spaces, without closing punctuation."""
    if text.isascii():
        key = " ".join(text.lower().split())
    else:
        from unicodedata import normalize

        key = " ".join(normalize("NFKC", normalize("NFKC", text).casefold()).split())
    return key.rstrip(_CLOSING) or key


def duplicate_keys(texts: Sequence[str]) -> list[str]:
    """`duplicate_key` of each text; ten thousand plain ones at the price of one."""
    joined = "\n".join(texts)
    if not joined.isascii() or joined.count("\n") != max(len(texts) - 1, 0) or not joined.replace("\n", " ").isprintable():
        return [duplicate_key(text) for text in texts]
    if "  " in joined or "\n " in joined or " \n" in joined or joined != joined.strip(" "):
        return [duplicate_key(text) for text in texts]
    return [key.rstrip(_CLOSING) or key for key in joined.lower().split("\n")] if texts else []


def cut(text: str, limit: int) -> str:
    """At most `limit` characters of the text, never ending inside a grapheme cluster."""
    return text if len(text) <= limit else text[: boundary(text, limit, -1)]
