"""Which workspace is meant: as git finds repositories, never one that belongs to another user."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from remember.errors import NoSuchRoot
from remember.scope import discover
from remember.scope.discover import canonical_root, find_root, is_store, main_worktree

DIR = ".pi/memory"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    place = tmp_path / "home"
    place.mkdir()
    return place


def stock(folder: Path) -> Path:
    (folder / DIR).mkdir(parents=True)
    (folder / DIR / "MEMORY.md").touch()
    return folder


def found(cwd: Path, home: Path) -> Path:
    cwd.mkdir(parents=True, exist_ok=True)
    return Path(find_root(str(cwd), str(home), DIR)[0])


def test_the_nearest_directory_above_with_a_store(home: Path) -> None:
    outer, inner = stock(home / "a"), stock(home / "a" / "b" / "c")
    assert found(inner, home) == inner
    assert found(inner / "d" / "e", home) == inner
    assert found(outer / "b", home) == outer


def test_the_walk_ends_below_the_home_directory(home: Path) -> None:
    stock(home)
    assert found(home / "x" / "y", home) == home / "x" / "y"
    assert found(home, home) == home


def test_the_walk_ends_at_the_repository_root_which_is_included(home: Path) -> None:
    outer = stock(home / "a")
    (outer / "repo" / ".git").mkdir(parents=True)
    inside = outer / "repo" / "src"
    assert found(inside, home) == inside
    stock(outer / "repo")
    assert found(inside, home) == outer / "repo"


def test_outside_home_and_repository_only_the_directory_itself_is_meant(home: Path, tmp_path: Path) -> None:
    elsewhere = stock(tmp_path / "elsewhere")
    assert found(elsewhere / "sub", home) == elsewhere / "sub"
    assert found(elsewhere, home) == elsewhere
    (elsewhere / ".git").mkdir()
    assert found(elsewhere / "sub", home) == elsewhere


def test_a_store_of_another_user_is_never_found_by_the_walk(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    outer = stock(home / "a")
    assert found(outer / "b", home) == outer
    monkeypatch.setattr(discover, "_ours", lambda path: False)
    assert found(outer / "b", home) == outer / "b"


def test_the_directory_that_a_link_leads_to_is_meant(home: Path) -> None:
    real = stock(home / "real")
    (home / "link").symlink_to(real)
    assert found(home / "link", home) == real
    assert canonical_root("link", str(home), str(home)) == str(real)


def test_the_main_worktree_serves_linked_ones_without_a_store(home: Path) -> None:
    main = home / "main"
    main.mkdir()

    def git(*words: str) -> None:
        who = ["-c", "user.name=x", "-c", "user.email=x@example.org"]
        subprocess.run(
            ["git", *who, *words], cwd=main, check=True, capture_output=True, env={"HOME": str(home), "PATH": os.environ["PATH"]}
        )

    git("init", "-q")
    git("commit", "-q", "--allow-empty", "-m", "x")
    git("worktree", "add", "-q", str(home / "linked"))
    assert main_worktree(str(home / "linked")) == str(main)
    assert main_worktree(str(main)) is None
    assert found(home / "linked" / "sub", home) == home / "linked" / "sub"
    stock(main)
    assert find_root(str(home / "linked" / "sub"), str(home), DIR) == (str(main), "the main git worktree")
    stock(home / "linked")
    assert found(home / "linked" / "sub", home) == home / "linked"


@pytest.mark.parametrize("line", ["", "nonsense", "gitdir:", "gitdir: /nowhere", "gitdir: ../x\n\0"])
def test_odd_git_files_mean_nothing(home: Path, line: str) -> None:
    (home / "r").mkdir()
    (home / "r" / ".git").write_text(line)
    assert found(home / "r" / "s", home) == home / "r" / "s"


def test_roots_as_people_write_them(home: Path) -> None:
    (home / "a" / "b").mkdir(parents=True)
    (home / "file").touch()
    assert canonical_root("~", "/", str(home)) == str(home)
    assert canonical_root("~/a", "/", str(home)) == str(home / "a")
    assert canonical_root("../a", str(home / "a"), str(home)) == str(home / "a")
    assert canonical_root(str(home / "a" / "..") + "/", "/", str(home)) == str(home)
    for bad in ("nowhere", "file", "", "a\0b", "~nobody"):
        with pytest.raises(NoSuchRoot):
            canonical_root(bad, str(home), str(home))


def test_what_counts_as_initialised(home: Path) -> None:
    assert not is_store(str(home / "nowhere"))
    assert not is_store(str(home))
    (home / "MEMORY.md").symlink_to("nowhere")
    assert is_store(str(home))
