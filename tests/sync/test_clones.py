"""Machines that change one memory apart from each other, merged by real git in every direction, by merge and by rebase."""

from __future__ import annotations

import itertools

import pytest
from clones import COMMAND, Clone, World

from remember.check.run import Ask, Subject, check
from remember.format import notes
from remember.format.merge import merge
from remember.format.problems import conflict_lines


def findings(clone: Clone) -> list[tuple[str, str, int]]:
    """What is wrong with a clone's files, but for what is only said."""
    found = check([Subject(clone.ref, str(clone.store / "recovery"))], Ask("", clone.world.clock_ms + 10**10, files_only=True))
    return [(f.code, f.path, f.line) for f in found if f.severity != "info"]


Memos = dict[str, object]


def memos(clone: Clone) -> Memos:
    return {**clone.facts(), **{name: rest[:2] for name, rest in clone.notes().items()}}


def change(clone: Clone, mine: list[str], count: int) -> Memos:
    """Random changes of the memos that are this machine's to change, and new ones; what they have become (None: forgotten)."""
    chance = clone.world.random
    became: Memos = {}
    known_facts = [name for name in mine if name in clone.facts()]
    known_notes = [name for name in mine if name in clone.notes()]
    for number in range(count):
        kind = chance.choice("aaauuffnnbbdx")
        word = f"{clone.name} {chance.randrange(10**6)}"
        if kind == "a" or (kind in "uf" and not known_facts) or (kind in "bdx" and not known_notes):
            known_facts.append(clone.add(f"fact of {word}"))
            became[known_facts[-1]] = f"fact of {word}"
        elif kind == "u":
            name = chance.choice(known_facts)
            clone.update(name, f"edited by {word}")
            became[name] = f"edited by {word}"
        elif kind == "f":
            name = known_facts.pop(chance.randrange(len(known_facts)))
            clone.forget(name)
            became[name] = None
        elif kind == "n":
            known_notes.append(clone.note(f"note of {word}", f"# {number}\n\nbody of {word}\n"))
            became[known_notes[-1]] = clone.body(known_notes[-1])
        elif kind == "x":
            name = known_notes.pop(chance.randrange(len(known_notes)))
            clone.drop(name)
            became[name] = None
        else:
            name = chance.choice(known_notes)
            if kind == "b":
                clone.rewrite(name, "body", f"body, {word},")
            else:
                clone.describe(name, f"described by {word}")
            became[name] = clone.body(name)
    return became


def round_of_changes(machines: list[Clone], each: int) -> Memos:
    """Every machine changes its share of what all know, and adds; what the store must hold when all of it has come together."""
    known = memos(machines[0])
    assert all(memos(other) == known for other in machines)
    names = sorted(known)
    machines[0].world.random.shuffle(names)
    expected = dict(known)
    for number, clone in enumerate(machines):
        expected.update(change(clone, names[number :: len(machines)], each))
        clone.commit(f"changes of {clone.name}")
    return {name: value for name, value in expected.items() if value is not None}


def gather(machines: list[Clone], rebase: bool) -> int:
    """Bring all commits to all machines, one after the other; how many merges or rebases that took."""
    tried = 0
    for clone in (*machines, *machines):
        clone.git("fetch", "-q")
        behind = clone.git("rev-list", "HEAD..origin/main").split()
        ahead = clone.git("rev-list", "origin/main..HEAD").split()
        clone.git(*(("rebase", "-q", "origin/main") if rebase else ("merge", "-q", "--no-edit", "origin/main")))
        tried += bool(behind and ahead)
        clone.git("push", "-q")
    return tried


ORDERS = [
    pytest.param(order, rebase, marks=[] if order in ((0, 1, 2), (2, 1, 0)) else [pytest.mark.slow])
    for order in itertools.permutations(range(3))
    for rebase in (False, True)
]


@pytest.mark.parametrize(("order", "rebase"), ORDERS, ids=str)
def test_three_machines_in_every_order(world: World, order: tuple[int, ...], rebase: bool) -> None:
    one = world.first()
    change(one, [], 30)
    one.commit("what all know")
    one.git("push", "-q")
    machines = [one, world.another("two"), world.another("three")]
    for _ in range(2):
        expected = round_of_changes(machines, 25)
        assert gather([machines[number] for number in order], rebase) == 2
        for clone in machines:
            assert memos(clone) == expected
            assert findings(clone) == []
            assert clone.git("status", "--porcelain") == ""


def test_hundreds_of_changes_on_each_side(pair: tuple[Clone, Clone]) -> None:
    expected = round_of_changes(list(pair), 200)
    assert gather(list(pair), rebase=False) == 1
    for clone in pair:
        assert memos(clone) == expected
        assert findings(clone) == []


def test_criss_cross_histories(world: World) -> None:
    one = world.first()
    change(one, [], 20)
    one.commit()
    one.git("push", "-q")
    two = world.another("two")
    expected = memos(one)
    for crossing in range(4):
        # Each merges what the other had before it merged: the next merge has two bases.
        expected = round_of_changes([one, two], 10) if crossing == 0 else {**expected}
        if crossing:
            for clone, half in ((one, 0), (two, 1)):
                mine = sorted(memos(clone))[half::2]
                shared = [name for name in mine if name in memos(one) and name in memos(two)]
                for name, value in change(clone, shared, 10).items():
                    expected.pop(name, None)
                    if value is not None:
                        expected[name] = value
                clone.commit()
        for clone in (one, two):
            clone.git("push", "-q", "-f", "origin", f"HEAD:{clone.name}")
        for clone, other in ((one, "two"), (two, "one")):
            clone.git("fetch", "-q")
            clone.git("merge", "-q", "--no-edit", f"origin/{other}")
            assert memos(clone) == expected
            assert findings(clone) == []
    assert len(one.git("merge-base", "--all", "HEAD", "HEAD^1").split()) >= 1


def test_a_conflict_in_the_common_past_does_not_decide_a_later_one(pair: tuple[Clone, Clone]) -> None:
    one, two = pair
    name = next(iter(one.facts()))
    for clone in pair:
        clone.update(name, f"as {clone.name} has it")
        clone.commit()
        clone.git("push", "-q", "origin", f"HEAD:{clone.name}")
    for clone in pair:
        clone.git("fetch", "-q")
    for clone, other in ((one, "two"), (two, "one")):
        clone.git("merge", "-q", "--no-edit", f"origin/{other}", expect=1)
        text = clone.read()
        start, end = text.index("<<<<<<<"), text.index("\n", text.index(">>>>>>>")) + 1
        # Each settles it for itself, one of them with what it had.
        block = f"{text[start:end].split(chr(10))[1]}\n{'as one has it' if clone is one else 'as two settled it'}\n"
        clone.write(text[:start] + block + text[end:])
        clone.commit()
        clone.git("push", "-q", "-f", "origin", f"HEAD:{clone.name}")
    one.git("fetch", "-q")
    assert len(one.git("merge-base", "--all", "HEAD", "origin/two").split()) == 2
    one.git("merge", "-q", "--no-edit", "origin/two", expect=1)
    assert "as one has it" in one.read() and "as two settled it" in one.read()
    assert conflict_lines(one.read())


# The cases of the design, and real conflicts.


def test_two_branches_each_add_two_facts(pair: tuple[Clone, Clone]) -> None:
    one, two = pair
    for clone in pair:
        clone.add(f"first of {clone.name}")
        clone.add(f"second of {clone.name}")
        clone.commit()
    assert gather([one, two], rebase=False) == 1
    assert "<<<<" not in two.read()
    assert len(two.facts()) == 3 + 4
    assert one.read() == two.read()


def conflict(pair: tuple[Clone, Clone]) -> tuple[str, str]:
    """Both machines edit one fact and each adds one; the second merges. The fact's ID, and what git said."""
    one, two = pair
    name = next(iter(one.facts()))
    for clone in pair:
        clone.update(name, f"as {clone.name} has it")
        clone.add(f"new of {clone.name}")
        clone.commit()
    one.git("push", "-q")
    two.git("fetch", "-q")
    return name, two.git("merge", "--no-edit", "origin/main", expect=1)


def test_a_real_conflict_is_marked_with_both_sides_and_found(pair: tuple[Clone, Clone]) -> None:
    name, said = conflict(pair)
    two = pair[1]
    assert f"remember: MEMORY.md: in conflict: {name}\n" in said
    text = two.read()
    assert f"<<<<<<< ours [{name}]\n" in text and f"\n>>>>>>> theirs [{name}]\n" in text
    inside = text[text.index("<<<<<<<") : text.index(">>>>>>>")]
    assert "as two has it" in inside and "as one has it" in inside
    # What was not in conflict is outside of it, and merged.
    assert "new of" not in inside and "new of one" in text and "new of two" in text
    assert {code for code, _, _ in findings(two)} == {"R203", "R208"}


def test_removed_here_and_changed_there_is_a_conflict_of_that_fact_alone(pair: tuple[Clone, Clone]) -> None:
    one, two = pair
    name = next(iter(one.facts()))
    one.update(name, "changed by one")
    two.forget(name)
    two.add("new of two")
    one.commit()
    two.commit()
    one.git("push", "-q")
    two.git("fetch", "-q")
    two.git("merge", "--no-edit", "origin/main", expect=1)
    assert f"<<<<<<< ours [{name}], removed\n=======\n" in two.read()
    assert ("R203", "MEMORY.md", 1) in findings(two)


def test_both_parts_of_one_note(pair: tuple[Clone, Clone]) -> None:
    one, two = pair
    (name,) = one.notes()
    one.rewrite(name, "Boil water.", "Boil fresh water.")
    one.describe(name, "How to make good tea")
    two.rewrite(name, "Pour it.", "Pour it slowly.")
    one.commit()
    two.commit()
    assert gather([one, two], rebase=False) == 1
    description, body, path = two.notes()[name]
    assert description == "How to make good tea"
    assert body == "Boil fresh water.\n\nWait four minutes.\n\nPour it slowly.\n"
    # Modified at the later of the two times: that of `two`, which changed last.
    assert notes.parse(two.read(path)).modified_ms == two.world.clock_ms


def test_one_line_of_one_note_is_a_conflict_that_names_the_note(pair: tuple[Clone, Clone]) -> None:
    one, two = pair
    ((name, (_, _, path)),) = one.notes().items()
    for clone in pair:
        clone.rewrite(name, "four", clone.name)
        clone.commit()
    one.git("push", "-q")
    two.git("fetch", "-q")
    two.git("merge", "--no-edit", "origin/main", expect=1)
    assert f"<<<<<<< ours [{name}]\nWait two minutes.\n=======\nWait one minutes.\n>>>>>>> theirs [{name}]\n" in two.read(path)
    assert {code for code, _, _ in findings(two)} == {"R311"}


def test_two_notes_of_one_file_name_are_a_conflict_that_names_both(pair: tuple[Clone, Clone]) -> None:
    one, two = pair
    for clone, name in ((one, "11111111"), (two, "22222222")):
        clone.write(notes.render(f"by {clone.name}", name, clone.world.clock_ms, "x"), "notes/2026-10-18-plan.md")
        clone.commit()
    one.git("push", "-q")
    two.git("fetch", "-q")
    said = two.git("merge", "--no-edit", "origin/main", expect=1)
    assert "in conflict: 22222222 and 11111111, two notes of one file name" in said
    text = two.read("notes/2026-10-18-plan.md")
    assert text.startswith("<<<<<<< ours [22222222], another note of this name\n---\n")
    assert ">>>>>>> theirs [11111111], another note of this name\n" in text
    assert "R311" in {code for code, _, _ in findings(two)}


def test_other_ways_that_lines_end(world: World) -> None:
    one = world.first()
    one.add("base")
    one.commit()
    one.git("push", "-q")
    windows = world.another("windows", "", True, "-c", "core.autocrlf=true")
    assert "\r\n" in windows.read()
    for clone in (one, windows):
        clone.add(f"new of {clone.name}")
        clone.commit()
    assert gather([one, windows], rebase=False) == 1
    assert one.facts() == windows.facts() and len(one.facts()) == 3
    assert "\r" not in one.read() and windows.read() == one.read().replace("\n", "\r\n")
    assert findings(one) == findings(windows) == []
    # A machine that commits CR LF: the side that changed the line ends decides them, and the facts of both are there.
    one.write(one.read().replace("\n", "\r\n"))
    one.add("after the change of line ends")
    one.commit()
    two = world.another("two")
    two.add("with plain line ends")
    two.commit()
    assert gather([one, two], rebase=False) == 1
    assert len(two.facts()) == 5 and two.read().count("\n") == two.read().count("\r\n")


def test_the_driver_is_missing_on_one_machine(world: World) -> None:
    one = world.first()
    one.add("base")
    one.commit()
    one.git("push", "-q")
    bare = world.another("bare", setup=False)
    for clone in (one, bare):
        clone.add(f"new of {clone.name}")
        clone.add(f"more of {clone.name}")
        clone.commit()
    one.git("push", "-q")
    bare.git("fetch", "-q")
    bare.git("merge", "--no-edit", "origin/main", expect=1)
    assert "R203" in {code for code, _, _ in findings(bare)}
    # The documented way out: set the driver up, and let git merge the file again.
    bare.setup()
    bare.git("checkout", "--merge", "--", "MEMORY.md")
    bare.git("add", "MEMORY.md")
    bare.git("commit", "-q", "--no-edit")
    assert len(bare.facts()) == 5
    assert findings(bare) == []


def test_the_program_of_the_driver_is_gone_on_one_machine(pair: tuple[Clone, Clone]) -> None:
    two = pair[1]
    line = two.git("config", "merge.remember-facts.driver")
    two.git("config", "merge.remember-facts.driver", line.strip().replace(COMMAND[0], "/nowhere/remember"))
    conflict(pair)
    # Markers by lines rather than our side alone, which would look as if it were merged.
    assert conflict_lines(two.read())
    assert "as one has it" in two.read() and "as two has it" in two.read()


def test_a_union_merge_that_somebody_did_is_found(pair: tuple[Clone, Clone]) -> None:
    one, two = pair
    (two.top / ".git" / "info" / "attributes").write_text("MEMORY.md merge=union\n")
    name = next(iter(one.facts()))
    for clone in pair:
        clone.update(name, f"as {clone.name} has it")
        clone.commit()
    one.git("push", "-q")
    two.git("fetch", "-q")
    two.git("merge", "-q", "--no-edit", "origin/main")
    assert ("R212", "MEMORY.md", 3) in findings(two)


def test_a_clone_elsewhere_knows_the_same_memos_and_no_path_of_the_first(pair: tuple[Clone, Clone]) -> None:
    one, two = pair
    assert memos(one) == memos(two)
    for path in two.git("ls-files", "-z").split("\0"):
        if path:
            assert str(one.world.folder) not in two.read(path), path
    assert "recovery" not in two.git("ls-files")


def test_small_diffs(pair: tuple[Clone, Clone]) -> None:
    one, two = pair
    before = one.read()
    for clone in pair:
        clone.add(f"new of {clone.name}")
        clone.commit()
    gather([one, two], rebase=False)
    assert one.read().startswith(before)
    assert one.git("diff", "--numstat", "HEAD~1", "--", "MEMORY.md").split()[:2] == ["2", "0"]


def test_merging_is_not_slower_than_the_file_is_long() -> None:
    import time

    def seconds(count: int) -> float:
        base = "".join(f"<!-- 2026-10-18T16:10:33Z [{n:08x}] -->\nfact {n}\n" for n in range(count))
        ours = base.replace("fact 7\n", "fact seven\n") + "<!-- 2026-10-19T16:10:33Z [aaaaaaaa] -->\nmine\n"
        theirs = base.replace("fact 8\n", "fact eight\n") + "<!-- 2026-10-19T16:10:34Z [bbbbbbbb] -->\nyours\n"
        began = time.process_time()
        assert merge("facts", base, ours, theirs, lambda *_: []).conflicts == ()
        return time.process_time() - began

    assert seconds(8000) < 16 * max(seconds(1000), 0.01)


def test_a_note_renamed_here_and_changed_there(pair: tuple[Clone, Clone]) -> None:
    one, two = pair
    ((name, (_, _, path)),) = one.notes().items()
    (one.store / path).rename(one.store / "notes" / "2026-10-18-tea.md")
    one.describe_at("notes/2026-10-18-tea.md", "How to make good tea")
    two.rewrite(name, "Pour it.", "Pour it slowly.")
    for clone in pair:
        clone.commit()
    assert gather([one, two], rebase=False) == 1
    description, body, path = two.notes()[name]
    assert (description, path) == ("How to make good tea", "notes/2026-10-18-tea.md") and "slowly" in body
