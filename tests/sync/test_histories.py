"""Long histories: replicas change one file again and again and meet in one place, as machines do with a remote.

Facts, prose, headings, list items and sentences written by hand, each replica with its own share of them; what the file must
hold is kept beside. `pytest -m slow` runs two thousand merges more than is usual.
"""

from __future__ import annotations

import random

import pytest

from remember.format import facts as grammar
from remember.format.merge import merge
from remember.format.spans import Edit, apply
from remember.sync.driver import merge_lines

COUNTS = {"merges": 0, "memos": 0, "lost": 0, "twice": 0, "conflicts": 0}


class Replica:
    """One copy of the file, and the version that it had last in common with the meeting place."""

    def __init__(self, name: str, text: str, chance: random.Random) -> None:
        self.name, self.text, self.common, self.chance = name, text, text, chance
        self.made = 0

    def _line(self) -> int:
        """The offset of a line that begins a section's free space, never inside a fact."""
        return self.text.index(f"## {self.name}\n") + len(f"## {self.name}\n")

    def change(self, known: dict[str, str], by_hand: set[str], share: list[str]) -> None:
        """One change, told to the books as well."""
        chance = self.chance
        self.made += 1
        word = f"{self.name} {self.made} {chance.randrange(10**6)}"
        facts = {fact.id: fact for fact in grammar.parse(self.text).facts if fact.id in share}
        kind = chance.choice("aaaaauuuffpphhl")
        if kind == "a" or (kind in "uf" and not facts):
            name = f"{chance.getrandbits(32):08x}"
            stamp = f"2026-10-{chance.randrange(10, 28)}T16:10:33Z"
            self.text = apply(self.text, [grammar.append(self.text, [(name, stamp, word)])])
            known[name] = word
            share.append(name)
        elif kind == "u":
            name, fact = chance.choice(sorted(facts.items()))
            self.text = apply(self.text, [grammar.replace_text(self.text, fact, word)])
            known[name] = word
        elif kind == "f":
            name, fact = chance.choice(sorted(facts.items()))
            self.text = apply(self.text, [grammar.remove(self.text, fact)])
            del known[name]
        else:
            at = self._line()
            text = {"p": f"\n{word} is a sentence.\nIt has two lines.\n", "h": f"\n{word} stands alone\n\n", "l": f"- {word} in a list\n"}[
                kind
            ]
            self.text = apply(self.text, [Edit(at, at, text)])
            by_hand.add(word)


def history(seed: int, rounds: int) -> int:
    """Merge in rounds, each checked; how many memos there are at the end."""
    chance = random.Random(seed)
    names = ["Kitchen", "Garden", "Cellar"]
    start = "".join(f"# About\n\n## {name}\n\nSome words on it.\n\n" for name in names)
    replicas = [Replica(name, start, chance) for name in names]
    center = start
    known: dict[str, str] = {}
    by_hand: set[str] = set()
    for _ in range(rounds):
        shares: list[list[str]] = [[], [], []]
        for number, name in enumerate(sorted(known)):
            if all(name in replica.text for replica in replicas):
                shares[number % 3].append(name)
        for replica, share in zip(replicas, shares, strict=True):
            for _ in range(chance.randrange(1, 6)):
                replica.change(known, by_hand, share)
        for replica in chance.sample(replicas, 3):
            both = [(center, replica.text), (replica.text, center)]
            ours, theirs = chance.choice(both)
            merged = merge("facts", replica.common, ours, theirs, merge_lines)
            COUNTS["merges"] += 1
            COUNTS["conflicts"] += len(merged.conflicts)
            assert merged.conflicts == (), merged.text
            center = replica.text = replica.common = merged.text
        for replica in replicas:  # those that met early take in what the later ones brought
            replica.text = replica.common = center
        found = [(fact.id, fact.text) for fact in grammar.parse(center).facts if fact.id]
        ids = [name for name, _ in found]
        COUNTS["memos"] += len(known) + len(by_hand)
        COUNTS["lost"] += len(set(known) - set(ids)) + sum(word not in center for word in by_hand)
        COUNTS["twice"] += len(ids) - len(set(ids)) + sum(center.count(word) > 1 for word in by_hand)
        assert dict(found) == known and len(found) == len(known), center
        assert all(center.count(word + " ") + center.count(word + "\n") == 1 for word in by_hand), center
        problems = [problem for problem in grammar.parse(center).problems if problem.severity != "info"]
        assert problems == [], center
    return len(known)


@pytest.mark.parametrize("seed", range(12))
def test_nothing_is_lost_and_nothing_is_there_twice(seed: int) -> None:
    assert history(seed, 6) > 0


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 200))
def test_the_same_for_longer(seed: int) -> None:
    assert history(seed, 20) > 0
