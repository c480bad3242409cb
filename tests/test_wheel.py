"""What users install: the sdist, the wheel made from it, and what a quick command loads when it runs from there."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest
from console import TREE
from telling import TESTS, Telling
from test_house import NEVER_QUICK

LEFT_OUT = shutil.ignore_patterns(".*", "build", "dist", "*.egg-info", "__pycache__", "work")


def run(*command: str | Path, cwd: Path, environ: dict[str, str] | None = None) -> str:
    """Standard output of a command that must succeed; a checkout on PYTHONPATH must not pass for what is installed."""
    environ = environ or {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(command, cwd=cwd, env=environ, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with the sdist and the wheel that was built from it; made once for all workers of a test run."""
    base = tmp_path_factory.getbasetemp()
    top = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "built"
    top.mkdir(exist_ok=True)
    with open(top / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (top / "dist").exists():
            shutil.copytree(TREE, top / "tree", ignore=LEFT_OUT)
            run(sys.executable, "-m", "build", "--no-isolation", "--outdir", top / "made", top / "tree", cwd=top)
            (top / "made").rename(top / "dist")
    return top / "dist"


@pytest.fixture(scope="module")
def installed(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clean environment with the wheel and nothing else, not even what it depends on; its directory of programs."""
    place = tmp_path_factory.mktemp("installed") / "env"
    venv.create(place, with_pip=False, symlinks=True)
    (wheel,) = built.glob("*.whl")
    pip = [sys.executable, "-m", "pip", "--python", place / "bin" / "python", "--disable-pip-version-check"]
    run(*pip, "install", "-q", "--no-index", "--no-deps", wheel, cwd=place)
    return place / "bin"


def test_the_wheel_holds_every_module_and_contract(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        names = {name for name in packed.namelist() if ".dist-info/" not in name and ".data/" not in name}
    wanted = {str(path.relative_to(TREE)) for path in (TREE / "remember").rglob("*.py")} | {"remember/py.typed"}
    for folder in ("schema", "migrations"):
        wanted |= {f"remember/{folder}/{path.name}" for path in (TREE / folder).iterdir() if path.suffix in (".py", ".sql", ".json")}
    assert names == wanted
    (sdist,) = built.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        inside = {name.partition("/")[2] for name in archive.getnames()}
    assert {"LICENSE", "README.md", "pyproject.toml", "bin/remember", "schema/index.sql"} <= inside


def test_quick_commands_run_without_any_dependency_and_load_little(installed: Path, tmp_path: Path) -> None:
    environ = {"HOME": str(tmp_path), "PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("---\ntitle: x\n---\na zebra\n")

    def remember(*argv: str) -> str:
        return run(installed / "remember", *argv, cwd=tmp_path, environ=environ)

    def loaded(*argv: str) -> set[str]:
        told = "print(*(set(sys.modules) - before), sep='\\n')"
        code = f"import sys; before = set(sys.modules); from remember.cli import main; main({list(argv)!r}); {told}"
        return set(run(installed / "python", "-c", code, cwd=tmp_path, environ=environ).splitlines())

    assert remember("--version").startswith("remember ")
    remember("init")
    remember("add", "a fact to find")
    note = remember("note", "A note", "--body", "a zebra").split()[1]
    for argv in (["search", "fact"], ["list"], ["show", note], ["add", "another"], ["search", "--store", "./docs", "zebra"], ["--version"]):
        found = loaded(*argv)
        assert "remember.cli" in found
        extra = set() if argv[0] == "add" else {"json"}  # a recovery record is JSON
        assert found & (NEVER_QUICK | extra) == set(), argv
    assert "json" in loaded("search", "fact", "--json")


def test_stories_are_true_of_the_wheel(installed: Path, tmp_path: Path) -> None:
    """With the dependencies of the environment that runs the tests, and the package from the wheel."""
    (site,) = (installed.parent / "lib").glob("python*/site-packages")
    (site / "dependencies.pth").write_text(f"{Path(pytest.__file__).parents[1]}\n")
    where = run(installed / "python", "-c", "import remember; print(remember.__file__)", cwd=tmp_path)
    assert Path(where.strip()).is_relative_to(installed.parent)
    for name in ("add", "search", "migrate", "index"):
        text = (TESTS / "stories" / f"{name}.md").read_text(encoding="utf-8")
        assert Telling(tmp_path / name, (str(installed / "remember"),)).tell(text) == text
