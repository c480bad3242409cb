"""What `check` finds about git: each code turned red, and its clean twin green."""

from __future__ import annotations

import os

from clones import Clone, World

from remember.sync.findings import problems


def codes(clone: Clone) -> list[tuple[str, str]]:
    return [(problem.code, problem.path) for problem in problems(clone.ref, clone.world.environ)]


def test_a_clean_clone(pair: tuple[Clone, Clone]) -> None:
    assert codes(pair[0]) == codes(pair[1]) == []


def test_a_clone_in_which_setup_was_never_run(world: World) -> None:
    world.first().git("push", "-q")
    two = world.another("two", setup=False)
    assert codes(two) == [("R108", "MEMORY.md"), ("R108", "notes/")]
    assert "not set up in this clone" in problems(two.ref, world.environ)[0].message
    two.setup()
    assert codes(two) == []


def test_a_driver_whose_program_is_gone(pair: tuple[Clone, Clone]) -> None:
    two = pair[1]
    two.git("config", "merge.remember-note.driver", "'/no where/remember' git merge-driver note %O %A %B %L %P")
    assert codes(two) == [("R108", "notes/")]
    assert "is gone: /no where/remember" in problems(two.ref, two.world.environ)[0].message


def test_a_union_merge_that_is_asked_for(pair: tuple[Clone, Clone]) -> None:
    two = pair[1]
    (two.top / ".git" / "info" / "attributes").write_text("*.md merge=union\n")
    assert codes(two) == [("R108", "MEMORY.md"), ("R108", "notes/")]


def test_a_note_removed_here_and_changed_there(pair: tuple[Clone, Clone]) -> None:
    """git calls no driver then and leaves no marker: only its index knows."""
    one, two = pair
    (name,) = one.notes()
    one.rewrite(name, "four", "five")
    two.drop(name)
    for clone in pair:
        clone.commit()
    one.git("push", "-q")
    two.git("fetch", "-q")
    two.git("merge", "-q", "--no-edit", "origin/main", expect=1)
    assert codes(two) == [("R109", two.path_of(name))]
    two.git("add", two.path_of(name))
    assert codes(two) == []


def test_recovery_records_that_git_carries(pair: tuple[Clone, Clone]) -> None:
    one = pair[0]
    one.write("{}", "recovery/x.json")
    assert codes(one) == []
    one.git("add", "-f", "recovery/x.json")
    assert codes(one) == [("R110", "recovery/x.json")]


def test_what_git_refuses_to_say_is_said(pair: tuple[Clone, Clone]) -> None:
    one = pair[0]
    (one.top / ".git" / "config").write_text("[core\n")
    (found,) = problems(one.ref, one.world.environ)
    assert (found.code, found.severity) == ("R108", "info") and "bad config" in found.message


def test_outside_of_git_nothing_is_asked(world: World) -> None:
    os.makedirs(world.folder / "plain")
    clone = Clone(world, "plain")
    assert codes(clone) == []
