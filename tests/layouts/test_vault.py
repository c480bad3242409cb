"""A folder as Obsidian or basic-memory keeps it: links of every form, hidden comments, observations and relations."""

from __future__ import annotations

from remember.layouts import layout_named
from remember.layouts.layout import Entry

VAULT = layout_named("vault")


def parse(text: str) -> Entry:
    (found,) = VAULT.parse("Folder/Note.md", text.encode(), 99)
    return found


def test_links_of_every_form() -> None:
    text = (
        "[[A]] [[B|shown]] [[C#Heading]] [[D#^block]] ![[E]] ![[img.png|100x145]] [[F/G.md#x|y]]\n"
        "| a | b |\n|---|---|\n| [[H\\|shown]] | x |\n`[[no]]` [[#own heading]] %%[[hidden]]%%\n```\n[[code]]\n```\n[[A]] ^block-id\n"
    )
    assert parse(text).links == ("A", "B", "C", "D", "E", "img.png", "F/G.md", "H")


def test_tags_of_every_form() -> None:
    header = "---\ntags:\n  - '#one'\n  - two/three\naliases: Another name\ncssclasses: x\n---\n"
    found = parse(header + "#four/five #2026 `#no` %%#hidden%% #six-7\n")
    assert found.tags == ("one", "two/three", "four/five", "six-7") and found.names == ("Another name",)


def test_a_basic_memory_note_is_text_and_links() -> None:
    text = (
        "---\ntitle: Repo One\ntype: note\npermalink: main/notes/repo-one\ntags:\n- tooling\n---\n\n# Repo One\n\n## Observations\n"
        "- [preference] Uses pnpm #fast#safe (since 2025)\n- [ ] open\n\n## Relations\n- maintains [[Repo Two]]\n"
        '- "works with" [[People/Bob|Bob]] (team)\n'
    )
    found = parse(text)
    assert (found.description, found.names) == ("Repo One", ("main/notes/repo-one",))
    assert (found.tags, found.links) == (("tooling", "fast", "safe"), ("Repo Two", "People/Bob"))
    assert "[preference] Uses pnpm" in found.body


def test_headers_of_three_kinds_and_odd_ones() -> None:
    assert parse("+++\ntitle = 'T'\ntags = ['a']\n+++\nbody\n").tags == ("a",)
    assert parse('{\n"title": "T"\n}\nbody\n').description == "T"
    odd = parse("---\ntitle: [unclosed\nnot a field\n---\nbody\n")
    assert odd.broken == "" and "body" in odd.body
