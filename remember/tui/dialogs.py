"""The windows over the picker: writing a memo, and a question with yes or no."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Footer, Input, Label, Static, TextArea

from remember.errors import ChangedOutside, RememberError
from remember.tui.lines import merged, shown

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.app import ComposeResult

    from remember.model import Shown
    from remember.tui.door import Door

__all__ = ["Question", "Writing"]


class Question(ModalScreen[bool]):
    """A question that `y` answers with yes, and `n` or Escape with no."""

    BINDINGS: ClassVar = [Binding("y", "answer(True)", "Yes"), Binding("n,escape", "answer(False)", "No")]

    def __init__(self, question: str, about: str) -> None:
        super().__init__()
        self.question, self.about = question, about

    def compose(self) -> ComposeResult:
        """The question, what it is about, and the keys."""
        with Vertical(classes="window small"):
            yield Label(Content(self.question), classes="title")
            yield Static(Content(self.about))
            yield Footer(show_command_palette=False)

    def action_answer(self, yes: bool) -> None:
        """Close with the answer."""
        self.dismiss(yes)


class Writing(ModalScreen[str | None]):
    """Writes a new memo, or changes the one that was seen; closes with what was done, or None.

    What the person typed stays on the screen until it is saved or they press Escape twice, whatever goes wrong.
    """

    BINDINGS: ClassVar = [
        Binding("ctrl+s", "save", "Save", priority=True),
        Binding("escape", "leave", "Leave", priority=True),
    ]

    def __init__(self, door: Door, safe: Callable[[str], str], seen: Shown | None = None) -> None:
        super().__init__()
        self.door, self.safe, self.seen = door, safe, seen
        memo = seen.memo if seen is not None else None
        self.fact = memo is not None and memo.kind == "fact"
        self.line = "" if memo is None or seen is None else safe(seen.content if self.fact else memo.description or "")
        self.body = "" if seen is None or self.fact else shown(seen.content, safe)
        self.sure = False

    def compose(self) -> ComposeResult:
        """One line, the body below it, and a line for what went wrong."""
        memo = self.seen.memo if self.seen is not None else None
        name = "New memo" if memo is None else f"Edit {memo.id or self.safe(memo.place)}"
        with Vertical(classes="window"):
            yield Label(Content(name), classes="title")
            yield Input(self.line, placeholder="one line: a fact, or what the note is about", id="line")
            if not self.fact:
                yield TextArea(self.body, id="body", tab_behavior="focus", placeholder="Markdown; with it, it is a note")
            yield Static("", id="trouble")
            yield Footer(show_command_palette=False)

    def _texts(self) -> tuple[str, str]:
        return self.query_one("#line", Input).value, "" if self.fact else self.query_one("#body", TextArea).text

    def _touched(self) -> bool:
        return self._texts() != (self.line, self.body)

    def _say(self, text: str) -> None:
        self.query_one("#trouble", Static).update(Content(text))

    def action_leave(self) -> None:
        """Close; where something was typed, only when asked twice."""
        if self._touched() and not self.sure:
            self.sure = True
            self._say("Not saved. Escape again throws it away, Ctrl+S saves it.")
            return
        self.dismiss(None)

    async def action_save(self) -> None:
        """Save and close; where that cannot be, say why and stay."""
        self.sure = False
        line, body = self._texts()
        try:
            done = await asyncio.to_thread(self._save, line, body)
        except ChangedOutside as error:
            await self._conflict(error)
        except RememberError as error:
            self._say(self.safe(f"{error.message}; {error.hint}"))
        else:
            self.dismiss(done)

    def _save(self, line: str, body: str) -> str:
        if self.seen is None:
            change = self.door.add(line, body)
            if change.duplicate_of is not None:
                return f"already there: {self.safe(change.duplicate_of)}"
            return f"added {change.id}"
        if not self._differs(line, body):
            return "nothing to change"
        before = self.seen
        if self.fact:
            change = self.door.update(before, line, None)
        else:
            content = merged(before.content, body, self.safe) if body != self.body else None
            change = self.door.update(before, content, line if line != self.line else None)
        return f"updated {change.id or self.safe(change.path or '')}" if change.changed else "nothing to change"

    def _differs(self, line: str, body: str) -> bool:
        return (line, body) != (self.line, self.body)

    async def _conflict(self, error: ChangedOutside) -> None:
        """Show what is there now and take it as the base, so that saving again is a decision."""
        assert self.seen is not None
        try:
            now = await asyncio.to_thread(self.door.show, self.seen.memo)
        except RememberError as gone:
            self._say(self.safe(f"{error.message}: {gone.message}. What you typed is still here; copy what you need."))
            return
        self.seen = now
        there = shown(now.content, self.safe)
        if self.fact:
            self.line = there
        else:
            self.line, self.body = self.safe(now.memo.description or ""), there
        self._say(f"{self.safe(error.message)}. There is now:\n{there}\nCtrl+S puts your text in its place, Escape twice leaves it.")
