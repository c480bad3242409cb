"""The analyser: what counts as a word, for the index and for queries alike; another ANALYSER means another cache.

FTS5 tokenises in C (`TOKENIZE`); Python only cuts unspaced scripts into bigrams and adds the parts of camelCase words.
Nothing here imports `re` before a text needs it, since every search passes through this module.
"""

from __future__ import annotations

from operator import add

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
    "ANALYSER",
    "SEPARATORS",
    "STOPWORDS",
    "TOKENIZE",
    "camel_parts",
    "fold",
    "fold_char",
    "identifiers",
    "is_unspaced",
    "runs",
    "segment",
    "words_of",
]

ANALYSER = "2"
"""Version of everything in this module; written into each cache."""

TOKENIZE = "porter unicode61 remove_diacritics 2 categories 'L* M* N* Co'"
"""The FTS5 tokeniser. Marks (M*) count as letters, or Indic words would fall apart at their vowel signs."""

SEPARATORS = b"_-./:@+"
"""What joins the parts of a compound identifier."""

STOPWORDS = frozenset(
    [
        "a", "about", "above", "after", "again", "all", "also", "am", "an", "and", "any", "are", "aren't", "as", "at", "be", "because",
        "been", "before", "being", "below", "between", "both", "but", "by", "can", "can't", "cannot", "could", "couldn't", "did",
        "didn't", "do", "does", "doesn't", "doing", "don't", "down", "during", "each", "few", "for", "from", "further", "had",
        "hadn't", "has", "hasn't", "have", "haven't", "having", "he", "her", "here", "hers", "herself", "him", "himself", "his", "how",
        "i", "if", "in", "into", "is", "isn't", "it", "its", "itself", "just", "me", "more", "most", "my", "myself", "no", "nor",
        "not", "of", "off", "on", "once", "only", "or", "other", "our", "ours", "ourselves", "out", "over", "own", "same", "she",
        "should", "shouldn't", "so", "some", "such", "than", "that", "the", "their", "theirs", "them", "themselves", "then", "there",
        "these", "they", "this", "those", "through", "to", "too", "under", "until", "up", "very", "was", "wasn't", "we", "were",
        "weren't", "what", "when", "where", "which", "while", "who", "whom", "why", "will", "with", "won't", "would", "wouldn't",
        "you", "your", "yours", "yourself", "yourselves",
    ]
)
"""English function words: they count only in short queries, or when nothing else is left."""

_UNSPACED = (
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x1000, 0x109F),  # Myanmar
    (0x1780, 0x17FF),  # Khmer
    (0x3005, 0x3007),
    (0x3040, 0x30FF),  # kana
    (0x31F0, 0x31FF),
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),  # Han
    (0xAC00, 0xD7AF),  # Hangul
    (0xF900, 0xFAFF),
    (0x20000, 0x3FFFD),
)

# Character classes of bytes for camel_parts: 1 lower case or digit, 2 upper case, 0 anything else.
_CLASSES = bytes(2 if 65 <= i <= 90 else 1 if 97 <= i <= 122 or 48 <= i <= 57 else 0 for i in range(256))
# Bytes as folded words between blanks; bytes of non-ASCII characters stay, `fold` has dealt with them before.
_FOLDED = bytes(i if 97 <= i <= 122 or 48 <= i <= 57 or i >= 128 else i + 32 if 65 <= i <= 90 else 32 for i in range(256))

# All bytes but those that begin a character of U+0800 to U+1FFF or from U+3000 on, where the unspaced scripts are.
_NO_UNSPACED = bytes(i for i in range(256) if i < 0xE0 or i == 0xE2 or i > 0xF4)

_compiled: dict[str, Callable[..., str]] = {}
_camel: list[Callable[[bytes], list[bytes]]] = []
_folds: dict[str, str] = {}


def is_unspaced(char: str) -> bool:
    """Whether the character belongs to a script written without blanks (indexed as overlapping bigrams)."""
    code = ord(char)
    return code >= 0x0E00 and any(low <= code <= high for low, high in _UNSPACED)


def _bigrams(run: str) -> list[str]:
    return [run] if len(run) == 1 else list(map(add, run, run[1:]))


def _cut(match: object) -> str:
    run: str = match[0]  # type: ignore[index]
    # The last character stands alone too: as the second half of a bigram no prefix search would reach it.
    return f" {run} " if len(run) == 1 else f" {' '.join(map(add, run, run[1:]))} {run[-1]} "


def segment(text: str) -> str:
    """Text as it is given to FTS5: NFKC, ß as ss, runs of unspaced scripts cut into bigrams; ASCII comes back as the same object.

    Line ends stay where they are, so positions can be turned into line numbers.
    """
    if text.isascii():
        return text
    sub = _compiled.get("unspaced")
    if sub is None:
        import re

        sub = re.compile("[" + "".join(f"{chr(a)}-{chr(b)}" for a, b in _UNSPACED) + "]+").sub
        _compiled["unspaced"] = sub
    from unicodedata import is_normalized, normalize

    if not is_normalized("NFKC", text):
        text = normalize("NFKC", text)
    if "ß" in text or "ẞ" in text:
        text = text.replace("ß", "ss").replace("ẞ", "SS")  # the one common letter that is two where case is folded
    if not text.encode("utf-8", "surrogatepass").translate(None, _NO_UNSPACED):
        return text  # accents alone: told from the bytes twenty times as fast as by the expression
    return sub(_cut, text)


def camel_parts(data: bytes) -> str:
    """The lower-case parts (two characters up) of each distinct camelCase word in UTF-8 bytes, joined by blanks.

    A map of the bytes to character classes lets `find` run at C speed: one regular expression over whole notes costs forty times as much.
    """
    classes = data.translate(_CLASSES) + b"\0"
    find, rfind = classes.find, classes.rfind
    seen = set()
    for boundary in (b"\1\2", b"\2\2\1"):
        at = find(boundary)
        while at >= 0:
            end = find(0, at)
            seen.add(data[rfind(0, 0, at) + 1 : end])
            at = find(boundary, end)
    if not seen:
        return ""
    if not _camel:
        import re

        _camel.append(re.compile(rb"[A-Z]{2,}(?![a-z])|[A-Z][a-z]+|[a-z]{2,}|\d\d+").findall)
    return b" ".join(_camel[0](b" ".join(sorted(seen)))).lower().decode()


def fold_char(char: str) -> str:
    """One character as the index has it: lower case, ß as ss, Latin letters without marks, combining accents dropped, else a blank."""
    folded = _folds.get(char)
    if folded is None:
        from unicodedata import category, normalize

        lower = "σ" if char in "Σς" else "ss" if char in "ßẞ" else char.lower()
        bare = normalize("NFD", lower)
        if bare[0] <= "\u024f" and lower != "ss" and lower not in "ǡǣǽǿ":  # these four the tokeniser leaves as they are
            lower = bare[0]  # Latin letters lose their marks, as remove_diacritics 2 does; other scripts keep them
        kind = category(char)
        if "\u0300" <= char <= "\u036f":
            folded = ""
        else:
            folded = lower if kind[0] in "LNM" or kind == "Co" else " "
        _folds[char] = folded
    return folded


def fold(text: str) -> tuple[bytes, bytes]:
    """Text as (bytes with separators, bytes of folded words between blanks), both of one length, so positions agree."""
    if not text.isascii():
        for char in set(text):
            if char > "\x7f":
                folded = fold_char(char)
                if folded != char:
                    text = text.replace(char, folded)
    data = text.encode("utf-8", "replace")
    return data, data.translate(_FOLDED)


def runs(text: str) -> list[tuple[str, bool]]:
    """The words of a query in order as (word, unspaced script?); marks belong to the word before them."""
    found: list[tuple[str, bool]] = []
    start = -1
    unspaced = False
    for at, char in enumerate(text + " "):
        if char.isascii():
            inside, kind = char.isalnum(), False
        else:
            kind = is_unspaced(char)
            inside = kind or fold_char(char) != " "
            if inside and not kind and start >= 0 and fold_char(char) == "":
                kind = unspaced
        if start >= 0 and (not inside or kind != unspaced):
            found.append((text[start:at], unspaced))
            start = -1
        if inside and start < 0:
            start, unspaced = at, kind
    return found


def words_of(text: str) -> list[tuple[str, bool]]:
    """Folded query words in order: bigrams for unspaced scripts, whole words otherwise; NFKC is the caller's."""
    words: list[tuple[str, bool]] = []
    for run, unspaced in runs(text):
        if unspaced:
            words += [(gram, True) for gram in _bigrams(run)]
        else:
            folded = fold(run)[1].decode("utf-8", "replace").strip()
            words += [(word, False) for word in folded.split()]
    return words


def _split_camel(word: str) -> list[str]:
    """`maxBodySize2` as max, Body, Size, 2; `HTTPServer` as HTTP, Server."""
    parts: list[str] = []
    start = 0
    for at in range(1, len(word) + 1):
        if at == len(word):
            parts.append(word[start:at])
            break
        before, here = word[at - 1], word[at]
        after = word[at + 1] if at + 1 < len(word) else ""
        boundary = (
            before.isdigit() != here.isdigit()
            or (here.isupper() and before.islower())
            or (here.isupper() and before.isupper() and after.islower())
        )
        if boundary:
            parts.append(word[start:at])
            start = at
    return parts


def identifiers(text: str) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Compound identifiers in a query as (parts, segments), lower case.

    Segments are what separators cut (`max_bodySize` -> max, bodysize), parts are cut at camelCase and digits too.
    Only words of ASCII letters and digits with at least two parts count.
    """
    found = []
    for token in text.split():
        word = ""
        for char in token + " ":
            joins = char in "_-./:@+"
            if char.isascii() and (char.isalnum() or joins):
                word += char
                continue
            segments = [s for s in word.translate(_TO_BLANKS).split() if s]
            word = ""
            parts = [p for s in segments for p in _split_camel(s)]
            if len(parts) >= 2 and (len(segments) > 1 or not parts[0].isdigit()):  # `2nd` is a word
                found.append((tuple(p.lower() for p in parts), tuple(s.lower() for s in segments)))
    return found


_TO_BLANKS = {ord(c): " " for c in "_-./:@+"}
