"""`#tag` and `[[link]]` in text: conventions, not schema; neither counts inside code, links or addresses."""

from __future__ import annotations

from remember.format.comments import fences

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["links", "tag_key", "tags", "tags_and_links"]

_compiled: dict[str, Callable[..., object]] = {}
_BEFORE_TAG = frozenset(" \t\n\r([{<\"'“‘«„,;（【「『《，。、；：！？…—–-*_~>|")


def _compile() -> None:
    import re

    _compiled["tag"] = re.compile(r"#([^\s#.,;:!?()\[\]{}<>\"'`*~|&@%^=+\\$，。、；：！？（）【】「」『』《》“”‘’…—]+)").finditer
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
        at = match.start()
        if at and (text[at - 1] not in _BEFORE_TAG or text.startswith(("](", "[["), max(0, at - 2)) or _in_word(text, at)):
            continue
        tag = _trimmed(match[1])
        if tag and tag_key(tag) not in found and at not in code and not _in_address(text, at):
            found[tag_key(tag)] = tag
    return tuple(found.values())


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

    def __init__(self, text: str) -> None:
        self.text = text
        self.inline = "`" in text
        self.comments = "<!--" in text
        self.spans: list[tuple[int, int]] | None = None if "```" in text or "~~~" in text else []

    def __contains__(self, at: int) -> bool:
        text = self.text
        if self.inline and text.count("`", text.rfind("\n", 0, at) + 1, at) % 2:
            end = text.find("\n", at)
            if text.find("`", at, len(text) if end < 0 else end) >= 0:
                return True
        if self.comments and text.rfind("<!--", 0, at) > text.rfind("-->", 0, at) and text.find("-->", at) >= 0:
            return True
        if self.spans is None:
            self.spans = fences(text)
        return any(begin <= at < end for begin, end in self.spans)


def _in_word(text: str, at: int) -> bool:
    """Whether `-`, `_` or `*` before the mark belongs to a word (`a-#b`)."""
    return text[at - 1] in "-_" and at > 1 and not text[at - 2].isspace()


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
