"""`remember ui`: a list that is filtered as you type, a preview, and every change through `Memory`."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import App
from textual.binding import Binding
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widgets import Footer, Input, OptionList, Static

from remember.errors import RememberError
from remember.tui.dialogs import Question, Writing
from remember.tui.lines import shown

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.app import ComposeResult

    from remember.model import Memo, Shown
    from remember.tui.door import Door

__all__ = ["Picker"]

_PREVIEW_CHARS = 20_000


class Filter(Input):
    """The line that filters; keys for moving go to the list, so that both work without a change of focus."""

    BINDINGS: ClassVar = [
        Binding("down", "app.move('cursor_down')", show=False),
        Binding("up", "app.move('cursor_up')", show=False),
        Binding("pagedown", "app.move('page_down')", show=False),
        Binding("pageup", "app.move('page_up')", show=False),
    ]


class Picker(App[None]):
    """The picker over a door; `safe` makes control characters visible, and nothing of a file is shown without it."""

    ENABLE_COMMAND_PALETTE = False
    TITLE = "remember"
    CSS = """
    #filter { border: none; height: 1; margin: 0 1; }
    #memos { width: 1fr; border: none; text-wrap: nowrap; text-overflow: ellipsis; }
    #preview { width: 1fr; padding: 0 1; border-left: solid $primary; }
    #status { height: 1; padding: 0 1; color: $text-muted; }
    Writing, Question { align: center middle; }
    .window { width: 90%; height: 80%; border: round $primary; padding: 0 1; background: $surface; }
    .small { width: 70%; height: 9; }
    .title { text-style: bold; }
    #body { height: 1fr; }
    #trouble { max-height: 40%; color: $text-warning; }
    """
    BINDINGS: ClassVar = [
        Binding("ctrl+n", "add", "Add"),
        Binding("ctrl+e", "edit", "Edit", priority=True),
        Binding("ctrl+d", "forget", "Forget", priority=True),
        Binding("ctrl+z", "undo", "Undo"),
        Binding("ctrl+y", "redo", "Redo", show=False),
        Binding("ctrl+t", "scope", "Scope"),
        Binding("ctrl+r", "reload", "Reload"),
        Binding("escape", "clear", "Clear", show=False),
        Binding("ctrl+q", "quit", "Quit", priority=True),
    ]

    def __init__(self, door: Door, safe: Callable[[str], str]) -> None:
        super().__init__()
        self.door, self.safe = door, safe
        self.memos: tuple[Memo, ...] = ()
        self.seen: Shown | None = None

    def compose(self) -> ComposeResult:
        """Filter, list and preview, a line for what happened, the keys."""
        yield Filter(placeholder="type to search; ↑ ↓ choose, Tab scrolls the text", id="filter")
        with Horizontal():
            yield OptionList(id="memos", markup=False)
            with VerticalScroll(id="preview"):
                yield Static("", id="text")
        yield Static("", id="status")
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        """Begin with everything there is."""
        self.screen.query_one("#filter").focus()
        self.load()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """The keys of the picker do nothing while a window is over it."""
        return not (action in ("add", "edit", "forget", "undo", "redo", "scope", "reload", "clear") and len(self.screen_stack) > 1)

    def on_input_changed(self, event: Input.Changed) -> None:
        """Search as the filter changes."""
        if event.input.id == "filter":
            self.load()

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Show the memo under the cursor."""
        self.preview()

    def say(self, text: str) -> None:
        """One line about what happened."""
        self.screen_stack[0].query_one("#status", Static).update(Content(text.replace("\n", " ")))

    def complain(self, error: RememberError) -> None:
        """An error with its next step; nothing else happens."""
        self.say(self.safe(f"{error.message}; {error.hint}" if error.hint else error.message))

    def chosen(self) -> Memo | None:
        """The memo under the cursor."""
        at = self.screen_stack[0].query_one("#memos", OptionList).highlighted
        return self.memos[at] if at is not None and at < len(self.memos) else None

    @work(exclusive=True, group="list")
    async def load(self, note: str = "") -> None:
        """Fill the list anew; the cursor stays on its memo where that is still there."""
        base = self.screen_stack[0]
        query = base.query_one("#filter", Input).value
        before = self.chosen()
        try:
            memos, total, warnings = await asyncio.to_thread(self.door.find, query)
        except RememberError as error:
            self.complain(error)
            return
        self.memos = memos
        listed = base.query_one("#memos", OptionList)
        listed.clear_options()
        listed.add_options([self._row(memo) for memo in memos])
        if memos:
            places = [(memo.store, memo.id or memo.place) for memo in memos]
            key = (before.store, before.id or before.place) if before is not None else None
            listed.highlighted = places.index(key) if key in places and not query else 0
        self.preview()
        count = f"{len(memos)} of {total}" if total > len(memos) else f"{total}"
        said = [note, f"{self.door.name}: {count} memo{'' if total == 1 else 's'}", *warnings[:1]]
        self.say(self.safe("  ·  ".join(part for part in said if part)))

    def _row(self, memo: Memo) -> Content:
        mark = {"note": "≡ ", "text": "¶ "}.get(memo.kind, "  ")
        title = "(text of MEMORY.md)" if memo.kind == "text" else self.safe(memo.title)
        store = "" if memo.store == "local" else f"  {self.safe(memo.store)}"
        return Content.assemble(mark, title, (store, "dim"))

    @work(exclusive=True, group="preview")
    async def preview(self) -> None:
        """Show the chosen memo as its file says now."""
        memo = self.chosen()
        text = self.screen_stack[0].query_one("#text", Static)
        self.seen = None
        if memo is None:
            text.update("")
            return
        try:
            self.seen = await asyncio.to_thread(self.door.show, memo)
        except RememberError as error:
            text.update(Content(self.safe(f"{error.message}; {error.hint}")))
            return
        content = shown(self.seen.content[:_PREVIEW_CHARS], self.safe)
        more = "\n…" if len(self.seen.content) > _PREVIEW_CHARS else ""
        head = "" if memo.kind == "fact" else f"{self.safe(memo.description or '')}\n"
        where = f"{memo.id or ''}  {self.safe(memo.store)}  {self.safe(memo.place)}\n\n"
        text.update(Content.assemble((head, "bold"), (where, "dim"), content, more))

    def action_move(self, how: str) -> None:
        """Move the cursor of the list from the filter."""
        getattr(self.query_one("#memos", OptionList), f"action_{how}")()

    def action_clear(self) -> None:
        """Empty the filter and go back to it."""
        line = self.query_one("#filter", Input)
        line.value = ""
        line.focus()

    def action_reload(self) -> None:
        """Look at the files again."""
        self.load("reloaded")

    def action_scope(self) -> None:
        """Look at the next scope."""
        if self.door.turn():
            self.load()
        else:
            self.say("stores were named with --store, so there is no scope to choose")

    @work(group="window")
    async def action_add(self) -> None:
        """Write a new memo."""
        done = await self.push_screen_wait(Writing(self.door, self.safe))
        if done is not None:
            self.load(done)

    @work(group="window")
    async def action_edit(self) -> None:
        """Change the memo under the cursor as it is now."""
        memo = self.chosen()
        if memo is None:
            self.say("there is no memo to edit; Ctrl+N adds one")
            return
        if memo.kind == "text":
            self.say("the text of MEMORY.md is edited in the file itself")
            return
        try:
            seen = await asyncio.to_thread(self.door.show, memo)
        except RememberError as error:
            self.complain(error)
            return
        done = await self.push_screen_wait(Writing(self.door, self.safe, seen))
        if done is not None:
            self.load(done)

    @work(group="window")
    async def action_forget(self) -> None:
        """Forget the memo under the cursor, after a yes."""
        memo = self.chosen()
        if memo is None:
            self.say("there is no memo to forget")
            return
        if await self.push_screen_wait(Question("Forget this memo? Undo brings it back.", self.safe(memo.title))):
            await self._change(lambda: self.door.forget(memo), f"forgotten {memo.id or self.safe(memo.place)}; Ctrl+Z brings it back")

    @work(group="window")
    async def action_undo(self) -> None:
        """Take back the newest change of the scope."""
        await self._change(lambda: self.door.memory().undo(), "undone")

    @work(group="window")
    async def action_redo(self) -> None:
        """Apply again what was undone last."""
        await self._change(lambda: self.door.memory().redo(), "done again")

    async def _change(self, change: Callable[[], object], done: str) -> None:
        try:
            made = await asyncio.to_thread(change)
        except RememberError as error:
            self.complain(error)
            return
        summary = getattr(made, "summary", "")
        self.load(f"{done}: {getattr(made, 'action', '')} {summary}" if summary else done)
