"""What a link may mean: notes that are looked up in bulk are found as those that are looked at one by one."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from remember.check.meanings import Named, Names

STEMS = st.sampled_from(["a", "b", "A", "a.md", "2024-01-02-a", "2024-01-02-b", "2024-01-02-a.md", "0000000a", "ß", "SS"])
FOLDERS = st.sampled_from(["notes/", "notes/x/", "notes/X/"])
PATHS = st.tuples(FOLDERS, STEMS).map(lambda parts: f"{parts[0]}{parts[1]}.md")
IDS = st.sampled_from(["0000000a", "0000000b", "0000000c"])
DESCRIPTIONS = st.sampled_from(["A", "b", "ss", "a thing", "0000000c", "x/a"])
PLAIN = st.lists(st.tuples(PATHS, IDS, DESCRIPTIONS), max_size=5)
FACTS = st.builds(Named, st.just("MEMORY.md"), st.just("fact"), IDS, st.integers(3, 9), st.just(()), st.none())
NOTES = st.builds(
    Named, PATHS, st.just("note"), st.none() | IDS, st.just(1), st.lists(DESCRIPTIONS, max_size=2).map(tuple), st.none() | DESCRIPTIONS
)
PATHLIKE = ["a.md", "x/a", "./a", "/a", "notes/a", "notes/x/a.md", "X/A", "2024-01-02-a.md", "a.md.md"]
BARE = ["a", "A", "b", "2024-01-02-a", "0000000a", "0000000b", "0000000c", "ß", "ss", "SS", "a thing", "nothing"]
TARGETS = st.lists(st.sampled_from([*PATHLIKE, *BARE]), max_size=8)


@settings(max_examples=300, deadline=None)
@given(PLAIN, st.lists(FACTS | NOTES, max_size=3), TARGETS, TARGETS)
def test_plain_notes_mean_what_they_mean_one_by_one(
    plain: list[tuple[str, str, str]], named: list[Named], first: list[str], second: list[str]
) -> None:
    singly = [Named(path, "note", memo_id, 1, (), description) for path, memo_id, description in plain]
    slow = Names([], [*singly, *named])
    fast = Names(plain, named)
    for asked in (first, second):
        slow.want(asked)
        fast.want(asked)
    for target in {*first, *second}:
        assert fast.is_one(target) == slow.is_one(target) == (len(slow.meaning(target)) == 1)
        if not fast.is_one(target):
            assert fast.meaning(target) == slow.meaning(target)


def test_the_stronger_name_wins() -> None:
    plain = [("notes/2024-01-02-a.md", "0000000b", "other"), ("notes/a.md", "0000000c", "b")]
    names = Names(plain, [])
    names.want(["a", "0000000b", "b"])
    assert names.is_one("a") and names.is_one("b") and names.is_one("0000000b")
    again = Names(plain, [Named("MEMORY.md", "fact", "a", 3, (), None)])
    again.want(["a"])
    assert again.meaning("a") == ("MEMORY.md:3",)  # an ID is stronger than a name
