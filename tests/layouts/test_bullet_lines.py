"""One file, a bullet a note, every other line text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from remember.layouts import layout_named
from remember.layouts.bullet_lines import bullets_of
from remember.layouts.layout import Entry

BULLETS = layout_named("bullets")


def parse(text: str) -> list[Entry]:
    return BULLETS.parse("memory.md", text.encode("utf-8", "surrogateescape"), 99)


def test_bullets_are_facts() -> None:
    found = parse("\ufeff- first #tag\r\n* second [[link]]\r\n+\tthird  \r\n  - nested\r\n-\r\n- - -\r\n-none\r\n")
    assert [(e.kind, e.line, e.body) for e in found[:4]] == [
        ("fact", 1, "first #tag"),
        ("fact", 2, "second [[link]]"),
        ("fact", 3, "third"),
        ("fact", 4, "nested"),
    ]
    assert (found[0].tags, found[1].links) == (("tag",), ("link",))
    assert [e.kind for e in found[4:]] == ["text"]  # `-none` and the rule are text


def test_what_is_hidden_is_none() -> None:
    found = parse("# Memory\n<!--\n- hidden\n-->\n```\n- code\n```\n- seen\n")
    assert [e.body for e in found if e.kind == "fact"] == ["seen"]
    assert "hidden" not in "".join(e.body for e in found) and "code" in "".join(e.body for e in found if e.kind == "text")


def test_headings_alone_are_no_text() -> None:
    assert [e.kind for e in parse("# Memory\n\n- a\n\n## More\n- b\n")] == ["fact", "fact"]
    assert [e.kind for e in parse("# Memory\nKept by me.\n- a\n")] == ["fact", "text"]


@given(st.text(alphabet=st.sampled_from("-*+ab \n\r\t`<!>é\ufeff"), max_size=200))
def test_spans_are_those_of_the_text(text: str) -> None:
    for bullet in bullets_of(text):
        assert text[bullet.start : bullet.end] == bullet.text == bullet.text.strip() != ""
        assert bullet.begin < bullet.start <= bullet.end <= bullet.after and "\n" not in bullet.text
    assert [e.body for e in parse(text) if e.kind == "fact"] == [b.text for b in bullets_of(text)]
