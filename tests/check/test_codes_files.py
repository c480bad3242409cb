"""Each code about stores, facts, notes and names has a damage that turns it red; the store without it stays green."""

from __future__ import annotations

import json
import os
import socket
import time
from hashlib import sha256

import pytest
from bench import COMMENT, NOTE, NOW_MS, Bench

MARKER = "pi-remember.json"
BROKEN = "---\ndescription: \"x\"\nmemory-id: \"cccccccc\"\nthis is no field\n---\nbody\n"


def put(path, data, mode=0o600):
    return lambda b: b.write(path, data, mode)


def add(text):
    return lambda b: b.append("MEMORY.md", text)


def edit(old, new, path=NOTE):
    return lambda b: b.edit(path, old, new)


def fact(memo_id, text):
    return COMMENT.format(memo_id) + text + "\n"


def note_with(lines, body="body\n"):
    fields = {
        "description": '"x y"',
        "memory-id": '"cccccccc"',
        "created-date": '"2025-10-09T08:53:20.000Z"',
        "last-modified-date": '"2025-10-09T08:53:20.000Z"',
    }
    fields.update(lines)
    head = "".join(f"{key}: {value}\n" for key, value in fields.items() if value is not None)
    return put("notes/2025-10-09-new.md", f"---\n{head}---\n{body}")


def backup(document, data=b"old"):
    def damage(b):
        b.write("migrations/v0-to-v1-x/files/MEMORY.md", data)
        b.write("migrations/v0-to-v1-x/manifest.json", json.dumps(document))

    return damage


def removed_marker(b):
    os.unlink(b.file("pi-remember.json"))


def interrupted(b):
    removed_marker(b)
    b.write("migrations/v0-to-v1-x/manifest.json", "{}")


def aged(path, data="left over"):
    def damage(b):
        b.write(path, data)
        os.utime(b.file(path), (1_760_000_000, 1_760_000_000))

    return damage


def cut_write(b):
    from remember.store.journal import Journal
    from remember.store.records import Content, FileItem, Record, record_id

    whole = b.read(NOTE)
    name = record_id(NOW_MS, 1, False)
    with Journal(b.path, b.file("recovery")) as journal:
        journal.save(Record(name, "update", NOW_MS, "", "done", (FileItem(NOTE, None, Content(whole)),)))
    b.write(NOTE, whole[:60])


def fifo(b):
    os.mkfifo(b.file("notes/pipe.md"))


def link(target):
    return lambda b: os.symlink(target, b.file("notes/link.md"))


CASES = [
    ("R101", "error", lambda b: os.unlink(b.file("MEMORY.md"))),
    ("R102", "warning", removed_marker),
    ("R103", "error", put("pi-remember.json", "{")),
    ("R102", "warning", put("pi-remember.json", '{"version": 0}')),
    ("R103", "error", put("pi-remember.json", '{"version": -1}')),
    ("R103", "error", put("pi-remember.json", "[" * 100_000)),
    ("R103", "error", lambda b: [os.rename(b.file(MARKER), b.file("m.json")), os.symlink("m.json", b.file(MARKER))]),
    ("R103", "error", lambda b: [os.unlink(b.file(MARKER)), os.mkdir(b.file(MARKER))]),
    ("R104", "error", put("pi-remember.json", '{"version": 2}')),
    ("R105", "error", interrupted),
    ("R106", "error", backup({"files": [{"path": "MEMORY.md", "sha256": "0" * 64}]})),
    ("R107", "info", lambda b: os.chmod(b.file("MEMORY.md"), 0o644)),
    ("R201", "error", lambda b: b.write("MEMORY.md", b.read("MEMORY.md") + b"\xff\n")),
    ("R201", "error", add("a\0b\n")),
    ("R201", "error", put("MEMORY.md", "one fact".encode("utf-16"))),
    ("R202", "info", add("\r\n")),
    ("R202", "info", put("MEMORY.md", "\ufeff" + fact("aaaaaaa1", "x"))),
    ("R202", "info", put("MEMORY.md", fact("aaaaaaa1", "x").rstrip())),
    ("R203", "error", add("<<<<<<< ours\n" + fact("aaaaaaa3", "x") + "=======\n" + fact("aaaaaaa4", "y") + ">>>>>>> theirs\n")),
    ("R203", "info", add("\n```\n<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n```\n")),
    ("R204", "warning", add(COMMENT.format("aaaaaaa3"))),
    ("R204", "info", add(COMMENT.format("aaaaaaa3") + "\n\nx\n")),
    ("R205", "info", add("\n- by hand\n")),
    ("R206", "warning", add("<!-- 2025-10-09T08:53:20Z [ZZZ] -->\nx\n")),
    ("R206", "warning", add("<!-- 2025-13-09T08:53:20Z [aaaaaaa3] -->\nx\n")),
    ("R206", "info", add("\n<!-- 2026-02-15 14:30:00 [session8] -->\n")),
    ("R207", "warning", add(fact("aaaaaaa3", "x" * 301))),
    ("R207", "warning", add(fact("aaaaaaa3", "a\x1b[31mb"))),
    ("R208", "error", add(fact("aaaaaaa1", "The kettle is blue."))),
    ("R208", "error", add(fact("aaaaaaa1", "The kettle is red."))),
    ("R209", "info", add(fact("aaaaaaa3", "The kettle is blue."))),
    ("R210", "warning", add(fact("bbbbbbb1", f"#note [[{NOTE}]] How to make tea"))),
    ("R211", "warning", add("<!-- 2999-10-09T08:53:20Z [aaaaaaa3] -->\nx\n")),
    ("R211", "warning", add("<!-- 2025-10-09T08:53:20 [aaaaaaa3] -->\nx\n")),
    ("R212", "error", add(COMMENT.format("aaaaaaa3") + COMMENT.format("aaaaaaa4") + "x\ny\n")),
    ("R301", "warning", put("notes/2025-10-09-bare.md", "# Just text\n")),
    ("R302", "error", put("notes/2025-10-09-new.md", BROKEN)),
    ("R302", "error", put("notes/2025-10-09-new.md", '---\ndescription: "x"\n')),
    ("R302", "error", put("notes/2025-10-09-new.md", '---\ndescription: "' + "x" * 17000 + '"\n---\nb\n')),
    ("R303", "error", lambda b: b.write(NOTE, b.read(NOTE)[:-30].split(b"Boil")[0] + b.read(NOTE))),
    ("R304", "error", note_with({"created-date": None})),
    ("R304", "error", note_with({"description": '""'})),
    ("R305", "warning", note_with({"memory-id": "00000012"})),
    ("R305", "warning", note_with({"created-date": "2025-10-09T08:53:20.000Z"})),
    ("R306", "error", edit('memory-id: "bbbbbbb1"', 'memory-id: "bbbbbbb1"\nmemory-id: "bbbbbbb3"')),
    ("R307", "warning", note_with({"type": '"user"'})),
    ("R308", "error", note_with({"memory-id": '"XYZ"'})),
    ("R309", "warning", note_with({"last-modified-date": '"2024-10-09T08:53:20.000Z"'})),
    ("R309", "warning", note_with({"last-modified-date": '"2999-10-09T08:53:20.000Z"'})),
    ("R309", "warning", note_with({"created-date": '"2025-10-09"'})),
    ("R311", "info", edit("Boil", "```\n<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n```\nBoil")),
    ("R311", "error", edit("Boil", "```\n<<<<<<< ours\n```\na\n=======\nb\n>>>>>>> theirs\nBoil")),
    ("R311", "error", edit("Boil", "```\nx\n```\n<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\nBoil")),
    ("R311", "error", note_with({}, "<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n")),
    ("R312", "error", lambda b: b.write(NOTE, b.read(NOTE) + b"\xff")),
    ("R312", "error", edit("Boil", "Bo\0il")),
    ("R312", "info", lambda b: b.write(NOTE, b.read(NOTE).replace(b"\n", b"\r\n"))),
    ("R312", "info", lambda b: b.write(NOTE, b"\xef\xbb\xbf" + b.read(NOTE))),
    ("R313", "warning", put("notes/2025-10-09-empty.md", "")),
    ("R313", "unknown", put("notes/.2025-10-09-far.md.icloud", "bplist00")),
    ("R314", "error", cut_write),
    ("R315", "warning", lambda b: b.write(NOTE, b"\n" + b.read(NOTE))),
    ("R317", "info", lambda b: b.write(NOTE, b.read(NOTE) + b"word " * 250_000)),
    ("R318", "unknown", put("notes/2025-10-09-lfs.md", "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n")),
    ("R318", "unknown", put("notes/2025-10-09-crypt.md", b"\0GITCRYPT\0\x01\x02")),
    ("R318", "unknown", link("../.git/annex/objects/aa/bb/SHA256E-s1--00.md/SHA256E-s1--00.md")),
    ("R401", "info", lambda b: os.rename(b.file(NOTE), b.file("notes/tea.md"))),
    ("R401", "info", lambda b: os.rename(b.file(NOTE), b.file("notes/2024-01-01-tea.md"))),
    ("R402", "warning", put("notes/2025-10-09-TEA.md", "x")),
    ("R403", "warning", lambda b: [b.write(f"notes/2025-10-09-{name}.md", "x") for name in ("caf\u00e9", "cafe\u0301")]),
    ("R404", "warning", put("notes/2025-10-09-why?.md", "x")),
    ("R404", "warning", put("notes/con.md", "x")),
    ("R404", "warning", put("notes/" + "x" * 248 + ".md", "x")),
    ("R404", "warning", put("notes/dot./2025-10-09-x.md", "x")),
    ("R404", "warning", put("notes/aux/2025-10-09-x.md", "x")),
    ("R404", "warning", put("notes/a:b/2025-10-09-x.md", "x")),
    ("R404", "warning", lambda b: os.mkdir(b.file("notes/Con"))),
    ("R405", "warning", put("notes/2025-10-09-tea.sync-conflict-20261018-161033-ABCDEFG.md", "x")),
    ("R405", "warning", put("notes/2025-10-09-tea (1).md", "x")),
    ("R405", "warning", put("notes/2025-10-09-tea (Ann's conflicted copy 2026-10-18).md", "x")),
    ("R406", "info", put("notes/.#2025-10-09-tea.md", "x")),
    ("R406", "info", put("notes/2025-10-09-tea.md~", "x")),
    ("R406", "info", put("notes/.2025-10-09-tea.md.swp", "x")),
    ("R406", "info", aged("notes/.remember-1-abcdef.tmp")),
    ("R406", "info", aged("recovery/.remember-1-abcdef.tmp")),
    ("R405", "warning", lambda b: b.write("notes/2025-10-09-tea 2.md", b.read(NOTE) + b"more\n")),
    ("R406", "info", lambda b: os.symlink("me@host.1234", b.file("notes/.#2025-10-09-tea.md"))),
    ("R407", "warning", link("/etc/hostname")),
    ("R407", "warning", lambda b: os.symlink("notes", b.file("more"))),
    ("R407", "warning", link("2025-10-09-tea.md")),
    ("R407", "warning", link("nothing")),
    ("R407", "warning", link("link.md")),
    ("R408", "warning", fifo),
    ("R409", "info", put("SCRATCHPAD.md", "text\n")),
    ("R801", "warning", aged(".pi-remember-migration.lock")),
    ("R801", "warning", aged(".remember-lock")),
    ("R803", "warning", lambda b: os.utime(b.file(NOTE), (NOW_MS // 1000 + 9999,) * 2)),
    ("R902", "info", add(fact("aaaaaaa3", "!!! ???"))),
]


@pytest.mark.parametrize(("code", "severity", "damage"), CASES, ids=[f"{c[0]}-{n}" for n, c in enumerate(CASES)])
def test_each_damage_is_found_and_nothing_before_it(bench, code, severity, damage):
    assert bench.codes(files_only=True) == set()
    damage(bench)
    assert (code, severity) in bench.codes(files_only=True)


def test_a_whole_backup_set_is_no_finding(bench):
    backup({"files": [{"path": "MEMORY.md", "sha256": sha256(b"old").hexdigest()}]})(bench)
    assert bench.codes(files_only=True) == set()


@pytest.mark.parametrize("name", ["Chapter 2.md", "Plan (draft).md", "a conflict of interest.md", "LICENSE"])
def test_names_that_people_give_are_no_conflict_copies(bench, name):
    bench.write("Chapter.md", "one\n")
    bench.write(name, "two\n")
    os.symlink("/etc/hostname", bench.file("COPYING"))
    assert {code for code, _ in bench.codes(files_only=True)} <= {"R409"}


def test_a_legacy_store_is_one_finding(bench):
    removed_marker(bench)
    bench.append("MEMORY.md", fact("aaaaaaa3", "#note [[notes/old.md]] Old"))
    bench.write("notes/old.md", "<!-- 2025-10-09T08:53:20Z [aaaaaaa3] -->\n# Old\n\ntext\n")
    assert bench.codes(files_only=True) == {("R102", "warning")}


def test_an_empty_store_without_a_marker_is_clean(tmp_path):
    os.mkdir(tmp_path / "new", 0o700)
    empty = Bench(str(tmp_path))
    empty.ref = empty.ref._replace(path=str(tmp_path / "new"))
    assert empty.codes(files_only=True) == set()


def test_a_link_that_leaves_the_workspace(bench, tmp_path):
    os.mkdir(tmp_path / "work")
    os.symlink(bench.path, tmp_path / "work" / "memory")
    bench.append("MEMORY.md", "\r\n")
    for trusted, more in ((True, {("R202", "info")}), (False, set())):  # what is not trusted is not read
        bench.ref = bench.ref._replace(path=str(tmp_path / "work" / "memory"), root=str(tmp_path / "work"), trusted=trusted)
        assert bench.codes(files_only=True) == {("R101", "error")} | more


def test_a_missing_file_of_a_store_that_is_one(tmp_path):
    one = Bench(str(tmp_path), layout="bullets")
    one.write("list.md", "- a\n")
    one.ref = one.ref._replace(file="list.md")
    assert one.codes(files_only=True) == set()
    os.unlink(one.file("list.md"))
    assert one.codes(files_only=True) == {("R101", "error")}


def test_a_future_store_is_not_guessed_at(bench):
    bench.write("pi-remember.json", '{"version": 2}')
    bench.write(NOTE, "something new")
    assert bench.codes() == {("R104", "error")}


def test_a_missing_store_and_a_file_in_its_place(bench):
    bench.ref = bench.ref._replace(path=bench.path + "-gone")
    assert bench.codes() == {("R101", "error")}
    bench.ref = bench.ref._replace(path=bench.file("MEMORY.md"))
    assert bench.codes() == {("R101", "error")}


def test_a_store_that_is_a_link_out_of_its_workspace(bench, tmp_path):
    root = tmp_path / "root"
    root.mkdir()
    (root / "memory").symlink_to(bench.path)
    bench.ref = bench.ref._replace(path=str(root / "memory"), root=str(root), trusted=False)
    assert bench.codes() == {("R101", "error")}


def test_an_untrusted_store_is_said_to_be_so(bench):
    bench.ref = bench.ref._replace(root=os.path.dirname(bench.path), trusted=False)
    assert bench.codes(files_only=True) == {("R903", "info")}


def test_secrets_are_looked_for_only_on_request(bench):
    bench.append("MEMORY.md", fact("aaaaaaa3", "the key is AKIAABCDEFGHIJKLMNOP"))
    assert bench.codes(files_only=True) == set()
    found = [f for f in bench.check(files_only=True, secrets=True) if f.code == "R316"]
    assert [(f.path, f.line) for f in found] == [("MEMORY.md", 6)]
    assert "AKIA" not in found[0].message


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_what_cannot_be_read_is_unknown_and_not_gone(bench):
    bench.index()
    os.chmod(bench.file("notes"), 0)
    try:
        assert bench.codes() == {("R408", "unknown")}
    finally:
        os.chmod(bench.file("notes"), 0o700)


def test_a_socket_is_not_opened(bench):
    with socket.socket(socket.AF_UNIX) as endpoint:
        here = os.getcwd()
        os.chdir(bench.file("notes"))
        try:
            endpoint.bind("s.md")
        finally:
            os.chdir(here)
        began = time.monotonic()
        assert ("R408", "warning") in bench.codes(files_only=True)
        assert time.monotonic() - began < 5


def test_a_young_temporary_file_is_somebodys_work(bench):
    bench.write("notes/.remember-1-abcdef.tmp", "x")
    assert bench.codes(files_only=True, now_ms=time.time_ns() // 1_000_000) == set()


def test_severities_are_the_users_to_change(bench):
    bench.append("MEMORY.md", COMMENT.format("aaaaaaa3"))
    assert bench.codes(files_only=True, severities={"R204": "error"}) == {("R204", "error")}
    assert bench.codes(files_only=True, severities={"R204": "off"}) == set()


def test_entries_of_a_backup_that_lead_elsewhere_are_not_followed(bench, tmp_path):
    (tmp_path / "outside.md").write_text("x")
    places = ["../../../outside.md", "/etc/hostname", 7]
    backup({"files": [{"path": place, "sha256": "0" * 64} for place in places]})(bench)
    assert bench.codes(files_only=True) == set()
    backup({"files": [{"path": "gone.md", "sha256": "0" * 64}]})(bench)
    (found,) = bench.check(files_only=True)
    assert (found.code, found.message) == ("R106", "the backup is missing")
