"""HTML comments are no body text: they are blanked before a body is indexed, line ends kept."""

from __future__ import annotations

__all__ = ["blank_comments", "fences"]


def blank_comments(text: str) -> str:
    """The text with each closed `<!-- … -->` outside fenced code emptied but for its line ends; unclosed ones stay text."""
    if "<!--" not in text:
        return text
    parts: list[str] = []
    at = 0
    spans = fences(text) if "```" in text or "~~~" in text else []
    while True:
        start = text.find("<!--", at)
        if start < 0:
            break
        inside = next((end for begin, end in spans if begin <= start < end), 0)
        if inside:
            parts.append(text[at:inside])
            at = inside
            continue
        end = text.find("-->", start + 4)
        if end < 0:
            break
        parts.append(text[at:start])
        parts.append("\n" * text.count("\n", start, end))
        at = end + 3
    parts.append(text[at:])
    return "".join(parts)


def fences(text: str) -> list[tuple[int, int]]:
    """Spans of closed fenced code blocks (CommonMark 4.5: the closing fence is at least as long as the opening one)."""
    spans: list[tuple[int, int]] = []
    at = 0
    while True:
        ticks, waves = text.find("```", at), text.find("~~~", at)
        here = waves if ticks < 0 or 0 <= waves < ticks else ticks
        if here < 0:
            return spans
        start, run, end = _fence_line(text, here)
        at = here + max(run, 3)
        if start < 0 or (text[here] == "`" and "`" in text[here + run : end]):
            continue
        close = _closing(text, end, text[here] * run)
        if close >= 0:
            spans.append((start, close))
            at = close


def _fence_line(text: str, here: int) -> tuple[int, int, int]:
    """A fence's line as (start, length of the fence, end); start is -1 where more than three blanks or text stand before it."""
    start = text.rfind("\n", 0, here) + 1
    end = text.find("\n", here)
    end = len(text) if end < 0 else end
    run = end - here - len(text[here:end].lstrip(text[here]))
    return (start if here - start <= 3 and not text[start:here].strip(" ") else -1), run, end


def _closing(text: str, at: int, fence: str) -> int:
    """The end of the closing fence's line, -1 where there is none."""
    while (here := text.find(fence, at)) >= 0:
        start, run, end = _fence_line(text, here)
        if start >= 0 and not text[here + run : end].strip():
            return min(end + 1, len(text))
        at = here + run
    return -1
