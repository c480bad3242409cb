"""`#tag` and `[[link]]` in text: conventions, not schema; neither counts inside code, links or addresses."""

from __future__ import annotations

from remember.format.comments import fences

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["links", "tag_key", "tags", "tags_and_links"]

_compiled: dict[str, Callable[..., object]] = {}
_BEFORE_TAG = r" \t\n\r(\[{<\"'“‘«„,;（【「『《，。、；：！？…—–*~>|_\-"
_NEVER_IN_TAG = r"\s#.,;:!?()\[\]{}<>\"'`*~|&@%^=+\\$，。、；：！？（）【】「」『』《》“”‘’…—"


def _compile() -> None:
    import re

    # The mark itself comes first and the look back after it: the other way round costs thirty times as much.
    _compiled["tag"] = re.compile(rf"#(?<![^{_BEFORE_TAG}]#)([^{_NEVER_IN_TAG}]+)").finditer
    _compiled["link"] = re.compile(r"\[\[([^\[\]\n]+)\]\]").finditer


def tags(text: str) -> tuple[str, ...]:
    """The tags of a text as written, without `#`, each once (however cased), in order of first appearance."""
    return _tags(text, _Code(text)) if "#" in text else ()


def links(text: str) -> tuple[str, ...]:
    """The targets of wiki links, each once: `[[target#heading|alias]]` gives `target`."""
    return _links(text, _Code(text)) if "[[" in text else ()


def tags_and_links(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Both at once: code is looked for one time only."""
    code = _Code(text)
    return (_tags(text, code) if "#" in text else ()), (_links(text, code) if "[[" in text else ())


def _tags(text: str, code: _Code) -> tuple[str, ...]:
    if not _compiled:
        _compile()
    found: dict[str, str] = {}
    for match in _compiled["tag"](text):  # type: ignore[attr-defined]
        tag = match[1]
        if not tag.isalpha() or not tag.isascii():
            tag = _trimmed(tag)
            if not tag:
                continue
        key = tag_key(tag)
        if key not in found and _begins_word(text, match.start()) and match.start() not in code:
            found[key] = tag
    return tuple(found.values())


def _begins_word(text: str, at: int) -> bool:
    """Whether a mark begins a tag and not a heading link, an address's fragment, or the end of a word like `a-#b`."""
    before = text[at - 1] if at else " "
    if before.isspace():
        return not _in_address(text, at) if "://" in text else True
    if before in "-_" and at > 1 and not text[at - 2].isspace():
        return False
    return not text.startswith(("](", "[["), max(0, at - 2)) and not _in_address(text, at)


def _links(text: str, code: _Code) -> tuple[str, ...]:
    if not _compiled:
        _compile()
    found: dict[str, None] = {}
    for match in _compiled["link"](text):  # type: ignore[attr-defined]
        target = match[1].split("|", 1)[0].split("#", 1)[0].removesuffix("\\").strip()
        if target and target not in found and match.start() not in code:
            found[target] = None
    return tuple(found)


class _Code:
    """Where a text is code or comment: inline, in a closed fenced block, or in an HTML comment."""

    __slots__ = ("comments", "inline", "known", "spans", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.known = False
        self.inline = self.comments = False
        self.spans: list[tuple[int, int]] | None = None

    def _look(self) -> None:
        text = self.text
        self.known = True
        self.inline = "`" in text
        self.comments = "<!--" in text
        if not ((self.inline and "```" in text) or "~~~" in text):
            self.spans = []

    def __contains__(self, at: int) -> bool:
        text = self.text
        if not self.known:
            self._look()
        if self.inline and text.count("`", text.rfind("\n", 0, at) + 1, at) % 2:
            end = text.find("\n", at)
            if text.find("`", at, len(text) if end < 0 else end) >= 0:
                return True
        if self.comments and text.rfind("<!--", 0, at) > text.rfind("-->", 0, at) and text.find("-->", at) >= 0:
            return True
        if self.spans is None:
            self.spans = fences(text)
        return any(begin <= at < end for begin, end in self.spans)


def _in_address(text: str, at: int) -> bool:
    start = max(text.rfind(" ", 0, at), text.rfind("\n", 0, at)) + 1
    return "://" in text[start:at]


def _trimmed(raw: str) -> str:
    """The tag in what follows the mark: letters, digits, marks, `_`, `-`, `/`; "" where there is none, or digits alone."""
    if raw.isascii() and raw.replace("-", "").replace("_", "").replace("/", "").isalnum():
        tag = raw
    else:
        end = 0
        while end < len(raw) and (raw[end].isalnum() or raw[end] in "_-/" or _is_mark(raw[end])):
            end += 1
        tag = raw[:end]
    tag = tag.rstrip("/-").lstrip("/-")
    return "" if not tag or tag.isdigit() or not any(char.isalnum() for char in tag) else tag


def _is_mark(char: str) -> bool:
    from unicodedata import category

    return category(char)[0] == "M" or char in "\u200c\u200d"


def tag_key(tag: str) -> str:
    """The form under which tags are the same: NFKC, folded case."""
    if tag.isascii():
        return tag.lower()
    from unicodedata import normalize

    return normalize("NFKC", tag).casefold()
