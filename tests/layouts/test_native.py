"""Files of the native layout as entries: facts, prose, notes with and without a header, and the short way through good ones."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from remember.format import frontmatter, notes, times
from remember.layouts import layout_named
from remember.layouts.layout import Entry
from remember.layouts.native_files import _canonical_note, _note

NATIVE = layout_named("remember")
GOOD = (
    '---\ndescription: "A note #here"\nmemory-id: "e5f6a7b8"\ncreated-date: "2026-10-18T16:10:33.000Z"\n'
    'last-modified-date: "2026-10-19T16:10:33.000Z"\n---\n'
)


def parse(path: str, text: str) -> list[Entry]:
    return NATIVE.parse(path, text.encode("utf-8", "surrogateescape"), 99)


def test_facts_and_prose() -> None:
    text = "# Heading\n\nprose [[x]]\nin two lines\n\n- by hand\n<!-- 2026-10-18T16:10:33Z [a1b2c3d4] -->\n#lesson ours [[y]]\n"
    text += "<!-- hidden -->\n"
    by_hand, ours, prose = parse("MEMORY.md", text)
    assert (by_hand.kind, by_hand.id, by_hand.line, by_hand.body, by_hand.created_ms) == ("fact", None, 6, "by hand", None)
    assert (ours.id, ours.line, ours.tags, ours.links, ours.modified_ms) == ("a1b2c3d4", 8, ("lesson",), ("y",), None)
    assert (prose.kind, prose.id, prose.line, prose.modified_ms, prose.links) == ("text", None, 1, 99, ("x",))
    assert prose.body.split("\n")[2:4] == ["prose [[x]]", "in two lines"] and "hidden" not in prose.body and "ours" not in prose.body


def test_an_empty_file_and_one_of_comments_hold_nothing() -> None:
    assert parse("MEMORY.md", "") == parse("MEMORY.md", "\ufeff\n\n<!-- x\n -->\n") == []


def test_notes() -> None:
    (found,) = parse("notes/2026-10-18-x.md", GOOD + "body #more [[z]]\n")
    assert (found.description, found.id, found.body_line, found.tags, found.links) == (
        "A note #here",
        "e5f6a7b8",
        7,
        ("here", "more"),
        ("z",),
    )
    assert found.modified_ms == (found.created_ms or 0) + 86_400_000


def test_a_broken_header_leaves_the_whole_file_searchable() -> None:
    text = GOOD.replace("memory-id", "description") + "zebra\n"
    (found,) = parse("notes/x.md", text)
    assert found.broken and (found.id, found.description, found.body, found.body_line) == (None, None, text, 1)


def test_a_fact_with_a_file_name_of_its_own_is_a_note() -> None:
    assert [entry.kind for entry in parse("daily/MEMORY.md", "- x\n")] == ["note"]
    assert [entry.kind for entry in parse("notes/MEMORY.md", "- x\n")] == ["note"]


bodies = st.text(st.characters(exclude_categories=("Cs",)), max_size=60)


@given(bodies, st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=30), st.booleans())
def test_the_short_way_gives_what_the_kind_reader_gives(body: str, description: str, same: bool) -> None:
    created = 1_792_339_833_000
    modified = times.show(created if same else created + 1)
    fields = {"description": description, "memory-id": "e5f6a7b8", "created-date": times.show(created), "last-modified-date": modified}
    data = ("---\n" + "".join(f"{k}: {frontmatter.quote(v)}\n" for k, v in fields.items()) + "---\n" + body).encode()
    short = _canonical_note(data)
    assert short in (None, _note("notes/x.md", data, 0))
    if "\\" not in description and '"' not in description and description.isprintable() and not body.startswith("---"):
        assert short is not None


@given(
    st.sampled_from(["MEMORY.md", "notes/a.md", "topic.md"]),
    st.one_of(st.binary(max_size=60), st.text(max_size=60).map(str.encode)),
    st.booleans(),
)
def test_any_bytes_are_entries(path: str, data: bytes, headed: bool) -> None:
    if headed:
        data = GOOD.encode() + data
    shown = data.decode("utf-8", "replace")
    for entry in NATIVE.parse(path, data, 7):
        assert entry.kind in ("fact", "note", "text")
        assert 1 <= entry.line <= shown.count("\n") + 1 and 1 <= entry.body_line <= shown.count("\n") + 1
        assert entry.kind == "note" or path == "MEMORY.md"


@given(bodies)
def test_entries_agree_with_the_grammar(body: str) -> None:
    text = GOOD + body
    (found,) = parse("notes/x.md", text)
    read = notes.parse(text)
    assert (found.description, found.id, found.created_ms) == (read.description, read.id, read.created_ms)
