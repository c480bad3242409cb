"""Whatever a source holds: reading it never fails, and a second import of it adds nothing."""

from __future__ import annotations

import tempfile
from pathlib import Path

from desk import Desk, snapshot
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from remember.exchange import codex, graph, jsonl
from remember.exchange.fitting import fit
from remember.exchange.item import Broken, Item
from remember.format import facts, notes
from remember.format.text import FACT_LIMIT

ANY = st.text(max_size=400)
WORD = st.sampled_from(["", "a", "ls", "The title", "x" * 310, "---", "# b", "- c", "tag me", "<!-- d -->", "1. e", "é", "\x1b[1m", "…"])
LINE = st.one_of(
    WORD, st.sampled_from(["[[a]]", "[[ls|x]]", "[f](b/a.md)", "#tag", "```", "| [[a]] |", "\ttext", "%%c%%", "[[The title#h]]"])
)
BODY = st.lists(LINE, max_size=6).map("\n".join)
HEADER = st.one_of(
    st.just(""),
    st.tuples(WORD, st.lists(WORD, max_size=2)).map(
        lambda pair: f"---\ntitle: {pair[0]!r}\ntags: {pair[1]!r}\ncreated: 2024-02-30\n---\n".replace("\\x1b", "")
    ),
)
FILES = st.dictionaries(st.sampled_from(["a", "b/a", "ls", "b/c/ls", "The title", "é"]), st.tuples(HEADER, BODY), max_size=6)
ITEM = st.builds(
    Item,
    st.just("x"),
    st.sampled_from(["fact", "note"]),
    st.one_of(ANY, WORD),
    st.one_of(ANY, BODY),
    st.one_of(st.none(), st.integers(-(10**13), 10**13)),
    st.one_of(st.none(), st.integers(-(10**13), 10**13)),
    st.lists(st.one_of(WORD, st.text(max_size=20)), max_size=3).map(tuple),
    own=st.booleans(),
)


@given(ITEM)
@example(Item("x", "fact", "-", "", None, None, ("a",)))
@example(Item("x", "note", "", "0\r", None, None, ("a",)))
@example(Item("x", "note", "t", "0\r\r\r\n1", None, None, ()))
@example(Item("x", "fact", "- 1. - text", "", None, None, ()))
def test_what_fits_is_a_memo_of_the_format_and_fits_again_unchanged(item: Item) -> None:
    fitted = fit(item)
    if isinstance(fitted, Broken):
        assert fitted.reason and fitted.outcome in ("refused", "skipped")
        return
    assert 0 < len(fitted.title) <= FACT_LIMIT and "\n" not in fitted.title
    again = fit(fitted)
    assert isinstance(again, Item)
    assert (again.kind, again.title, again.body.strip()) == (fitted.kind, fitted.title, fitted.body.strip())
    if fitted.kind == "fact":
        (fact,) = facts.parse(facts.append("", [("a0000001", "2026-01-01T00:00:00Z", fitted.title)]).text).facts
        assert (fact.id, fact.text) == ("a0000001", fitted.title)
    else:
        text = notes.render(fitted.title, "a0000001", 0, fitted.body)
        note = notes.parse(text)
        assert (note.id, note.broken, note.description) == ("a0000001", "", fitted.title)
        assert text[note.body_start :].strip() == fitted.body.replace("\r\n", "\n").strip()


@given(FILES)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_a_vault_that_is_imported_twice_adds_nothing(files: dict[str, tuple[str, str]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        desk = Desk(Path(folder) / "home")
        for name, (header, body) in files.items():
            path = Path(folder) / "docs" / f"{name}.md"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes((header + body).encode())
        (Path(folder) / "docs").mkdir(exist_ok=True)
        planned = desk.bring("vault", Path(folder) / "docs", dry_run=True)
        done = desk.bring("vault", Path(folder) / "docs")
        assert [outcome._replace(id=None) for outcome in done.outcomes] == list(planned.outcomes)
        refused = [outcome.reason for outcome in done.outcomes if outcome.outcome == "refused"]
        assert all("begins with `<!--`" in reason for reason in refused)
        assert len(desk.lines()) == done.count("imported")
        before = snapshot(desk.store)
        again = desk.bring("vault", Path(folder) / "docs")
        assert again.count("imported") == 0 and again.recovery_id is None
        assert again.count("refused") == len(refused)
        assert snapshot(desk.store) == before


JSON = st.one_of(
    st.binary(max_size=60),
    st.sampled_from(
        [
            b'{"type":"entity","name":"A","entityType":"t","observations":["o",1,null,"p\\nq"]}',
            b'{"type":"entity","entityName":"B","observations":"x"}',
            b'{"type":"relation","from_id":"A","to_id":"[[C|d#e]]","relation_type":"is"}',
            b'{"type":"relation","from":"A"}',
            b'{"kind":"note","description":"d","body":"b","tags":[1,"t"],"created":5,"path":"../x"}',
            b'{"kind":"fact","id":"a1b2c3d4","text":"\\ud800"}',
            b'{"text":7}',
            b"null",
            b"[" * 3000,
            b'{"a":' + b"9" * 5000 + b"}",
        ]
    ),
)


@given(st.lists(JSON, max_size=6))
def test_lines_of_any_kind_are_read(lines: list[bytes]) -> None:
    numbered = list(enumerate(lines, 1))
    for found in (*jsonl.read(numbered, "x"), *graph.read(numbered, "x", 0)):
        assert isinstance(found, (Item, Broken))
        if isinstance(found, Item):
            assert isinstance(fit(found), (Item, Broken))


@given(ANY)
def test_any_text_is_read_as_codexs_memories(text: str) -> None:
    for item in codex.read("## User preferences\n" + text, "MEMORY.md", 0):
        assert item.kind == "fact" and item.title.strip()


def test_codexs_bullets() -> None:
    text = (
        "# Task Group: build\nscope: x\n\n## Task 1: y\n\n### keywords\n\n- not this\n\n## User preferences\n\n- Use tabs [Task 1]\n"
        "- A long one\n  that goes on [Task 1, Task 2]\n- see [Task 9] first\n\n## Reusable knowledge\n\n* Star [x](y)\n\n"
        "## Failures and how to do differently\n\n- Last"
    )
    assert [(item.source, item.title) for item in codex.read(text, "M", 0)] == [
        ("M:12", "Use tabs"),
        ("M:13", "A long one that goes on"),
        ("M:15", "see [Task 9] first"),
        ("M:19", "Star [x](y)"),
        ("M:23", "Last"),
    ]


def test_a_graph_keeps_names_that_nobody_described_and_lines_that_are_several() -> None:
    lines = [
        b'{"type":"relation","from":"Bob","to":"[Ana|x]","relationType":"knows"}',
        b'{"type":"entity","name":"Ana","entityType":"person","observations":["one\\ntwo","one\\ntwo"]}',
        b'{"type":"entity","name":"Ana","entityType":"lead","observations":["three"]}',
    ]
    notes_read = [item for item in graph.read(list(enumerate(lines, 1)), "g", 5) if isinstance(item, Item)]
    assert [(item.title, item.body, item.tags) for item in notes_read] == [
        ("Ana", "- one\n  two\n- three\n", ("person", "lead")),
        ("Bob", "- knows [[(Ana/x)]]\n", ()),
    ]
