"""Many processes change one store at once: nothing is lost, doubled, or refused for a short lock."""

from __future__ import annotations

import os
import random
import time

from remember.change.add import add
from remember.change.forget import forget, select
from remember.change.note import note
from remember.change.target import Target, Terms
from remember.change.update import Wanted, update
from remember.errors import ChangedOutside
from remember.index.catalogue import open_index


def terms_now():
    """The terms of a command at this moment."""
    return Terms(int(time.time() * 1000), random.SystemRandom().getrandbits)


def in_children(shop, works):
    """Run each function in a process of its own, with a target and terms of its own; their exit statuses."""
    shop.index.close()
    children = []
    for work in works:
        child = os.fork()
        if child == 0:
            status = 70
            try:
                with open_index(shop.ref, os.path.join(os.path.dirname(shop.path), "cache")) as index:
                    status = work(Target(index, shop.target.recovery), terms_now)
            finally:
                os._exit(status)
        children.append(child)
    statuses = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
    shop.index = open_index(shop.ref, os.path.join(os.path.dirname(shop.path), "cache"))
    shop.target.index = shop.index
    return statuses


def test_mixed_writers_lose_nothing(shop):
    add(shop.target, ["x"], shop.terms())

    def writer(name):
        def work(target, terms):
            for number in range(6):
                (fact,) = add(target, [f"fact {number} of {name}"], terms())
                made = note(target, f"note {number} of {name}", "body", terms())
                update([target], fact.id, Wanted(f"changed {number} of {name}"), terms())
                update([target], made.id, Wanted(f"body {number}"), terms())
                if number % 3 == 0:
                    forget(select([target], made.id), terms())
            return 0

        return work

    assert in_children(shop, [writer(n) for n in range(4)]) == [0] * 4
    facts = {memo.text for memo in shop.memos("fact")}
    assert facts == {"x"} | {f"changed {number} of {name}" for number in range(6) for name in range(4)}
    notes = {memo.description for memo in shop.memos("note")}
    assert notes == {f"note {number} of {name}" for number in (1, 2, 4, 5) for name in range(4)}
    assert len({memo.id for memo in shop.memos()}) == len(facts) + len(notes)
    assert len(shop.records()) == 1 + 4 * (6 * 4 + 2)


def test_of_several_who_saw_one_revision_exactly_one_wins(shop):
    made = note(shop.target, "d", "body", shop.terms())
    for round_number in range(5):
        before = update([shop.target], made.id, Wanted(f"round {round_number}"), shop.terms())

        def racer(name, revision=before.revision):
            def work(target, terms):
                try:
                    update([target], made.id, Wanted(f"won by {name}", revision=revision), terms())
                except ChangedOutside:
                    return 3
                return 0

            return work

        statuses = in_children(shop, [racer(n) for n in range(5)])
        assert sorted(statuses) == [0, 3, 3, 3, 3]
        assert f"won by {statuses.index(0)}".encode() in shop.read(made.path)
