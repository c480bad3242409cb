"""Damages thought out from the list of findings alone: each is found, rightly named and placed, and nothing else is accused."""

# ruff: noqa: E501 (a table of damages, one a line)

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable

import pytest
from bench import COMMENT, NOTE, Bench

COFFEE = "notes/2025-10-09-coffee.md"
HEAD = '---\ndescription: "{}"\nmemory-id: "{}"\ncreated-date: "{}"\nlast-modified-date: "{}"\n---\n'
DAY = "2025-10-09T08:53:20.000Z"


def _note(description: str, memo_id: str, created: str = DAY, modified: str = DAY, body: str = "A body.\n") -> str:
    return HEAD.format(description, memo_id, created, modified) + body


def _again(bench: Bench, path: str, old: str | bytes, new: str | bytes) -> None:
    """Change bytes of equal length and put the times back."""
    whole = bench.file(path)
    before = os.stat(whole)
    data = bench.read(path)
    old, new = (x.encode() if isinstance(x, str) else x for x in (old, new))
    assert old in data and len(old) == len(new)
    with open(whole, "r+b") as file:
        file.write(data.replace(old, new))
    os.utime(whole, ns=(before.st_atime_ns, before.st_mtime_ns))
    after = os.stat(whole)  # ctime cannot be put back by a user; a restored backup of the cache is what would agree
    bench.sql(
        ("UPDATE file SET mtime_ns = ?, ctime_ns = ?, size = ? WHERE path = ?", (after.st_mtime_ns, after.st_ctime_ns, after.st_size, path))
    )
    _resettle(bench)


def _resettle(bench: Bench) -> None:
    """Let the index claim that it has seen the store as it is now."""
    from remember.layouts import layout_of
    from remember.store.scan import scan

    digest = scan(bench.path, layout_of(bench.ref).rules).digest
    bench.sql(("UPDATE meta SET value = ? WHERE key = 'digest'", (str(digest),)))


def _copy_over(source: str, target: str) -> Callable[[Bench], None]:
    def damage(b: Bench) -> None:
        b.write(target, b.read(source))

    return damage


def _append(path: str, text: str) -> Callable[[Bench], None]:
    return lambda b: b.append(path, text)


def _edit(path: str, old: str | bytes, new: str | bytes) -> Callable[[Bench], None]:
    return lambda b: b.edit(path, old, new)


def _write(path: str, data: str | bytes) -> Callable[[Bench], None]:
    return lambda b: b.write(path, data)


def _sql(*statements: str) -> Callable[[Bench], None]:
    return lambda b: b.sql(*statements)


FACTS = "MEMORY.md"
# (what was done, how, what must be found as code and path; R600, R605, R606 about the very files changed are no accusation)
FILES: list[tuple[str, Callable[[Bench], None], set[tuple[str, str]]]] = [
    ("the marker says true", _write("pi-remember.json", '{"version": true}\n'), {("R103", "pi-remember.json")}),
    ("the marker says -1", _write("pi-remember.json", '{"version": -1}\n'), {("R103", "pi-remember.json")}),
    ("the marker says 1.5", _write("pi-remember.json", '{"version": 1.5}\n'), {("R103", "pi-remember.json")}),
    ("the marker is a list", _write("pi-remember.json", "[1]\n"), {("R103", "pi-remember.json")}),
    ("the marker is empty", _write("pi-remember.json", ""), {("R103", "pi-remember.json")}),
    ("the marker is of next year", _write("pi-remember.json", '{"version": 7}\n'), {("R104", "pi-remember.json")}),
    ("the marker was deleted", lambda b: os.unlink(b.file("pi-remember.json")), {("R102", "pi-remember.json")}),
    ("facts in UTF-16", lambda b: b.write(FACTS, b.read(FACTS).decode().encode("utf-16")), {("R201", FACTS)}),
    ("a NUL among the facts", _append(FACTS, COMMENT.format("aaaaaaa3") + "A nul \0 here.\n"), {("R201", FACTS)}),
    (
        "Latin-1 pasted into the facts",
        lambda b: b.write(FACTS, b.read(FACTS) + COMMENT.format("aaaaaaa3").encode() + b"Gr\xfc\xdfe.\n"),
        {("R201", FACTS)},
    ),
    ("half of the facts with CR LF", lambda b: b.write(FACTS, b.read(FACTS).replace(b"blue.\n", b"blue.\r\n")), {("R202", FACTS)}),
    ("a BOM before the facts", lambda b: b.write(FACTS, b"\xef\xbb\xbf" + b.read(FACTS)), {("R202", FACTS)}),
    (
        "a merge left half done in the facts",
        lambda b: b.write(
            FACTS,
            b"<<<<<<< HEAD\n" + b.read(FACTS) + b"=======\n" + COMMENT.format("aaaaaaa9").encode() + b"The cup is red.\n>>>>>>> theirs\n",
        ),
        {("R203", FACTS)},
    ),
    ("a comment at the end of the facts", _append(FACTS, COMMENT.format("aaaaaaa3")), {("R204", FACTS)}),
    (
        "two comments above one fact",
        _edit(FACTS, COMMENT.format("aaaaaaa2"), COMMENT.format("aaaaaaa3") + COMMENT.format("aaaaaaa2")),
        {("R204", FACTS)},
    ),
    ("a fact by hand below a blank line", _append(FACTS, "\nThe spoon is of wood.\n"), {("R205", FACTS)}),
    ("a month 13", _append(FACTS, "<!-- 2025-13-09T08:53:20Z [aaaaaaa3] -->\nThe spoon is of wood.\n"), {("R206", FACTS)}),
    ("an ID of seven digits", _append(FACTS, "<!-- 2025-10-09T08:53:20Z [aaaaaa3] -->\nThe spoon is of wood.\n"), {("R206", FACTS)}),
    ("an ID in capitals", _append(FACTS, "<!-- 2025-10-09T08:53:20Z [AAAAAAA3] -->\nThe spoon is of wood.\n"), {("R206", FACTS)}),
    ("a fact of 301 characters", _append(FACTS, COMMENT.format("aaaaaaa3") + "x" * 301 + "\n"), {("R207", FACTS)}),
    ("a bell in a fact", _append(FACTS, COMMENT.format("aaaaaaa3") + "Ring \a twice.\n"), {("R207", FACTS)}),
    ("a fact pasted twice", lambda b: b.append(FACTS, b.read(FACTS).decode().split("<!--")[1].join(["<!--", ""])), {("R208", FACTS)}),
    ("an ID used for another fact", _append(FACTS, COMMENT.format("aaaaaaa1") + "The kettle is green.\n"), {("R208", FACTS)}),
    ("one text under a second ID", _append(FACTS, COMMENT.format("aaaaaaa3") + "The cup is white.\n"), {("R209", FACTS)}),
    ("a fact of the year 2200", _append(FACTS, "<!-- 2200-01-01T00:00:00Z [aaaaaaa3] -->\nThe spoon is of wood.\n"), {("R211", FACTS)}),
    ("a note without a header", _write("notes/2025-10-09-plain.md", "Just text.\n"), {("R301", "notes/2025-10-09-plain.md")}),
    (
        "a header that is not closed",
        _write("notes/2025-10-09-open.md", '---\ndescription: "Open"\n'),
        {("R302", "notes/2025-10-09-open.md")},
    ),
    (
        "a header of 17 KiB",
        _write("notes/2025-10-09-long.md", _note("Long", "bbbbbbb3").replace("---\nA body", "x: " + "y" * 17_000 + "\n---\nA body")),
        {("R302", "notes/2025-10-09-long.md")},
    ),
    ("a sentence inside the header", _edit(COFFEE, "memory-id:", "this is no field\nmemory-id:"), {("R302", COFFEE)}),
    ("a header before the header", lambda b: b.write(COFFEE, b"---\ntitle: x\n---\n" + b.read(COFFEE)), {("R303", COFFEE)}),
    ("no description", lambda b: b.write(COFFEE, b.read(COFFEE).replace(b'description: "How to make coffee"\n', b"")), {("R304", COFFEE)}),
    ("an empty ID", _edit(COFFEE, '"bbbbbbb2"', '""'), {("R304", COFFEE)}),
    ("an ID of digits without quotes", _edit(COFFEE, '"bbbbbbb2"', "12345678"), {("R305", COFFEE)}),
    ("a description that YAML reads as no", _edit(COFFEE, '"How to make coffee"', "no"), {("R305", COFFEE)}),
    ("the description twice", _edit(COFFEE, "memory-id:", 'description: "Another"\nmemory-id:'), {("R306", COFFEE)}),
    ("a field of somebody else", _edit(COFFEE, "memory-id:", "mood: good\nmemory-id:"), {("R307", COFFEE)}),
    ("an ID of nine characters", _edit(COFFEE, '"bbbbbbb2"', '"bbbbbbb22"'), {("R308", COFFEE)}),
    (
        "modified before it was created",
        _write("notes/2025-10-09-back.md", _note("Back", "bbbbbbb3", DAY, "2025-10-08T08:53:20.000Z")),
        {("R309", "notes/2025-10-09-back.md")},
    ),
    (
        "a date without a zone",
        _write("notes/2025-10-09-zone.md", _note("Zone", "bbbbbbb3", DAY, DAY[:-1])),
        {("R309", "notes/2025-10-09-zone.md")},
    ),
    ("conflict markers in a note", _append(COFFEE, "<<<<<<< a\none\n=======\ntwo\n>>>>>>> b\n"), {("R311", COFFEE)}),
    ("a note cut inside a character", lambda b: b.write(COFFEE, b.read(COFFEE) + "é".encode()[:1]), {("R312", COFFEE)}),
    ("an empty note", _write("notes/2025-10-09-empty.md", ""), {("R313", "notes/2025-10-09-empty.md")}),
    ("a blank line before the header", lambda b: b.write(COFFEE, b"\n" + b.read(COFFEE)), {("R315", COFFEE)}),
    (
        "a note as a Git LFS pointer",
        _write("notes/2025-10-09-lfs.md", "version https://git-lfs.github.com/spec/v1\noid sha256:" + "0" * 64 + "\nsize 12\n"),
        {("R318", "notes/2025-10-09-lfs.md")},
    ),
    ("a name without a date", lambda b: os.rename(b.file(COFFEE), b.file("notes/coffee.md")), {("R401", "notes/coffee.md")}),
    (
        "a name of another day",
        lambda b: os.rename(b.file(COFFEE), b.file("notes/2024-10-09-coffee.md")),
        {("R401", "notes/2024-10-09-coffee.md")},
    ),
    ("a second name but for case", _write("notes/2025-10-09-Tea.md", _note("Another tea", "bbbbbbb3")), {("R402", NOTE)}),
    ("a name with a colon", _write("notes/2025-10-09-a:b.md", _note("Colon", "bbbbbbb3")), {("R404", "notes/2025-10-09-a:b.md")}),
    (
        "Nextcloud's copy",
        _copy_over(NOTE, "notes/2025-10-09-tea (conflicted copy 2025-10-10 101010).md"),
        {
            ("R405", "notes/2025-10-09-tea (conflicted copy 2025-10-10 101010).md"),
            ("R501", "notes/2025-10-09-tea (conflicted copy 2025-10-10 101010).md"),
            ("R505", "notes/2025-10-09-tea (conflicted copy 2025-10-10 101010).md"),
        },
    ),
    ("Vim's swap file", _write("notes/.2025-10-09-tea.md.swp", b"b0VIM 9.0"), {("R406", "notes/.2025-10-09-tea.md.swp")}),
    (
        "a link out of the store",
        lambda b: os.symlink("/etc/hostname", b.file("notes/2025-10-09-out.md")),
        {("R407", "notes/2025-10-09-out.md")},
    ),
    (
        "a link to itself",
        lambda b: os.symlink("2025-10-09-loop.md", b.file("notes/2025-10-09-loop.md")),
        {("R407", "notes/2025-10-09-loop.md")},
    ),
    ("a FIFO called like a note", lambda b: os.mkfifo(b.file("notes/2025-10-09-pipe.md")), {("R408", "notes/2025-10-09-pipe.md")}),
    ("a folder called like a note", lambda b: os.mkdir(b.file("notes/2025-10-09-dir.md")), {("R408", "notes/2025-10-09-dir.md")}),
    ("a Markdown file beside notes/", _write("README.md", "# About\n"), {("R409", "README.md")}),
    ("a note's ID in a fact", _append(FACTS, COMMENT.format("bbbbbbb1") + "The spoon is of wood.\n"), {("R502", FACTS)}),
    ("a link to nothing", _append(COFFEE, "See [[no such thing]].\n"), {("R504", COFFEE)}),
    (
        "nearly the same description",
        _write("notes/2025-10-09-the-tea.md", _note("How to make  TEA.", "bbbbbbb3")),
        {("R505", "notes/2025-10-09-the-tea.md")},
    ),
    ("a file from tomorrow", lambda b: os.utime(b.file(COFFEE), (4_100_000_000, 4_100_000_000)), {("R803", COFFEE)}),
    ("a migration's lock", _write(".pi-remember-migration.lock", "1234\n"), {("R801", ".pi-remember-migration.lock")}),
]

CACHE: list[tuple[str, Callable[[Bench], None], set[tuple[str, str]]]] = [
    ("no index", lambda b: os.unlink(b.cache_file), {("R601", "")}),
    ("the index is a text", lambda b: _overwrite(b.cache_file), {("R601", "")}),
    ("another application's database", _sql("PRAGMA application_id = 7"), {("R601", "")}),
    ("the index of another store", _sql("UPDATE meta SET value = X'2F61' WHERE key = 'store'"), {("R602", "")}),
    ("zeros in the middle of the index", lambda b: _zero(b), {("R603", "")}),
    ("a fact's row deleted", _sql("DELETE FROM memo WHERE memo_id = 'aaaaaaa2'"), {("R605", FACTS), ("R604", "")}),
    ("a note's row deleted with its file's", _sql("DELETE FROM memo WHERE memo_id = 'bbbbbbb2'", f"DELETE FROM file WHERE path = '{COFFEE}'"), {("R605", COFFEE), ("R604", "")}),
    ("a fact invented in the index", _sql("INSERT INTO memo SELECT 99, file, kind, 'aaaaaaa9', 9, description, 'Invented.', 9, created_ms, modified_ms, tags, tag_keys, links, names, broken, labels, NULL, NULL, NULL, parts, checksum FROM memo WHERE memo_id = 'aaaaaaa1'"), {("R606", FACTS)}),
    ("a body edited in the index", _sql("UPDATE memo SET body = replace(body, 'Boil', 'Cool') WHERE memo_id = 'bbbbbbb1'"), {("R608", NOTE)}),
    ("two descriptions swapped in the index", _sql("UPDATE memo SET description = CASE memo_id WHEN 'bbbbbbb1' THEN 'How to make coffee' ELSE 'How to make tea' END WHERE kind = 'note'"), {("R608", NOTE), ("R608", COFFEE)}),
    ("two IDs swapped in the index", _sql("UPDATE memo SET memo_id = CASE memo_id WHEN 'aaaaaaa1' THEN 'aaaaaaa2' ELSE 'aaaaaaa1' END WHERE kind = 'fact'"), {("R608", FACTS)}),
    ("a note re-dated in the index", _sql("UPDATE memo SET created_ms = created_ms + 86400000 WHERE memo_id = 'bbbbbbb2'"), {("R608", COFFEE)}),
    ("a tag taken out of the index", _sql("UPDATE memo SET tags = NULL, tag_keys = NULL WHERE memo_id = 'bbbbbbb2'"), {("R608", COFFEE)}),
    ("labels changed in the index", _sql("UPDATE memo SET labels = 'garage' WHERE memo_id = 'bbbbbbb2'"), {("R609", COFFEE)}),
    ("a row that goes out of the store", _sql("UPDATE file SET path = '../outside.md' WHERE path LIKE '%coffee%'"), {("R611", "../outside.md")}),
    ("an entry taken out of the full text", _sql("INSERT INTO words (words, rowid, description, labels, body, parts) SELECT 'delete', id, description, labels, body, parts FROM memo_words WHERE id IN (SELECT id FROM memo WHERE memo_id = 'bbbbbbb1')"), {("R604", NOTE)}),
    ("an entry with other words in the full text", _sql("INSERT INTO words (words, rowid, description, labels, body, parts) SELECT 'delete', id, description, labels, body, parts FROM memo_words WHERE id IN (SELECT id FROM memo WHERE memo_id = 'bbbbbbb1')", "INSERT INTO words (rowid, description, labels, body, parts) SELECT id, 'garage', '', '', '' FROM memo WHERE memo_id = 'bbbbbbb1'"), {("R604", NOTE)}),
    ("an entry without a row", _sql("INSERT INTO words (rowid, description, labels, body, parts) VALUES (77, 'ghost', '', '', '')"), {("R604", "")}),
    ("content changed, size and times put back", lambda b: _again(b, NOTE, "Boil water", "Cool water"), {("R607", NOTE)}),
]  # fmt: skip


def _overwrite(path: str) -> None:
    with open(path, "w", encoding="utf-8") as file:
        file.write("hello\n" * 1000)


def _zero(bench: Bench) -> None:
    size = os.path.getsize(bench.cache_file)
    with open(bench.cache_file, "r+b") as file:
        file.seek(8192)
        file.write(bytes(min(8192, size - 8192)))


OUTCOME = {"R600", "R605", "R606"}
"""What may be said beside of a file that was changed behind the index."""


def _judge(bench: Bench, wanted: set[tuple[str, str]]) -> None:
    found = {(f.code, f.path) for f in bench.check()}
    assert wanted <= found
    paths = {path for _, path in wanted}
    beside = {(code, path) for code, path in found - wanted if code not in OUTCOME and path not in paths}
    follow = {"R901", "R613", "R612", "R504"}  # what follows of itself: counters and probes of a damaged index, links whose target is gone
    assert {pair for pair in beside if pair[0] not in follow} == set()


@pytest.mark.parametrize(("damage", "wanted"), [case[1:] for case in FILES], ids=[case[0] for case in FILES])
def test_a_damage_to_files_is_found_and_named(bench: Bench, damage: Callable[[Bench], None], wanted: set[tuple[str, str]]) -> None:
    bench.index()
    assert bench.codes() == set()
    damage(bench)
    _judge(bench, wanted)
    assert {(f.code, f.path) for f in bench.check(files_only=True)} >= wanted


@pytest.mark.parametrize(("damage", "wanted"), [case[1:] for case in CACHE], ids=[case[0] for case in CACHE])
def test_a_damage_to_the_index_is_found_and_named_and_repaired(
    bench: Bench, damage: Callable[[Bench], None], wanted: set[tuple[str, str]]
) -> None:
    bench.index()
    files = {path: bench.read(path) for path in (FACTS, NOTE, COFFEE)}
    damage(bench)
    _judge(bench, wanted)
    changed = [path for path in files if bench.read(path) != files[path]]
    files = {path: bench.read(path) for path in files}
    bench.index()
    assert bench.codes() - {("R600", "info")} == set()
    assert {path: bench.read(path) for path in files} == files and len(changed) <= 1


def test_there_are_more_than_fifty() -> None:
    assert len(FILES) + len(CACHE) > 50


def test_the_times_that_are_put_back_are_really_put_back(bench: Bench) -> None:
    bench.index()
    before = os.stat(bench.file(NOTE)).st_mtime_ns
    time.sleep(0.01)
    _again(bench, NOTE, "Boil water", "Cool water")
    assert os.stat(bench.file(NOTE)).st_mtime_ns == before
    shutil.rmtree(bench.cache)
