"""`#tag` and `[[link]]` in text: conventions, not schema; neither counts inside code, links or addresses."""

from __future__ import annotations

from remember.format.code import contains, hidden
from remember.format.fences import spans_of
from remember.format.shapes import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from re import Match

__all__ = ["links", "tag_key", "tags", "tags_and_links", "target_of"]

_compiled: dict[str, Callable[[str], Iterator[Match[str]]]] = {}
_OFTEN = 32
_LONG = 200_000
_BEFORE_TAG = r" \t\n\r(\[{<\"'“‘«„,;（【「『《，。、；：！？…—–*~>|_\-"
_NEVER_IN_TAG = r"\s#.,;:!?()\[\]{}<>\"'`*~|&@%^=+\\$，。、；：！？（）【】「」『』《》“”‘’…—"


def _compile() -> None:
    import re

    # The mark itself comes first and the look back after it: the other way round costs thirty times as much.
    _compiled["tag"] = re.compile(rf"#(?<![^{_BEFORE_TAG}]#)([^{_NEVER_IN_TAG}]+)").finditer
    _compiled["link"] = re.compile(r"\[\[([^\[\]\n]+)\]\]").finditer


def _linked(line: str) -> Iterator[Match[str]]:
    """Wiki links, links with their destination, destinations alone, addresses, HTML tags and link definitions of a line."""
    if "linked" not in _compiled:
        import re

        _compiled["linked"] = re.compile(
            r"\[\[[^\[\]]*\]\]|\[[^\[\]]*\]\([^()]*|\]\([^()\s]*|://[^\s<>\"'`]*|</?[A-Za-z][^<>]*>|^ {0,3}\[[^\[\]^][^\[\]]*\]:\s*\S+"
        ).finditer
    return _compiled["linked"](line)


def tags(text: str) -> tuple[str, ...]:
    """The tags of a text as written, without `#`, each once (however cased), in order of first appearance."""
    return _tags(text, _Place(text)) if "#" in text else ()


def links(text: str) -> tuple[str, ...]:
    """The targets of wiki links, each once: `[[target#heading|alias]]` gives `target`."""
    return _links(text, _Place(text)) if "[[" in text else ()


def tags_and_links(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Both at once: code is looked for one time only."""
    place = _Place(text)
    return (_tags(text, place) if "#" in text else ()), (_links(text, place) if "[" in text and "[[" in text else ())


def _tags(text: str, place: _Place) -> tuple[str, ...]:
    if "tag" not in _compiled:
        _compile()
    found: dict[str, str] = {}
    for match in _compiled["tag"](text):
        tag = match[1]
        if not tag.isalpha() or not tag.isascii():
            tag = _trimmed(tag)
            if not tag:
                continue
        key = tag_key(tag)
        if key not in found and place.is_plain(match.start()):
            found[key] = tag
    return tuple(found.values())


def _links(text: str, place: _Place) -> tuple[str, ...]:
    if "tag" not in _compiled:
        _compile()
    found: dict[str, None] = {}
    for match in _compiled["link"](text):
        target = target_of(match[1])
        if target and target not in found and not place.is_hidden(match.start()):
            found[target] = None
    return tuple(found)


def target_of(inner: str) -> str:
    """What a link of that inside means: `target` in `target#heading|alias`."""
    return inner.split("|", 1)[0].split("#", 1)[0].removesuffix("\\").strip()


class _Place:
    """Where in a text an offset lies; each thing is looked for when first asked, and once."""

    __slots__ = ("_asked", "_fences", "_line_end", "_linked", "_ticked", "_whole", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._asked = 0
        self._ticked = False
        self._whole: list[tuple[int, int]] | None = None
        self._fences: list[tuple[int, int]] | None = None
        self._line_end = -1
        self._linked: list[tuple[int, int]] = []

    def is_hidden(self, at: int) -> bool:
        """Whether it is code or in an HTML comment."""
        fences = self._fences
        if fences is None:
            fences = self._prepare()
        self._asked += 1
        if self._asked == _OFTEN and self._whole is None:
            self._look()
        if self._whole is not None:
            return contains(self._whole, at)
        return (bool(fences) and contains(fences, at)) or (self._ticked and self._in_inline_code(at))

    def _prepare(self) -> list[tuple[int, int]]:
        text = self.text
        # One character is looked for ten times as fast as several.
        if ("<" in text and "<!--" in text) or "\r" in text or len(text) > _LONG:
            self._look()
        self._ticked = "`" in text
        self._fences = fences = spans_of(text) if self._ticked or "~" in text else []
        return fences

    def _look(self) -> None:
        """Read the text from its beginning: dearer than one paragraph, cheaper than many."""
        found = hidden(self.text)
        self._whole = sorted(found.code + found.comments)

    def _in_inline_code(self, at: int) -> bool:
        """Whether a code span of the paragraph holds the offset: a run of backticks up to the next run as long."""
        text = self.text
        begin = text.rfind("\n\n", 0, at) + 1
        if text.find("`", begin, at) < 0:
            return False
        end = text.find("\n\n", at)
        end = len(text) if end < 0 else end
        for start, stop in self._fences or ():
            begin, end = (stop if begin < stop <= at else begin), (start if at <= start < end else end)
        here = text.find("`", begin, at)
        while here >= 0:
            after = here + 1
            while after < end and text[after] == "`":
                after += 1
            run = after - here
            close = -1 if run == 1 and here and text[here - 1] == "\\" else _closing(text, after, end, run)
            if close >= 0:
                if text.find("\n", after, close) >= 0 and pattern("blank line").search(text, after, close):
                    self._look()  # a line of blanks parts paragraphs too
                    return contains(self._whole or [], at)
                after = close + run
                if at < after:
                    return True
            here = text.find("`", after, at)
        return False

    def is_plain(self, at: int) -> bool:
        """Whether a mark found there begins a tag: no code, no link, no address, not the end of a word like `a-#b`."""
        text = self.text
        if at > 1 and text[at - 1] in "-_" and not text[at - 2].isspace():
            return False
        if at >= self._line_end:
            start = text.rfind("\n", 0, at) + 1
            end = text.find("\n", at)
            self._line_end = end = len(text) if end < 0 else end
            line = text[start:end]
            # Most lines have neither; only the others are worth an expression.
            self._linked = (
                [(start + m.start(), start + m.end()) for m in _linked(line)] if "[" in line or "<" in line or "://" in line else []
            )
        return not (self._linked and contains(self._linked, at)) and not self.is_hidden(at)


def _closing(text: str, at: int, end: int, run: int) -> int:
    """The next run of exactly so many backticks before `end`, -1 for none."""
    mark = "`" * run
    here = text.find(mark, at, end)
    while here >= 0:
        after = here + run
        if after == end or text[after] != "`":
            return here
        while after < end and text[after] == "`":
            after += 1
        here = text.find(mark, after, end)
    return -1


def _trimmed(raw: str) -> str:
    """The tag in what follows the mark: letters, digits, marks, `_`, `-`, `/`; "" where there is none, or digits alone."""
    if raw.isascii() and raw.replace("-", "").replace("_", "").replace("/", "").isalnum():
        tag = raw
    else:
        end = 0
        while end < len(raw) and (raw[end].isalnum() or raw[end] in "_-/" or _is_mark(raw[end])):
            end += 1
        tag = raw[:end]
    tag = tag.rstrip("/-")
    return "" if not tag or tag[0] in "/-" or tag.isdigit() or not any(char.isalnum() for char in tag) else tag


def _is_mark(char: str) -> bool:
    if char in "\u200c\u200d":
        return True
    from unicodedata import category

    return category(char)[0] == "M"


def tag_key(tag: str) -> str:
    """The form under which tags are the same: NFKC, folded case."""
    if tag.isascii():
        return tag.lower()
    from unicodedata import normalize

    return normalize("NFKC", normalize("NFKC", tag).casefold())
