"""`remember check` and `remember manifest` as processes: exit statuses, formats, repair and its plan."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

import remember

TREE = os.path.dirname(os.path.dirname(os.path.abspath(remember.__file__)))
LONE = "<!-- 2025-10-09T08:53:20Z [aaaaaaa3] -->\n"


@pytest.fixture
def at(tmp_path):
    """A workspace with a store of one fact and one note; a function that runs a command there."""
    work = tmp_path / "work"
    work.mkdir()
    environ = {"HOME": str(tmp_path), "PATH": os.environ["PATH"], "PYTHONPATH": TREE, "LANG": "C.UTF-8"}

    def run(*args, expect=0):
        done = subprocess.run([sys.executable, "-m", "remember", *args], cwd=work, env=environ, capture_output=True, text=True)
        assert done.returncode == expect, done.stdout + done.stderr
        assert "Traceback" not in done.stderr
        return done.stdout

    run("init")
    run("add", "one fact")
    run("note", "A note", "--body", "hello")
    run.facts = work / ".pi" / "memory" / "MEMORY.md"
    return run


def spoil(at):
    with open(at.facts, "a") as file:
        file.write(LONE)


def test_clean_is_zero_and_a_warning_is_one(at):
    assert json.loads(at("check", "--json"))["counts"]["warning"] == 0
    spoil(at)
    assert "R204  warning  MEMORY.md:3" in at("check", expect=1)
    at("check", "--ignore", "R2", expect=0)
    at("check", "--select", "R5", expect=0)
    at("check", "--severity", "error", expect=0)
    at("check", "--select", "R999", expect=2)


def test_it_goes_on_before_init(tmp_path):
    environ = {"HOME": str(tmp_path), "PATH": os.environ["PATH"], "PYTHONPATH": TREE}
    done = subprocess.run([sys.executable, "-m", "remember", "check"], cwd=tmp_path, env=environ, capture_output=True, text=True)
    assert done.returncode == 2
    assert "remember init" in done.stderr


def test_plan_and_repair_are_the_same_and_once_is_enough(at):
    spoil(at)
    plan = json.loads(at("check", "--repair", "--dry-run", "--json", expect=1))["repairs"]
    assert LONE in at.facts.read_text()
    made = json.loads(at("check", "--repair", "--json"))
    fixed = [{**step, "done": None, "recovery_id": None} for step in made["repairs"]]
    assert fixed == plan
    assert made["counts"] == {"error": 0, "warning": 0, "info": 0, "unknown": 0}
    assert json.loads(at("check", "--repair", "--json"))["repairs"] == []
    at("undo")
    assert LONE in at.facts.read_text()


def test_formats(at):
    spoil(at)
    lines = [json.loads(line) for line in at("check", "--jsonl", expect=1).splitlines()]
    assert "R204" in {line["code"] for line in lines}
    assert json.loads(at("check", "--format", "sarif", expect=1))["version"] == "2.1.0"
    assert "::warning file=.pi/memory/MEMORY.md,line=3," in at("check", "--format", "github", expect=1)
    assert "R607" in at("check", "--explain", "r607")
    assert json.loads(at("check", "--explain", "R607", "--json"))["code"] == "R607"


def test_severities_of_the_configuration(at, tmp_path):
    spoil(at)
    folder = tmp_path / ".config" / "remember"
    folder.mkdir(parents=True, exist_ok=True)
    for word, severities, status in (("error", ["error"], 1), ("info", ["info"], 0), ("off", [], 0)):
        (folder / "config.toml").write_text(f'[check]\nR204 = "{word}"\n')
        found = json.loads(at("check", "--json", expect=status))["findings"]
        assert [finding["severity"] for finding in found if finding["code"] == "R204"] == severities


def test_what_the_snapshot_leaves_out(at):
    at("list")
    assert json.loads(at("check", "--json"))["findings"] == []
    for n in range(12):
        at("add", f"fact {n} " + "with many words " * 17)
    at("list")
    (finding,) = json.loads(at("check", "--json"))["findings"]
    assert (finding["code"], finding["severity"]) == ("R901", "info")
    assert "of 14 lines" in finding["message"]


def test_manifest(at):
    at("manifest", "write", "m")
    at("manifest", "write", "m", expect=3)
    at("manifest", "verify", "m")
    at("add", "another")
    assert "added  MEMORY.md [" in at("manifest", "verify", "m", expect=1)
    assert json.loads(at("manifest", "verify", "m", "--json", expect=1))["differences"][0]["kind"] == "added"
    at("manifest", "verify", "none", expect=1)
    assert at("manifest", "write", "-").count("\n") == 5
    assert at("manifest", "write", "-") == at("manifest", "write", "-")
