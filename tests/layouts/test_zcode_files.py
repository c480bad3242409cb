"""Fact files with their kind header, and the index whose lines stand for them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from remember.layouts import layout_named
from remember.layouts.layout import Entry
from remember.layouts.zcode_header import read_header
from remember.layouts.zcode_index import index_lines

ZCODE = layout_named("zcode")
FACT = "---\nname: package-manager\ndescription: Which one\nmetadata:\n  type: project\n---\nUse pnpm. See [[node-version]].\n"


def parse(path: str, text: str) -> list[Entry]:
    return ZCODE.parse(path, text.encode("utf-8", "surrogateescape"), 99)


def test_a_fact_file() -> None:
    (found,) = parse("package-manager.md", FACT)
    assert (found.kind, found.id, found.description, found.body_line) == ("note", None, "Which one", 7)
    assert (found.tags, found.links, found.names, found.modified_ms, found.broken) == (
        ("project",),
        ("node-version",),
        ("package-manager",),
        99,
        "",
    )


def test_every_known_form_of_the_header_is_read() -> None:
    def told(header: str) -> tuple[str, str, str]:
        found = read_header(f"---\n{header}\n---\nbody\n")
        assert found.body_line == header.count("\n") + 4
        return found.name, found.description, found.type

    assert told("name: a\ndescription: b\ntype: user") == ("a", "b", "user")
    assert told("name: a\ndescription: 'b: #c'\nmetadata: {node_type: memory, type: feedback}") == ("a", "b: #c", "feedback")
    folded = "name: a\ndescription: >-\n  two\n  lines\nmetadata:\n  node_type: memory\n  type: reference"
    assert told(folded) == ("a", "two lines", "reference")
    assert told("name: a\nmetadata:\n  originSessionId: 12\n  type: user\n  more: [1, 2]") == ("a", "", "user")
    assert told("description: Node: 22\nname: a") == ("a", "Node: 22", "")


def test_a_header_counts_in_the_first_thirty_lines_only() -> None:
    for lines, seen in ((27, True), (28, True), (29, False)):
        text = "---\nname: x\n" + "".join(f"k{n}: v\n" for n in range(lines - 1)) + "---\nbody\n"
        found = read_header(text)
        assert found.present is seen, lines
        (entry,) = parse("x.md", text)
        assert (entry.description == "x") is seen and (entry.broken == "") is seen
        assert "body" in entry.body and ("k1: v" in entry.body) is not seen


def test_no_header_is_an_entry_without_description() -> None:
    (found,) = parse("plain.md", "# Heading\n\ntext\n")
    assert (found.description, found.broken, found.body_line) == (None, "", 1)
    (found,) = parse("open.md", "---\nname: x\nno end\n")
    assert found.description is None and found.broken and "no end" in found.body


def test_index_lines_are_found_whatever_their_look() -> None:
    text = (
        "# Index\n- [A](a.md) — hook\n* **[B b](sub/b.md)** - hook, with (brackets)\n3) [C](<c d.md>): hook\n  - [D](./d%20e.md#part)\n"
        "- [x] [E](e.MD) hook\n- [F](https://example.org/f.md)\n- no link\n[G](g.md) no item\n"
        "```\n- [H](h.md)\n```\n- [I](../i.md)\n- [J](/j.md)\n"
        "- [K](k.md), [L](l.md) — two\n- [M](m.txt)\n"
    )
    found = index_lines(text)
    assert [line.targets for line in found] == [("a.md",), ("sub/b.md",), ("c d.md",), ("d e.md",), ("e.MD",), ("k.md", "l.md")]
    assert [line.title for line in found] == ["A", "B b", "C", "D", "E", "K"]
    assert [text[line.hook_start : line.end] for line in found][:5] == ["hook", "hook, with (brackets)", "hook", "", "hook"]
    assert [text[line.start : line.after] for line in found] == [text.splitlines(keepends=True)[line.number - 1] for line in found]


def test_the_index_is_no_memo_but_its_text_is() -> None:
    assert parse("MEMORY.md", "# Memory\n\n- [A](a.md) — x\n> WARNING: MEMORY.md is 300 lines\n") == []
    (found,) = parse("MEMORY.md", "# Memory\n\n- [A](a.md) — x\nAlways ask first. #rule\n")
    assert (found.kind, found.tags) == ("text", ("rule",))
    assert found.body.split("\n")[3] == "Always ask first. #rule" and "(a.md)" not in found.body


@given(st.text(alphabet=st.sampled_from("-*[]()<>.md/#:ab \n\r\t`'\"\\%é\ufeff"), max_size=200))
def test_anything_is_parsed(text: str) -> None:
    for path in ("MEMORY.md", "x.md"):
        for entry in parse(path, text):
            assert isinstance(entry.body, str)
    for line in index_lines(text):
        assert text[line.start : line.end] == text[line.start : line.after].rstrip("\r\n") and line.hook_start <= line.end
    header = read_header("---\n" + text + "\n---\n")
    assert header.body_line >= 1
