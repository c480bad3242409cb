"""`consolidate run` with workers that are good, empty, garbage, slow, huge, hostile, and killed."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from console import Console
from test_schema import fits
from workers import GOOD, HEAD, files, records, runs, stock, worker


def test_a_good_plan_is_applied_as_one_change_and_bound_by_its_receipt(remember: Console) -> None:
    before = stock(remember)
    receipt = fits("consolidation-receipt", remember.json("consolidate", "run", "--worker", worker(remember, GOOD)))
    after = files(remember)
    assert [row["op"] for row in receipt["operations"]] == ["merge", "update", "forget", "add", "note"]
    assert all(row["changed"] for row in receipt["operations"]) and receipt["changed"]
    facts = after["MEMORY.md"].decode()
    assert "Use pnpm, never npm." in facts and "Tests need Redis." in facts and "Backups" not in facts and "backups" not in facts
    server = next(text for path, text in after.items() if path.endswith("-tv.md")).decode()
    assert 'description: "Server"' in server and server.endswith("---\nBackups at 3 am.\n\nPort 8096.\n")
    assert not any(path.endswith("-old.md") for path in after)
    for row in receipt["files"]:
        for name, state in (("before_sha256", before), ("after_sha256", after)):
            data = state.get(row["path"])
            assert row[name] == (None if data is None else hashlib.sha256(data).hexdigest())
    lines = "".join(f"{hashlib.sha256(after[path]).hexdigest()}  {path}\n" for path in sorted(after) if path.endswith(".md"))
    assert receipt["store_after_sha256"] == hashlib.sha256(lines.encode()).hexdigest()
    [row] = runs(remember)
    folder = Path(row["directory"])
    assert row["state"] == "applied" and row["plan_sha256"] == receipt["plan_sha256"]
    assert hashlib.sha256((folder / "plan.json").read_bytes()).hexdigest() == receipt["plan_sha256"]
    assert {**json.loads((folder / "receipt.json").read_text())} == receipt
    assert not (folder / "work").exists()
    assert remember.json("check", "--severity", "warning")["findings"] == []


def test_one_undo_takes_all_of_it_back_and_redo_applies_it_again(remember: Console) -> None:
    before = stock(remember)
    receipt = remember.json("consolidate", "run", "--worker", worker(remember, GOOD))
    after = files(remember)
    assert remember.json("undo")["recovery_id"] == receipt["recovery_id"]
    assert files(remember) == before
    remember("redo")
    assert files(remember) == after
    remember("restore", receipt["recovery_id"])
    assert files(remember) == before


def test_an_empty_plan_is_a_verified_no_op(remember: Console) -> None:
    before, saved = stock(remember), records(remember)
    receipt = fits("consolidation-receipt", remember.json("consolidate", "run", "--worker", worker(remember, "plan()")))
    assert (receipt["changed"], receipt["recovery_id"], receipt["files"], receipt["operations"]) == (False, None, [], [])
    assert receipt["store_before_sha256"] == receipt["store_after_sha256"]
    assert files(remember) == before and records(remember) == saved
    assert remember("consolidate", "run", "--worker", worker(remember, "plan()")).startswith("nothing to change: 2")


def test_a_store_without_memos_can_be_consolidated(remember: Console) -> None:
    remember("init")
    receipt = remember.json("consolidate", "run", "--worker", worker(remember, 'plan({"op": "add", "text": "the first"})'))
    assert receipt["changed"] and b"the first" in files(remember)["MEMORY.md"]
    remember("undo")
    assert files(remember)["MEMORY.md"] == b""


SELF = 'by["Use pnpm"]'
REFUSED = {
    "no answer": ("pass", 2, "it is empty"),
    "prose": ("print('All done, PASSED.')", 2, "exactly one JSON document"),
    "prose around a plan": ("print('Sure!'); plan()", 2, "exactly one JSON document"),
    "two plans": ("plan(); plan()", 2, "exactly one JSON document"),
    "half a plan": ("print('{\"run\": ')", 2, "exactly one JSON document"),
    "another run": ("run = '20260101T000000000Z-00000001'; plan()", 2, "it is for the run 20260101T000000000Z-00000001"),
    "an unknown operation": ("plan({'op': 'shell', 'text': 'x'})", 2, "op is none of add"),
    "a failure": ("plan(); sys.exit(7)", 4, "ended with status 7"),
    "a crash": ("plan(); sys.stdout.flush(); os.kill(os.getpid(), 11)", 4, "was ended by signal 11"),
    "too much": ("while True: print('x' * 4096)", 4, "wrote more than"),
    "too slow": ("plan(); sys.stdout.flush(); time.sleep(60)", 4, "took longer than"),
    "a memo that is not there": ("plan({'op': 'forget', 'id': '0123abcd', 'revision': '0' * 12})", 3, "0123abcd is no memo"),
    "another revision": (f"plan({{'op': 'forget', **{SELF}, 'revision': '0' * 12}})", 3, "not 000000000000"),
    "a memo named twice": (f"plan({{'op': 'forget', **{SELF}}}, {{'op': 'update', **{SELF}, 'content': 'x'}})", 2, "another operation too"),
    "a secret": (
        f"plan({{'op': 'update', **{SELF}, 'content': 'ghp_' + 'a1B2' * 9}})",
        2,
        "operation 1 (update): line 1 looks like a GitHub token",
    ),
    "what stands for a secret": ("plan({'op': 'add', 'text': 'the key is [secret removed]'})", 2, "was not shown"),
    "a fact too long": ("plan({'op': 'add', 'text': 'x ' * 300})", 2, "300 are the limit"),
    "a body with a header": ("plan({'op': 'note', 'description': 'x', 'content': '---\\na: b\\n---\\n'})", 2, "frontmatter delimiter"),
    "a comment of ours": ("plan({'op': 'add', 'text': '<!-- 2026-02-15T14:30:00Z [aaaa0001] --> x'})", 2, "begins with"),
    "a description in use": ("plan({'op': 'note', 'description': 'tv SERVER.', 'content': 'x'})", 2, "has that description already"),
    "conflict markers": (
        f"plan({{'op': 'note', 'description': 'merged', 'content': '{'<' * 7} ours\\na\\n{'=' * 7}\\nb\\n{'>' * 7} theirs'}})",
        2,
        "taken back, since the store had new errors",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_whatever_goes_wrong_nothing_is_applied(remember: Console, name: str) -> None:
    code, status, reason = REFUSED[name]
    before = stock(remember)
    error = remember.error("consolidate", "run", "--timeout", "3", "--worker", worker(remember, code), expect=status)
    assert reason in error["message"]
    assert files(remember) == before
    [row] = runs(remember)
    assert row["state"] == "failed" and row["reason"]
    assert not (Path(row["directory"]) / "work").exists() and not (Path(row["directory"]) / "receipt.json").exists()


def test_after_a_failure_the_store_is_free_for_the_next_run(remember: Console) -> None:
    stock(remember)
    remember.error("consolidate", "run", "--worker", worker(remember, "pass"), expect=2)
    remember("consolidate", "run", "--worker", worker(remember, "plan({'op': 'add', 'text': 'sound'})"))
    assert b"sound" in files(remember)["MEMORY.md"]
    assert [row["state"] for row in runs(remember)] == ["applied", "failed"]


def test_a_secret_is_never_repeated_anywhere(remember: Console) -> None:
    stock(remember)
    secret = "ghp_" + "a1B2" * 9
    code = f"plan({{'op': 'add', 'text': {secret!r}}}, summary={secret!r})"
    done = remember.raw("consolidate", "run", "--worker", worker(remember, code))
    assert done.returncode == 2 and secret.encode() not in done.stderr + done.stdout
    code = f"print({secret!r}, file=sys.stderr); plan(summary={secret!r})"
    assert secret.encode() not in remember.raw("consolidate", "run", "--json", "--worker", worker(remember, code)).stdout


HOSTILE = {
    "a memory file": "open({store!r} + '/MEMORY.md', 'a').write('slipped in\\n')",
    "a new memory file": "open({store!r} + '/notes/evil.md', 'w').write('slipped in\\n')",
    "a memory file away": "[os.unlink(os.path.join({store!r}, 'notes', n)) for n in os.listdir({store!r} + '/notes') if 'old' in n]",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_worker_that_edits_the_store_is_found_out(remember: Console, name: str) -> None:
    stock(remember)
    edit = HOSTILE[name].format(store=str(remember.store))
    saved = records(remember)
    error = remember.error("consolidate", "run", "--worker", worker(remember, edit + "\n" + GOOD), expect=3)
    assert error["code"] == "changed" and ("MEMORY.md" in error["message"] or "notes/" in error["message"])
    now = files(remember)
    assert "Use pnpm, never npm." not in now["MEMORY.md"].decode() and records(remember) == saved
    assert runs(remember)[0]["state"] == "failed"


LOOSE = "os.chmod('.', 0o700); os.chmod('store', 0o700)\n"


@pytest.mark.parametrize(
    "edit",
    [
        "open('notes.txt', 'w').write('x')",
        "os.chmod('store/MEMORY.md', 0o600); open('store/MEMORY.md', 'a').write('x')",
        "os.unlink('store/MEMORY.md')",
        "os.unlink('context.json'); os.symlink('manifest.json', 'context.json')",
        "os.mkdir('store/more')",
    ],
)
def test_a_worker_that_edits_its_frozen_copy_is_found_out(remember: Console, edit: str) -> None:
    before = stock(remember)
    error = remember.error("consolidate", "run", "--worker", worker(remember, LOOSE + edit + "\n" + GOOD), expect=3)
    assert "were changed, added or removed" in error["message"]
    assert files(remember) == before


def test_a_change_by_somebody_else_meanwhile_is_kept_and_nothing_applied(remember: Console) -> None:
    stock(remember)
    add = f"import subprocess; subprocess.run([{sys.executable!r}, '-m', 'remember', 'add', 'meanwhile'], cwd={str(remember.work)!r})\n"
    code = "saved = sys.stdout.fileno(); keep = os.dup(1); os.dup2(2, 1)\n" + add + "os.dup2(keep, 1)\n" + GOOD
    error = remember.error("consolidate", "run", "--worker", worker(remember, code), expect=3)
    assert "MEMORY.md" in error["message"]
    assert b"meanwhile" in files(remember)["MEMORY.md"] and b"never npm" not in files(remember)["MEMORY.md"]


def test_the_worker_is_told_no_more_than_it_needs(remember: Console) -> None:
    stock(remember)
    with open(remember.store / "MEMORY.md", "a") as file:
        file.write(f"\npassword: {'Zq7' * 5}\n")
    code = """
seen = {"cwd": os.getcwd(), "args": sys.argv[1:], "prompt": prompt, "environ": dict(os.environ), "mode": oct(os.stat("..").st_mode & 0o777),
        "names": sorted(os.listdir(".")), "context": json.load(open("context.json"))}
json.dump(seen, open(os.environ["SEEN"], "w"))
plan()
"""
    seen_at = remember.home / "seen.json"
    remember("consolidate", "run", "--no-context", "--worker", worker(remember, code) + " '$HOME'", SEEN=str(seen_at))
    seen = json.loads(seen_at.read_text())
    assert seen["mode"] == "0o700" and seen["args"] == ["$HOME"]
    assert seen["environ"]["REMEMBER_DISABLE_HOOKS"] == "1"
    assert seen["names"] == ["context.json", "manifest.json", "memos.jsonl", "plan.schema.json", "store"]
    assert seen["context"] == {"context": None, "reason": "--no-context"}
    assert "Use pnpm" in seen["prompt"] and "Zq7Zq7" not in seen["prompt"]


def test_a_context_reaches_the_worker_masked_and_bound(remember: Console) -> None:
    stock(remember)
    (remember.work / "talk.md").write_text("We moved to bun. key: ghp_" + "a1B2" * 9 + "\n")
    code = """
assert "We moved to bun." in prompt and "ghp_" not in prompt
text = open("context.md").read()
assert "We moved to bun." in text and "ghp_" not in text
plan()
"""
    receipt = remember.json("consolidate", "run", "--context", "talk.md", "--worker", worker(remember, code))
    assert len(receipt["context_sha256"]) == 64
    error = remember.error("consolidate", "run", "--context", "nowhere.md", "--worker", "true", expect=2)
    assert "no such file" in error["message"]
    remember.error("consolidate", "run", "--context", "talk.md", "--no-context", "--worker", "true", expect=2)


def test_the_command_comes_from_the_configuration_but_not_from_a_project(remember: Console) -> None:
    stock(remember)
    assert "no worker" in remember.error("consolidate", "run", expect=2)["message"]
    (remember.work / ".pi" / "remember.toml").write_text('consolidate_command = "/bin/false"\nsummary_command = "/bin/false"\n')
    assert "no worker" in remember.error("consolidate", "run", expect=2)["message"]
    remember("config", "set", "consolidate_command", worker(remember, "plan()"))
    assert remember("consolidate", "run").startswith("nothing to change")
    assert "ended with status 1" in remember.error("consolidate", "run", expect=4, REMEMBER_CONSOLIDATE_COMMAND="false")["message"]
    path = remember.home / ".config" / "remember" / "config.toml"
    path.write_text(f"consolidate_command = {json.dumps(worker(remember, 'plan()').split())}\nconsolidate_timeout_ms = 20000\n")
    assert remember("consolidate", "run").startswith("nothing to change")


def test_a_worker_starts_no_consolidation_of_its_own(remember: Console) -> None:
    stock(remember)
    inner = f"{sys.executable} -m remember consolidate run --worker true --root {remember.work} --scope global"
    code = f"import subprocess; done = subprocess.run({inner.split()!r}, capture_output=True)\n"
    code += "sys.stderr.buffer.write(done.stderr); sys.exit(5)"
    remember("add", "--scope", "global", "there is one")
    error = remember.error("consolidate", "run", "--worker", worker(remember, code), expect=4)
    assert "a worker does not begin" in error["message"]


def started(remember: Console, *args: str) -> subprocess.Popen[bytes]:
    # A shell that runs the tests in the background leaves SIGINT ignored, and what it starts would inherit that.
    return subprocess.Popen(
        [sys.executable, "-m", "remember", *args],
        cwd=remember.work,
        env=remember.environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )


def wait_for(path: Path) -> None:
    ends = time.monotonic() + 30
    while not path.exists():
        assert time.monotonic() < ends
        time.sleep(0.02)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_killed_while_the_worker_works_nothing_is_applied_and_the_next_run_goes_on(remember: Console, number: int) -> None:
    before = stock(remember)
    mark = remember.home / "working"
    slow = worker(remember, f"open({str(mark)!r}, 'w').close(); time.sleep(5)\n" + GOOD)
    process = started(remember, "consolidate", "run", "--worker", slow)
    wait_for(mark)
    error = remember.error("consolidate", "run", "--worker", "true", expect=3)
    assert error["code"] == "locked"
    assert [row["state"] for row in runs(remember)] == ["open"]
    process.send_signal(number)
    out, _ = process.communicate(timeout=30)
    assert process.returncode != 0 and b"applied" not in out
    assert files(remember) == before
    receipt = remember.json("consolidate", "run", "--worker", worker(remember, GOOD))
    assert receipt["changed"]
    assert [row["state"] for row in runs(remember)] == ["applied", "failed"]
    if number == signal.SIGKILL:
        assert "left by a process that has ended" in receipt["warnings"][0]


def test_stores_that_cannot_be_consolidated(remember: Console) -> None:
    assert remember.error("consolidate", "run", "--worker", "true", expect=2)["code"] == "not_initialised"
    assert remember.error("consolidate", "begin", "--scope", "global", expect=2)["code"] == "not_initialised"
    stock(remember)
    (remember.store / "notes" / "sealed.md").write_text("x")
    if os.geteuid() != 0:
        (remember.store / "notes" / "sealed.md").chmod(0)
        assert remember.error("consolidate", "run", "--worker", "true", expect=4)["code"] == "io"


def test_words_that_are_no_command(remember: Console) -> None:
    stock(remember)
    for line in ("'open", "/nowhere/program"):
        assert remember.error("consolidate", "run", "--worker", line, expect=4)["code"] == "worker"
    assert HEAD
