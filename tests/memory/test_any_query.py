"""Any text is a query, a substring, an address and a fact, or is refused with a reason; nothing else is ever raised."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import remember
from remember.errors import RefusedInput, RememberError
from remember.memory import Memory
from remember.setup import Setup

OPERATORS = [
    "AND",
    "OR",
    "NOT",
    "NEAR",
    "NEAR/2",
    '"',
    "(",
    ")",
    "*",
    "^",
    ":",
    "-",
    "--",
    "+",
    "{",
    "}",
    "title:",
    "body :",
    "'",
    ";",
    "%",
    "_",
    "\\",
    "\0",
]
texts = st.one_of(
    st.text(max_size=30),
    st.lists(
        st.one_of(st.sampled_from(OPERATORS), st.sampled_from(["zebra", "max_body_size", "1.0.21", "日本語", "ภาษา", "e5f6a7b8"])),
        max_size=6,
    ).map(" ".join),
    st.text(st.characters(), max_size=6),
)
QUICK = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Memory:
    home = tmp_path_factory.mktemp("home")
    (home / "work").mkdir()
    environ = {"HOME": str(home)}
    Setup(environ, str(home / "work")).init()
    made = remember.open(environ=environ, cwd=str(home / "work"))
    made.add("zebra max_body_size", "1.0.21 日本語 #tag [[a note]]", "ทดสอบภาษาไทย")
    made.note("a note", "body\n" * 50 + "zebra\n")
    return made


@QUICK
@given(texts, st.booleans(), st.booleans(), st.booleans())
@example('"', True, True, True)
@example("\udcff", False, False, False)
def test_any_text_is_a_query(memory: Memory, query: str, exact: bool, all_terms: bool, explain: bool) -> None:
    try:
        found = memory.search(query, exact=exact, all_terms=all_terms, explain=explain, without=[query] if exact and all_terms else [])
    except RefusedInput as error:
        assert not query.strip() or "UTF-8" in error.message
        return
    assert found.total >= len(found.hits)
    for hit in found.hits:
        assert all(0 <= start < end <= len(hit.snippet) for start, end in hit.highlights)
        assert hit.snippet_line >= 1 and hit.more_lines >= 0


@QUICK
@given(texts)
def test_any_text_is_a_substring(memory: Memory, text: str) -> None:
    found = memory.list(match=text)
    everything = memory.list()
    assert set(found.memos) <= set(everything.memos)
    if "\0" not in text:
        shown = [memo for memo in everything.memos if text in (memo.text or memo.description or "")]
        assert set(shown) <= set(found.memos)


@QUICK
@given(texts)
def test_any_text_is_an_address(memory: Memory, text: str) -> None:
    try:
        assert memory.show(text).memo
    except RememberError as error:
        assert error.exit_status in (1, 2, 3) and error.message


@settings(QUICK, max_examples=60)  # each is a write that reaches the disk, and its undo
@given(texts)
def test_any_text_is_a_fact_or_refused(memory: Memory, text: str) -> None:
    before = Path(memory.status()[0]["path"], "MEMORY.md").read_bytes()  # type: ignore[arg-type]
    try:
        (change,) = memory.add(text)
    except RefusedInput:
        change = None
    if change is not None and change.changed:
        shown = memory.show(str(change.id))
        assert shown.content == shown.memo.text and "\n" not in shown.content
        memory.undo()
    assert Path(memory.status()[0]["path"], "MEMORY.md").read_bytes() == before  # type: ignore[arg-type]


def test_every_search_is_repeatable(memory: Memory) -> None:
    first = memory.search("zebra 日本語 note")
    for _ in range(3):
        assert memory.search("zebra 日本語 note").hits == first.hits


def test_paths_of_hits_can_be_opened(memory: Memory) -> None:
    for hit in memory.search("zebra").hits:
        assert Path(hit.memo.store_path, hit.memo.path).exists()
