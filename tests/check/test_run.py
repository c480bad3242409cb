"""The check as a whole: the cache's codes, the second look, odd stores that are clean, and what could not be looked at."""

from __future__ import annotations

import fcntl
import os
import shutil
import socket
import tempfile
import threading
import time
from types import SimpleNamespace

import pytest
from bench import COMMENT, NOTE, Bench

from remember.check import processes, run, tree
from remember.check.content import is_placeholder
from remember.index.handshake import STATE, hearing, socket_path
from remember.model import StoreRef
from remember.store.read import Reader


def test_a_settled_store_is_clean(bench):
    bench.index()
    assert bench.codes() == set()
    assert bench.codes(quick=True) == set()


def test_no_index_is_information(bench):
    assert bench.codes() == {("R601", "info")}


@pytest.mark.parametrize(
    ("damage", "expected"),
    [
        ("UPDATE memo SET description = 'x' WHERE memo_id = 'bbbbbbb1'", {"R608", "R604", "R613"}),
        ("DELETE FROM memo WHERE memo_id = 'bbbbbbb1'", {"R605", "R604", "R612"}),
        ("UPDATE file SET sha256 = x'00' WHERE id = 1", {"R607"}),
        ("UPDATE meta SET value = 9 WHERE key = 'racy'", {"R612"}),
    ],
)
def test_damage_of_the_index_is_found_and_files_only_leaves_it_out(bench, damage, expected):
    bench.index()
    bench.sql(damage)
    codes = {code for code, _ in bench.codes()}
    assert codes <= expected
    assert codes & expected
    assert bench.codes(files_only=True) == set()


def test_a_page_overwritten_in_the_middle(bench):
    for n in range(300):
        bench.note(f"notes/2025-10-09-n{n}.md", f"Note number {n}", f"{n:08x}", "words " * 50 + "\n")
    bench.index()
    with open(bench.cache_file, "r+b") as file:
        file.seek(os.path.getsize(bench.cache_file) // 2 // 4096 * 4096)
        file.write(b"\x55" * 4096)
    found = bench.check()
    assert "error" in {f.severity for f in found}
    assert {f.code[:2] for f in found} == {"R6"}


def test_quick_believes_size_and_times(bench):
    bench.append("MEMORY.md", COMMENT.format("aaaaaaa3"))
    bench.index()
    assert bench.codes(quick=True) == set()
    assert bench.codes() == {("R204", "warning")}
    bench.append("MEMORY.md", COMMENT.format("aaaaaaa4"))
    assert ("R204", "warning") in bench.codes(quick=True)


def test_what_is_gone_at_the_second_look_was_a_save_in_progress(bench, monkeypatch):
    whole = bench.read(NOTE)
    bench.write(NOTE, whole[:40])
    assert ("R302", "error") in bench.codes(files_only=True)
    monkeypatch.setattr(run.time, "sleep", lambda _: bench.write(NOTE, whole))
    assert bench.codes(files_only=True) == set()


def test_a_writer_at_work_is_no_finding(bench):
    bench.index()
    stop = threading.Event()

    def write():
        n = 0
        while not stop.is_set():
            n += 1
            bench.note(f"notes/.busy-{n}", f"Busy {n}", "ccccccc1", "x " * (n % 900) + "\n")
            os.replace(bench.file(f"notes/.busy-{n}"), bench.file("notes/2025-10-09-busy.md"))

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for _ in range(5):
            assert {severity for _, severity in bench.codes()} <= {"info"}
    finally:
        stop.set()
        writer.join()


def test_unreadable_is_unknown_and_drops_no_rows():
    if os.geteuid():
        pytest.skip("needs another user to read as")
    folder = tempfile.mkdtemp()
    try:
        bench = Bench(folder)
        bench.index()
        os.chmod(bench.file(NOTE), 0)
        os.chmod(folder, 0o755)
        for place, folders, files in os.walk(folder):
            for name in (*folders, *files):
                os.chown(os.path.join(place, name), 65534, 65534)
        bench.codes()  # loads every module while that is allowed
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                os.setgid(65534)
                os.setuid(65534)
                os.write(writer, repr(sorted(bench.codes())).encode())
            finally:
                os._exit(0)
        os.close(writer)
        os.waitpid(child, 0)
        # The change of owner is a change that the index has not seen.
        assert os.read(reader, 65536) == repr([("R408", "unknown"), ("R600", "info")]).encode()
        os.close(reader)
    finally:
        shutil.rmtree(folder)


def test_a_watcher_that_holds_its_lock_must_answer(monkeypatch, request):
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    monkeypatch.setattr(processes, "_PATIENCE_S", 0.1)
    folder = tempfile.mkdtemp()
    request.addfinalizer(lambda: shutil.rmtree(folder))
    bench = Bench(folder)
    bench.index()
    socket_file = socket_path(bench.cache_file)
    if socket_file is None:
        pytest.skip("the path of this run is too long for a socket")
    with open(socket_file.removesuffix(".sock") + ".watch", "w") as lock:
        assert bench.codes() == set()
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert bench.codes() == {("R802", "warning")}
        with socket.socket(socket.AF_UNIX) as door:
            door.bind(socket_file)
            door.listen()

            def answer(said, times):
                for _ in range(times):
                    with door.accept()[0] as talk:
                        assert talk.recv(1024) == STATE
                        talk.send(said)

            reasons = ["notes/a cannot be watched: limit", "notes/b cannot be watched: limit"]
            for said, times in ((b"DIRTY\n", 1), (hearing([]), 1), (hearing(reasons), 2), (hearing(reasons[:1]), 2)):
                answering = threading.Thread(target=answer, args=(said, times))
                answering.start()
                found = bench.check()
                answering.join()
                assert [f.code for f in found] == ["R802"] * (times - 1)
                assert all("notes/a cannot be watched" in f.message for f in found)
                assert [("and 1 more" in f.message) for f in found] == [said == hearing(reasons)] * (times - 1)


# --- clean but odd


def crlf(bench):
    for path in ("MEMORY.md", NOTE):
        bench.write(path, bench.read(path).replace(b"\n", b"\r\n"))


def bom(bench):
    for path in ("MEMORY.md", NOTE):
        bench.write(path, b"\xef\xbb\xbf" + bench.read(path))


def clone(bench):
    for place, folders, files in os.walk(bench.path):
        for name in folders:
            os.chmod(os.path.join(place, name), 0o755)
        for name in files:
            os.chmod(os.path.join(place, name), 0o644)
    os.chmod(bench.path, 0o755)


def decomposed(bench):
    bench.note("notes/2025-10-09-cafe\u0301.md", "Cafe\u0301", "ccccccc1", "[[cafe\u0301]]\n")


def many_facts(bench):
    bench.write("MEMORY.md", "".join(COMMENT.format(f"{n:08x}") + f"Fact number {n}.\n" for n in range(5000)))
    bench.write(NOTE, bench.read(NOTE).replace(b"aaaaaaa1", b"00000001"))


def prose(bench):
    bench.write(
        "MEMORY.md",
        "---\ntitle: Memory\n---\n# Heading\n\nSome prose that goes on\nover two lines.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n"
        "```\n<!-- 2025-10-09T08:53:20Z [aaaaaaa3] -->\n```\n\n- by hand\n- another\n\n" + COMMENT.format("aaaaaaa1") + "A fact.\n",
    )


def no_newline(bench):
    for path in ("MEMORY.md", NOTE):
        bench.write(path, bench.read(path).rstrip())


def spaced(bench):
    bench.write("MEMORY.md", bench.read("MEMORY.md").replace(b"-->\n", b"-->\n\n"))


def foreign(bench):
    bench.write("daily/2026-01-01.md", "# Day\n\n<!-- comment -->\ntext\n")
    bench.write("SCRATCHPAD.md", "- [ ] todo\n")
    bench.write(".git/config", "[core]\n")
    bench.write(".gitignore", "recovery/\n")
    bench.write("picture.png", b"\x89PNG\0")


def languages(bench):
    words = "\u8fc1\u79fb\u811a\u672c \u0e20\u0e32\u0e29\u0e32\n"
    bench.note("notes/2025-10-09-\u90e8\u7f72.md", "\u90e8\u7f72\u9700\u8981", "ccccccc1", words)
    bench.append("MEMORY.md", COMMENT.format("aaaaaaa3") + "\u043a\u0438\u0440\u0438\u043b\u043b\u0438\u0446\u0430\n")


def headings(bench):
    bench.append("MEMORY.md", COMMENT.format("aaaaaaa3") + "# of retries is 5\n" + COMMENT.format("aaaaaaa4") + "```\n")
    bench.note("notes/2025-10-09-rule.md", "A rule", "ccccccc1", "a\n\n---\n\nb\n\n=======\n\nHeading\n=======\n<<<<<<< is git's mark\n")


def quoting(bench):
    head = "---\ndescription: plain text here\nmemory-id: 'a1b2c3d4'\n# a comment\n\ncreated-date: '2025-10-09T08:53:20.000Z'\n"
    bench.write("notes/2025-10-09-plain.md", head + "last-modified-date: '2025-10-09T10:53:20+02:00'\n---\nbody\n")


ODD = [crlf, bom, clone, decomposed, many_facts, prose, no_newline, spaced, foreign, languages, headings, quoting]


@pytest.mark.parametrize("odd", ODD, ids=lambda odd: odd.__name__)
def test_clean_but_odd_stores_give_nothing_that_is_false(bench, odd):
    odd(bench)
    bench.index()
    assert [f for f in bench.check() if f.severity != "info"] == []


def test_a_vault_is_clean(tmp_path):
    path = tmp_path / "vault"
    for name, text in {
        "Home.md": "---\ntags: [a, b]\naliases:\n  - Start\ncreated: 2026-01-01\n---\nSee [[Project/Plan]] and [[Daily]].\n",
        "Project/Plan.md": "no header\n",
        "Daily/2026-01-01.md": "---\nbroken: [\n---\ntext [[Home|home]]\n",
        "Empty.md": "",
        ".obsidian/app.json": "{}",
        "Toml.md": "+++\ntitle = 'x'\n+++\nbody\n",
        "Twice.md": "---\na: 1\na: 2\n---\n---\nx: y\n---\n",
    }.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_text(text)
    bench = Bench.__new__(Bench)
    bench.path, bench.cache = str(path), str(tmp_path / "cache")
    bench.ref = StoreRef("v", "v", str(path), "vault")
    bench.index()
    assert [f for f in bench.check() if f.severity != "info"] == []


def test_ten_thousand_facts_are_checked_in_seconds(bench):
    bench.write("MEMORY.md", "".join(COMMENT.format(f"{n:08x}") + f"Fact number {n}.\n" for n in range(10_000)))
    bench.write(NOTE, bench.read(NOTE).replace(b"aaaaaaa1", b"00000001"))
    bench.index()
    began = time.monotonic()
    assert bench.codes() == set()
    assert time.monotonic() - began < 20


@pytest.mark.parametrize("ways", [{}, {"files_only": True}])
def test_a_placeholder_is_told_and_not_fetched(bench, monkeypatch, ways):
    """Linux has no such files, so the mark of the system is put on one."""
    bench.index()
    inode = os.stat(bench.file(NOTE)).st_ino
    read_small, read = Reader.read_small, Reader.read
    taken = []

    def small(self, path, size):
        taken.append(path)
        return read_small(self, path, size)

    def whole(self, path):
        taken.append(path)
        return read(self, path)

    monkeypatch.setattr(run, "TELLS_PLACEHOLDERS", True)
    monkeypatch.setattr(run, "is_placeholder", lambda found: found.st_ino == inode)
    monkeypatch.setattr(Reader, "read_small", small)
    monkeypatch.setattr(Reader, "read", whole)
    assert {(f.code, f.severity, f.path) for f in bench.check(**ways)} == {("R313", "unknown", NOTE)}
    assert NOTE not in taken and "MEMORY.md" in taken


def test_what_a_stat_says_of_a_placeholder():
    assert is_placeholder(SimpleNamespace(st_flags=0x40000000)) and is_placeholder(SimpleNamespace(st_file_attributes=0x00400000))
    assert is_placeholder(SimpleNamespace(st_flags=0, st_file_attributes=0x1000))
    assert not is_placeholder(SimpleNamespace(st_flags=0x20, st_file_attributes=0x20)) and not is_placeholder(os.stat("/"))


@pytest.mark.parametrize(
    ("header", "line", "reason"),
    [
        ("---\nup: down\ntags: [a\n---\n", 4, "no YAML"),
        ("---\na: 1\nb: x\na: 2\n---\n", 4, "the field a stands twice"),
        ("---\n- just\n- a: list\n---\n", 0, ""),
        ("---\na:\n  b: 1\nc:\n  b: 2\n---\n", 0, ""),
        ("+++\na = \n+++\n", 2, "no TOML"),
        ("+++\na = 1\n+++\n", 0, ""),
        ("---\nnever closed\n", 0, ""),
        ("\ufeff---\r\na: {\r\n---\r\n", 3, "no YAML"),
    ],
)
def test_a_header_that_other_readers_refuse_is_information_in_a_vault(tmp_path, header, line, reason):
    vault = Bench(str(tmp_path), layout="vault")
    vault.write("Page.md", header + "text\n")
    found = [f for f in vault.check(files_only=True) if f.code == "R302"]
    assert [(f.severity, f.path, f.line) for f in found] == ([("info", "Page.md", line)] if reason else [])
    assert all(reason in f.message for f in found)


LISTINGS = [(FileNotFoundError(2, "gone"), set()), (PermissionError(13, "Permission denied"), {("R408", "unknown")})]


@pytest.mark.parametrize(("error", "code"), LISTINGS)
def test_a_folder_that_vanishes_or_cannot_be_listed(bench, monkeypatch, error, code):
    """Root may list every folder, so the refusal is the scan's own; what was known of the folder is not said to be gone."""
    bench.index()
    scandir = os.scandir

    def refused(path):
        if path == bench.file("notes/"):
            raise error
        return scandir(path)

    monkeypatch.setattr(tree.os, "scandir", refused)
    found = {(f.code, f.severity) for f in bench.check(files_only=True) if f.code[:2] != "R5"}
    assert found == code


@pytest.mark.parametrize("error", [FileNotFoundError(2, "gone"), PermissionError(13, "Permission denied")])
def test_a_store_that_cannot_be_listed_is_not_judged(bench, monkeypatch, error):
    def refused(path):
        raise error

    monkeypatch.setattr(tree.os, "scandir", refused)
    assert bench.codes(files_only=True) == {("R408", "unknown")}
