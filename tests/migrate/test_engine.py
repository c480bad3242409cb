"""Migration of real stores: backups, order, locks, refusals, rollback; each by its sentence of the specification (section 11)."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import legacy
import pytest

from remember.errors import ChangedOutside, Conflict, DamagedStore, FormatError, FutureFormat, Locked, NotFound, UnsafePath
from remember.migrate import backup, engine
from remember.migrate.exclusive import LOCK_NAME
from remember.migrate.rollback import roll_back
from remember.store.journal import Journal
from remember.store.lock import locked

MARKER = b'{"version": 1}\n'


def as_bytes(files):
    return {path: text.encode("utf-8", "surrogateescape") for path, text in files.items()}


def back(store, name):
    return roll_back(store, name, 1_780_000_000_000, lambda count: 5)


def test_a_legacy_store_becomes_one_of_version_1(tmp_path):
    store = legacy.make(tmp_path, legacy.BASIC)
    done = legacy.run(store)
    assert done.changed
    assert legacy.read(store, "MEMORY.md") == "# Memory\n\n" + legacy.FACT + "\nprose that is nobody's\n"
    assert legacy.read(store, "notes/2026-01-02-env.md") == legacy.header() + "body one\n\n# The author's heading\n"
    assert legacy.read(store, "pi-remember.json").encode() == MARKER
    assert legacy.read(store, "daily/2026-01-02.md") == legacy.BASIC["daily/2026-01-02.md"]
    assert legacy.run(store) == engine.Migrated(store, False, 1)


def test_paths_modes_and_times_of_notes_are_kept(tmp_path):
    store = legacy.make(tmp_path, legacy.BASIC)
    before = {path: mode for path, (_, mode) in legacy.tree(store).items()}
    legacy.run(store)
    after = {path: mode for path, (_, mode) in legacy.tree(store).items()}
    assert after.pop("pi-remember.json") == 0o600
    assert after == before
    assert os.stat(os.path.join(store, "notes/2026-01-02-env.md")).st_mtime_ns == legacy.MTIME_NS


@pytest.mark.parametrize("marker", [None, '{"version": 0}\n'])
def test_no_marker_on_a_store_with_content_or_version_0_is_legacy(tmp_path, marker):
    assert legacy.run(legacy.make(tmp_path, {"MEMORY.md": "x\n"}, marker)).changed


@pytest.mark.parametrize("files", [{}, {"MEMORY.md": ""}, {"notes/.hidden.md": "x"}])
def test_a_store_without_content_is_no_legacy_store(tmp_path, files):
    store = legacy.make(tmp_path, files)
    before = legacy.tree(store, True)
    assert not legacy.run(store).changed
    assert legacy.tree(store, True) == before


@pytest.mark.parametrize(("marker", "error"), [('{"version": 2}', FutureFormat), ('{"version": "1"}', FormatError), ("x", FormatError)])
def test_a_future_or_invalid_version_is_refused_never_guessed(tmp_path, marker, error):
    store = legacy.make(tmp_path, legacy.BASIC, marker)
    before = legacy.tree(store, True)
    with pytest.raises(error):
        legacy.run(store)
    assert legacy.tree(store, True) == before


@pytest.mark.parametrize("name", legacy.CONVERTED)
def test_a_store_of_before_becomes_the_one_of_after_byte_for_byte(tmp_path, name):
    store = legacy.make(tmp_path, legacy.files(name))
    legacy.run(store)
    assert {path: data for path, (data, _) in legacy.tree(store).items()} == as_bytes(legacy.files(name, "after"))


@pytest.mark.parametrize("name", legacy.REFUSED)
def test_refusal_means_that_nothing_not_even_the_backup_directory_was_made(tmp_path, name):
    store = legacy.make(tmp_path, legacy.files(name))
    before = legacy.tree(store, True)
    with pytest.raises((FormatError, FutureFormat)) as caught:
        legacy.run(store)
    assert [text for text in legacy.REFUSED[name] if text not in caught.value.message] == []
    assert legacy.REFUSED[name]
    assert legacy.tree(store, True) == before
    assert not os.path.lexists(os.path.join(store, "migrations"))


@pytest.mark.parametrize("path", ["MEMORY.md", "notes/l.md", "notes/sub", "recovery/l.json"])
def test_symlinks_among_the_inputs_stop_it(tmp_path, path):
    files = {name: text for name, text in legacy.BASIC.items() if name != path}
    store = legacy.make(tmp_path / "store", files)
    os.makedirs(tmp_path / "elsewhere")
    os.symlink(tmp_path / "elsewhere" if path.endswith("sub") else __file__, os.path.join(store, path))
    before = legacy.tree(store, True)
    with pytest.raises(FormatError, match=path):
        legacy.run(store)
    assert legacy.tree(store, True) == before


def test_a_store_behind_a_link_is_not_migrated(tmp_path):
    store = legacy.make(tmp_path / "store", legacy.BASIC)
    os.symlink(store, tmp_path / "link")
    with pytest.raises(UnsafePath):
        engine.migrate(str(tmp_path / "link"), 0, lambda count: 5)


def test_dry_run_prints_the_plan_and_changes_nothing(tmp_path):
    store = legacy.make(tmp_path, legacy.BASIC)
    before = legacy.tree(store, True)
    done = legacy.run(store, dry_run=True)
    assert legacy.tree(store, True) == before
    assert [(row.path, row.action) for row in done.planned] == [
        (f"recovery/{legacy.RECORD}.json", "convert"),
        ("notes/2026-01-02-env.md", "convert"),
        ("notes/deep/er/loose.md", "convert"),
        ("MEMORY.md", "convert"),
        (f"recovery/{legacy.FOREIGN}", "keep"),
        ("pi-remember.json", "mark"),
    ]


def test_backups_are_read_only_and_byte_for_byte_with_a_manifest(tmp_path):
    store = legacy.make(tmp_path, {**legacy.BASIC, "notes/\udcff.md": b"\xff\x00 bytes\n"}, '{"version": 0}\n')
    before = legacy.tree(store)
    (name,) = legacy.run(store).backups
    top = os.path.join(store, "migrations", name)
    manifest = json.loads(legacy.read(top, "manifest.json"))
    saved = {entry["path"]: entry for entry in manifest["files"]}
    changed = {path for path, (data, _) in legacy.tree(store).items() if before.get(path, (None,))[0] != data}
    assert set(saved) == changed | {f"recovery/{legacy.FOREIGN}"}
    for path, entry in saved.items():
        copy = os.path.join(top, entry["backup"])
        with open(copy, "rb") as file:
            data = file.read()
        assert data == before[path][0]
        assert os.stat(copy).st_mode & 0o777 == 0o400
        assert (entry["sha256"], entry["size"]) == (hashlib.sha256(data).hexdigest(), len(data))
        assert (entry["mode"], entry["mtime_ns"], entry["mtime"]) == ("0640", legacy.MTIME_NS, legacy.MODIFIED)
    assert "created: mtime" in saved["notes/deep/er/loose.md"]["rules"]
    assert "mtime" in manifest["inference"]["modified"]
    assert name.startswith("v0-to-v1-")
    assert len(name) == 9 + 36
    assert os.stat(os.path.join(top, "manifest.json")).st_mode & 0o222 == 0


def test_the_records_that_were_converted_can_be_read_and_foreign_ones_are_as_they_were(tmp_path):
    store = legacy.make(tmp_path, legacy.BASIC)
    legacy.run(store)
    with Journal(store, os.path.join(store, "recovery")) as journal:
        listing = journal.listing()
    assert ([record.id for record in listing.records], listing.foreign, listing.unreadable) == ([legacy.RECORD], (legacy.FOREIGN,), ())
    assert legacy.read(store, f"recovery/{legacy.FOREIGN}") == legacy.BASIC[f"recovery/{legacy.FOREIGN}"]


def test_a_forgotten_note_whose_file_was_left_is_removed_and_backed_up(tmp_path):
    record = legacy.record(legacy.span(legacy.REFERENCE))
    files = {"MEMORY.md": "", "notes/2026-01-02-env.md": legacy.NOTE, f"recovery/{legacy.RECORD}.json": record}
    store = legacy.make(tmp_path, files)
    (name,) = legacy.run(store).backups
    assert not os.path.lexists(os.path.join(store, "notes/2026-01-02-env.md"))
    assert legacy.read(store, f"migrations/{name}/files/notes/2026-01-02-env.md") == legacy.NOTE


def test_after_the_backups_sources_are_compared_once_more(tmp_path, monkeypatch):
    store = legacy.make(tmp_path, legacy.BASIC)
    real = backup.write

    def write_and_disturb(*args):
        real(*args)
        with open(os.path.join(store, "notes/2026-01-02-env.md"), "a", encoding="utf-8") as file:
            file.write("saved meanwhile\n")

    monkeypatch.setattr(backup, "write", write_and_disturb)
    with pytest.raises(ChangedOutside, match=r"notes/2026-01-02-env\.md"):
        legacy.run(store)
    monkeypatch.undo()
    assert legacy.read(store, "MEMORY.md") == legacy.BASIC["MEMORY.md"]
    assert legacy.read(store, "notes/2026-01-02-env.md") == legacy.NOTE + "saved meanwhile\n"
    assert not os.path.lexists(os.path.join(store, "pi-remember.json"))
    assert not os.path.lexists(os.path.join(store, LOCK_NAME))
    legacy.run(store)
    assert legacy.read(store, "notes/2026-01-02-env.md").endswith("saved meanwhile\n")


def test_a_lock_whose_holder_lives_is_refused_with_instructions(tmp_path):
    store = legacy.make(tmp_path, legacy.BASIC)
    before = legacy.tree(store)
    with open(os.path.join(store, LOCK_NAME), "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        with pytest.raises(Locked, match="another program is migrating") as caught:
            legacy.run(store)
    assert "repeat the command" in caught.value.hint
    os.unlink(os.path.join(store, LOCK_NAME))
    assert legacy.tree(store) == before
    assert not os.path.lexists(os.path.join(store, "migrations"))


def test_a_lock_whose_holder_is_dead_is_taken_over_with_a_notice(tmp_path):
    store = legacy.make(tmp_path, {**legacy.BASIC, LOCK_NAME: ""})
    done = legacy.run(store)
    assert done.changed
    assert "taken over" in done.notices[0]
    assert not os.path.lexists(os.path.join(store, LOCK_NAME))


def test_a_left_over_lock_is_no_obstacle_once_the_marker_is_current(tmp_path):
    store = legacy.make(tmp_path, {**legacy.BASIC, LOCK_NAME: ""}, MARKER.decode())
    done = legacy.run(store)
    assert not done.changed
    assert LOCK_NAME in done.notices[0]


def test_two_migrators_at_once_do_it_once(tmp_path):
    code = "import sys; sys.path[:0] = [sys.argv[2], sys.argv[3]]; import legacy; print(legacy.run(sys.argv[1]).changed)"
    here = os.path.dirname(os.path.abspath(__file__))
    calm = legacy.make(tmp_path / "calm", legacy.BASIC)
    legacy.run(calm)
    for number in range(4):
        store = legacy.make(tmp_path / str(number), legacy.BASIC)
        line = [sys.executable, "-c", code, store, here, os.path.dirname(os.path.dirname(here))]
        both = [subprocess.Popen(line, stdout=subprocess.PIPE, text=True) for _ in range(2)]
        said = sorted(process.communicate(timeout=50)[0].strip() for process in both)
        assert said == ["False", "True"]
        assert legacy.tree(store) == legacy.tree(calm)
        assert len(os.listdir(os.path.join(store, "migrations"))) == 1


def test_calls_of_one_process_share_one_run(tmp_path):
    store = legacy.make(tmp_path, legacy.BASIC)
    start = threading.Barrier(8)

    def call(number):
        start.wait()
        return legacy.run(store).changed

    with ThreadPoolExecutor(8) as pool:
        said = sorted(pool.map(call, range(8)))
    assert said == [False] * 7 + [True]
    assert len(os.listdir(os.path.join(store, "migrations"))) == 1
    assert {path: data for path, (data, _) in legacy.tree(store).items()} == as_bytes(legacy.files("basic", "after"))


def test_a_writer_who_is_at_work_is_waited_for_and_then_refused(tmp_path):
    store = legacy.make(tmp_path, legacy.BASIC)
    before = legacy.tree(store)
    with locked(store, 1.0), pytest.raises(Locked):
        legacy.run(store, timeout_s=0.1)
    assert legacy.tree(store) == before


def test_a_thousand_legacy_notes(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)  # how fast the disk is says nothing about us
    files = {f"notes/2026-01-02-n{n}.md": legacy.NOTE.replace("body one", f"body {n}") for n in range(1000)}
    refs = [f"<!-- {legacy.STAMP} [{n:08x}] -->\n#note [[notes/2026-01-02-n{n}.md]] Python env\n" for n in range(1000)]
    store = legacy.make(tmp_path, {**files, "MEMORY.md": "".join(refs)})
    began = time.monotonic()
    legacy.run(store)
    assert time.monotonic() - began < 15
    assert legacy.read(store, "MEMORY.md") == ""
    assert legacy.read(store, "notes/2026-01-02-n7.md") == legacy.header(memo_id="00000007") + "body 7\n\n# The author's heading\n"


def test_rollback_brings_back_bytes_modes_and_times_and_can_be_repeated(tmp_path):
    record = legacy.record(legacy.span(legacy.REFERENCE.replace("2026-01-02-env", "gone")))
    store = legacy.make(tmp_path, {**legacy.BASIC, "notes/gone.md": "gone\n", f"recovery/{legacy.RECORD}.json": record})
    before = legacy.tree(store)
    (name,) = legacy.run(store).backups
    assert "notes/gone.md" not in legacy.tree(store)
    written = back(store, name)
    assert written[0] == "pi-remember.json"
    assert legacy.tree(store) == before
    assert os.stat(os.path.join(store, "MEMORY.md")).st_mtime_ns == legacy.MTIME_NS
    assert back(store, name) == ()
    assert legacy.run(store).changed


def test_rollback_refuses_where_anything_changed_since_naming_it(tmp_path):
    store = legacy.make(tmp_path, legacy.BASIC)
    (name,) = legacy.run(store).backups
    with open(os.path.join(store, "MEMORY.md"), "a", encoding="utf-8") as file:
        file.write("new\n")
    before = legacy.tree(store)
    with pytest.raises(Conflict, match=r"MEMORY\.md"):
        back(store, name)
    assert legacy.tree(store) == before
    with pytest.raises(NotFound):
        back(store, "v0-to-v1-none")


def test_rollback_refuses_a_damaged_backup(tmp_path):
    store = legacy.make(tmp_path, legacy.BASIC)
    (name,) = legacy.run(store).backups
    copy = os.path.join(store, "migrations", name, "files", "MEMORY.md")
    os.chmod(copy, 0o600)
    with open(copy, "a", encoding="utf-8") as file:
        file.write("x")
    with pytest.raises(DamagedStore):
        back(store, name)


def test_a_step_may_use_nothing_but_files_model_and_errors():
    import ast

    top = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    for name in os.listdir(os.path.join(top, "migrations")):
        if name.endswith(".py"):
            nodes = ast.walk(ast.parse(legacy.read(top, f"migrations/{name}")))
            used = {node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.level == 0}
            ours = {module for module in used if module and module.startswith("remember")}
            assert {module for module in ours if module.split(".")[1] not in ("files", "model", "errors")} == set()


def test_the_version_is_the_markers_where_there_is_one(tmp_path):
    from remember.migrate.engine import store_version

    assert store_version(str(tmp_path), 7) == 7
    assert store_version(str(tmp_path), None) == 1
    (tmp_path / "MEMORY.md").write_text("a fact\n")
    assert store_version(str(tmp_path), None) == 0
