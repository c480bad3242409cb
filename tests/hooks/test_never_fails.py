"""`remember hook` ends with exit status 0 whatever it is given and wherever it stands, and says on standard error what was wrong."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remember.cli.commands.hook import SPEC
from remember.cli.quick import forgiven

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GOOD = ("session-start", "--client", "claude")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A workspace with a fact in it."""
    (tmp_path / "w").mkdir()
    for argv in (("init",), ("add", "The proxy needs a restart.")):
        command = [sys.executable, "-m", "remember", *argv]
        subprocess.run(command, cwd=tmp_path / "w", env=environ(tmp_path), check=True, capture_output=True)
    return tmp_path


def environ(home: Path) -> dict[str, str]:
    return {"PATH": os.environ["PATH"], "HOME": str(home), "PYTHONPATH": TOP}


def hook(place: Path, *argv: str, **how) -> subprocess.CompletedProcess[str]:
    how = {"capture_output": True, "cwd": place / "w", **({} if "stdin" in how else {"input": "{}"}), **how}
    return subprocess.run([sys.executable, "-m", "remember", "hook", *argv], env=environ(place), text=True, timeout=30, **how)


@pytest.mark.parametrize(
    ("argv", "reason"),
    [
        ((*GOOD, "--no-such-option"), "--no-such-option"),
        ((*GOOD, "--no-such-option=3"), "--no-such-option=3"),
        ((*GOOD, "-z"), "-z"),
        ((*GOOD, "--quiet=yes", "--json"), "--json"),
        ((*GOOD, "--color", "mauve"), "--color"),
        ((*GOOD, "--root"), "--root"),
        (("session-start", "--client"), "--client"),
        (("no-such-event", "--client", "claude"), "no-such-event"),
        (("--client", "claude"), "no event"),
        (("session-start", "--client", "emacs"), "emacs"),
        (("session-start",), "no client"),
        ((), "no client"),
        (("", "--client", ""), "no client"),
    ],
)
def test_a_wrong_command_line_adds_nothing_and_says_why(place: Path, argv: tuple[str, ...], reason: str) -> None:
    done = hook(place, *argv)
    assert done.returncode == 0
    assert done.stdout == ("{}\n" if "claude" in argv else "")
    assert reason in done.stderr and "Traceback" not in done.stderr


@pytest.mark.parametrize("data", ["{", "[]", "null", "nonsense", "7", "\x00", "[" * 100_000, '{"cwd": "/tmp"} {}'])
def test_an_input_that_is_no_json_object_adds_nothing_and_says_why(place: Path, data: str) -> None:
    done = hook(place, *GOOD, input=data)
    assert (done.returncode, done.stdout) == (0, "{}\n") and "no JSON object" in done.stderr


@pytest.mark.parametrize("data", ["", "\n", "{}", '{"cwd": 7}', '{"cwd": "relative", "new": [1]}', '{"cwd": "/no/such/directory"}'])
def test_an_input_without_a_directory_means_where_it_stands(place: Path, data: str) -> None:
    done = hook(place, *GOOD, input=data)
    assert done.returncode == 0 and "The proxy needs a restart." in json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"]


def test_an_input_that_is_left_open_is_not_waited_for(place: Path) -> None:
    command = [sys.executable, "-m", "remember", "hook", *GOOD]
    for data in (b'{"cwd": "/"}', b""):
        with subprocess.Popen(
            command, cwd=place / "w", env=environ(place), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as process:
            assert process.stdin
            process.stdin.write(data)
            process.stdin.flush()
            began = time.monotonic()
            assert process.wait(30) == 0
            assert time.monotonic() - began < 15


def test_standard_streams_that_cannot_be_used_cost_no_session(place: Path) -> None:
    with open("/dev/full", "w") as full, open("/dev/null") as null:
        assert hook(place, *GOOD, stdout=full, stderr=subprocess.PIPE, capture_output=False).returncode == 0
        assert hook(place, "no-such-event", stdout=full, stderr=full, capture_output=False).returncode == 0
        assert hook(place, *GOOD, stdin=null).returncode == 0
    closed = f"{sys.executable} -m remember hook session-start --client claude <&- >&- 2>&-"
    assert subprocess.run(closed, shell=True, cwd=place / "w", env=environ(place), timeout=30).returncode == 0
    reader = subprocess.Popen(["true"], stdin=subprocess.PIPE)
    reader.wait()
    assert hook(place, *GOOD, stdout=reader.stdin, stderr=subprocess.PIPE, capture_output=False).returncode == 0
    assert reader.stdin
    reader.stdin.close()


def test_a_working_directory_that_is_gone_costs_no_session(place: Path) -> None:
    (place / "gone").mkdir()
    line = f"rmdir ../gone; exec {sys.executable} -m remember hook session-start --client claude"
    done = subprocess.run(line, shell=True, cwd=place / "gone", env=environ(place), capture_output=True, text=True, input="{}", timeout=30)
    assert (done.returncode, done.stdout) == (0, "{}\n") and done.stderr


def test_what_is_left_out_is_said_on_standard_error(place: Path) -> None:
    (place / "w" / ".pi" / "memory" / "pi-remember.json").write_text("{")
    done = hook(place, *GOOD)
    assert done.returncode == 0 and "local" in done.stderr
    assert "unreadable" in json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"]


def test_help_is_still_help(place: Path) -> None:
    done = hook(place, *GOOD, "--help")
    assert done.returncode == 0 and "Usage" in done.stdout
    assert hook(place, *GOOD, "--help", "--what").stdout == "{}\n"


WORDS = st.text(max_size=8) | st.sampled_from(["--client", "--client=pi", "--color", "-q", "--color=always", "--", "-"])


@given(st.lists(WORDS, max_size=6))
def test_every_command_line_is_understood_somehow(argv: list[str]) -> None:
    args = forgiven(SPEC, argv)
    assert set(args.texts("astray")) <= set(argv)
    assert args.text("color") in (None, "auto", "always", "never")
    assert set(args.texts("event")) <= set(argv)
