"""HTML comments are no body text: they are blanked before a body is indexed, line ends kept."""

from __future__ import annotations

from remember.format.code import hidden
from remember.format.fences import spans_of as fences

__all__ = ["blank_comments", "fences"]


def blank_comments(text: str) -> str:
    """The text with each closed `<!-- … -->` outside code emptied but for its line ends; unclosed ones stay text."""
    if "<" not in text or "<!--" not in text:  # one character is found ten times as fast as four
        return text
    parts: list[str] = []
    at = 0
    for start, end in hidden(text).comments:
        parts.append(text[at:start])
        parts.append("\n" * text.count("\n", start, end))
        at = end
    parts.append(text[at:])
    return "".join(parts)
