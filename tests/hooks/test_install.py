"""Installing and uninstalling with the real command: what was there stays byte for byte."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib

import pytest

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
AGENTS = ("claude", "codex", "gemini", "pi", "opencode")

OLD_JSON = """{
    // kept
    "theme": "dark",
    "mcpServers": { "other": { "command": "x", "args": [] } },
    "hooks": {
        "SessionStart": [ { "hooks": [ { "type": "command", "command": "echo hi" } ] } ],
        "Stop": []
    },
    "mcp": {}
}
"""
OLD_TOML = (
    '# mine\nmodel = "x"\n\n[mcp_servers.other]\ncommand = "y"   # odd   spaces\n\n'
    '[[hooks.SessionStart]]\n[[hooks.SessionStart.hooks]]\ntype = "command"\ncommand = "z"'
)


@pytest.fixture
def run(tmp_path):
    environ = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PYTHONPATH": TOP}

    def call(*argv: str, status: int = 0, **more: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "remember", "hooks", *argv],
            env={**environ, **more},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
        )
        assert done.returncode == status, done.stdout + done.stderr
        return done.stdout + done.stderr

    return call


def tree(top) -> dict[str, bytes]:
    return {str(p.relative_to(top)): p.read_bytes() for p in sorted(top.rglob("*")) if p.is_file() and ".local" not in p.parts}


def old_files(top) -> None:
    for name, text in {
        ".claude/settings.json": OLD_JSON,
        ".claude.json": '{"numStartups":3,"mcpServers":{}}',
        ".codex/config.toml": OLD_TOML,
        ".gemini/settings.json": OLD_JSON.replace("\n", "\r\n"),
        ".pi/agent/mcp.json": "{ }\n",
        ".config/opencode/opencode.json": OLD_JSON,
    }.items():
        path = top / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("old", [False, True])
def test_uninstall_takes_exactly_out_what_install_put_in(run, tmp_path, agent: str, old: bool) -> None:
    if old:
        old_files(tmp_path)
    before = tree(tmp_path)
    assert "+" in run("install", agent, "--yes")
    after = tree(tmp_path)
    assert after != before
    assert all(state == "installed" for state in (row.split(": ")[1].split()[0] for row in run("status", agent).splitlines()))
    assert "nothing to change" in run("install", agent, "--yes") and tree(tmp_path) == after
    run("uninstall", agent, "--yes")
    assert tree(tmp_path) == before
    assert not [p for p in tmp_path.rglob("*") if p.is_dir() and not any(p.iterdir()) and ".local" not in p.parts]
    run("status", agent, status=1)


@pytest.mark.parametrize("agent", AGENTS)
def test_what_the_agent_wrote_meanwhile_stays(run, tmp_path, agent: str) -> None:
    run("install", agent, "--yes")
    for path in [tmp_path / name for name in tree(tmp_path) if name.endswith((".json", ".toml"))]:
        if path.suffix == ".toml":
            path.write_text('model = "new"\n' + path.read_text() + '\n[tui]\ntheme = "x"\n')
        else:
            document = json.loads(path.read_text())
            path.write_text(json.dumps({"first": 1, **document, "last": {"a": [1]}}, indent=4))
    run("uninstall", agent, "--yes")
    for name, data in tree(tmp_path).items():
        if name.endswith(".toml"):
            assert tomllib.loads(data.decode()) == {"model": "new", "tui": {"theme": "x"}}
        else:
            assert json.loads(data) == {"first": 1, "last": {"a": [1]}}


def test_without_a_receipt_it_is_found_by_what_it_says(run, tmp_path) -> None:
    old_files(tmp_path)
    before = tree(tmp_path)
    run("install", "claude", "--yes")
    for receipt in (tmp_path / ".local" / "share" / "remember" / "hooks").iterdir():
        receipt.unlink()
    run("uninstall", "claude", "--yes")
    after = tree(tmp_path)
    assert after[".claude/settings.json"] == before[".claude/settings.json"]
    assert json.loads(after[".claude.json"]) == json.loads(before[".claude.json"])


def test_the_entries_name_the_executable_with_its_absolute_path(run, tmp_path) -> None:
    run("install", "claude", "--yes")
    server = json.loads((tmp_path / ".claude.json").read_text())["mcpServers"]["remember"]
    assert os.path.isabs(server["command"]) and server["args"][-1] == "mcp"
    hook = json.loads((tmp_path / ".claude" / "settings.json").read_text())["hooks"]["SessionStart"][0]["hooks"][0]
    assert os.path.isabs(hook["command"].split()[0])
    environ = {"HOME": str(tmp_path), "PATH": os.environ["PATH"], "PYTHONPATH": TOP}
    done = subprocess.run(hook["command"], shell=True, input="{}", capture_output=True, text=True, env=environ, cwd=tmp_path)
    assert done.returncode == 0 and json.loads(done.stdout) == {}


@pytest.mark.parametrize("agent", AGENTS)
def test_no_entry_takes_the_user_s_say_over_tools_away(run, tmp_path, agent: str) -> None:
    run("install", agent, "--yes")
    written = b"".join(tree(tmp_path).values()).lower()
    for word in (b'"trust"', b"autoapprove", b"alwaysallow", b"allowedtools", b"permissions", b"approval", b"enabledmcpjsonservers"):
        assert word not in written


def test_claude_code_waits_for_the_server_so_that_its_first_request_has_memory(run, tmp_path) -> None:
    run("install", "claude", "--yes")
    assert json.loads((tmp_path / ".claude.json").read_text())["mcpServers"]["remember"]["alwaysLoad"] is True


def test_nothing_is_changed_without_a_yes(run, tmp_path) -> None:
    old_files(tmp_path)
    before = tree(tmp_path)
    assert "--yes" in run("install", "claude", status=2)
    assert "+" in run("install", "claude", "--dry-run")
    assert json.loads(run("install", "claude", "--dry-run", "--json"))["changed"] is False
    assert tree(tmp_path) == before


@pytest.mark.parametrize(
    ("name", "text", "status"),
    [
        (".claude/settings.json", "{ broken", 2),
        (".claude/settings.json", '{"hooks": []}', 2),
        (".claude/settings.json", "[]", 2),
        (".claude.json", '{"mcpServers": {"remember": {"command": "other"}}}', 3),
    ],
)
def test_a_file_that_is_not_as_it_must_be_is_left_alone(run, tmp_path, name: str, text: str, status: int) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text(text)
    before = tree(tmp_path)
    assert name in run("install", "claude", "--yes", status=status)
    assert tree(tmp_path) == before


def test_a_codex_table_of_the_same_name_is_left_alone(run, tmp_path) -> None:
    (tmp_path / ".codex").mkdir()
    (tmp_path / ".codex" / "config.toml").write_text('[mcp_servers.remember]\ncommand = "other"\n')
    before = tree(tmp_path)
    run("install", "codex", "--yes", status=3)
    assert tree(tmp_path) == before


def test_a_linked_configuration_file_stays_a_link(run, tmp_path) -> None:
    (tmp_path / "dotfiles").mkdir()
    (tmp_path / "dotfiles" / "settings.json").write_text("{}\n")
    (tmp_path / "dotfiles" / "settings.json").chmod(0o640)
    (tmp_path / ".claude").mkdir()
    (tmp_path / ".claude" / "settings.json").symlink_to(tmp_path / "dotfiles" / "settings.json")
    run("install", "claude", "--yes")
    assert (tmp_path / ".claude" / "settings.json").is_symlink()
    assert "SessionStart" in (tmp_path / "dotfiles" / "settings.json").read_text()
    assert (tmp_path / "dotfiles" / "settings.json").stat().st_mode & 0o777 == 0o640


def test_an_extension_that_was_edited_is_kept_and_named(run, tmp_path) -> None:
    run("install", "pi", "--yes")
    script = tmp_path / ".pi" / "agent" / "extensions" / "remember.js"
    script.write_text(script.read_text() + "// mine\n")
    assert "is left as it is" in run("uninstall", "pi", "--yes")
    assert script.exists()


def test_a_new_place_of_the_program_replaces_the_old_entry(tmp_path) -> None:
    from remember.hooks.install import Installer

    environ: dict[str, str] = {}
    for program in ("/old/remember", "/new/remember"):
        installer = Installer((program,), environ, str(tmp_path), str(tmp_path / "data"))
        installer.apply(installer.install("claude"))
    text = (tmp_path / ".claude" / "settings.json").read_text()
    assert "/new/remember" in text and "/old/remember" not in text
    installer.apply(installer.uninstall("claude"))
    assert not (tmp_path / ".claude").exists()
