"""A worker is a small program here: good, empty, slow, huge, dying, deaf, leaving children behind."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remember.errors import WorkerFailed
from remember.files.worker import GUARD, Limits, run_worker, words_of

LIMITS = Limits(20.0, 1 << 20)


def python(code: str, *words: str) -> list[str]:
    return [sys.executable, "-c", code, *words]


def run(code: str, prompt: bytes = b"hello", limits: Limits = LIMITS, cwd: str = "/") -> bytes:
    return run_worker(python(code), prompt, cwd, {"PATH": os.environ["PATH"]}, limits)


def wait_until_gone(pid: int) -> None:
    ends = time.monotonic() + 10
    while time.monotonic() < ends:
        try:
            os.kill(pid, 0)
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return
        except (ProcessLookupError, FileNotFoundError):
            return
        time.sleep(0.02)
    raise AssertionError(f"process {pid} is still there")


def test_the_prompt_goes_in_and_the_answer_comes_out(tmp_path: Path) -> None:
    prompt = os.urandom(1 << 20)
    code = "import sys, os; sys.stdout.buffer.write(os.getcwd().encode() + b'|' + sys.stdin.buffer.read())"
    assert run(code, prompt, Limits(20, 2 << 20), str(tmp_path)) == os.fsencode(tmp_path) + b"|" + prompt


def test_no_shell_reads_the_words(tmp_path: Path) -> None:
    words = words_of(f"{sys.executable} -c 'import sys; print(sys.argv[1:])' '$HOME' \"a b\" ';' `id` '*'")
    assert run_worker(words, b"", str(tmp_path), {}, LIMITS) == b"['$HOME', 'a b', ';', '`id`', '*']\n"


def test_hooks_are_off_and_the_guard_is_up_in_its_environment() -> None:
    code = f"import os; print(os.environ['REMEMBER_DISABLE_HOOKS'], os.environ['{GUARD}'])"
    assert run(code) == b"1 1\n"


def test_an_empty_answer_is_an_answer() -> None:
    assert run("pass") == b""


def test_a_worker_that_does_not_read_its_prompt_may_answer() -> None:
    assert run("print('ready')", b"x" * (4 << 20)) == b"ready\n"


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("import sys; sys.exit(3)", "ended with status 3"),
        ("import sys; print('so \\x1b[31mred', file=sys.stderr); sys.exit(1)", "ended with status 1: so [31mred"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "was ended by signal 9"),
    ],
)
def test_a_worker_that_fails_says_why(code: str, reason: str) -> None:
    with pytest.raises(WorkerFailed) as caught:
        run("print('half an answer')\n" + code)
    assert caught.value.message.endswith(reason)
    assert caught.value.exit_status == 4


def test_one_that_cannot_be_started(tmp_path: Path) -> None:
    plain = tmp_path / "plain.txt"
    plain.write_text("no program")
    for words in (["/nowhere/at-all"], [str(plain)], ["a\0b"]):
        with pytest.raises(WorkerFailed, match="cannot be started"):
            run_worker(words, b"", "/", {"PATH": ""}, LIMITS)
    with pytest.raises(WorkerFailed, match="cannot be started"):
        run_worker(python("pass"), b"", str(tmp_path / "gone"), {}, LIMITS)


@pytest.mark.parametrize("deaf", [False, True])
def test_a_slow_one_is_ended_with_its_whole_group(tmp_path: Path, deaf: bool) -> None:
    mark = tmp_path / "pids"
    code = f"""
import os, signal, subprocess, sys, time
if {deaf}: signal.signal(signal.SIGTERM, signal.SIG_IGN)
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
with open({str(mark)!r}, "w") as file: file.write(f"{{os.getpid()}} {{child.pid}}")
time.sleep(60)
"""
    began = time.monotonic()
    with pytest.raises(WorkerFailed, match="took longer than 2 s"):
        run(code, limits=Limits(2.0, 1000))
    assert time.monotonic() - began < 20
    for pid in mark.read_text().split():
        wait_until_gone(int(pid))


def test_children_left_behind_do_not_keep_us_waiting(tmp_path: Path) -> None:
    mark = tmp_path / "pid"
    code = f"""
import subprocess, sys
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
with open({str(mark)!r}, "w") as file: file.write(str(child.pid))
print("done")
"""
    began = time.monotonic()
    assert run(code) == b"done\n"
    assert time.monotonic() - began < 15
    wait_until_gone(int(mark.read_text()))


def test_a_daemon_that_holds_the_pipes_does_not_keep_us_waiting(tmp_path: Path) -> None:
    mark = tmp_path / "pid"
    code = f"""
import subprocess, sys
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(8)"], start_new_session=True)
with open({str(mark)!r}, "w") as file: file.write(str(child.pid))
print("done")
"""
    began = time.monotonic()
    assert run(code) == b"done\n"
    assert time.monotonic() - began < 7
    os.kill(int(mark.read_text()), 9)


@pytest.mark.parametrize("code", ["while True: print('x' * 65536)", "print('x' * 1001)"])
def test_one_that_says_too_much_is_ended(code: str) -> None:
    with pytest.raises(WorkerFailed, match="wrote more than 1000 bytes"):
        run(code, limits=Limits(20.0, 1000))


def test_a_flood_of_complaints_is_no_answer() -> None:
    assert run("import sys; sys.stderr.write('x' * (1 << 22)); print('ok')") == b"ok\n"


@pytest.mark.parametrize("line", ["", "   ", "'open", 'say "', "a\0b"])
def test_what_is_no_command_line_is_refused(line: str) -> None:
    with pytest.raises(WorkerFailed, match="is no command line"):
        words_of(line)


@given(st.lists(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1), min_size=1))
def test_quoted_words_come_back(words: list[str]) -> None:
    import shlex

    assert words_of(shlex.join(words)) == words


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("import sys; sys.stderr.write('fatal: no key\\nhint: get one\\n'); sys.exit(3)", "fatal: no key"),
        ("raise ValueError('no such model')", "ValueError: no such model"),
        ("import sys; sys.stderr.write('x\\n' * 5000); raise KeyError('late')", "KeyError: 'late'"),
        ("import sys; sys.exit(3)", "status 3"),
    ],
)
def test_what_it_complained_of_is_the_line_that_says_it(code: str, said: str) -> None:
    with pytest.raises(WorkerFailed) as caught:
        run(code)
    assert caught.value.message.endswith(said)
