"""Phrases: as FTS5 looks for them by their stems, and as they stand in a text word for word, case and accents aside."""

from __future__ import annotations

from remember.format.tokens import fold, fold_char, is_unspaced, segment

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Sequence

__all__ = ["holder", "phrases_of", "quote", "wanted"]


def quote(text: str) -> str:
    """Text as one FTS5 phrase of its words, which an unspaced script may continue: `数据库` is found in `数据库迁移`."""
    end = len(text)
    while end and fold_char(text[end - 1]) == " ":
        end -= 1
    words = segment(text[:end]).replace('"', " ").replace("\0", " ").split()
    begins = False
    if words and len(words[-1]) == 1 and is_unspaced(words[-1]):
        # The index has the last character of a run alone too; within a longer run it is the beginning or end of a bigram.
        if len(words) > 1 and len(words[-2]) == 2 and words[-2][1] == words[-1] and is_unspaced(words[-2][0]):
            words.pop()
        else:
            begins = True
    return '"' + " ".join(words) + '"' + "*" * begins


def phrases_of(query: str) -> list[str]:
    """The quoted parts of a query, or the whole of it; those without a word in them ask nothing."""
    text = query.replace("\u201c", '"').replace("\u201d", '"')
    parts = text.split('"')[1::2] if '"' in text else [text]
    return [part for part in parts if _key(part).strip()]


def wanted(query: str, connections: Sequence[sqlite3.Connection]) -> list[str]:
    """The phrases that must stand as they are; SQL's `exactly(text, …)` tells it from then on."""
    phrases = phrases_of(query)
    for connection in connections:
        connection.create_function("exactly", 3, holder(phrases), deterministic=True)
    return phrases


def holder(phrases: Sequence[str]) -> Callable[..., bool]:
    """A function of several texts that says whether each phrase is in one of them."""
    keys = [_key(phrase) for phrase in phrases]

    def holds(*texts: str | None) -> bool:
        folded = [b" " + _words(text) + b" " for text in texts if text]
        return all(any(key in text for text in folded) for key in keys)

    return holds


def _key(phrase: str) -> bytes:
    """The words as they are looked for: whole ones, but for an end in an unspaced script, which may go on."""
    words = _words(phrase)
    if not words:
        return b""
    text = words.decode("utf-8", "replace")
    return b" " * (not is_unspaced(text[0])) + words + b" " * (not is_unspaced(text[-1]))


def _words(text: str) -> bytes:
    if not text.isascii():
        from unicodedata import normalize

        text = normalize("NFKC", text)
    return b" ".join(fold(text)[1].split())
