"""Every damage that can be done to an index behind its back is named rightly; an index left alone is never accused."""

from __future__ import annotations

import os
import sqlite3

import pytest

from remember.format import notes
from remember.index import database
from remember.index.audit import open_audit
from remember.index.catalogue import open_index, rebuild
from remember.index.database import cache_path
from remember.layouts import layout_named
from remember.layouts.layout import FILE_LIMIT
from remember.model import StoreRef
from remember.store.create import create_store
from remember.store.read import read_file
from remember.store.scan import scan

FACT = "<!-- 2025-10-09T08:53:20Z [{}] -->\n{}\n"
TEA, COFFEE = "notes/2025-10-09-tea.md", "notes/2025-10-09-coffee.md"
ID = "(SELECT id FROM memo WHERE memo_id = '{}')"
TEA_ID, COFFEE_ID = ID.format("bbbbbbb1"), ID.format("bbbbbbb2")


class Cache:
    """A store with a settled index to be damaged."""

    def __init__(self, folder):
        self.path, self.cache = os.path.join(folder, "store"), os.path.join(folder, "cache")
        create_store(self.path)
        os.mkdir(os.path.join(self.path, "notes"))
        self.ref = StoreRef("local", "local", self.path, "remember")
        self.write("MEMORY.md", FACT.format("aaaaaaa1", "The kettle is blue.") + FACT.format("aaaaaaa2", "The cup is white."))
        self.write(TEA, notes.render("How to make tea", "bbbbbbb1", 1_760_000_000_000, "Boil water for #tea. See [[aaaaaaa1]]. 部署需要\n"))
        self.write(COFFEE, notes.render("How to make coffee", "bbbbbbb2", 1_760_000_000_000, "Grind beans with camelCase.\n"))
        self.build()

    def build(self):
        rebuild(self.ref, self.cache)
        self.sql("UPDATE file SET racy = 0", "UPDATE meta SET value = 0 WHERE key = 'racy'")

    @property
    def file(self):
        return cache_path(self.cache, self.path)

    def write(self, path, text):
        with open(os.path.join(self.path, path), "w", encoding="utf-8") as file:
            file.write(text)

    def sql(self, *statements):
        connection = sqlite3.connect(self.file, isolation_level=None)
        for statement in statements:
            connection.execute(statement)
        connection.close()

    def audit(self):
        audit, problems = open_audit(self.ref, self.cache)
        if audit is None:
            return problems
        layout = layout_named("remember")
        for path, _ in scan(self.path, layout.rules).files():
            read = read_file(self.path, path, layout.rules, FILE_LIMIT)
            audit.compare(path, read.signature, read.data, layout.parse(path, read.data, read.signature[1] // 1_000_000))
        problems = audit.finish()
        audit.close()
        return problems

    def named(self):
        return {(p.code, p.path, p.line) for p in self.audit()}


@pytest.fixture
def cache(tmp_path):
    return Cache(str(tmp_path))


def flip(column, value, memo="bbbbbbb1"):
    return f"UPDATE memo SET {column} = {value} WHERE memo_id = '{memo}'"


def words_delete(memo):
    return (
        "INSERT INTO words (words, rowid, description, labels, body, parts)"
        f" SELECT 'delete', id, description, labels, body, parts FROM memo_words WHERE id = {memo}"
    )


NEW = "INSERT INTO memo SELECT {id}, {file}, kind, {memo}, {line}, {rest} FROM memo WHERE memo_id = '{of}'"
REST = (
    "description, body, body_line, created_ms, modified_ms, tags, tag_keys, links, names, broken, labels,"
    " description_cut, labels_cut, body_cut, parts, checksum"
)
FILL = "INSERT INTO words (rowid, description, labels, body, parts)"
INTO_WORDS = f"{FILL} SELECT id, description, labels, body, parts FROM memo_words WHERE id = 99"
INVENTED = REST.replace("body,", "'Invented.',", 1)

CASES = {
    "edited": ([flip("body", "'Boil milk.'", "bbbbbbb2")], {("R608", COFFEE, 1), ("R604", COFFEE, 1)}),
    "another description": ([flip("description", "'How to make cake'")], {("R608", TEA, 1), ("R604", TEA, 1)}),
    "re-dated": ([flip("modified_ms", 1)], {("R608", TEA, 1)}),
    "created at another time": ([flip("created_ms", 1, "aaaaaaa1")], {("R608", "MEMORY.md", 2)}),
    "another ID": ([flip("memo_id", "'cccccccc'")], {("R608", TEA, 1)}),
    "another line": ([flip("line", 77, "aaaaaaa2")], {("R608", "MEMORY.md", 4)}),
    "other tags": ([flip("tags", "'other'")], {("R608", TEA, 1)}),
    "other links": ([flip("links", "NULL")], {("R608", TEA, 1)}),
    "a flipped checksum": ([flip("checksum", 7)], {("R608", TEA, 1)}),
    "other words": ([flip("body_cut", "'Boil'")], {("R609", TEA, 1), ("R604", TEA, 1)}),
    "other parts": ([flip("parts", "'x'", "bbbbbbb2")], {("R609", COFFEE, 1), ("R604", COFFEE, 1)}),
    "deleted": (
        [words_delete(TEA_ID), "DELETE FROM memo WHERE memo_id = 'bbbbbbb1'"],
        {("R605", TEA, 1)},
    ),
    "deleted behind the full-text index": (
        ["DELETE FROM memo WHERE memo_id = 'bbbbbbb1'"],
        {("R605", TEA, 1), ("R604", "", 0), ("R612", "", 0)},
    ),
    "file row deleted": (
        [words_delete(TEA_ID), "DELETE FROM memo WHERE memo_id = 'bbbbbbb1'", f"DELETE FROM file WHERE path = '{TEA}'"],
        {("R605", TEA, 0)},
    ),
    "a file invented": (
        ["INSERT INTO file SELECT 99, 'notes/2025-10-09-none.md', 1, 1, 1, 1, 0, sha256, 0 FROM file WHERE id = 1"],
        {("R606", "notes/2025-10-09-none.md", 0)},
    ),
    "a memo invented": (
        [NEW.format(id=99, file="file", memo="'dddddddd'", line=50, rest=INVENTED, of="aaaaaaa1"), INTO_WORDS],
        {("R606", "MEMORY.md", 50)},
    ),
    "a memo twice": (
        [NEW.format(id=99, file="file", memo="memo_id", line="line", rest=REST, of="aaaaaaa1"), INTO_WORDS],
        {("R610", "MEMORY.md", 2)},
    ),
    "a memo of no file": (
        [NEW.format(id=99, file=999, memo="memo_id", line="line", rest=REST, of="aaaaaaa1"), INTO_WORDS],
        {("R603", "", 0)},
    ),
    "outside": (
        ["INSERT INTO file SELECT 99, '../secret.md', 1, 1, 1, 1, 0, sha256, 0 FROM file WHERE id = 1"],
        {("R611", "../secret.md", 0)},
    ),
    "hidden": (
        ["INSERT INTO file SELECT 99, 'recovery/x.md', 1, 1, 1, 1, 0, sha256, 0 FROM file WHERE id = 1"],
        {("R611", "recovery/x.md", 0)},
    ),
    "other times recorded": ([f"UPDATE file SET mtime_ns = 5 WHERE path = '{TEA}'"], {("R608", TEA, 0)}),
    "another digest": ([f"UPDATE file SET sha256 = x'00' WHERE path = '{TEA}'"], {("R607", TEA, 0)}),
    "racy miscounted": (["UPDATE meta SET value = 5 WHERE key = 'racy'"], {("R612", "", 0)}),
    "an entry lost": ([words_delete(TEA_ID)], {("R604", TEA, 1), ("R612", "", 0)}),
    "an entry invented": (
        [f"{FILL} VALUES (500, 'ghost', '', '', '')"],
        {("R604", "", 0), ("R612", "", 0)},
    ),
    "an entry's words replaced": (
        [
            words_delete(TEA_ID),
            f"{FILL} SELECT id, 'other', labels, body, parts FROM memo_words WHERE id = {TEA_ID}",
        ],
        {("R604", TEA, 1)},
    ),
    "emptied": (
        ["INSERT INTO words (words) VALUES ('delete-all')"],
        {("R604", TEA, 1), ("R604", COFFEE, 1), ("R613", TEA, 1), ("R612", "", 0)},
    ),
    "totals forged": (["UPDATE words_data SET block = x'0401010101' WHERE id = 1"], {("R612", "", 0)}),
}


@pytest.mark.parametrize("name", CASES)
def test_each_damage_is_named(cache, name):
    assert cache.audit() == []
    damage, expected = CASES[name]
    cache.sql(*damage)
    found = cache.named()
    assert expected <= found
    # What cannot be found by its words (R613) follows from a damaged full-text index.
    follows = {"R613"} if "R604" in {code for code, _, _ in expected} else set()
    assert {code for code, _, _ in found} - follows == {code for code, _, _ in expected} - follows


def test_swapped_contents_accuse_both(cache):
    for column in ("body", "body_cut", "description", "labels", "labels_cut", "tags", "tag_keys", "links", "parts"):
        cache.sql(
            f"UPDATE memo SET {column} = (SELECT o.{column} FROM memo o WHERE o.kind = 'note' AND o.id != memo.id) WHERE kind = 'note'"
            if column != "body"
            else "UPDATE memo SET body = CASE memo_id WHEN 'bbbbbbb1' THEN 'Grind beans.' ELSE 'Boil water.' END WHERE kind = 'note'"
        )
    found = cache.named()
    assert {("R608", TEA, 1), ("R608", COFFEE, 1)} <= found


def test_content_changed_behind_equal_size_and_times(cache):
    path = os.path.join(cache.path, TEA)
    with open(path, "r+b") as file:
        text = file.read()
        file.seek(text.index(b"Boil"))
        file.write(b"Cook")
    found = os.stat(path)
    cache.sql(f"UPDATE file SET mtime_ns = {found.st_mtime_ns}, ctime_ns = {found.st_ctime_ns} WHERE path = '{TEA}'")
    assert cache.named() == {("R607", TEA, 0)}


def test_an_edit_since_the_last_refresh_is_no_damage(cache):
    cache.write(TEA, notes.render("How to make tea", "bbbbbbb1", 1_760_000_000_000, "Other.\n"))
    cache.write("notes/2025-10-09-new.md", "new\n")
    os.unlink(os.path.join(cache.path, COFFEE))
    assert {p.code for p in cache.audit()} == {"R600"}
    open_index(cache.ref, cache.cache).close()
    assert {p.code for p in cache.audit()} == set()


@pytest.mark.parametrize("how", ["absent", "text", "cut", "zeroed", "foreign", "schema", "store"])
def test_a_cache_that_cannot_be_asked(cache, how):
    size = os.path.getsize(cache.file)
    with open(cache.file, "r+b") as file:
        if how == "text":
            file.truncate(0)
            file.write(b"no database at all\n" * 100)
        elif how == "cut":
            file.truncate(size // 2 // 4096 * 4096)
        elif how == "zeroed":
            file.seek(size // 2 // 4096 * 4096)
            file.write(bytes(4096))
    if how == "absent":
        os.unlink(cache.file)
    elif how == "foreign":
        cache.sql("PRAGMA application_id = 1")
    elif how == "schema":
        cache.sql("PRAGMA user_version = 99")
    elif how == "store":
        cache.sql("UPDATE meta SET value = x'2f78' WHERE key = 'store'")
    expected = {"store": {"R602"}, "cut": {"R601", "R603"}, "zeroed": {"R603"}}.get(how, {"R601"})
    found = cache.audit()
    assert found
    assert {p.code for p in found} <= expected
    assert [p.severity for p in found] == (["info"] if how == "absent" else [""] * len(found))


def test_an_index_of_the_database_that_belongs_to_another_column(cache):
    other = "SELECT rootpage FROM sqlite_schema WHERE name = 'memo_memo_id'"
    connection = sqlite3.connect(cache.file, isolation_level=None)
    connection.execute("PRAGMA writable_schema = ON")
    connection.execute(f"UPDATE sqlite_schema SET rootpage = ({other}) WHERE name = 'memo_file'")
    connection.close()
    assert {(p.code, p.path) for p in cache.audit()} == {("R603", "")}


def test_a_path_that_stands_there_twice_in_two_forms(cache):
    cache.sql(
        "INSERT INTO file SELECT 99, CAST(path AS BLOB), ino, mtime_ns, ctime_ns, size, racy, sha256, unreadable"
        f" FROM file WHERE path = '{TEA}'"
    )
    assert ("R610", TEA, 0) in cache.named()


def test_what_the_index_itself_doubts_is_no_damage(cache):
    cache.sql(f"UPDATE file SET racy = 1, sha256 = x'00' WHERE path = '{TEA}'", "UPDATE meta SET value = 1 WHERE key = 'racy'")
    assert {p.code for p in cache.audit()} == {"R600"}
    cache.sql(f"UPDATE file SET unreadable = 1 WHERE path = '{TEA}'")
    assert {p.code for p in cache.audit()} == {"R600"}


def test_a_file_that_became_a_folder_is_not_said_to_be_gone(cache):
    os.unlink(os.path.join(cache.path, COFFEE))
    os.mkdir(os.path.join(cache.path, COFFEE))
    assert not {p.code for p in cache.audit()} & {"R605", "R606"}


def test_an_index_that_somebody_holds_cannot_be_asked(cache, monkeypatch):
    monkeypatch.setattr(database, "_BUSY_S", 0.05)
    holder = sqlite3.connect(cache.file, isolation_level=None)
    holder.execute("PRAGMA locking_mode = EXCLUSIVE")
    holder.execute("BEGIN IMMEDIATE")
    holder.execute("UPDATE meta SET value = value WHERE key = 'racy'")
    try:
        assert [(p.code, p.severity) for p in cache.audit()] == [("R601", "unknown")]
    finally:
        holder.close()


BODIES = {
    "one word": "alpha " * 1000,
    "a sentence": "lorem ipsum dolor sit amet " * 30_000,
    "one long word": "x" * 20_000,
    "long words": " ".join("y" * size for size in (1000, 3000, 9000)),
    "a word at the limit": "a" + " b" * 2047 + "c" * 40,
    "unspaced": "部署需要" * 2000,
    "nothing but marks": "… " * 4000,
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_no_body_is_accused_of_not_being_found(cache, body):
    cache.write(TEA, notes.render("How to make tea", "bbbbbbb1", 1_760_000_000_000, body + "\n"))
    cache.write("MEMORY.md", f"# Prose\n\n{body}\n\n" + FACT.format("aaaaaaa1", "The kettle is blue."))
    cache.build()
    assert cache.audit() == []


def test_the_audit_changes_nothing_and_works_read_only(cache):
    with open(cache.file, "rb") as file:
        before = file.read()
    os.chmod(cache.file, 0o400)
    assert cache.audit() == []
    with open(cache.file, "rb") as file:
        assert file.read() == before


def test_a_linked_cache_is_refused(cache):
    os.link(cache.file, cache.file + ".second")
    (found,) = cache.audit()
    assert (found.code, found.severity, found.fix) == ("R601", "", "U")  # what is not ours to replace is not repaired
    assert "remove it" in found.message
