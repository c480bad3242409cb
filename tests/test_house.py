"""The house rules that a tool can hold: sizes, packages, and what a quick command may load."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[1]
SOURCES = sorted(p for folder in ("remember", "migrations", "schema") for p in (TOP / folder).rglob("*.py"))

# Click, and what costs more than a whole search; `re` is allowed only where a text needs it.
NEVER_QUICK = {
    "asyncio",
    "click",
    "dataclasses",
    "importlib.metadata",
    "inspect",
    "logging",
    "mcp",
    "pathlib",
    "pydantic",
    "sqlite_utils",
    "subprocess",
    "tempfile",
    "typing",
    "watchdog",
    "yaml",
}


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: str(p.relative_to(TOP)))
def test_modules_and_functions_stay_short(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") <= 300
    long = [
        node.name
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and (node.end_lineno or 0) - node.lineno + 1 > 60
    ]
    assert long == []


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: str(p.relative_to(TOP)))
def test_every_module_says_what_it_is_in_a_docstring(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    if path.name == "__init__.py" and not tree.body:
        return
    assert ast.get_docstring(tree)
    public = [n for n in tree.body if isinstance(n, ast.FunctionDef | ast.ClassDef) and not n.name.startswith("_")]
    assert [n.name for n in public if not ast.get_docstring(n) and n.name != "NamedTuple"] == []


def test_the_packages_in_pyproject_are_the_folders() -> None:
    project = tomllib.loads((TOP / "pyproject.toml").read_text())
    folders = {str(p.parent.relative_to(TOP)).replace(os.sep, ".") for p in (TOP / "remember").rglob("__init__.py")}
    assert set(project["tool"]["setuptools"]["packages"]) == folders | {"remember.schema", "remember.migrations"}


def loaded(tmp_path: Path, *argv: str) -> set[str]:
    """The modules in memory after one command, in a fresh interpreter."""
    code = f"import sys; from remember.cli import main; main({list(argv)!r}); print('\\n'.join(sys.modules), file=sys.stderr)"
    environ = {**os.environ, "HOME": str(tmp_path), "PYTHONPATH": str(TOP)}
    done = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, cwd=tmp_path, env=environ, check=True)
    return set(done.stderr.split())


@pytest.fixture(scope="module")
def settled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store and a folder that are old enough to be believed, indexed."""
    top = tmp_path_factory.mktemp("settled")
    (top / "docs").mkdir()
    (top / "docs" / "a.md").write_text("a zebra\n")
    environ = {**os.environ, "HOME": str(top), "PYTHONPATH": str(TOP)}

    def run(*argv: str) -> None:
        subprocess.run([sys.executable, "-m", "remember", *argv], cwd=top, env=environ, capture_output=True, check=True)

    run("init")
    run("add", "a fact to find")
    time.sleep(2.3)
    run("search", "fact")
    run("search", "--store", "./docs", "zebra")
    return top


@pytest.mark.parametrize(
    "argv", [("search", "fact"), ("list",), ("show", "MEMORY.md:2"), ("--version",), ("search", "--store", "./docs", "zebra")], ids=" ".join
)
def test_a_quick_command_loads_no_heavy_module(settled: Path, argv: tuple[str, ...]) -> None:
    allowed = {"re"} if argv[0] == "show" else set()  # it reads the file's own grammar
    assert loaded(settled, *argv) & (NEVER_QUICK | {"re"}) - allowed == set()


def test_adding_loads_no_heavy_module(tmp_path: Path) -> None:
    environ = {**os.environ, "HOME": str(tmp_path), "PYTHONPATH": str(TOP)}
    subprocess.run([sys.executable, "-m", "remember", "init"], cwd=tmp_path, env=environ, capture_output=True, check=True)
    heavy = loaded(tmp_path, "add", "one more fact") & NEVER_QUICK
    assert heavy == set()
