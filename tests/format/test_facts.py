from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from texts import COMMENT, any_text, file_texts

from remember.errors import RefusedInput
from remember.format import facts as grammar
from remember.format.facts import Fact, append, parse, remove, replace_text, revision
from remember.format.metadata import stamp_of
from remember.format.spans import apply, lines
from remember.format.text import clean_fact

OTHER = "<!-- 2026-10-19T08:00:00+02:00 [e5f6a7b8] -->"
THIRD = "<!-- 2026-10-20T08:00:00Z [00000012] -->"


def told(text: str) -> list[tuple[str | None, str, int]]:
    return [(fact.id, fact.text, fact.line) for fact in parse(text).facts]


def codes(text: str) -> list[tuple[str, int]]:
    return [(problem.code, problem.line) for problem in parse(text).problems]


def given_fact(text: str) -> str | None:
    try:
        return clean_fact(text)
    except RefusedInput:
        return None


stored = any_text.map(given_fact).filter(bool)
FENCES_AND_OTHERS = st.sampled_from(
    ["```", "````", "~~~", "---", "...", "# of retries is 5", "=======", "<<<<<<< HEAD", "| a |", "-->", "[x]: y", "> a", "-"]
)
pairs = st.lists(
    st.tuples(st.integers(0, 2**32 - 1).map(lambda n: f"{n:08x}"), st.just("2026-10-18T16:10:33Z"), st.one_of(stored, FENCES_AND_OTHERS)),
    min_size=1,
    max_size=4,
)


# Facts of ours.


def test_a_fact_with_its_comment() -> None:
    text = f"{COMMENT}\n#lesson Use uv.\n"
    assert parse(text) == grammar.Facts((Fact("a1b2c3d4", 1_792_339_833_000, "#lesson Use uv.", 2, 41, 56, 0, 57, 1),), "", ())


@pytest.mark.parametrize(
    "line", ["# of retries is 5", "```", "---", "- item", "    code", "> quote", "| a |", "<b>", "<!-- foreign -->", "[x]: y", "x" * 400]
)
def test_the_line_below_our_comment_is_the_fact_whatever_it_looks_like(line: str) -> None:
    assert told(f"{COMMENT}\n{line}\n{OTHER}\nsecond\n```\n") == [("a1b2c3d4", line.strip(), 2), ("e5f6a7b8", "second", 4)]


def test_blank_lines_do_not_part_comment_and_fact() -> None:
    text = f"{COMMENT}\n\n \t\nfact\n"
    assert told(text) == [("a1b2c3d4", "fact", 4)]
    assert parse(text).problems[0][:2] == ("R204", 1) and parse(text).problems[0].severity == "info"
    assert apply(text, [remove(text, parse(text).facts[0])]) == ""


@pytest.mark.parametrize(
    "comment",
    [
        "<!-- 2026-02-15 14:30:00 [session8] -->",
        "<!-- 2026-02-15 14:30:00 [deadbeef] -->",
        "<!-- 2026-02-15T14:30:00 [deadbeef] -->",
        "<!-- 2026-13-15T14:30:00Z [deadbeef] -->",
        "<!-- 2026-02-15T14:30:00Z [DEADBEEF] -->",
        "<!-- 2026-02-15T14:30:00Z [deadbee] -->",
        "<!-- 2026-02-15T14:30:00Z [deadbeef] more -->",
        "<!-- 2026-02-15T14:30:00Z -->",
        "<!-- a note -->",
        "    <!-- 2026-02-15T14:30:00Z [deadbeef] -->",
    ],
)
def test_other_comments_are_foreign(comment: str) -> None:
    assert told(f"{comment}\nnot its fact\n\nfact\n") == [(None, "fact", 4)]
    assert comment in parse(f"{comment}\nnot its fact\n").prose


@pytest.mark.parametrize(
    "comment", [COMMENT, "<!--2026-10-18T16:10:33Z [a1b2c3d4]-->", "  <!--  2026-10-18T18:10+02:00  [a1b2c3d4] -->  ", COMMENT + "\r"]
)
def test_spellings_of_our_comment(comment: str) -> None:
    assert told(f"{comment}\nfact\n") == [("a1b2c3d4", "fact", 2)]


def test_bom_and_line_ends() -> None:
    text = f"\ufeff{COMMENT}\r\nfact \r\n\r\n- by hand\r\n"
    found = parse(text)
    assert [(f.id, f.text, f.line, text[f.start : f.end]) for f in found.facts] == [
        ("a1b2c3d4", "fact", 2, "fact"),
        (None, "by hand", 4, "by hand"),
    ]
    assert apply(text, [remove(text, f) for f in found.facts]) == "\ufeff\r\n"
    assert found.prose == ""


# Facts written by hand.


def test_top_level_items_of_one_line() -> None:
    text = "- one\n* two\n+ [ ] three\n4. four\n\n-\n- \n-no item\n5) no\n"
    assert [f[1] for f in told(text)] == ["one", "two", "[ ] three", "four"]
    fact = parse(text).facts[2]
    assert text[fact.start : fact.end] == "[ ] three" and text[fact.block_start : fact.block_end] == "+ [ ] three\n"


def test_items_with_something_below_are_prose() -> None:
    text = "- one\n  more\n- two\n\n  more of two\n- three\n\t- nested\n- four\n"
    assert told(text) == [(None, "four", 8)]
    assert "more of two" in parse(text).prose


def test_lines_alone() -> None:
    text = f"first\n\n#lesson second\n\nthird\n{COMMENT}\nours\nnot alone\n\ntwo\nlines\n\nlast"
    assert [f[1] for f in told(text)] == ["first", "#lesson second", "third", "ours", "last"]
    assert parse(text).prose.split() == ["not", "alone", "two", "lines"]


@pytest.mark.parametrize(
    "line",
    [
        "# Heading",
        "## Heading",
        "#",
        "> quote",
        "| a |",
        "<div>",
        "[x]: y",
        "[^1]: y",
        "    code",
        "\tcode",
        "```",
        "~~~~",
        "---",
        "***",
        "_ _ _",
        "====",
        "x" * 301,
    ],
)
def test_what_is_no_sentence_is_prose(line: str) -> None:
    assert told(f"{line}\n") == []
    assert parse(f"a\n\n{line}\n\nb\n").prose.strip("\n") == line


@pytest.mark.parametrize(
    "line", ["x" * 300, "#lesson x", "####### seven", "2026-05-26", "null", "~", "1e5", "[]", "[[link]] x", "`code` x", "日本語"]
)
def test_sentences_are_facts(line: str) -> None:
    assert told(f"{line}\n") == [(None, line, 1)]


# What hides lines, and what does not.


@pytest.mark.parametrize(
    "block",
    [
        f"```\n- a\n{COMMENT}\nfact\n```\n",
        f"~~~md\n- a\n\n{COMMENT}\n\nfact\n~~~\n",
        "````\n```\n- a\n````\n",
        "   ```\n- a\n   ```\n",
        "<!-- old:\n- a\n\nb\n-->\n",
        "<!--\n- a -->\n",
        "---\ntitle: x\n\n- a\n---\n",
        "---\r\ntitle: x\r\ntags:\r\n- a\r\n...\r\n",
    ],
)
def test_closed_blocks_hide_what_is_in_them(block: str) -> None:
    assert told(f"{block}- after\n") == [(None, "after", block.count("\n") + 1)]
    assert parse(block).prose == block


@pytest.mark.parametrize("opening", ["```", "~~~py", "<!-- never closed", "---", "---\n\n# Title", "```\n~~~", "<b", "````\n```"])
def test_what_is_never_closed_hides_nothing(opening: str) -> None:
    text = f"{opening}\n\n- by hand\n{COMMENT}\nfact\n"
    assert [f[1] for f in told(text)] == ["by hand", "fact"]


def test_frontmatter_only_at_the_very_top() -> None:
    assert [f[1] for f in told("x\n\n---\n\n- a\n\n---\n")] == ["x", "a"]


# Findings.


def test_orphans_and_interleaved_pairs() -> None:
    assert codes(f"{COMMENT}\n") == [("R204", 1)]
    assert codes(f"{COMMENT}\n{OTHER}\nfact\n") == [("R204", 1)]
    assert codes(f"{COMMENT}\n{OTHER}\nfact one\nfact two\n") == [("R212", 1)]
    assert codes(f"{COMMENT}\n{OTHER}\n{THIRD}\na\nb\nc\n") == [("R212", 1), ("R212", 2)]
    assert told(f"{COMMENT}\n{OTHER}\nfact\n") == [("e5f6a7b8", "fact", 3)]


def test_a_single_line_below_a_fact_is_what_a_union_of_two_edits_leaves() -> None:
    assert codes(f"{COMMENT}\none\nother\n") == [("R212", 3)]
    assert codes(f"{COMMENT}\none\nother\n{OTHER}\nfact\n") == [("R212", 3)]
    for clean in ("", "\nother\n", "# Heading\n", "- item\n", "two lines\nof prose\n", "```\ncode\n```\n", f"{OTHER}\nfact\n", "| a |\n"):
        assert "R212" not in [code for code, _ in codes(f"{COMMENT}\none\n{clean}")]


@pytest.mark.parametrize(
    ("comment", "code", "severity"),
    [
        ("<!-- 2026-02-15T14:30:00 [deadbeef] -->", "R211", ""),
        ("<!-- 2026-02-15 14:30:00 [deadbeef] -->", "R211", ""),
        ("<!-- 2026-13-15T14:30:00Z [deadbeef] -->", "R206", ""),
        ("<!-- 2026-02-15T14:30:00Z [DEADBEEF] -->", "R206", ""),
        ("<!-- 2026-02-15T14:30:00Z [deadbeef] more -->", "R206", "info"),
        ("<!-- 2026-02-15 14:30:00 [session8] -->", "R206", "info"),
    ],
)
def test_comments_that_resemble_ours(comment: str, code: str, severity: str) -> None:
    assert [(p.code, p.line, p.severity) for p in parse(f"{comment}\nx\n").problems] == [(code, 1, severity)]


def test_other_findings() -> None:
    assert codes("<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n") == [("R203", 1), ("R203", 3), ("R203", 5)]
    assert codes(f"{COMMENT}\n{'x' * 301}\n") == [("R207", 2)]
    assert codes(f"{COMMENT}\na\x1bb\n") == [("R207", 2)]
    assert codes(f"{COMMENT}\na\n{COMMENT}\na\n") == [("R208", 4)]
    assert codes(f"{COMMENT}\n#note [[notes/x.md]] X\n") == [("R210", 2)]
    assert codes(f"{COMMENT}\na\n{OTHER}\n<!-- x -->\n\n<!-- remark -->\n") == []


# Edits.


@given(file_texts, pairs)
def test_added_facts_are_read_again_whatever_the_file_holds(text: str, added: list[tuple[str, str, str]]) -> None:
    edit = append(text, added)
    after = apply(text, [edit])
    assert after.startswith(text) and edit.start == edit.end == len(text)
    before = parse(text).facts
    found = parse(after).facts
    ours = [(fact.id, fact.text) for fact in found if fact.start >= len(text)]
    if not (text.replace("\ufeff", "").strip() and parse(text).problems and parse(text).problems[-1].code in ("R204", "R212")):
        assert ours == [(memo_id, fact) for memo_id, _, fact in added]
    assert ours[-len(added) :] == [(memo_id, fact) for memo_id, _, fact in added]
    # What had an ID keeps it.
    assert [f[:3] for f in before if f.id] == [f[:3] for f in found if f.id and f.start < len(text)]
    if text.removeprefix("\ufeff"):
        assert after.endswith("\n") == text.endswith("\n")
    else:
        assert after.endswith("\n")


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("", "{c}\nf\n"),
        ("\ufeff", "\ufeff{c}\nf\n"),
        ("a\n", "a\n{c}\nf\n"),
        ("a", "a\n{c}\nf"),
        ("a\r\nb\r\n", "a\r\nb\r\n{c}\r\nf\r\n"),
        ("a\r\nb", "a\r\nb\r\n{c}\r\nf"),
        ("a\n\n", "a\n\n{c}\nf\n"),
    ],
)
def test_the_file_ends_as_it_did(text: str, after: str) -> None:
    assert apply(text, [append(text, [("a1b2c3d4", "2026-10-18T16:10:33Z", "f")])]) == after.replace("{c}", COMMENT)


@given(file_texts, st.data())
def test_a_removed_fact_takes_nothing_else_along(text: str, data: st.DataObject) -> None:
    found = parse(text).facts
    if not found:
        return
    gone = data.draw(st.sampled_from(found))
    edit = remove(text, gone)
    after = apply(text, [edit])
    assert after == text[: edit.start] + text[edit.end :]
    assert gone.text in text[edit.start : edit.end]
    orphans = any(p.code in ("R204", "R212") and p.severity != "info" for p in parse(text).problems)
    if gone.id and not orphans:  # an orphan takes for its fact whatever comes to stand below it
        kept = [(f.id, f.text) for f in found if f is not gone and f.id]
        assert [(f.id, f.text) for f in parse(after).facts if f.id] == kept


@given(
    st.lists(st.tuples(st.sampled_from([COMMENT, OTHER, THIRD]), stored, st.sampled_from(["\n", "\n\n"])), min_size=1, max_size=6),
    st.data(),
)
def test_removal_keeps_all_other_facts(memos: list[tuple[str, str, str]], data: st.DataObject) -> None:
    text = "".join(f"{comment}\n{fact}{gap}" for comment, fact, gap in memos)
    found = parse(text).facts
    assert [f.text for f in found] == [fact for _, fact, _ in memos]
    at = data.draw(st.integers(0, len(found) - 1))
    after = parse(apply(text, [remove(text, found[at])])).facts
    assert [(f.id, f.text) for f in after] == [(f.id, f.text) for f in found if f is not found[at]]


@given(file_texts, stored, st.data())
def test_a_new_text_changes_its_span_only(text: str, new: str, data: st.DataObject) -> None:
    found = [fact for fact in parse(text).facts if fact.id]
    if not found:
        return
    fact = data.draw(st.sampled_from(found))
    after = apply(text, [replace_text(text, fact, new)])
    assert after == text[: fact.start] + new + text[fact.end :]
    again = [f for f in parse(after).facts if f.start == fact.start]
    assert [(f.id, f.text, f.created_ms) for f in again] == [(fact.id, new, fact.created_ms)]


def test_revision_is_the_hash_of_comment_and_line() -> None:
    import hashlib

    text = f"x\n\n{COMMENT}\r\n\r\nfact \r\n"
    fact = parse(text).facts[1]
    assert revision(text, fact) == hashlib.sha256(f"{COMMENT}\nfact".encode()).hexdigest()[:12]
    assert revision(text, parse(text).facts[0]) == hashlib.sha256(b"x").hexdigest()[:12]


# Any text.


@given(any_text)
def test_spans_lines_and_prose_agree_with_the_text(text: str) -> None:
    found = parse(text)
    at = lines(text)
    last = 0
    for fact in found.facts:
        assert text[fact.start : fact.end] == fact.text == fact.text.strip() and fact.text
        assert last <= fact.block_start <= fact.start < fact.end <= fact.block_end
        assert at[fact.line - 1][0] <= fact.start and fact.end <= at[fact.line - 1][2]
        assert (fact.comment_line is None) == (fact.id is None) == (fact.created_ms is None)
        last = fact.block_end
    bare = text.removeprefix("\ufeff")
    assert found.prose == "" or found.prose.count("\n") == bare.count("\n")
    # No knowledge is out of sight: a line is a fact, a comment of ours, or prose as it stands.
    taken = {fact.line for fact in found.facts}
    kept = found.prose.split("\n") if found.prose else [""] * (bare.count("\n") + 1)
    for number, (line, left) in enumerate(zip(bare.split("\n"), kept, strict=True), 1):
        if number in taken:
            assert not left.strip()
        elif left != line:
            assert not left.strip() and (not line.strip() or stamp_of(line))
    for problem in found.problems:
        assert 1 <= problem.line <= max(1, len(at)) and problem.code[:2] == "R2"


@pytest.mark.parametrize(
    "text",
    [
        "```a\n" * 30_000,
        "<!-- x\n" * 30_000,
        f"{COMMENT}\n" * 30_000,
        "- a\n\n" * 30_000,
        "`" * 400_000,
        "x" * 2_000_000,
        "---\n" * 30_000,
        f"{COMMENT}\nfact\n" * 30_000,
        "<!-- a\n" * 30_000 + "-->\n" * 30_000,
    ],
    ids=["fences", "comments", "orphans", "items", "ticks", "one line", "rules", "facts", "nested"],
)
def test_time_grows_with_length_alone(text: str) -> None:
    began = time.process_time()
    parse(text)
    assert time.process_time() - began < 3
