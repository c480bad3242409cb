"""The command line as a process: exit statuses, errors as JSON, encodings, lost outputs, and what a terminal may be sent."""

from __future__ import annotations

import json
import os
import pty
import select
import subprocess
import sys
import time

import pytest
from console import Console

from remember.cli import VERBS

NASTY = "start\x1b]0;owned\x07\x1b[31mred\x9b2J\x00\x08\u202eevil\u2028end"


# Exit statuses and messages.


@pytest.mark.parametrize(
    ("argv", "status", "code"),
    [
        (["search", "xylophone"], 1, None),
        (["search", ""], 2, "refused_input"),
        (["search", "x", "--limit", "0"], 2, "refused_input"),
        (["search", "x", "--limit", "1001"], 2, "refused_input"),
        (["search", "x", "--limit", "many"], 2, "usage"),
        (["search"], 2, "usage"),
        (["search", "x", "--since", "whenever"], 2, "refused_input"),
        (["search", "x", "--scope", "elsewhere"], 2, "refused_input"),
        (["search", "x", "--store", "unknown"], 2, "unknown_store"),
        (["search", "x", "--store", "./nowhere"], 2, "unknown_store"),
        (["list", "--root", "nowhere"], 2, "no_such_root"),
        (["list", "--kind", "song"], 2, "usage"),
        (["show", "beef"], 1, "not_found"),
        (["show", "../MEMORY.md"], 2, "unsafe_path"),
        (["show", "notes/../../x.md"], 2, "unsafe_path"),
        (["show", "/etc/passwd"], 2, "unsafe_path"),
        (["forget", "/etc/passwd"], 2, "unsafe_path"),
        (["--root", ".", "list"], 2, "usage"),
        (["add", "x" * 301], 2, "refused_input"),
        (["add", "<!-- x"], 2, "refused_input"),
        (["add", "x", "--scope", "both"], 2, "refused_input"),
        (["add", "x", "--lock-timeout", "-1"], 2, None),
        (["note", "TV server configuration", "--body", "another"], 3, "duplicate"),
        (["note", "d", "--body", "b", "--file", "f"], 2, "refused_input"),
        (["note", "d", "--file", "nowhere"], 4, "io"),
        (["note", "d", "--slug", "../x", "--body", "b"], 2, "refused_input"),
        (["update", "MEMORY.md:2", "--content", "x", "--if-revision", "0" * 12], 3, "changed"),
        (["restore", "20261130T221800123Z-3f9a1c2e"], 1, "not_found"),
        (["restore", "../x"], 1, "not_found"),
        (["redo"], 1, "not_found"),
        (["forget"], 2, "refused_input"),
        (["config", "set", "nothing", "1"], 2, "refused_input"),
        (["store", "remove", "nothing"], 2, "unknown_store"),
        (["nonsense"], 2, "usage"),
        (["index", "nonsense"], 2, "usage"),
        (["add", "--no-such-option", "x"], 2, "usage"),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, list) else "",
)
def test_statuses_and_codes(stocked: Console, argv: list[str], status: int, code: str | None) -> None:
    before = {path: path.read_bytes() for path in stocked.store.rglob("*") if path.is_file()}
    if code is None:
        stocked(*argv, expect=status)
    else:
        error = stocked.error(*argv, expect=status)
        assert error["code"] == code
        assert error["message"] and (code == "usage" or not error["message"].endswith("."))
        text = stocked.raw(*argv).stderr.decode()
        assert text.startswith("remember: ") and (not error["hint"] or f"\nhint: {error['hint']}\n" in text)
    assert {path: path.read_bytes() for path in stocked.store.rglob("*") if path.is_file()} == before


def test_without_a_store_the_next_step_is_named(remember: Console) -> None:
    for argv in (["list"], ["search", "x"], ["add", "x"], ["show", "x"], ["tags"], ["history"], ["list", "--scope", "local"]):
        assert "remember init" in remember.error(*argv, expect=2)["hint"]
    remember("status")
    remember("config", "show")
    assert list(remember.home.rglob("MEMORY.md")) == []


def test_a_marker_of_a_newer_format_is_refused_by_every_verb(stocked: Console) -> None:
    (stocked.store / "pi-remember.json").write_text('{"version": 2}')
    for argv in (["list"], ["search", "x"], ["add", "x"], ["show", "x"], ["undo"]):
        assert stocked.error(*argv, expect=4)["code"] == "future_format"
    stocked("status")


@pytest.mark.parametrize("verb", VERBS)
def test_help_of_every_verb(remember: Console, verb: str) -> None:
    assert remember(verb, "-h") == remember(verb, "--help")
    assert "Usage: remember" in remember(verb, "-h")


@pytest.mark.parametrize(
    ("argv", "option", "verb"),
    [
        (["--root", ".", "list"], "--root", "list"),
        (["--root=.", "search", "x"], "--root", "search"),
        (["-q", "list"], "-q", "list"),
        (["--limit", "3", "history"], "--limit", "history"),
        (["--file", "x", "note", "d"], "--file", "note"),
        (["--json"], "--json", "COMMAND"),
    ],
)
def test_an_option_before_its_command_is_told_where_it_goes(stocked: Console, argv: list[str], option: str, verb: str) -> None:
    done = stocked.raw(*argv)
    said = done.stderr.decode()
    assert (done.returncode, done.stdout) == (2, b"")
    assert f"{option} stands before the command" in said
    assert f"remember {verb}" in said


def test_an_option_that_no_command_has_is_just_unknown(stocked: Console) -> None:
    assert "there is no option --nonsense" in stocked.raw("--nonsense", "list").stderr.decode()
    assert "there is no option --body" in stocked.raw("list", "--body", "x").stderr.decode()


def test_help_and_version(remember: Console) -> None:
    text = remember("--help")
    assert all(f"  {verb} " in text for verb in ("add", "search", "undo"))
    assert remember("--version").startswith("remember 0.")
    assert "did you mean search" in remember.raw("saerch").stderr.decode().lower()
    assert "remember init" in remember()


def test_a_manifest_on_standard_output_is_no_document(stocked: Console) -> None:
    printed = stocked("manifest", "write", "-")
    assert printed.count("  notes/") == printed.count("  MEMORY.md") == 1
    assert "name a FILE" in stocked.error("manifest", "write", "-", expect=2)["hint"]
    assert stocked.json("manifest", "write", "../m") == {"file": str(stocked.work.parent / "m"), "files": 2}
    assert (stocked.work.parent / "m").read_text() == printed


# Encodings.


@pytest.mark.parametrize("environ", [{"LC_ALL": "C", "PYTHONIOENCODING": "ascii"}, {"PYTHONIOENCODING": "latin-1"}])
def test_a_poor_console_gets_escapes_and_never_an_exception(stocked: Console, environ: dict[str, str]) -> None:
    for argv in (["search", "port"], ["list"], ["show", "notes"], ["tags"]):
        stocked.raw(*argv, **environ)
    stocked("add", "日本語 ü", **environ)
    assert "日本語 ü" in (stocked.store / "MEMORY.md").read_text(encoding="utf-8")
    assert "\\u65e5" in stocked.raw("search", "日本語", **environ).stdout.decode("latin-1")
    assert json.loads(stocked("search", "日本語", "--json", **environ))["hits"][0]["text"] == "日本語 ü"


ASCII = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


def test_arguments_and_names_are_utf_8_where_the_locale_says_ascii(stocked: Console) -> None:
    stocked("add", "Käse 日本", **ASCII)
    stocked("note", "Brötchen", "--body", "Mehl, Hefe, 塩", "--slug", "brötchen", **ASCII)
    (path,) = stocked.store.glob("notes/*br*tchen.md")
    assert path.name.endswith("-brötchen.md")
    stocked("add", "-", stdin="von außen", **ASCII)
    assert stocked("search", "塩", **ASCII) == stocked("search", "塩")
    assert "Hefe" in stocked("show", f"notes/{path.name}", **ASCII)
    assert [f for f in stocked.json("check", **ASCII)["findings"] if f["code"] != "R600"] == []
    assert stocked.raw(b"add", b"caf\xe9", **ASCII).returncode == 2
    assert "Käse 日本" in (stocked.store / "MEMORY.md").read_text(encoding="utf-8")


def test_arguments_and_input_that_are_no_utf_8_are_refused(stocked: Console) -> None:
    for argv in ([b"add", b"caf\xe9"], [b"note", b"caf\xe9", b"--body", b"x"], [b"note", b"d", b"--body", b"\xff"]):
        done = stocked.raw(*argv)
        assert (done.returncode, done.stdout) == (2, b"") and b"UTF-8" in done.stderr
    assert stocked.raw("add", "-", stdin=b"good\nbad \xff\n").returncode == 2
    assert stocked.raw("note", "d", "-", stdin=b"\xff").returncode == 2
    assert b"good" not in (stocked.store / "MEMORY.md").read_bytes()
    assert stocked.raw(b"search", b"caf\xe9").returncode in (0, 1)


def test_odd_names_and_bytes_in_files_are_shown(stocked: Console) -> None:
    place = os.fsencode(stocked.store / "notes")
    with open(place + b"/bad\xff\x1b[31m.md", "wb") as file:
        file.write(b"zebra \xff\xfe \x1b[31m text\n")
    out = stocked.raw("search", "zebra").stdout
    assert b"\\xff\\x1b[31m.md" in out and b"\x1b" not in out
    found = stocked.json("search", "zebra")["hits"][0]
    assert found["path"].isprintable() or "\x1b" in found["path"]
    assert stocked.raw(b"show", b"notes/bad\xff\x1b[31m.md").returncode == 0
    assert stocked.raw("search", "zebra", "-0").stdout == place + b"/bad\xff\x1b[31m.md\0"


# Lost inputs and outputs.


def with_descriptors(remember: Console, redirections: str, *argv: str) -> subprocess.CompletedProcess[bytes]:
    script = f'exec "$0" -m remember "$@" {redirections}'
    return subprocess.run(
        ["sh", "-c", script, sys.executable, *argv], cwd=remember.work, env=remember.environ, capture_output=True, timeout=60
    )


@pytest.mark.parametrize("redirections", [">&-", "2>&-", "<&-", "<&- >&- 2>&-"])
def test_closed_descriptors_do_no_harm(stocked: Console, redirections: str) -> None:
    facts = stocked.store / "MEMORY.md"
    done = with_descriptors(stocked, redirections, "add", "one more")
    assert done.returncode == 0 and b"Traceback" not in done.stderr
    assert facts.read_text().endswith("]" + " -->\none more\n")
    assert with_descriptors(stocked, redirections, "show", "0000").returncode == 1
    assert with_descriptors(stocked, redirections, "search", "proxy").returncode == 0
    assert "one more" in stocked("list")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
@pytest.mark.parametrize(
    "argv", [["list"], ["list", "--json"], ["search", "proxy"], ["add", "one more"], ["--version"], ["--help"]], ids=" ".join
)
def test_a_full_device_is_an_error_that_is_said(stocked: Console, argv: list[str]) -> None:
    done = with_descriptors(stocked, "> /dev/full", *argv)
    assert done.returncode == 4
    assert done.stderr.startswith(b"remember: ") or b'{"error"' in done.stderr
    assert b"Traceback" not in done.stderr and b"Exception ignored" not in done.stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
@pytest.mark.parametrize(
    ("argv", "status"),
    [(["show", "00000000"], 1), (["list", "--what"], 2), (["nonsense"], 2), (["search", "--scope", "elsewhere", "x"], 2), (["hook"], 0)],
    ids=str,
)
def test_a_message_that_nobody_can_be_told_leaves_the_exit_status(stocked: Console, argv: list[str], status: int) -> None:
    assert with_descriptors(stocked, "2> /dev/full", *argv).returncode == status


def test_a_reader_that_has_enough_ends_it_quietly(stocked: Console) -> None:
    stocked("add", "-", stdin="".join(f"fact number {n} {'x' * 200}\n" for n in range(600)))
    script = '"$0" -m remember list | head -1; echo "${PIPESTATUS[0]}"'
    done = subprocess.run(["bash", "-c", script, sys.executable], cwd=stocked.work, env=stocked.environ, capture_output=True, timeout=60)
    assert done.stderr == b""
    assert done.stdout.splitlines()[1] == b"0"


# Terminals.


def on_terminal(remember: Console, *argv: str, keys: bytes = b"", **environ: str) -> tuple[int, bytes]:
    """A command on a pseudo-terminal: its exit status, and all that it was sent."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "remember", *argv],
        cwd=remember.work,
        env={**remember.environ, "PAGER": "cat", "TERM": "xterm", **environ},
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    )
    os.close(theirs)
    if keys:
        os.write(ours, keys)
    got = b""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        if not select.select([ours], [], [], 0.5)[0]:
            continue
        try:
            data = os.read(ours, 65536)
        except OSError:  # the other end is closed
            break
        if not data:
            break
        got += data
    else:
        process.kill()
    os.close(ours)
    return process.wait(), got


@pytest.fixture
def nasty(stocked: Console) -> Console:
    """A store whose files were made by somebody who would like to write on the terminal."""
    notes = stocked.store / "notes"
    (notes / "2026-01-01-a.md").write_text(f'---\ndescription: "zebra {NASTY}"\nmemory-id: "0000000a"\n---\nzebra {NASTY}\n')
    (notes / f"zebra{NASTY.replace(chr(0), '')}.md").write_text(f"zebra\n{NASTY}\n---\n")
    with open(stocked.store / "MEMORY.md", "a") as file:
        file.write(f"<!-- 2026-01-01T00:00:00Z [0000000b] -->\nzebra {NASTY} #tag{NASTY} [[{NASTY.replace(']', '').replace('[', '')}]]\n")
    return stocked


@pytest.mark.parametrize(
    "argv",
    [
        ["list"],
        ["list", "--json"],
        ["search", "zebra"],
        ["search", "zebra", "-l"],
        ["search", "zebra", "--explain"],
        ["show", "0000000a"],
        ["show", "0000000a", "--raw"],
        ["show", "0000000b"],
        ["tags"],
        ["links", "0000000b"],
        ["check"],
        ["forget", "zebra", "--dry-run"],
        ["history"],
        ["status"],
    ],
    ids=" ".join,
)
def test_control_characters_from_files_never_reach_a_terminal(nasty: Console, argv: list[str]) -> None:
    _, got = on_terminal(nasty, *argv, NO_COLOR="1")
    text = got.decode("utf-8", "surrogateescape")
    assert text.strip()
    odd = {char for char in text if not (char.isprintable() or char in "\r\n")}
    assert odd == set(), sorted(map(hex, map(ord, odd)))


def test_colours_on_a_terminal_only_and_as_asked(stocked: Console) -> None:
    assert b"\x1b[" in on_terminal(stocked, "search", "proxy")[1]
    assert b"\x1b[" not in on_terminal(stocked, "search", "proxy", NO_COLOR="1")[1]
    assert b"\x1b[" not in on_terminal(stocked, "search", "proxy", TERM="dumb")[1]
    assert b"\x1b[" not in on_terminal(stocked, "search", "proxy", "--color", "never")[1]
    assert "\x1b[" not in stocked("search", "proxy")
    assert "\x1b[" in stocked("search", "proxy", "--color", "always")
    assert b"found in local" in on_terminal(stocked, "search", "proxy")[1]


def test_forgetting_several_asks_on_a_terminal(stocked: Console) -> None:
    status, got = on_terminal(stocked, "forget", "a", keys=b"n\n")
    assert status == 2 and b"[y/N]" in got
    assert len(stocked.json("list")["memos"]) == 3
    assert on_terminal(stocked, "forget", "a", keys=b"y\n")[0] == 0
    assert len(stocked.json("list")["memos"]) < 3


def test_a_store_that_came_with_the_workspace_is_trusted_after_a_yes(remember: Console) -> None:
    (remember.store / "notes").mkdir(parents=True)
    (remember.store / "MEMORY.md").write_text("")
    assert "not trusted" in remember.raw("init").stderr.decode()
    on_terminal(remember, "init", keys=b"n\n")
    assert remember.json("trust", "list")["roots"] == []
    on_terminal(remember, "init", keys=b"y\n")
    assert remember.json("trust", "list")["roots"] == [str(remember.work)]


def test_discovered_stores_are_registered_after_a_yes_only(remember: Console) -> None:
    (remember.home / ".pi" / "agent").mkdir(parents=True)
    (remember.home / ".pi" / "agent" / "memory.md").write_text("- Prefers tabs.\n")
    for keys, names in ((b"n\n", []), (b"y\n", ["pi-memory-global"])):
        status, got = on_terminal(remember, "store", "discover", keys=keys)
        assert status == 0 and b"Register 1 store?" in got
        assert [store["name"] for store in remember.json("store", "list")["stores"]] == names


@pytest.mark.parametrize(
    ("argv", "hint"),
    [
        (("update", "a1b2c3d4", "another text"), '--content "…"'),
        (("note", "A", "title"), "put the description in quotes"),
        (("import", "./docs"), "`remember import FORMAT ./docs`; formats are remember, "),
        (("import", "vault"), "`remember import vault PATH`"),
    ],
)
def test_a_word_too_many_or_too_few_is_answered_with_the_line_that_was_meant(remember: Console, argv: tuple[str, ...], hint: str) -> None:
    remember("init")
    assert hint in remember.error(*argv, expect=2)["hint"]
