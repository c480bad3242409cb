"""The quick ways of a check against the rules one by one: notes of every kind of damage, names, links, and rows in place of files."""

from __future__ import annotations

import os
import time

import pytest
from bench import CREATED_MS, NOW_MS, Bench
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from remember.check import names, plain, run
from remember.check.plain import PlainNotes, are_plain_names
from remember.check.tree import look
from remember.format import notes
from remember.layouts import layout_of
from remember.store.scan import scan

ODD = [
    b"\xff",
    b"\0",
    b"\r",
    b"\n---\n",
    b'"',
    b"\\",
    b"\xc2\xa0",
    b"\xe2\x80\xa8",
    b"9999-99",
    b"2025-02-30",
    b" ",
    b"\x1c",
    b"<<<<<<< a\n=======\n>>>>>>> b\n",
]
TEXTS = st.sampled_from(
    ["Tea", "tea.", " two  words ", "\u00a0", "!!!", "é", "a\u2028b", "x" * 17_000, "[[tea]]", "[[nothing|x]]", "\t", "数据"]
)
BODIES = st.sampled_from(
    [
        "x\n",
        "`[[nothing]]`\n",
        "[[tea]] and [[coffee#a|b]]\n",
        "[[a <!-- ] --> b]]\n",
        "```\n[[no]]\n```\n[[yes]]\n",
        "???",
        "",
        "---\na: b\n---\n",
        "<!-- [[c]] -->[[d]]\n",
    ]
)
STEMS = st.sampled_from(
    [
        "2025-10-09-tea",
        "2025-10-09-coffee",
        "2025-10-10-tea",
        "tea",
        "2025-10-09-1",
        "2025-10-09-a b",
        "2025-10-09-con",
        "con",
        "CON.x",
        "Tea",
        "x (1)",
    ]
)
IDS = st.sampled_from(["bbbbbbb1", "bbbbbbb2", "0000000f", "BAD"])
WHEN = st.sampled_from([CREATED_MS, CREATED_MS + 1, CREATED_MS - 86_400_000, NOW_MS, NOW_MS + 86_400_000, NOW_MS + 86_400_001])


@st.composite
def damaged_notes(draw):
    """A note, mostly as the writer writes it."""
    data = notes.render(draw(TEXTS), draw(IDS), draw(WHEN), draw(BODIES), modified_ms=draw(WHEN)).encode()
    for _ in range(draw(st.integers(0, 2))):
        at = draw(st.integers(0, len(data)))
        cut = draw(st.integers(0, 3))
        data = data[:at] + draw(st.sampled_from([b"", *ODD])) + data[at + cut :]
    return data


FILES = st.dictionaries(st.builds("notes/{}.md".format, STEMS), damaged_notes(), min_size=1, max_size=5)


@pytest.fixture(autouse=True, scope="module")
def without_pause():
    """Nobody else writes here, so the second look need not wait."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(run, "_PAUSE_S", 0)
        yield


def found(bench, **more):
    return {(f.code, f.severity, f.path, f.line, f.message) for f in bench.check(**more) if f.code != "R107"}


def fill(tmp_path_factory, files):
    bench = Bench(str(tmp_path_factory.mktemp("plain")))
    for path, data in files.items():
        bench.write(path, data)
    return bench


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(files=FILES)
def test_what_is_taken_for_plain_has_no_finding_that_the_rules_would_make(tmp_path_factory, files):
    bench = fill(tmp_path_factory, files)
    quick = found(bench, files_only=True)
    with pytest.MonkeyPatch.context() as slow:
        slow.setattr(PlainNotes, "read", lambda *_: None)
        slow.setattr(names, "are_plain_names", lambda _: False)
        assert found(bench, files_only=True) == quick


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(files=FILES)
def test_rows_tell_of_memos_what_their_files_tell(tmp_path_factory, files):
    bench = fill(tmp_path_factory, files)
    bench.index()
    of_memos = ("R5", "R9", "R4")
    quick = {f for f in found(bench, quick=True) if f[0].startswith(of_memos) and f[0] != "R401"}
    assert quick == {f for f in found(bench, files_only=True) if f[0].startswith(of_memos) and f[0] != "R401"}


def test_most_notes_are_plain(bench, monkeypatch):
    read = []
    monkeypatch.setattr(run._Look, "_file", lambda self, node, *_: read.append(node.path))
    assert bench.codes(files_only=True) <= {("R504", "info")}  # a note links to a fact, and the facts are not read here
    assert read == ["MEMORY.md"]


def test_a_settled_index_is_asked_once_and_no_file_is_read(bench, monkeypatch):
    bench.index()
    monkeypatch.setattr(run._Look, "_files", lambda *_: pytest.fail("a file was read"))
    assert bench.codes(quick=True) == set()


def test_a_link_that_was_plain_and_is_gone_at_the_second_reading(bench):
    assert plain.exact_links(b"no header [[x]]") == ()


@pytest.mark.parametrize("layout", ["remember", "vault"])
def test_a_walk_has_the_digest_of_a_scan(tmp_path, layout):
    bench = Bench(str(tmp_path), layout=layout)
    for path in ("recovery/x.md", ".hidden/x.md", "a/b/c.md", "a/.x.md", "b/picture.png", "f" * 64 + "/x.md"):
        bench.write(path, "x")
    os.symlink("a", bench.file("link"))
    os.symlink("a/b/c.md", bench.file("link.md"))
    os.mkdir(bench.file("folder.md"))
    os.mkfifo(bench.file("fifo.md"))
    rules = layout_of(bench.ref).rules
    seen = {look(bench.path, rules, True).digest}
    assert seen == {str(scan(bench.path, rules).digest)}
    for change in (
        lambda: os.rename(bench.file("a"), bench.file("c")),
        lambda: bench.write("c/b/c.md", "y"),
        lambda: os.unlink(bench.file("c/b/c.md")),
    ):
        change()
        digest = look(bench.path, rules, True).digest
        assert digest == str(scan(bench.path, rules).digest)
        assert digest not in seen
        seen.add(digest)


@given(st.lists(st.text('abcN123 ./-_()<>:"|?*\\conaux\né\0', min_size=1, max_size=12).map(lambda name: f"notes/{name}.md"), max_size=4))
def test_plain_names_are_plain_one_by_one(paths):
    assert are_plain_names(paths) == all(are_plain_names([path]) for path in paths)


@pytest.mark.parametrize("description", ["x" * 2_000_000, "x " * 500_000, '"' * 1_000_000, "\\" * 1_000_000, "[[" * 500_000])
def test_a_long_line_costs_no_more_than_its_length(description):
    """The expression that proves a note plain must not try a long description again and again."""
    data = f'---\ndescription: "{description}"\nno-id: "x"\n---\nbody\n'.encode()
    began = time.process_time()
    assert PlainNotes(NOW_MS).read("notes/2025-10-09-tea.md", data) is None
    assert time.process_time() - began < 2
