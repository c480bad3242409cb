"""Completion in real shells: what a key offers and what it puts on the command line."""

from __future__ import annotations

import os
import pty
import select
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from console import Console

from remember.cli.shells import SCRIPTS


@pytest.fixture
def shop(stocked: Console) -> Console:
    """A workspace with an index, and `remember` on the path."""
    folder = stocked.home / "bin"
    folder.mkdir()
    script = folder / "remember"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m remember "$@"\n')
    script.chmod(0o755)
    stocked.environ["PATH"] = f"{folder}:{stocked.environ['PATH']}"
    stocked("list")
    return stocked


def asked(remember: Console, *words: str) -> list[str]:
    """The values offered for the last word."""
    return [line.split("\t")[0] for line in remember("complete", "--", *words).splitlines()]


def ids(remember: Console) -> list[str]:
    return [memo["id"] for memo in remember.json("list")["memos"]]


def test_memos_are_offered_newest_first_with_what_they_say(shop: Console) -> None:
    lines = shop("complete", "--", "show", "").splitlines()
    assert [line.split("\t")[0] for line in lines] == ids(shop)
    assert {line.split("\t")[1] for line in lines} >= {"TV server configuration", "Backups run at 3 am, see [[tv-server]]."}
    first = ids(shop)[0]
    assert asked(shop, "show", first[:5]) == [first]
    assert asked(shop, "forget", "--scope", "local", first[:4]) == [first]
    assert asked(shop, "show", "MEMORY.md:2") == ["MEMORY.md:2"]
    assert [name.split("-")[-1] for name in asked(shop, "edit", "notes/")] == ["server.md"]


def test_values_of_every_kind_are_offered(shop: Console) -> None:
    (shop.work / "docs").mkdir()
    shop("store", "add", "handbook", "docs")
    assert asked(shop, "list", "--tag", "") == ["lesson"]
    assert asked(shop, "list", "--tag=l") == ["--tag=lesson"]
    assert asked(shop, "list", "--kind", "") == ["fact", "note", "text"]
    assert asked(shop, "list", "--scope", "") == ["local", "global", "both", "handbook"]
    assert asked(shop, "add", "x", "--scope", "") == ["local", "global"]
    assert asked(shop, "search", "--store", "h") == ["handbook", ":folder"]
    assert asked(shop, "store", "remove", "") == ["handbook"]
    assert "vault" in asked(shop, "store", "add", "x", "y", "--layout", "")
    assert asked(shop, "hooks", "install", "c") == ["claude", "codex"]
    assert asked(shop, "config", "set", "inject_chars") == ["inject_chars_global", "inject_chars_local"]
    assert asked(shop, "check", "--explain", "R501") == ["R501"]
    assert asked(shop, "trust", "remove", "") == [str(shop.work)]
    records = [record["recovery_id"] for record in shop.json("history")["records"]]
    assert len(records) == 3
    assert asked(shop, "restore", "") == records
    assert asked(shop, "history", "prune", records[0], "") == ["show", *records[1:]]
    assert asked(shop, "note", "x", "--file", "") == [":file"]
    assert asked(shop, "list", "--root", "") == [":folder"]


def test_stores_that_are_named_on_the_line_are_the_ones_that_are_asked(shop: Console) -> None:
    docs = shop.work / "docs"
    docs.mkdir()
    (docs / "retry.md").write_text("# Retry policy\n#http\n")
    shop("list", "--store", "./docs")
    assert asked(shop, "show", "--store", "./docs", "r") == ["retry.md"]
    assert asked(shop, "list", "--store=./docs", "--tag", "") == ["http"]


def test_without_an_index_nothing_is_offered_and_none_is_made(shop: Console) -> None:
    (gone,) = shop.json("index", "drop")["dropped"]
    assert asked(shop, "show", "") == []
    assert not Path(gone).exists()


def test_what_lies_in_files_cannot_command_the_shell(shop: Console) -> None:
    for name in ("a b.md", "$(touch hacked).md", "';touch hacked;'.md", "line\nfeed.md", "esc\x1b[2J.md"):
        (shop.store / name).write_text("x\n")
    shop("list")
    offered = asked(shop, "show", "")
    assert {"a b.md", "$(touch hacked).md", "';touch hacked;'.md"} <= set(offered)
    assert not [name for name in offered if "feed" in name or "esc" in name]
    for start in (r"a\ ", r"\$", r"\'"):
        (value,) = bash(shop, f"remember show {start}")
        subprocess.run(["bash", "-c", f"printf %s {value} >../said"], cwd=shop.work, check=True)
        assert (shop.home / "said").read_text() in offered
    assert not (shop.work / "hacked").exists()


# --- bash

_CALL = r"""
source <(remember completion bash)
COMP_LINE=$1 COMP_POINT=${#1} COMP_TYPE=$2 COMP_WORDBREAKS=$' \t\n"\'><=;|&(:'
_remember_complete remember "$3"
for reply in "${COMPREPLY[@]}"; do printf '%s\n' "$reply"; done
complete -p remember >&2
"""


def bash(remember: Console, line: str, kind: str = "9", word: str = "") -> list[str]:
    """COMPREPLY after the function of the script was called as bash calls it."""
    done = subprocess.run(
        ["bash", "-c", _CALL, "bash", line, kind, word], cwd=remember.work, env=remember.environ, capture_output=True, text=True
    )
    assert "complete -o nosort -F _remember_complete remember" in done.stderr
    return done.stdout.splitlines()


def test_bash_is_given_candidates(shop: Console) -> None:
    assert bash(shop, "remember sho") == ["show"]
    assert bash(shop, "remember show ") == ids(shop)
    assert bash(shop, f"remember show '{ids(shop)[1][:6]}") == [ids(shop)[1]]
    assert bash(shop, "remember list --kind=") == ["fact", "note", "text"]
    assert bash(shop, "remember show MEMORY.md:2") == ["2"]
    (shop.work / "some folder").mkdir()
    assert bash(shop, "remember list --root so", word="so") == ["some folder"]


def test_bash_lists_what_the_candidates_say(shop: Console) -> None:
    listed = bash(shop, "remember show ", kind="63")
    assert [line.split("  (")[0] for line in listed] == ids(shop)
    assert any(line.endswith("(TV server configuration)") for line in listed)
    assert bash(shop, f"remember show {ids(shop)[0]}", kind="63") == [ids(shop)[0]]


def typed(command: list[str], remember: Console, keys: list[str], until: str, **environ: str) -> str:
    """What a shell in a terminal of its own shows after keys, until some text is seen; 20 seconds at most."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(remember.work)
        os.execvpe(command[0], command, {**remember.environ, "TERM": "xterm", "PS1": "", **environ})
    seen = ""
    try:
        for part in keys:
            time.sleep(0.5)
            os.write(terminal, part.encode())
        end = time.monotonic() + 20
        while until not in seen and time.monotonic() < end:
            if select.select([terminal], [], [], 0.2)[0]:
                try:
                    seen += os.read(terminal, 65536).decode("utf-8", "replace")
                except OSError:
                    break
    finally:
        os.close(terminal)
        os.kill(pid, 9)
        os.waitpid(pid, 0)
    return seen


def test_a_tab_in_bash_completes_an_id(shop: Console) -> None:
    memo = next(memo for memo in shop.json("list")["memos"] if memo["kind"] == "note")
    keys = ["source <(remember completion bash)\n", f"remember sho\t{memo['id'][:6]}\t>../seen; echo do''ne\n"]
    seen = typed(["bash", "--norc", "--noprofile", "-i"], shop, keys, "done")
    assert "done" in seen
    assert (shop.home / "seen").read_text().startswith("TV server configuration")


def test_two_tabs_in_bash_list_what_the_memos_say(shop: Console) -> None:
    keys = ["source <(remember completion bash)\n", "remember show \t\t"]
    assert "  (TV server configuration)" in typed(["bash", "--norc", "--noprofile", "-i"], shop, keys, "TV server configuration)")


# --- zsh and fish


@pytest.mark.skipif(shutil.which("zsh") is None, reason="zsh is not installed")
def test_a_tab_in_zsh_completes_an_id(shop: Console) -> None:
    memo = next(memo for memo in shop.json("list")["memos"] if memo["kind"] == "note")
    keys = [
        "autoload -U compinit; compinit -D -u; source <(remember completion zsh)\n",
        f"remember sho\t{memo['id'][:6]}\t>../seen; echo do''ne\n",
    ]
    (shop.home / ".zshrc").touch()  # or zsh asks a new user
    seen = typed(["zsh", "-d", "-i"], shop, keys, "done")
    assert "done" in seen, seen
    assert (shop.home / "seen").read_text().startswith("TV server configuration")
    keys = [keys[0], "remember show \t\t"]
    assert "-- TV server configuration" in typed(["zsh", "-d", "-i"], shop, keys, "-- TV server configuration")


@pytest.mark.skipif(shutil.which("fish") is None, reason="fish is not installed")
def test_fish_is_given_candidates(shop: Console) -> None:
    def fish(line: str) -> list[str]:
        code = f"remember completion fish | source; complete -C '{line}'"
        done = subprocess.run(["fish", "-N", "-c", code], cwd=shop.work, env=shop.environ, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()

    assert [line.split("\t")[0] for line in fish("remember sho")] == ["show"]
    assert [line.split("\t")[0] for line in fish("remember show ")] == ids(shop)
    assert any("TV server configuration" in line for line in fish("remember show "))
    (shop.work / "docs").mkdir()
    assert [line.split("\t")[0] for line in fish("remember list --root do")] == ["docs/"]


# --- the text of the scripts, also where the shell is missing


@pytest.mark.parametrize("shell", SCRIPTS)
def test_the_script_is_printed(remember: Console, shell: str) -> None:
    text = remember("completion", shell)
    assert text == SCRIPTS[shell] and f"remember completion {shell}" in text
    if shutil.which(shell):
        assert subprocess.run([shell, "-n"], input=text, text=True, capture_output=True).stderr == ""


def test_an_unknown_shell_is_named(remember: Console) -> None:
    done = remember.raw("completion", "tcsh")
    assert done.returncode == 2
    assert b"there is no completion for tcsh" in done.stderr and b"bash, zsh, fish" in done.stderr
