"""Setting a repository up: checked, the same when it is done again, and taken out exactly."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from clones import COMMAND, Clone, World

from remember.errors import RefusedInput
from remember.model import StoreRef
from remember.sync.setup import attributes_of, install, place_of, uninstall
from remember.sync.share import share


def config(clone: Clone) -> str:
    return (clone.top / ".git" / "config").read_text()


def test_doing_it_again_changes_nothing_and_undoing_it_leaves_nothing(world: World) -> None:
    one = world.first(below="docs/memory")
    one.git("config", "--remove-section", "merge.remember-facts")
    before = config(one), one.read(".gitattributes")
    done = one.setup()
    assert done.changes == ("git config merge.remember-facts.name", "git config merge.remember-facts.driver")
    assert one.setup().changes == ()
    assert any("every other clone" in note for note in one.setup().notes)
    assert not any("driver" in note for note in one.setup().notes)
    planned = uninstall(one.place(), dry_run=True)
    assert config(one) != before[0] and one.read(".gitattributes") == before[1]
    assert uninstall(one.place()).changes == planned.changes
    assert "remember" not in config(one) and not (one.store / ".gitattributes").exists()
    assert (one.store / ".gitignore").exists()
    assert uninstall(one.place()).changes == ()


def test_lines_of_others_stay(world: World) -> None:
    one = world.first()
    uninstall(one.place())
    one.write("*.txt text", ".gitattributes")
    one.setup()
    assert one.read(".gitattributes") == "*.txt text\n*.md merge=remember-note\n/MEMORY.md merge=remember-facts\n"
    uninstall(one.place())
    assert one.read(".gitattributes") == "*.txt text\n"


def test_a_dry_run_changes_nothing(world: World) -> None:
    one = world.first()
    uninstall(one.place())
    (one.store / ".gitignore").unlink()
    before = config(one)
    done = install(one.place(), COMMAND, dry_run=True)
    assert len(done.changes) == 8 + 2
    assert config(one) == before and not (one.store / ".gitattributes").exists() and not (one.store / ".gitignore").exists()
    assert install(one.place(), COMMAND).changes == done.changes


def test_removed_knowledge_is_kept_out(world: World) -> None:
    one = world.first()
    assert one.read(".gitignore") == "recovery/\nmigrations/\n.remember-*\n"
    one.write("{}", "recovery/x.json")
    assert "recovery" not in one.git("status", "--porcelain", "--untracked-files=all")
    one.git("add", "-f", "recovery/x.json")
    assert any("git rm -r --cached recovery" in note for note in one.setup().notes)


def test_what_wins_over_it_and_what_does_not_run_is_said(world: World) -> None:
    one = world.first()
    (one.top / ".git" / "info" / "attributes").write_text("MEMORY.md merge=union\n")
    assert "another attribute wins: git merges MEMORY.md with union" in one.setup().notes
    (one.top / ".git" / "info" / "attributes").unlink()
    done = install(one.place(), ["/nowhere/remember"])
    assert any(note.startswith("the driver does not run: ") for note in done.notes)


def test_stores_that_cannot_be_set_up(world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "plain").mkdir()
    with pytest.raises(RefusedInput, match="lies in no git repository"):
        place_of(StoreRef("x", "x", str(tmp_path / "plain"), "remember"), {**world.environ, "GIT_CEILING_DIRECTORIES": str(tmp_path)})
    one = world.first(below="memory")
    with pytest.raises(RefusedInput, match="layout vault is not merged"):
        place_of(one.ref._replace(layout="vault"), world.environ)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(RefusedInput, match="git cannot be run"):
        place_of(one.ref, {"PATH": str(tmp_path)})
    monkeypatch.undo()
    one.git("rm", "-r", "-q", "--cached", "memory")
    one.write("memory/\n", "../.gitignore")
    with pytest.raises(RefusedInput, match=r"git ignores this store \(.gitignore:1:memory/\)"):
        one.setup()


def test_in_a_directory_of_another_program_nothing_is_written(world: World) -> None:
    one = world.first(below="a dir/mem")
    before = sorted(os.listdir(one.store))
    place = place_of(one.ref._replace(layout="zcode"), world.environ)
    assert place.attributes == str(one.top / ".git" / "info" / "attributes")
    assert attributes_of(place) == ('"/a dir/mem/**/*.md" merge=remember-note', '"/a dir/mem/MEMORY.md" merge=remember-index')
    one.git("rm", "-q", "--cached", "a dir/mem/.gitattributes")
    (one.store / ".gitattributes").unlink()
    done = install(place, COMMAND)
    assert not any("another attribute" in note or "driver" in note for note in done.notes)
    assert one.git("check-attr", "merge", "--", "a dir/mem/notes/x.md").endswith("merge: remember-note\n")
    assert sorted(os.listdir(one.store)) == [name for name in before if name != ".gitattributes"]
    uninstall(place)
    assert not os.path.exists(place.attributes)


def test_it_works_in_a_hook_of_another_repository(world: World) -> None:
    """git gives hooks variables that would lead every git command to its own repository."""
    one = world.first()
    place = place_of(
        one.ref, {**world.environ, "GIT_DIR": "/nowhere/.git", "GIT_INDEX_FILE": "/nowhere/index", "GIT_WORK_TREE": "/nowhere"}
    )
    assert place.repository.top == os.path.realpath(one.top) and place.repository.whole


def test_a_file_of_bullets_is_known_by_its_name_and_shares_its_directory(world: World) -> None:
    one = world.first()
    one.write("- one\n", "to do.md")
    ref = one.ref._replace(layout="bullets", file="to do.md")
    place = place_of(ref, world.environ)
    assert attributes_of(place) == ('"/to do.md" merge=remember-bullets',)
    assert [note for note in install(place, COMMAND).notes if "attribute" in note or "driver" in note] == []
    assert one.git("check-attr", "merge", "--", "to do.md").endswith("merge: remember-bullets\n")
    assert place.repository.whole and not place.whole
    done = share(place, COMMAND)
    assert done.files == ("to do.md",) and not done.pushed and "more than memory" in done.notes[-1]
