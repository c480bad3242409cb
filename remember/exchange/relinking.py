"""Links between memos that get other names: `[[wiki links]]` and Markdown links to `.md` files, code left alone."""

from __future__ import annotations

from posixpath import dirname, join, normpath

from remember.format.code import contains, hidden
from remember.format.spans import Edit, apply

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from re import Match, Pattern

    from remember.exchange.item import Item

__all__ = ["Names", "relink", "without_targets"]

_compiled: list[Pattern[str]] = []


def _links() -> Pattern[str]:
    """Groups: 1 a wiki link's target, 2 what follows it to the brackets; 3 a Markdown link's target."""
    if not _compiled:
        import re

        _compiled.append(re.compile(r"\[\[([^\[\]\n|#]+)([^\[\]\n]*)\]\]|\]\(<?((?![a-z][a-z0-9+.-]*:)[^()<>\s#]+\.md)"))
    return _compiled[0]


def without_targets(text: str) -> str:
    """The text with the targets of its links left out."""
    if "[[" not in text and ".md" not in text:
        return text
    return _links().sub(lambda found: "[[]]" if found[1] is not None else "](", text)


class Names:
    """By which name, in the source, which of the new memos is meant; an item's first name is its strongest."""

    def __init__(self, items: Sequence[Item]) -> None:
        self.wiki: dict[str, int] = {}
        self.paths = {item.source: number for number, item in enumerate(items)}
        for rank in range(max((len(item.names) for item in items), default=0)):
            for number, item in enumerate(items):
                if rank < len(item.names):
                    self.wiki.setdefault(item.names[rank].casefold(), number)


def relink(body: str, source: str, here: str, names: Names, called: Callable[[int], Sequence[str]], place: Callable[[int], str]) -> str:
    """The body with the links to other memos of the same source under their new names.

    `called(n)` are the names of memo n in the new store, the best first; `place(n)` is its new path, `here` that of this memo.
    """
    if "[[" not in body and ".md" not in body:
        return body
    spans = hidden(body)
    away = sorted(spans.code + spans.comments)
    edits = []
    for found in _links().finditer(body):
        if contains(away, found.start()):
            continue
        if found[1] is not None:
            edit = _wiki(body, found, names, called)
        else:
            edit = _markdown(found, source, here, names, place)
        if edit is not None:
            edits.append(edit)
    return apply(body, edits) if edits else body


def _wiki(body: str, found: Match[str], names: Names, called: Callable[[int], Sequence[str]]) -> Edit | None:
    bare = found[1].strip().removesuffix("\\").strip()
    number = names.wiki.get(bare.casefold().removesuffix(".md"), names.wiki.get(bare.casefold()))
    if number is None:
        return None
    good = called(number)
    if not good or bare.casefold() in (name.casefold() for name in good):
        return None
    shown = ""
    if "|" not in found[2]:
        line = body[body.rfind("\n", 0, found.start()) + 1 : found.start()]
        shown = ("\\|" if line.lstrip().startswith("|") else "|") + bare + found[2].removesuffix("\\")
    trailing = "\\" if found[1].endswith("\\") else ""
    return Edit(found.start(1), found.end(2), good[0] + trailing + found[2] + shown)


def _markdown(found: Match[str], source: str, here: str, names: Names, place: Callable[[int], str]) -> Edit | None:
    target = found[3].replace("%20", " ")
    number = names.paths.get(normpath(join(dirname(source), target)))
    if number is None or not place(number):
        return None
    start, end = found.span(3)
    new = place(number)
    if dirname(here) == dirname(new):
        new = new.rpartition("/")[2]
    return None if new == target else Edit(start, end, new.replace(" ", "%20"))
