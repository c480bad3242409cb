"""Index lines put in and taken out again, and headers that every reader of YAML takes for the text that was meant."""

from __future__ import annotations

import yaml
from hypothesis import given
from hypothesis import strategies as st

from remember.format.spans import apply
from remember.layouts.zcode_edit import drop_lines, edited, put_line, render, title_of
from remember.layouts.zcode_header import read_header
from remember.layouts.zcode_index import index_lines

lines = st.sampled_from(
    ["# Memory", "", "text", "- [A](a.md) — x", "* **[B](b.md)** - y", "1. [C](sub/c.md)", "- plain", "```", "> quote", "- [U](https://x.y/z.md)"]
)
indexes = st.lists(lines, max_size=7).flatmap(
    lambda some: st.sampled_from(["\n", "\r\n"]).flatmap(lambda end: st.sampled_from(["", end]).map(lambda last: end.join(some) + last))
)
words = st.text(st.characters(codec="utf-8", exclude_categories=("Cs",)), min_size=1, max_size=40).map(lambda text: " ".join(text.split()))
printable = words.filter(lambda text: bool(text) and text.isprintable())


@given(indexes, st.sampled_from(["new.md", "sub/new.md", "a b.md", "x (1).md"]), st.none() | printable)
def test_a_line_that_is_put_in_is_found_and_can_be_taken_out(index: str, path: str, hook: str | None) -> None:
    edit = put_line(index, path, hook)
    assert edit is not None
    after = apply(index, [edit])
    assert after[: edit.start] + after[edit.start + len(edit.text) :] == index
    if index.count("```") < 2:
        before = [line.targets for line in index_lines(index)]
        assert [line.targets for line in index_lines(after)] == [*before, (path,)]
        assert put_line(after, path, None) is None
        left = apply(after, drop_lines(after, [path]))
        assert [line.targets for line in index_lines(left)] == before
        assert [line for line in left.splitlines() if line.strip()] == [line for line in index.splitlines() if line.strip()]


@given(indexes, st.sampled_from(["a.md", "b.md", "sub/c.md"]), printable)
def test_another_hook_changes_its_line_alone(index: str, path: str, hook: str) -> None:
    listed = [line for line in index_lines(index) if line.targets == (path,)]
    if not listed:
        return
    edit = put_line(index, path, hook)
    after = index if edit is None else apply(index, [edit])
    assert [line.targets for line in index_lines(after)] == [line.targets for line in index_lines(index)]
    changed = [(old, new) for old, new in zip(index.splitlines(), after.splitlines(), strict=True) if old != new]
    assert len(changed) <= 1 and put_line(after, path, hook) is None


@given(printable, printable, st.sampled_from(["user", "feedback"]), st.text("ab\n", min_size=1).filter(str.strip))
def test_a_header_says_the_same_to_every_reader(name: str, description: str, kind: str, body: str) -> None:
    text = render(name, description, kind, body)
    found = read_header(text)
    assert (found.name, found.description, found.type) == (name, description, kind)
    full = yaml.safe_load(text[4 : found.raw.close])
    assert full == {"name": name, "description": description, "metadata": {"node_type": "memory", "type": kind}}
    assert text[found.body_start :] == body.rstrip("\n") + "\n"


@given(printable, printable, printable)
def test_an_edit_leaves_every_other_byte(description: str, other: str, body: str) -> None:
    text = render("x", description, "user", "old").replace("metadata:", "# a comment\nkept: [1, 2]\nmetadata:")
    after = edited(text, "x.md", other, "project", None)
    found = read_header(after)
    assert (found.name, found.description, found.type) == ("x", other, "project")
    assert "# a comment\nkept: [1, 2]\nmetadata:\n  node_type: memory\n" in after and after.endswith("---\nold\n")
    assert edited(after, "x.md", other, "project", "old") == after
    if body.strip() != "---":
        assert edited(text, "x.md", None, None, body).startswith(text.removesuffix("old\n"))


def test_titles() -> None:
    assert [title_of(name) for name in ("package-manager.md", "sub/a_b.md", "é.md", ".md")] == ["Package manager", "A b", "É", ".md"]


def test_a_type_is_put_into_metadata_as_its_other_fields_stand() -> None:
    text = "---\nname: a\nmetadata:\n    node_type: memory\n---\nbody\n"
    assert edited(text, "a.md", None, "user", None) == text.replace("memory\n---", "memory\n    type: user\n---")
    flow = "---\nname: a\nmetadata: {}\n---\nbody\n"
    assert edited(flow, "a.md", None, "user", None) == "---\nname: a\nmetadata:\n  node_type: memory\n  type: user\n---\nbody\n"


def test_a_body_begins_where_the_new_one_says() -> None:
    text = "---\nname: a\n---\n\nold\n"
    assert edited(text, "a.md", None, None, "new") == "---\nname: a\n---\n\nnew\n"
    assert edited(text, "a.md", None, None, "\n\nnew") == "---\nname: a\n---\n\n\nnew\n"
    assert edited("---\nname: a\n---\n", "a.md", None, None, "new") == "---\nname: a\n---\nnew\n"


def test_lines_below_each_other_go_as_one() -> None:
    index = "- [A](a.md) — x\n- [B](b.md) — y\n- [C](c.md) — z\ntext\n"
    (edit,) = drop_lines(index, ["a.md", "b.md"])
    assert apply(index, [edit]) == "- [C](c.md) — z\ntext\n"
    assert len(drop_lines(index, ["a.md", "c.md"])) == 2
