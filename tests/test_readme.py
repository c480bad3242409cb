"""The documents say what is so: commands exist, examples parse, tables and links are current, FORMAT.md's examples are read so."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from console import TREE, Console
from telling import Telling

from remember.cli import VERBS, _load
from remember.cli.options import Spec
from remember.cli.quick import parse

DOCUMENTS = sorted([*TREE.glob("*.md"), *(TREE / "docs").glob("*.md"), *(TREE / "benchmarks").glob("*.md")])
README = (TREE / "README.md").read_text(encoding="utf-8")


def leaves(spec: Spec) -> list[Spec]:
    """The commands that run something, subcommands among them."""
    return [leaf for sub in spec.subcommands for leaf in leaves(sub)] if spec.subcommands else [spec]


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.M | re.S)


def commands(text: str) -> list[str]:
    """Every `remember …` that shell blocks run, up to a pipe, a redirection or a comment."""
    lines = [line for block in blocks(text, "sh") for line in block.split("\n")]
    lines += [line[2:] for block in blocks(text, "console") for line in block.split("\n") if line.startswith("$ ")]
    word = r"""(?:"[^"]*"|'[^']*'|[^\s|<>;&"'#]+)"""
    return [match[1] for line in lines for match in re.finditer(rf"(?:^|\s|/)(remember(?: {word})*)(?=\s|$)", line)]


@pytest.mark.parametrize("verb", VERBS)
def test_the_examples_of_a_command_are_whole_and_correct(verb: str) -> None:
    for spec in (_load(verb), *leaves(_load(verb))):
        for example in spec.examples:
            words = shlex.split(example.removeprefix("EDITOR=nano "))
            assert words[:2] == ["remember", verb]
            assert parse(_load(verb), words[2:]) is not None, example


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_commands_in_documents_exist(path: Path) -> None:
    for command in commands(path.read_text(encoding="utf-8")):
        words = shlex.split(command)
        assert words[0] == "remember"
        if len(words) > 1:
            assert words[1] in VERBS, command
            assert parse(_load(words[1]), words[2:]) is not None, command


def test_the_readme_begins_with_two_commands_that_do_all_their_set_up() -> None:
    first, second = blocks(README, "sh")[:2]
    assert first.startswith("python3 -m venv ") and "pip install" in first and "remember search --store" in first
    assert second == "bash .ci/test\n"
    assert (TREE / ".ci" / "test").stat().st_mode & 0o111


def test_the_search_of_the_readme_finds_something(remember: Console) -> None:
    (command,) = commands(f"```sh\n{blocks(README, 'sh')[0]}```\n")
    assert remember(*shlex.split(command)[1:], cwd=TREE)


def told_apart(session: str) -> str:
    """A session with its IDs, record IDs and times numbered as they come, so that two runs of it can be compared."""
    for kind, pattern in (("record", r"\b\d{8}T\d{9}Z-[0-9a-f]{8}\b"), ("id", r"\b[0-9a-f]{8}\b"), ("time", r"\d{4}-\d\d-\d\d(T[\d:]+Z)?")):
        names: dict[str, str] = {}
        session = re.sub(pattern, lambda found, k=kind, n=names: n.setdefault(found[0], f"<{k} {len(n) + 1}>"), session)  # type: ignore[misc]
    return session


def test_the_session_of_the_readme_is_what_happens(tmp_path: Path) -> None:
    (session,) = blocks(README, "console")
    (told,) = blocks(Telling(tmp_path / "home", python_path=str(TREE)).tell(f"```console\n{session}```\n"), "console")
    assert told_apart(told) == told_apart(session)


def test_the_python_of_the_readme_runs(stocked: Console) -> None:
    (code,) = blocks(README, "python")
    done = subprocess.run([sys.executable, "-c", code], cwd=stocked.work, env=stocked.environ, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "TV server configuration" in done.stdout


def test_the_page_about_python_is_what_happens(remember: Console) -> None:
    remember("init")
    code = (
        "import doctest, sys; done = doctest.testfile(sys.argv[1], module_relative=False,"
        " optionflags=doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL); sys.exit(done.failed or done.attempted < 10)"
    )
    page = str(TREE / "docs" / "api.md")
    done = subprocess.run([sys.executable, "-c", code, page], cwd=remember.work, env=remember.environ, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", ["consolidation", "settings"])
def test_the_sessions_of_a_page_are_what_happens(name: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    path = TREE / "docs" / f"{name}.md"
    page = path.read_text(encoding="utf-8")
    telling = Telling(tmp_path / "home", python_path=str(TREE))
    for program in blocks(page, "python"):
        (telling.work / "tidy.py").write_text(program, encoding="utf-8")
    told = telling.tell(page)
    if request.config.getoption("--update"):
        path.write_text(told, encoding="utf-8")
    assert told == path.read_text(encoding="utf-8")


def test_the_tables_are_current() -> None:
    environ = {**os.environ, "PYTHON": sys.executable, "PYTHONPATH": str(TREE)}
    done = subprocess.run(["bash", ".ci/tables", "--check"], cwd=TREE, env=environ, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr + "run `bash .ci/tables -r`"


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_to_files(path: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", path.read_text(encoding="utf-8")):
        assert (path.parent / target).exists(), target


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_documents_name_no_place_of_the_machine_they_were_written_on(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not [place for place in (tempfile.gettempdir(), str(TREE), str(Path.home())) if place + "/" in text]


def test_the_examples_of_the_format_are_read_as_it_says() -> None:
    from remember.format import facts, marker, notes
    from remember.store.records import is_record_id

    text = (TREE / "FORMAT.md").read_text(encoding="utf-8")
    fact, note = blocks(text, "markdown")
    (read,) = facts.parse(fact).facts
    assert (read.id, read.text) == ("a1b2c3d4", "#lesson Use the workspace's own virtual environment.")
    found = notes.parse(note)
    assert (found.id, found.description, found.broken) == ("e5f6a7b8", "Python environment conventions", "")
    assert note[found.body_start :].startswith("# Optional heading")
    assert f"`{marker.render().decode().strip()}`" in text and marker.VERSION == 1
    assert is_record_id(re.findall(r"`(\d{8}T\d{9}Z-[0-9a-f]{8})`", text)[0])


def test_the_changelog_begins_with_what_is_not_released() -> None:
    text = (TREE / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(r"^## (.*)$", text, re.M)[1] == "Unreleased"  # type: ignore[index]
