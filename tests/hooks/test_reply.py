"""What hooks answer, in each agent's contract; nothing fails a session."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


@pytest.fixture
def run(tmp_path):
    (tmp_path / "w").mkdir()
    environ = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PYTHONPATH": TOP}

    def call(*argv: str, data: str | bytes = "", **more: str):
        given = data if isinstance(data, bytes) else data.encode()
        done = subprocess.run(
            [sys.executable, "-m", "remember", *argv], cwd=tmp_path, env={**environ, **more}, capture_output=True, input=given
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.decode()

    return call


@pytest.fixture
def filled(run, tmp_path):
    run("init", "--root", str(tmp_path / "w"))
    run("add", "--root", str(tmp_path / "w"), "The proxy needs a restart.")
    return json.dumps(
        {"session_id": "s", "transcript_path": None, "cwd": str(tmp_path / "w"), "hook_event_name": "SessionStart", "source": "startup"}
    )


@pytest.mark.parametrize("client", ["claude", "codex", "gemini"])
def test_a_session_start_adds_the_snapshot_in_exactly_the_contract(run, filled, client: str) -> None:
    answer = json.loads(run("hook", "session-start", "--client", client, data=filled))
    assert set(answer) == {"hookSpecificOutput"}
    assert set(answer["hookSpecificOutput"]) == {"hookEventName", "additionalContext"}
    assert answer["hookSpecificOutput"]["hookEventName"] == "SessionStart"
    assert "The proxy needs a restart." in answer["hookSpecificOutput"]["additionalContext"]


@pytest.mark.parametrize("client", ["pi", "opencode"])
def test_agents_without_json_hooks_get_the_text(run, filled, client: str) -> None:
    assert "The proxy needs a restart." in run("hook", "session-start", "--client", client, data=filled)


@pytest.mark.parametrize("event", ["prompt", "session-end", "no-such-event"])
@pytest.mark.parametrize("client", ["claude", "codex", "gemini"])
def test_other_events_add_nothing(run, filled, client: str, event: str) -> None:
    assert json.loads(run("hook", event, "--client", client, data=filled)) == {}


@pytest.mark.parametrize("data", ["", "{", "[]", "null", '{"cwd": 7}', '{"cwd": "/no/such/dir"}', b"\xff\xfe", "[" * 100_000])
def test_input_that_makes_no_sense_costs_no_session(run, data) -> None:
    assert json.loads(run("hook", "session-start", "--client", "claude", data=data)) == {}


def test_no_client_no_event_and_no_store_are_no_error(run) -> None:
    assert run("hook") == ""
    assert run("hook", "session-start", "--client", "emacs") == ""


def test_disabled_hooks_do_nothing(run, filled) -> None:
    assert json.loads(run("hook", "session-start", "--client", "claude", data=filled, REMEMBER_DISABLE_HOOKS="1")) == {}
    assert run("context", "--client", "pi", REMEMBER_DISABLE_HOOKS="1") == ""


def test_claude_code_gets_no_more_than_it_shows(run, filled, tmp_path) -> None:
    lines = "\n".join(f"fact {n} with enough words in it to need a good part of the room there is" for n in range(400))
    run("add", "--root", str(tmp_path / "w"), "-", data=lines)
    answer = json.loads(run("hook", "session-start", "--client", "claude", data=filled, REMEMBER_INJECT_CHARS_LOCAL="30000"))
    text = answer["hookSpecificOutput"]["additionalContext"]
    assert 8000 < len(text) <= 9500 and "lines are missing here" in text


def test_codex_s_own_background_work_is_left_alone(run, filled, tmp_path) -> None:
    memories = tmp_path / ".codex" / "memories" / "x"
    memories.mkdir(parents=True)
    run("add", "--scope", "global", "a global fact")
    given = json.dumps({"cwd": str(memories)})
    assert json.loads(run("hook", "session-start", "--client", "codex", data=given)) == {}
    assert "hookSpecificOutput" in run("hook", "session-start", "--client", "claude", data=given)


def test_a_damaged_configuration_or_store_costs_no_session(run, filled, tmp_path) -> None:
    (tmp_path / ".config" / "remember").mkdir(parents=True, exist_ok=True)
    (tmp_path / ".config" / "remember" / "config.toml").write_text("= broken")
    (tmp_path / "w" / ".pi" / "memory" / "pi-remember.json").write_text("{")
    answer = json.loads(run("hook", "session-start", "--client", "claude", data=filled))
    assert "unreadable" in answer["hookSpecificOutput"]["additionalContext"]
