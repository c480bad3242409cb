"""What a line of Markdown looks like from its first characters; the expressions are made when a text first needs one."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from re import Pattern

__all__ = ["is_prose_only", "pattern"]

_compiled: dict[str, Pattern[str]] = {}
_STAMP = r"\d{4}-\d\d-\d\d[Tt]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:[Zz]|[+-]\d\d(?::?\d\d)?)"
_SOURCES = {
    # Ours: time with zone and ID, nothing else on the line (spec section 3).
    "comment": rf" {{0,3}}<!--[ \t]*({_STAMP})[ \t]+\[([0-9a-f]{{8}})\][ \t]*-->\s*$",
    "almost": r"\s*<!--\s*(\d\S*(?:[ \t]+\d\S*)?)\s+\[([0-9A-Za-z]*)\]\s*-->\s*$",
    "further": rf"\s*<!--\s*{_STAMP}\s+\[[0-9a-f]{{8}}\]",
    "foreign": r"\s*<!--\s*\d{4}-\d\d-\d\d[^\[\]]*\[[^\[\]]*\]\s*-->\s*$",
    "item": r"(?:[-*+]|\d{1,9}\.)[ \t]+(?=\S)",
    "blank line": r"\n[ \t]+\n",
    "rule": r" {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|=+[ \t]*)\r?$",
    "heading": r" {0,3}#{1,6}(?:\s|$)",
    "reference": r" {0,3}\[[^\]]+\]:",
    "fence marks": r"\n {0,3}(`{3,}|~{3,})",
    "fence": r" {0,3}(`{3,}(?=[^`]*$)|~{3,})",
}


def pattern(name: str) -> Pattern[str]:
    """The expression for one shape, to be matched at the start of a line given without its line feed."""
    found = _compiled.get(name)
    if found is None:
        import re

        found = _compiled[name] = re.compile(_SOURCES[name])
    return found


def is_prose_only(line: str) -> bool:
    """Whether a line, standing alone, is Markdown's structure and not a sentence.

    That is a heading, quote, table row, HTML, link definition, indented code, fence, rule or underline.
    """
    bare = line.lstrip(" ")
    if len(line) - len(bare) > 3 or bare[0] in ">|<\t":
        return True
    return any(pattern(name).match(line) for name in ("heading", "reference", "rule", "fence"))
