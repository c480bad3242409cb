"""Codex's own memories (CLI 0.171): the bullets of `MEMORY.md` that hold preferences, knowledge and failures. They are only read."""

from __future__ import annotations

from remember.exchange.item import Item

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["read"]

_SECTIONS = ("user preferences", "reusable knowledge", "failures and how to do differently")


def read(text: str, shown: str, mtime_ms: int) -> Iterator[Item]:
    """Each bullet of those sections as a fact, without the task it came from; indented lines below it belong to it."""
    inside = False
    held: list[str] = []
    at = 0
    for number, line in enumerate([*text.replace("\r\n", "\n").split("\n"), "#"], 1):
        continues = bool(held) and line[:1] in (" ", "\t") and bool(line.strip())
        if continues:
            held.append(line.strip())
            continue
        if held:
            yield Item(f"{shown}:{at}", "fact", _without_task(" ".join(held)), "", None, mtime_ms, line=at)
            held = []
        if line.startswith("#"):
            inside = line.lstrip("#").strip().lower() in _SECTIONS
        elif inside and line[:2] in ("- ", "* ") and line[2:].strip():
            held, at = [line[2:].strip()], number


def _without_task(text: str) -> str:
    """The bullet without the `[Task 1]` or `[Task 1, Task 3]` at its end."""
    head, bracket, tail = text.rpartition(" [Task ")
    return head if bracket and tail.endswith("]") and "[" not in tail else text
