"""Help that teaches: examples that run, and what is said to a command line with a slip in it."""

from __future__ import annotations

import ast
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest
from console import TREE, Console

from remember import errors
from remember.cli import VERBS, _load
from remember.cli.options import Spec

RECORD = "20261130T221800123Z-3f9a1c2e"
RUN = "20261018T161033123Z-3f9a1c2e"
PLAN = '{{"run": "{}", "summary": "learned", "operations": [{{"op": "add", "text": "The NAS sleeps at night."}}]}}'
CLAUDE = """#!/bin/sh
[ -e manifest.json ] || { echo "- The proxy listens on port 8443."; exit 0; }
sed 's/.*"run": "\\([^"]*\\)".*/{"run": "\\1", "summary": "learned", "operations": []}/' manifest.json
"""


def leaves(spec: Spec) -> list[Spec]:
    return [leaf for sub in spec.subcommands for leaf in leaves(sub)] if spec.subcommands else [spec]


EXAMPLES = [example for verb in VERBS for spec in leaves(_load(verb)) for example in spec.examples]

ENDS = {
    "remember ui": 2,
    "remember ui --scope global": 2,
    "remember store discover": 1,
    "remember store discover --register": 1,
    "remember migrate --rollback v0-to-v1-0f8b2c1e-6d5a-4b7e-9c3d-2a1b0c9d8e7f": 1,
}
"""Exit statuses other than 0: the picker has no terminal here (tests/tui tries it in one), no other
program has memory for this workspace, and no migration left that backup."""

BEFORE = {
    "remember redo": ["remember undo"],
    "remember config unset": ["remember config set color never", "remember config set inject_chars_local 5000 --project"],
    "remember manifest verify": ["remember manifest write memory.sha256"],
    "remember hooks uninstall": ["remember hooks install codex --yes", "remember hooks install claude --yes"],
    "remember hooks status claude": ["remember hooks install claude --yes"],
    "remember store add docs": ["remember store remove docs"],
    'remember note "TV': ["remember forget e5f6a7b8"],
    "remember consolidate validate": ["remember consolidate begin --no-context"],
    "remember consolidate apply": ["remember consolidate begin --no-context"],
    "remember consolidate abort": ["remember consolidate begin --no-context"],
    "remember export jsonl memory.jsonl": ["rm memory.jsonl"],
    "remember mirror remove": ["remember mirror add a1b2c3d4"],
}
"""What somebody has done before they type a command that begins so."""


LASTING = ("remember watch", "remember browse")
"""What runs until it is interrupted."""


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Console:
    """The workspace of the examples, made once: the homelab's store, a folder of documents, changes to undo."""
    remember = Console(tmp_path_factory.mktemp("examples") / "home")
    shutil.copytree(TREE / "tests" / "fixtures" / "homelab", remember.store)
    remember("trust", "add")
    docs = remember.work / "docs"
    docs.mkdir()
    (docs / "retry.md").write_text("# Retry policy\n\nBack off. #http\n")
    (remember.work / "release.md").write_text("The body of a note.\n")
    (remember.home / "homelab").mkdir()
    notes = remember.store / "notes"
    (notes / "2025-10-18-tv-server.md").rename(notes / "2026-10-18-tv-server.md")
    with open(notes / "2025-11-01-backup-plan.md", "a") as file:
        file.write("The server refuses more than max_body_size.\n")
    table = remember.home / ".pi" / "agent" / "memory"
    table.mkdir(parents=True)
    (table / "MEMORY.md").write_text("# Of this machine\n\nWritten\nby hand.\n\n")
    (remember.work / "memory.jsonl").write_text('{"type": "entity", "name": "NAS", "entityType": "host", "observations": ["sleeps"]}\n')
    remember("store", "add", "docs", "./docs")
    remember("add", "--scope", "global", "A fact of this machine.")
    remember("add", "-", stdin="The old proxy is gone.\nOne more.\nAnd another.\n")
    for folder in (remember.work, table):
        share(remember, folder)
    return remember


def share(remember: Console, folder: Path) -> None:
    """Make a folder a git repository with a remote that it has been pushed to."""
    remember.environ.update({f"GIT_{who}_{what}": "t@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")})
    bare = remember.home / f"{folder.name}.git"
    url = os.path.relpath(bare, folder)
    (folder / ".gitignore").write_text("recovery/\nmigrations/\n")
    for line in (
        f"git init -q --template= --bare -b main {url}",
        "git init -q --template= -b main",
        f"git remote add origin {url}",
        "git add -A",
        "git commit -q -m begin",
        "git push -q -u origin main",
    ):
        subprocess.run(line.split(), cwd=folder, env=remember.environ, check=True, capture_output=True)


@pytest.fixture
def workspace(kept: Console, tmp_path: Path) -> Console:
    """A copy of it for one example, with `remember` on the path."""
    shutil.copytree(kept.home, tmp_path / "home", symlinks=True)
    remember = Console.__new__(Console)
    remember.home, remember.work = tmp_path / "home", tmp_path / "home" / "work"
    remember.environ = {**kept.environ, "HOME": str(remember.home), "EDITOR": "true", "VISUAL": "", "SHELL": "/bin/sh"}
    for name in ("stores", "trusted", "trusted-roots", "trusted_roots"):
        for path in (remember.home / ".config").rglob(name):
            path.write_text(path.read_text().replace(str(kept.home), str(remember.home)))
    folder = remember.home / "bin"
    folder.mkdir()
    import sys

    (folder / "remember").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m remember "$@"\n')
    (folder / "nano").write_text("#!/bin/sh\nexit 0\n")
    (folder / "claude").write_text(CLAUDE)
    for path in folder.iterdir():
        path.chmod(0o755)
    remember.environ["PATH"] = f"{folder}:{os.environ['PATH']}"
    return remember


def run(remember: Console, command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", "-c", command], cwd=remember.work, env=remember.environ, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60
    )


def told_twice(example: str) -> bool:
    """Whether it is another example with `--json` at its end, which test_schema.py looks at."""
    return example.endswith(" --json") and example.removesuffix(" --json") in EXAMPLES


@pytest.mark.parametrize(
    "example",
    [
        pytest.param(example, marks=[pytest.mark.slow] if told_twice(example) else [])
        for example in EXAMPLES
        if not example.startswith(LASTING)
    ],
)
def test_an_example_does_what_it_says(workspace: Console, example: str) -> None:
    for start, commands in BEFORE.items():
        if example.startswith(start):
            for command in commands:
                assert run(workspace, command).returncode == 0, command
    newest = sorted(path.stem for path in (workspace.store / "recovery").glob("*.json"))[-1]
    if RUN in example:
        (begun,) = workspace.json("consolidate", "list")["runs"]
        (workspace.work / "plan.json").write_text(PLAN.format(begun["run"]))
        example = example.replace(RUN, begun["run"])
    done = run(workspace, example.replace(RECORD, newest))
    assert "Traceback" not in done.stderr
    assert done.returncode == ENDS.get(example, 0), (done.stdout, done.stderr)


@pytest.mark.parametrize("example", [example for example in EXAMPLES if example.startswith(LASTING)])
def test_the_examples_of_what_lasts_last(workspace: Console, example: str) -> None:
    running = subprocess.Popen(["sh", "-c", "exec " + example], cwd=workspace.work, env=workspace.environ, stderr=subprocess.PIPE)
    time.sleep(2)
    assert running.poll() is None
    running.send_signal(signal.SIGINT)
    assert running.wait(20) in (0, 130)
    assert running.stderr is not None and b"Traceback" not in running.stderr.read()
    running.stderr.close()


@pytest.mark.parametrize("verb", [verb for verb in VERBS if not _load(verb).hidden])
def test_help_ends_with_two_or_three_examples(verb: str) -> None:
    for spec in (leaf for leaf in leaves(_load(verb)) if not leaf.hidden):
        assert 2 <= len(spec.examples) <= 4, f"{verb} {spec.name}"


@pytest.mark.parametrize("words", [["list"], ["store"], ["store", "add"], ["stats"]], ids=" ".join)
def test_the_examples_are_the_end_of_the_help(remember: Console, words: list[str]) -> None:
    told = remember(*words, "--help").rstrip().split("\n")
    at = next(number for number, line in enumerate(told) if line.strip() == "Examples:")
    assert len(told) - at >= 3 and all(line.startswith(f"    remember {words[0]}") for line in told[at + 1 :])


# --- slips


@pytest.mark.parametrize(
    ("words", "message", "meant"),
    [
        ("lst", "there is no command 'lst'", "list"),
        ("store ad x y", "there is no command 'ad'", "add"),
        ("hooks instal claude", "there is no command 'instal'", "install"),
        ("list --tgs x", "there is no option --tgs", "--tag"),
        ("store add x . --layuot vault", "there is no option --layuot", "--layout"),
        ("--versoin", "there is no option --versoin", "--version"),
        ("list --sort tme", "'tme' is not one of", ""),
        ("list --kind fct", "'fct' is not one of", "fact"),
        ("config set colr auto", "there is no setting colr", "color"),
        ("search --store dcos x", "store dcos", "docs"),
    ],
)
def test_a_slip_is_named_with_what_was_meant(workspace: Console, words: str, message: str, meant: str) -> None:
    error = workspace.error(*words.split(), expect=2)
    assert message in error["message"]
    assert not error["message"].endswith(".") and error["hint"]
    assert meant in error["message"] + error["hint"]
    if meant and "did you mean" in error["hint"]:
        assert f"did you mean {meant}" in error["hint"] or f" or {meant}" in error["hint"]


# --- messages: thing, reason, next step

SOURCES = sorted((TREE / "remember").rglob("*.py"))
_HINTED = {"RememberError", "RefusedInput", "UsageError", "ScopeError", "Conflict", "StoreError", "CacheError"}


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(TREE)))
def test_every_error_that_is_raised_has_a_next_step(path: Path) -> None:
    without = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _HINTED:
            hints = [*node.args[1:2], *(word.value for word in node.keywords if word.arg == "hint")]
            starred = any(isinstance(argument, ast.Starred) for argument in node.args)
            if not starred and (not hints or (isinstance(hints[0], ast.Constant) and not hints[0].value)):
                without.append(node.lineno)
    assert without == []


def test_errors_of_a_kind_have_a_next_step_of_their_own() -> None:
    made = [
        errors.SecretRefused("a token", 1),
        errors.UnsafePath("x", "y"),
        errors.NoSuchRoot("x"),
        errors.NotInitialised("x", "y"),
        errors.NotTrusted("x"),
        errors.UnknownStore("x"),
        errors.NotFound("x"),
        errors.ChangedOutside("x"),
        errors.Ambiguous("x", ["y"]),
        errors.Duplicate("x", "y"),
        errors.PathTaken("x"),
        errors.Locked("x", 1),
        errors.FormatError([(1, "x")]),
        errors.DamagedStore("x", "y"),
        errors.FutureFormat("x", 2, 1),
        errors.TooLarge("x", 2, 1),
        errors.IOFailure("x", "y"),
        errors.WorkerFailed("x", "y"),
    ]
    own = {type(error).__name__ for error in made}
    assert own == set(errors.__all__) - _HINTED
    assert all(error.message and error.hint and not error.message.endswith(".") for error in made)
