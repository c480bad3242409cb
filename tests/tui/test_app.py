"""The picker at the keyboard, driven by Textual's own pilot over real files."""

from __future__ import annotations

import asyncio
import os
import pty
import select
import sys
import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

import pytest
from console import Console

from remember.cli.output import safe
from remember.tui.door import Door

pytest.importorskip("textual", reason="the extra `tui` is not installed")

from textual.pilot import Pilot
from textual.widgets import Input, OptionList, Static, TextArea

from remember.tui.app import Picker
from remember.tui.dialogs import Question, Writing

if TYPE_CHECKING:
    Steps = Callable[[Picker, Pilot[None]], Awaitable[None]]


def drive(remember: Console, steps: Steps, **door: Any) -> Picker:
    """Run the picker in the console's workspace and do some steps."""

    async def run() -> Picker:
        app = Picker(Door(str(remember.work), environ=remember.environ, **door), safe)
        async with app.run_test(size=(120, 30)) as pilot:
            await settle(app, pilot)
            await steps(app, pilot)
        return app

    return asyncio.run(run())


async def settle(app: Picker, pilot: Pilot[None]) -> None:
    """Until no work is left but an open window's."""
    for _ in range(400):
        await pilot.pause(0.01)
        if not [worker for worker in app.workers if worker.group != "window" and not worker.is_finished]:
            return
    raise AssertionError("the picker is still at work")


async def press(app: Picker, pilot: Pilot[None], *keys: str) -> None:
    await pilot.press(*keys)
    await settle(app, pilot)


async def until(pilot: Pilot[None], true: Callable[[], bool]) -> None:
    for _ in range(500):
        if true():
            await pilot.pause()
            return
        await pilot.pause(0.01)
    raise AssertionError("it did not come")


def titles(app: Picker) -> list[str]:
    options = app.screen_stack[0].query_one("#memos", OptionList)
    return [str(options.get_option_at_index(at).prompt) for at in range(options.option_count)]


def said(app: Picker, where: str = "#status") -> str:
    return str(app.screen.query_one(where, Static).content)


def test_it_lists_filters_and_previews(stocked: Console) -> None:
    async def steps(app: Picker, pilot: Pilot[None]) -> None:
        assert len(titles(app)) == 3
        assert "both: 3 memos" in said(app)
        await press(app, pilot, *"port 8096")
        assert "TV server configuration" in titles(app)[0]
        assert "Port 8096" in said(app, "#text") and "notes/" in said(app, "#text")
        await press(app, pilot, "escape", *"xyzzy")
        assert titles(app) == [] and said(app, "#text") == "" and "0 memos" in said(app)
        await press(app, pilot, "escape")
        assert len(titles(app)) == 3
        first = said(app, "#text")
        await press(app, pilot, "down")
        assert said(app, "#text") != first

    drive(stocked, steps)


def test_a_fact_and_a_note_are_added(stocked: Console) -> None:
    async def steps(app: Picker, pilot: Pilot[None]) -> None:
        await press(app, pilot, "ctrl+n")
        await until(pilot, lambda: isinstance(app.screen, Writing))
        await press(app, pilot, *"a new fact", "ctrl+s")
        await until(pilot, lambda: len(titles(app)) == 4)
        await press(app, pilot, "ctrl+n")
        await until(pilot, lambda: isinstance(app.screen, Writing))
        await press(app, pilot, *"a note", "tab", *"its", "enter", *"body", "ctrl+s")
        await until(pilot, lambda: len(titles(app)) == 5)

    drive(stocked, steps)
    assert "a new fact" in (stocked.store / "MEMORY.md").read_text()
    (note,) = (stocked.store / "notes").glob("*-a-note.md")
    assert note.read_text().endswith("its\nbody\n")


def test_what_cannot_be_added_stays_on_the_screen(stocked: Console) -> None:
    async def steps(app: Picker, pilot: Pilot[None]) -> None:
        await press(app, pilot, "ctrl+n")
        await until(pilot, lambda: isinstance(app.screen, Writing))
        line = app.screen.query_one("#line", Input)
        line.value = "x" * 301
        await press(app, pilot, "ctrl+s")
        await until(pilot, lambda: said(app, "#trouble") != "")
        assert "300" in said(app, "#trouble") and line.value == "x" * 301
        await press(app, pilot, "escape")
        assert isinstance(app.screen, Writing) and "Not saved" in said(app, "#trouble")
        await press(app, pilot, "escape")
        assert not isinstance(app.screen, Writing)

    drive(stocked, steps)
    assert "xxx" not in (stocked.store / "MEMORY.md").read_text()


def test_an_edit_changes_its_lines_only(stocked: Console) -> None:
    (note,) = (stocked.store / "notes").glob("*.md")
    data = note.read_bytes().replace(b"Port 8096, behind the proxy.\n\n", b"Port 8096\n\x0cform \x1b[31m feed\n\tx\n")
    note.write_bytes(data)

    async def steps(app: Picker, pilot: Pilot[None]) -> None:
        await press(app, pilot, *"hostile form port")
        assert "\x1b" not in said(app, "#text") and "\\x1b" in said(app, "#text")
        await press(app, pilot, "ctrl+e")
        await until(pilot, lambda: isinstance(app.screen, Writing))
        area = app.screen.query_one("#body", TextArea)
        assert not {"\x1b", "\x0c"} & set(area.text)
        area.insert("new\n", (2, 0))
        await press(app, pilot, "ctrl+s")
        await until(pilot, lambda: not isinstance(app.screen, Writing))

    drive(stocked, steps)
    body = data.split(b"---\n", 2)[2]
    assert note.read_bytes().endswith(body.replace(b"feed\n", b"feed\nnew\n"))


def test_an_edit_that_changes_nothing_writes_nothing(stocked: Console) -> None:
    before = stocked("history")

    async def steps(app: Picker, pilot: Pilot[None]) -> None:
        await press(app, pilot, "ctrl+e")
        await until(pilot, lambda: isinstance(app.screen, Writing))
        await press(app, pilot, "ctrl+s")
        await until(pilot, lambda: "nothing to change" in said(app))

    drive(stocked, steps)
    assert stocked("history") == before


def test_a_save_in_between_is_shown_and_nothing_is_lost(stocked: Console) -> None:
    (note,) = (stocked.store / "notes").glob("*.md")

    async def steps(app: Picker, pilot: Pilot[None]) -> None:
        await press(app, pilot, *"port 8096", "ctrl+e")
        await until(pilot, lambda: isinstance(app.screen, Writing))
        area = app.screen.query_one("#body", TextArea)
        area.text = "mine\n"
        note.write_text(note.read_text().replace("Port 8096", "Port 9000"))
        await press(app, pilot, "ctrl+s")
        await until(pilot, lambda: "Port 9000" in said(app, "#trouble"))
        assert area.text == "mine\n" and "Port 9000" in note.read_text()
        await press(app, pilot, "ctrl+s")
        await until(pilot, lambda: not isinstance(app.screen, Writing))

    drive(stocked, steps)
    assert note.read_text().endswith("---\nmine\n")
    stocked("undo")
    assert "Port 9000" in note.read_text()


def test_forgetting_asks_and_undo_brings_back(stocked: Console) -> None:
    before = (stocked.store / "MEMORY.md").read_bytes()

    async def steps(app: Picker, pilot: Pilot[None]) -> None:
        await press(app, pilot, *"backups", "ctrl+d")
        await until(pilot, lambda: isinstance(app.screen, Question))
        await press(app, pilot, "n")
        assert (stocked.store / "MEMORY.md").read_bytes() == before
        await press(app, pilot, "ctrl+d")
        await until(pilot, lambda: isinstance(app.screen, Question))
        await press(app, pilot, "y")
        await until(pilot, lambda: "forgotten" in said(app))
        assert b"Backups" not in (stocked.store / "MEMORY.md").read_bytes()
        await press(app, pilot, "ctrl+z")
        await until(pilot, lambda: "undone" in said(app))

    drive(stocked, steps)
    assert (stocked.store / "MEMORY.md").read_bytes() == before


def test_another_fact_at_the_same_place_is_not_forgotten(stocked: Console) -> None:
    path = stocked.store / "MEMORY.md"
    path.write_text("- one\n- two\n")

    async def steps(app: Picker, pilot: Pilot[None]) -> None:
        await press(app, pilot, *"one")
        path.write_text("- zero\n- one\n- two\n")
        await press(app, pilot, "ctrl+d")
        await until(pilot, lambda: isinstance(app.screen, Question))
        await press(app, pilot, "y")
        await until(pilot, lambda: "changed by somebody else" in said(app))
        await press(app, pilot, "ctrl+r")

    drive(stocked, steps)
    assert path.read_text() == "- zero\n- one\n- two\n"


def test_the_scope_is_switched_and_additions_follow(stocked: Console) -> None:
    stocked("add", "--scope", "global", "a global fact")

    async def steps(app: Picker, pilot: Pilot[None]) -> None:
        assert len(titles(app)) == 4 and any(title.endswith("  global") for title in titles(app))
        await press(app, pilot, "ctrl+t")
        assert "local: 3 memos" in said(app)
        await press(app, pilot, "ctrl+t")
        assert "global: 1 memo" in said(app)
        await press(app, pilot, "ctrl+n")
        await until(pilot, lambda: isinstance(app.screen, Writing))
        await press(app, pilot, *"second", "ctrl+s")
        await until(pilot, lambda: len(titles(app)) == 2)

    drive(stocked, steps)
    assert len(stocked.json("list", "--scope", "global")["memos"]) == 2


def test_a_folder_that_is_only_read_says_so(stocked: Console) -> None:
    docs = stocked.work / "docs"
    docs.mkdir()
    (docs / "a.md").write_text("---\ntitle: [bold]Markup[/bold]\n---\nzebra [red]x[/red]\n")

    async def steps(app: Picker, pilot: Pilot[None]) -> None:
        assert "[bold]" in titles(app)[0] or "a.md" in titles(app)[0]
        assert "[red]x[/red]" in said(app, "#text")
        await press(app, pilot, "ctrl+t")
        assert "no scope to choose" in said(app)
        await press(app, pilot, "ctrl+d")
        await until(pilot, lambda: isinstance(app.screen, Question))
        await press(app, pilot, "y")
        await until(pilot, lambda: "never written" in said(app))

    drive(stocked, steps, stores=(str(docs),))
    assert (docs / "a.md").exists()


def test_it_runs_in_a_terminal_and_sends_no_control_characters_of_files(stocked: Console) -> None:
    stocked("note", "Hostile", "--body", "x")
    (note,) = (stocked.store / "notes").glob("*-hostile.md")
    note.write_text(note.read_text() + "\x1b]0;hacked\x07 \x1b[2J\x9b31m end-of-it\n")
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(stocked.work)
        environ = {**stocked.environ, "TERM": "xterm-256color", "COLUMNS": "120", "LINES": "30"}
        os.execvpe(sys.executable, [sys.executable, "-m", "remember", "ui"], environ)
    seen = b""
    end = time.monotonic() + 30
    while time.monotonic() < end:
        if select.select([terminal], [], [], 0.2)[0]:
            try:
                seen += os.read(terminal, 65536)
            except OSError:
                break
        if b"end-of-it" in seen:
            os.write(terminal, b"\x11")
            end = min(end, time.monotonic() + 5)
    _, status = os.waitpid(pid, 0)
    os.close(terminal)
    assert b"end-of-it" in seen and b"hacked" in seen
    assert b"\x1b]0;hacked" not in seen and b"\x9b31m" not in seen
    assert os.waitstatus_to_exitcode(status) == 0


def test_without_the_extra_it_says_how_to_install_it(stocked: Console) -> None:
    hidden = stocked.home / "hidden"
    hidden.mkdir()
    (hidden / "textual.py").write_text("raise ModuleNotFoundError('hidden', name='textual')\n")
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(stocked.work)
        environ = {**stocked.environ, "PYTHONPATH": f"{hidden}:{stocked.environ['PYTHONPATH']}"}
        os.execvpe(sys.executable, [sys.executable, "-m", "remember", "ui"], environ)
    seen = b""
    while select.select([terminal], [], [], 20)[0]:
        try:
            part = os.read(terminal, 65536)
        except OSError:
            break
        seen += part
    _, status = os.waitpid(pid, 0)
    os.close(terminal)
    assert os.waitstatus_to_exitcode(status) == 2
    assert b"hint: install it: pip install 'remember-md[tui]'" in seen


def test_without_a_terminal_it_says_what_else_there_is(stocked: Console) -> None:
    done = stocked.raw("ui")
    assert done.returncode == 2 and b"needs a terminal" in done.stderr and b"remember search" in done.stderr
