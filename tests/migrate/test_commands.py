"""Which commands migrate on their own, which never do, and what `remember migrate` says (specification, section 11)."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import legacy
import pytest

from remember.errors import FutureFormat
from remember.memory import open_memory

CHANGES = [
    ["add", "a new fact"],
    ["note", "a new note", "--body", "x"],
    ["update", "aaaa0002", "--content", "other"],
    ["forget", "aaaa0002"],
    ["move", "aaaa0001", "--slug", "other"],
]


@pytest.fixture
def old(remember):
    """`remember` in a workspace whose store is a legacy one."""
    legacy.make(remember.store, legacy.BASIC)
    return remember


def is_legacy(console):
    return not (console.store / "pi-remember.json").exists() and not (console.store / "migrations").exists()


@pytest.mark.parametrize("line", [["list"], ["show", "aaaa0001"], ["search", "body"]], ids=" ".join)
def test_list_show_and_search_of_a_person_migrate_an_existing_store_first(old, line):
    done = old.raw(*line)
    assert done.returncode == 0
    assert b"migrated to format version 1" in done.stderr
    assert not is_legacy(old)
    assert b"migrated" not in old.raw(*line).stderr


@pytest.mark.parametrize("line", CHANGES, ids=lambda line: line[0])
def test_every_change_migrates_first(old, line):
    old(*line)
    assert not is_legacy(old)
    assert "#note [[notes/" not in (old.store / "MEMORY.md").read_text()


def test_the_global_store_is_migrated_too(remember):
    legacy.make(remember.home / ".pi/agent/memory", legacy.BASIC)
    remember("list")
    assert (remember.home / ".pi/agent/memory/pi-remember.json").exists()


@pytest.mark.parametrize("line", [["status"], ["check"], ["config"], ["history"], ["index", "status"], ["tags"]], ids=" ".join)
def test_status_check_config_and_history_never_migrate_and_say_that_it_is_legacy(old, line):
    before = legacy.tree(old.store, True)
    done = old.raw(*line)
    assert legacy.tree(old.store, True) == before
    if line[0] in ("status", "check", "history"):
        assert (done.stdout + done.stderr).count(b"legacy") == 1


def test_hooks_and_contexts_never_migrate_and_show_what_is_there(old):
    old("trust", "add", str(old.work))
    before = legacy.tree(old.store, True)
    shown = old.raw("context")
    assert b"keep it short" in shown.stdout
    assert shown.stderr.count(b"legacy format") == 1
    hooked = old.raw("hook", "session-start", "--client", "claude", stdin=json.dumps({"cwd": str(old.work), "source": "startup"}).encode())
    assert b"keep it short" in hooked.stdout
    assert legacy.tree(old.store, True) == before


def test_a_scope_that_cannot_be_read_is_left_out_of_a_session_and_named(old):
    old("trust", "add", str(old.work))
    old("add", "--scope", "global", "the other scope")
    (old.store / "pi-remember.json").write_text('{"version": "x"}\n')
    before = legacy.tree(old.store, True)
    done = old.raw("context")
    assert done.returncode == 0
    assert b"the other scope" in done.stdout
    assert b"keep it short" not in done.stdout
    assert b"pi-remember.json" in done.stderr
    assert legacy.tree(old.store, True) == before


def test_the_version_is_looked_at_anew_at_each_call_of_a_long_lived_memory(old):
    memory = open_memory(str(old.work), environ=old.environ, cwd=str(old.work))
    assert "legacy" in "".join(memory.search("body").warnings)
    old("migrate")
    assert "legacy" not in "".join(memory.search("body").warnings)
    (old.store / "pi-remember.json").write_text('{"version": 2}\n')
    for call in (memory.list, lambda: memory.search("body"), lambda: memory.add("x")):
        with pytest.raises(FutureFormat):
            call()
    (old.store / "pi-remember.json").write_text('{"version": 1}\n')
    assert [memo.id for memo in memory.search("short").hits] == ["aaaa0002"]


def test_undo_migrates_the_store_whose_records_it_needs_first(remember):
    legacy.make(remember.store, legacy.files("record-of-a-note-update"))
    remember("undo")
    assert not is_legacy(remember)
    note = (remember.store / "notes/2026-01-02-env.md").read_text()
    assert note == legacy.header() + "body zero\n\n# The author's heading\n"


def test_init_and_a_first_write_say_the_version_of_a_new_store(remember):
    remember("init")
    remember("add", "--scope", "global", "first")
    for store in (remember.store, remember.home / ".pi/agent/memory"):
        assert (store / "pi-remember.json").read_bytes() == b'{"version": 1}\n'
        assert not (store / "migrations").exists()


def test_a_missing_store_is_not_made_by_migrating(remember):
    remember("migrate", expect=2)
    assert not remember.store.exists()


def test_a_registered_store_is_read_as_it_is(remember, tmp_path):
    store = legacy.make(tmp_path / "other", legacy.BASIC)
    remember("store", "add", "other", store, "--layout", "remember")
    before = legacy.tree(store, True)
    done = remember.raw("search", "body", "--store", "other")
    assert done.returncode == 0
    assert done.stderr.count(b"legacy format") == 1
    assert legacy.tree(store, True) == before


def test_a_read_only_store_is_read_as_it_is(old):
    if os.geteuid() == 0:
        pytest.skip("root may write everything")
    os.chmod(old.store, 0o500)
    try:
        done = old.raw("search", "body")
        assert done.returncode == 0
        assert done.stderr.count(b"legacy format") == 1
        assert is_legacy(old)
    finally:
        os.chmod(old.store, 0o700)


def test_a_store_that_cannot_be_converted_is_read_as_it_is_and_not_changed(remember):
    legacy.make(remember.store, legacy.files("refused-one-id-for-two-notes"))
    before = legacy.tree(remember.store, True)
    done = remember.raw("search", "body")
    assert done.returncode == 0
    assert b"stays so" in done.stderr
    assert b"aaaa0003" in done.stderr
    assert remember.error("add", "x", expect=4)["code"] == "format"
    assert legacy.tree(remember.store, True) == before


def test_a_program_migrates_only_with_its_first_change(old):
    memory = open_memory(str(old.work), environ=old.environ, cwd=str(old.work))
    assert "legacy" in "".join(memory.search("body").warnings)
    assert is_legacy(old)
    memory.add("new")
    assert not is_legacy(old)


@pytest.mark.parametrize(("ways", "trusted", "moved"), [("trusted", False, False), ("trusted", True, True), ("never", True, False)])
def test_mcp_migrates_at_its_first_change_on_a_trusted_root_only(old, ways, trusted, moved):
    if trusted:
        old("trust", "add", str(old.work))
    memory = open_memory(str(old.work), scope="local", environ=old.environ, cwd=str(old.work))
    memory.around.migrates = ways
    memory.list()
    assert is_legacy(old)
    memory.add("new")
    assert is_legacy(old) is not moved


def test_migrate_says_what_it_does_and_goes_back(old):
    before = legacy.tree(old.store)
    plan = old.json("migrate", "--dry-run")
    assert [row["path"] for row in plan["stores"][0]["files"]][-1] == "pi-remember.json"
    assert is_legacy(old)
    assert "nothing was changed" in old("migrate", "--dry-run")
    (store,) = old.json("migrate")["stores"]
    assert store["changed"]
    assert old("migrate") == "local: up to date (format version 1)\n"
    backup = store["backups"][0]
    assert old.json("migrate", "--rollback", backup)["files"][0] == "pi-remember.json"
    assert legacy.tree(old.store) == before
    old("migrate", "--rollback", "nothing", expect=1)
    old("migrate", "--rollback", backup, "--dry-run", expect=2)


def test_a_forgotten_note_can_be_restored_after_the_migration(remember):
    record = legacy.record(legacy.span(legacy.REFERENCE, memo_id="aaaa0001"))
    files = {"MEMORY.md": legacy.FACT, "notes/2026-01-02-env.md": legacy.NOTE, f"recovery/{legacy.RECORD}.json": record}
    legacy.make(remember.store, files)
    assert "aaaa0001" not in remember("list")
    remember("restore", legacy.RECORD)
    assert (remember.store / "notes/2026-01-02-env.md").read_text() == legacy.header() + "body one\n\n# The author's heading\n"
    assert "aaaa0001" in remember("list")


def test_a_checked_store_has_no_complaint_about_its_migration(old):
    old("migrate")
    assert codes(old) & {"R102", "R105", "R106", "R210", "R801"} == set()


def codes(console):
    return {finding["code"] for finding in json.loads(console.raw("check", "--json").stdout)["findings"]}


def test_a_store_that_was_brought_back_is_legacy_and_no_interrupted_migration(old):
    (store,) = old.json("migrate")["stores"]
    old("migrate", "--rollback", store["backups"][0])
    assert codes(old) & {"R102", "R105", "R106", "R801"} == {"R102"}
    with open(old.store / "MEMORY.md", "a") as file:
        file.write("another fact, by the old program\n")
    assert codes(old) & {"R102", "R105"} == {"R102"}


def test_a_migration_and_a_rollback_that_stopped_half_way_are_interrupted(old):
    original = {path: old.store / path for path in legacy.BASIC}
    (store,) = old.json("migrate")["stores"]
    converted = {path: place.read_bytes() for path, place in original.items()}
    (old.store / "pi-remember.json").unlink()
    assert "R105" in codes(old)
    old.raw("migrate", "--rollback", store["backups"][0])
    assert "R105" not in codes(old)
    (old.store / "notes/2026-01-02-env.md").write_bytes(converted["notes/2026-01-02-env.md"])
    assert "R105" in codes(old)
    (old.store / "notes/2026-01-02-env.md").write_text(legacy.NOTE)
    (old.store / ".pi-remember-migration.lock").write_text("")
    assert "R105" in codes(old)


def test_a_lock_that_a_finished_migration_left_is_named(old):
    old("migrate")
    (old.store / ".pi-remember-migration.lock").write_text("")
    assert codes(old) & {"R105", "R801"} == {"R801"}


def test_an_up_to_date_store_loads_nothing_of_this(old):
    old("list")
    code = "import sys; from remember.cli import main; main(['list']); print([m for m in sys.modules if 'migrat' in m or '.ready' in m])"
    line = [sys.executable, "-c", code]
    done = subprocess.run(line, cwd=old.work, env=old.environ, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
