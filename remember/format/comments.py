"""HTML comments are no body text: they are blanked before a body is indexed, line ends kept."""

from __future__ import annotations

from remember.format.code import contains, hidden
from remember.format.fences import spans_of as fences

__all__ = ["blank_comments", "blank_percent", "fences"]


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


def blank_percent(text: str) -> str:
    """The text with each closed `%% … %%` outside code emptied but for its line ends, as Obsidian hides it.

    One that begins a line may go over many; one within a line ends in it. A mark at a letter or digit, as in `50%%`, is none.
    """
    if "%%" not in text:
        return text
    code = hidden(text).code
    parts: list[str] = []
    done = 0
    start = _percent(text, 0, code)
    while start >= 0:
        begins_line = not text[text.rfind("\n", 0, start) + 1 : start].strip()
        end = _percent(text, start + 2, code)
        if end < 0:
            break
        if "\n" in text[start:end] and not begins_line:
            start = end
            continue
        parts += (text[done:start], "\n" * text.count("\n", start, end))
        done = end + 2
        start = _percent(text, done, code)
    parts.append(text[done:])
    return "".join(parts)


def _percent(text: str, at: int, code: list[tuple[int, int]]) -> int:
    """The next mark from an offset on, -1 for none."""
    while (at := text.find("%%", at)) >= 0:
        around = text[max(0, at - 1) : at] + text[at + 2 : at + 3]
        worded = at > 0 and text[at - 1].isalnum() and text[at + 2 : at + 3].isalnum()
        number = at > 0 and text[at - 1].isdigit()
        if "%" not in around and not worded and not number and not contains(code, at):
            return at
        at += 2
    return -1
