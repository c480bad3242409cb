"""Changes of a file of bullets: the guard against near-duplicates, exact matching, limits, and a file that cannot be read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from shop import NOW_MS

from remember.change import forget, undo
from remember.change.add import add
from remember.change.target import Target, Terms, Wanted
from remember.change.update import update
from remember.errors import ChangedOutside, NotFound, RefusedInput, UnsafePath
from remember.format.spans import apply
from remember.index.catalogue import open_index
from remember.layouts.bullet_edit import append, clean_note, drop, note_key, replace
from remember.layouts.bullet_lines import bullets_of
from remember.layouts.bullets import CAP_BYTES
from remember.model import Change, StoreRef


class Kept:
    """A file of bullets among other files, and what tests ask of it."""

    def __init__(self, top: Path) -> None:
        self.file = top / "pi" / "memory.md"
        self.file.parent.mkdir()
        self.put("# Memory\n\n- Uses pnpm.\n  - and so does CI\n\nSome text.\n")
        self.ref = StoreRef("it", "it", str(self.file.parent), "bullets", file="memory.md")
        self.index = open_index(self.ref, str(top / "cache"))
        self.target = Target(self.index, str(top / "recovery"))
        self.now_ms = NOW_MS

    def put(self, text: str) -> None:
        self.file.write_bytes(text.encode())

    def text(self) -> str:
        return self.file.read_bytes().decode()

    @property
    def terms(self) -> Terms:
        self.now_ms += 1000
        return Terms(self.now_ms, lambda count: self.now_ms % (1 << count))

    def add(self, *texts: str) -> tuple[Change, ...]:
        return add(self.target, texts, self.terms)

    def update(self, named: str, content: str) -> Change:
        return update([self.target], named, Wanted(content), self.terms)

    def forget(self, named: str) -> tuple[Change, ...]:
        return forget.forget(forget.select([self.target], named), self.terms)

    def undo(self) -> None:
        undo.undo([self.target], self.terms)

    def listed(self) -> list[str | None]:
        self.index.refresh()
        return sorted(memo.title for memo in self.index.all() if memo.kind == "fact")


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Kept]:
    made = Kept(tmp_path.resolve())
    yield made
    made.index.close()


def test_a_note_comes_behind_the_last_one_and_the_rest_stays(kept: Kept) -> None:
    (change,) = kept.add("  Deploys\tlate. ")
    assert kept.text() == "# Memory\n\n- Uses pnpm.\n  - and so does CI\n- Deploys late.\n\nSome text.\n"
    assert (change.line, change.path, change.kind) == (5, "memory.md", "fact")
    kept.undo()
    assert kept.text() == "# Memory\n\n- Uses pnpm.\n  - and so does CI\n\nSome text.\n"


@pytest.mark.parametrize("again", ["Uses pnpm.", "uses PNPM", " USES   pnpm!?", "- uses pnpm;"])
def test_the_same_in_other_letters_is_not_stored_again(kept: Kept, again: str) -> None:
    before = kept.text()
    (change,) = kept.add(again)
    assert not change.changed and change.recovery_id is None and kept.text() == before
    (memo,) = [memo for memo in kept.index.all() if memo.text == "Uses pnpm."]
    assert change.duplicate_of == memo.id


@pytest.mark.parametrize("other", ["Uses pnpm always.", "pnpm uses", "Uses, pnpm", "Uses pnpm)", "Use pnpm"])
def test_what_differs_in_words_or_inner_marks_is_another(kept: Kept, other: str) -> None:
    assert kept.add(other)[0].changed and other in kept.listed()


def test_several_at_once_are_one_record(kept: Kept) -> None:
    changes = kept.add("One", "Two", "one.", "Uses pnpm")
    assert [change.changed for change in changes] == [True, True, False, False]
    assert len({change.recovery_id for change in changes if change.recovery_id}) == 1
    kept.undo()
    assert kept.listed() == ["Uses pnpm.", "and so does CI"]


def test_exact_text_means_all_that_have_it(kept: Kept) -> None:
    kept.put("- a\n* b\n- a\n- a b\n")
    kept.update(" a ", "c")
    assert kept.text() == "- c\n* b\n- c\n- a b\n"
    assert len(kept.forget("c")) == 2 and kept.text() == "* b\n- a b\n"
    kept.undo()
    kept.undo()
    assert kept.text() == "- a\n* b\n- a\n- a b\n"
    for named in ("A", "nothing"):
        with pytest.raises(NotFound):
            kept.update(named, "x")


def test_a_note_is_one_safe_line(kept: Kept) -> None:
    kept.add("two\nlines\x1b[31m\u2028and\x00 more")
    assert "- two lines [31m and more\n" in kept.text()
    for bad in ("", " \n", "- ", "***", "x" * 501, "\ud800"):
        with pytest.raises(RefusedInput):
            kept.add(bad)
    assert kept.add("x" * 500)[0].changed


def test_the_file_does_not_grow_beyond_what_is_read(kept: Kept) -> None:
    kept.put("- " + "x" * (CAP_BYTES - 13) + "\n")
    assert kept.add("1234567")[0].changed and len(kept.text()) == CAP_BYTES
    before = kept.text()
    with pytest.raises(RefusedInput, match="262144"):
        kept.add("8")
    assert kept.text() == before and kept.forget("1234567")


def test_a_file_that_cannot_be_read_keeps_its_last_good_view(kept: Kept, tmp_path: Path) -> None:
    good = kept.listed()
    before = kept.text()
    kept.put(before + "- " + "x" * CAP_BYTES + "\n")
    assert kept.listed() == good and "larger than" in " ".join(kept.index.refresh().warnings)
    with pytest.raises(RefusedInput):
        kept.add("more")
    kept.put(before)
    assert kept.listed() == good
    real = tmp_path / "real.md"
    real.write_text("- elsewhere\n")
    kept.file.unlink()
    kept.file.symlink_to(real)
    assert kept.listed() == good and "symbolic link" in " ".join(kept.index.refresh().warnings)
    with pytest.raises(UnsafePath):
        kept.add("more")
    assert real.read_text() == "- elsewhere\n"
    kept.file.unlink()
    assert kept.listed() == []  # gone is gone
    assert kept.add("first")[0].changed and kept.text() == "- first\n"
    kept.undo()
    assert not kept.file.exists()


def test_only_the_file_is_the_store(kept: Kept) -> None:
    (kept.file.parent / "other.md").write_text("- not ours\n")
    (kept.file.parent / "deep").mkdir()
    (kept.file.parent / "deep" / "memory.md").write_text("- not ours\n")
    assert kept.listed() == ["Uses pnpm.", "and so does CI"]


def test_an_undo_finds_its_line_among_others(kept: Kept) -> None:
    kept.put("- a\n- b\n- c\n")
    kept.update("b", "B")
    kept.put("- z\n- changed a\n- B\n- changed c\n")
    kept.undo()
    assert kept.text() == "- z\n- changed a\n- b\n- changed c\n"
    kept.update("b", "B")
    kept.put("- B\n- x\n- B\n")
    with pytest.raises(ChangedOutside):
        kept.undo()
    assert kept.text() == "- B\n- x\n- B\n"


def test_an_undo_of_what_never_reached_the_file_changes_nothing(kept: Kept) -> None:
    """The record is there before the change; equal lines elsewhere do not make it look like somebody else's."""
    kept.put("# M\n- a\n- c\n- a\n")
    before = kept.text()
    kept.update("a", "b")
    kept.put(before)
    with pytest.raises(NotFound):
        kept.undo()
    assert kept.text() == before
    kept.put("# M\n- z\n- c\n- q\n- a\n")  # changed by somebody else
    with pytest.raises((NotFound, ChangedOutside)):
        kept.undo()


note_texts = st.text(st.characters(codec="utf-8"), min_size=1, max_size=30)
file_texts = st.lists(
    st.sampled_from(["- a", "* b c", "  - d", "text", "", "# H", "```", "<!-- - x", "-->", "\ufeff- e", "- - -", "+ f"]), max_size=8
).flatmap(lambda lines: st.sampled_from(["\n", "\r\n"]).map(lambda end: end.join(lines)))


@settings(max_examples=200)
@given(file_texts, st.lists(note_texts, min_size=1, max_size=3), st.booleans())
@example("", ["0. !"], False)
def test_what_is_appended_is_read_again_and_what_was_there_stays(text: str, notes: list[str], ended: bool) -> None:
    cleaned = []
    for note in notes:
        try:
            cleaned.append(clean_note(note))
        except RefusedInput:
            continue
    if not cleaned:
        return
    text += "\n" if ended and text else ""
    edit = append(text, cleaned)
    after = apply(text, [edit])
    assert after[: edit.start] + after[edit.start + len(edit.text) :] == text
    before = [b.text for b in bullets_of(text)]
    if "```" not in text and "<!--" not in text and "```" not in "".join(cleaned) and "<!--" not in "".join(cleaned):
        assert [b.text for b in bullets_of(after)] == before + cleaned
    assert [note_key(note_key(note)) for note in cleaned] == [note_key(note) for note in cleaned]


@given(file_texts, st.data())
def test_what_is_replaced_or_dropped_touches_nothing_else(text: str, data: st.DataObject) -> None:
    found = bullets_of(text)
    if not found:
        return
    one = data.draw(st.sampled_from(found))
    assert apply(text, [replace(one, "new")]) == text[: one.start] + "new" + text[one.end :]
    chosen = data.draw(st.lists(st.sampled_from(found), min_size=1, unique=True))
    left = [line for number, line in enumerate(text.split("\n"), 1) if number not in {b.line for b in chosen}]
    assert [line.rstrip("\r") for line in apply(text, drop(chosen)).split("\n") if line.strip()] == [
        line.rstrip("\r") for line in left if line.strip()
    ]


def test_a_bullet_has_no_description(kept: Kept) -> None:
    kept.index.refresh()
    before = kept.text()
    with pytest.raises(RefusedInput, match="no description"):
        update([kept.target], "Uses pnpm.", Wanted("Uses npm.", "what it uses"), kept.terms)
    assert kept.text() == before


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("- a\n  more of a\n\ttabbed\n\nbelow\n", "- a\n  more of a\n\ttabbed\n- new\n\nbelow\n"),
        ("- a\n  more\n   \n  after a blank\n", "- a\n  more\n- new\n   \n  after a blank\n"),
        ("- a\n  more", "- a\n  more\n- new"),
    ],
)
def test_a_new_bullet_stands_below_what_belongs_to_the_last(text: str, after: str) -> None:
    assert apply(text, [append(text, ["new"])]).rstrip("\n") == after.rstrip("\n")
