"""`remember mirror`: only what was named, never a secret, never over somebody else's edit."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from console import TREE, Console
from test_schema import fits

SECRET = "ghp_" + "a1B2" * 9


@pytest.fixture
def mirror(stocked: Console) -> Mirror:
    return Mirror(stocked)


class Mirror:
    """A workspace with a store of two facts and a note, and its public directory."""

    def __init__(self, console: Console) -> None:
        self.remember = console
        self.public = console.work / ".memory"
        memos = console.json("list")["memos"]
        self.note = next(memo for memo in memos if memo["kind"] == "note")
        self.fact = next(memo for memo in memos if memo["tags"] == ["lesson"])

    def __call__(self, verb: str, *args: str, expect: int = 0) -> Any:
        return fits("mirror", self.remember.json("mirror", verb, *args, expect=expect))

    def states(self, expect: int = 1) -> dict[str, str]:
        return {row["id"]: row["state"] for row in self("status", expect=expect)["memos"]}

    def files(self) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in self.public.iterdir()} if self.public.exists() else {}


def test_nothing_is_copied_that_was_not_named(mirror: Mirror) -> None:
    assert mirror("status")["memos"] == [] and mirror("sync")["written"] == []
    assert not mirror.public.exists() and not (mirror.remember.store / "mirror.json").exists()
    done = mirror("add", mirror.note["id"])
    name = Path(mirror.note["path"]).name
    assert done["written"] == [name]
    assert mirror.files() == {name: (mirror.remember.store / mirror.note["path"]).read_bytes()}
    assert os.stat(mirror.public).st_mode & 0o777 == 0o755 and os.stat(mirror.public / name).st_mode & 0o777 == 0o644
    mirror.remember("add", "something private")
    mirror.remember("note", "Private thoughts", "--body", "x")
    assert mirror("sync")["written"] == [] and list(mirror.files()) == [name]
    listed = json.loads((mirror.remember.store / "mirror.json").read_text())
    fits("mirror-list", listed)
    assert list(listed["memos"]) == [mirror.note["id"]]
    assert os.stat(mirror.remember.store / "mirror.json").st_mode & 0o777 == 0o600
    assert mirror.remember.json("check", "--severity", "warning")["findings"] == []


def test_a_fact_becomes_a_note_of_its_own(mirror: Mirror) -> None:
    mirror("add", mirror.fact["id"])
    text = mirror.files()[f"fact-{mirror.fact['id']}.md"].decode()
    assert text.endswith("---\n#lesson Restart the proxy after renewing certificates.\n") and mirror.fact["id"] in text
    mirror.remember("update", mirror.fact["id"], "--content", "Reload the proxy instead.")
    assert mirror.states() == {mirror.fact["id"]: "behind"}
    assert mirror("sync")["written"] == [f"fact-{mirror.fact['id']}.md"]
    assert mirror.states(0) == {mirror.fact["id"]: "same"}


def test_the_public_side_is_read_as_any_folder_of_notes(mirror: Mirror) -> None:
    mirror("add", mirror.note["id"], mirror.fact["id"])
    found = mirror.remember.json("list", "--store", str(mirror.public))["memos"]
    assert {memo["description"] for memo in found} == {"TV server configuration", mirror.fact["text"]}
    assert mirror.remember.json("search", "8096", "--store", "./.memory")["total"] == 1


def test_the_public_side_is_read_by_the_harness_layout(mirror: Mirror) -> None:
    mirror("add", mirror.note["id"], mirror.fact["id"])
    key = hashlib.sha256(os.fsencode(mirror.remember.work)).hexdigest()
    private = mirror.remember.home / ".pi" / "agent" / "memory" / key
    private.mkdir(parents=True)
    (private / "own.md").write_text("Only for the agent.\n")
    mirror.remember("store", "add", "shared", str(private), "--layout", "harness")
    found = {memo["path"] for memo in mirror.remember.json("list", "--store", "shared")["memos"]}
    assert found == {"own.md", *(f".memory/{name}" for name in mirror.files())}
    assert mirror.remember.json("check", "--store", "shared", "--severity", "warning")["findings"] == []


def test_a_secret_is_refused_by_type_and_line_only(mirror: Mirror) -> None:
    noted = mirror.remember.json("note", "Access", "--body", f"fine\n\nkey {SECRET}\n", "--allow-secret")
    for args in ((noted["id"],), (mirror.note["id"], noted["id"])):
        done = mirror.remember.raw("mirror", "add", *args, "--json")
        error = json.loads(done.stderr)["error"]
        assert done.returncode == 2 and error["code"] == "secret"
        assert "line 9 looks like a GitHub token" in error["message"] and SECRET[:8].encode() not in done.stderr + done.stdout
    assert not mirror.public.exists() and mirror("status")["memos"] == []


def test_a_secret_that_comes_later_is_not_copied(mirror: Mirror) -> None:
    mirror("add", mirror.note["id"])
    before = mirror.files()
    mirror.remember("update", mirror.note["id"], "--content", f"key {SECRET}", "--allow-secret")
    found = mirror("sync", expect=1)
    assert found["memos"][0]["state"] == "secret" and SECRET not in json.dumps(found)
    mirror("sync", "--overwrite", mirror.note["id"], expect=1)
    assert mirror.files() == before


def test_an_edit_outside_is_reported_and_not_overwritten(mirror: Mirror) -> None:
    mirror("add", mirror.note["id"], mirror.fact["id"])
    name = Path(mirror.note["path"]).name
    (mirror.public / name).write_text("a colleague's version\n")
    (mirror.public / f"fact-{mirror.fact['id']}.md").unlink()
    expected = {mirror.note["id"]: "edited", mirror.fact["id"]: "missing"}
    assert mirror.states() == expected
    for private_change in (False, True):
        if private_change:
            mirror.remember("update", mirror.note["id"], "--content", "ours")
            mirror.remember("update", mirror.fact["id"], "--content", "our fact")
        found = mirror("sync", expect=1)
        assert found["written"] == [] and len(found["warnings"]) == 2
        assert mirror.files() == {name: b"a colleague's version\n"} and mirror.states() == expected
    found = mirror("sync", "--overwrite", mirror.note["id"], expect=1)
    assert found["written"] == [name] and mirror.states() == {**expected, mirror.note["id"]: "same"}
    mirror("sync", "--overwrite", mirror.fact["id"])
    assert set(mirror.states(0).values()) == {"same"}


def test_an_edit_outside_that_agrees_is_no_difference(mirror: Mirror) -> None:
    mirror("add", mirror.note["id"])
    mirror.remember("update", mirror.note["id"], "--content", "agreed")
    name = Path(mirror.note["path"]).name
    (mirror.public / name).write_bytes((mirror.remember.store / mirror.note["path"]).read_bytes())
    assert mirror.states(0) == {mirror.note["id"]: "same"}
    mirror("sync")
    mirror.remember("update", mirror.note["id"], "--content", "and on")
    assert mirror("sync")["written"] == [name]


def test_what_is_forgotten_is_withdrawn_and_comes_back_with_undo(mirror: Mirror) -> None:
    mirror("add", mirror.note["id"])
    before = mirror.files()
    mirror.remember("forget", mirror.note["id"])
    assert mirror.states() == {mirror.note["id"]: "gone"}
    assert mirror("sync")["withdrawn"] == list(before) and mirror.files() == {}
    assert mirror("sync")["withdrawn"] == []
    mirror.remember("undo")
    mirror("sync")
    assert mirror.files() == before


def test_a_forgotten_memo_whose_copy_was_edited_stays_in_public(mirror: Mirror) -> None:
    mirror("add", mirror.note["id"])
    name = Path(mirror.note["path"]).name
    (mirror.public / name).write_text("theirs\n")
    mirror.remember("forget", mirror.note["id"])
    assert mirror("sync", expect=1)["memos"][0]["state"] == "edited"
    assert mirror.files() == {name: b"theirs\n"}
    mirror("remove", mirror.note["id"])
    assert mirror.files() == {name: b"theirs\n"} and mirror("status")["foreign"] == [name]


def test_removing_takes_the_copy_and_the_name_away(mirror: Mirror) -> None:
    mirror("add", mirror.note["id"], mirror.fact["id"])
    assert mirror("remove", mirror.note["id"][:5])["withdrawn"] == [Path(mirror.note["path"]).name]
    assert list(mirror.files()) == [f"fact-{mirror.fact['id']}.md"]
    assert mirror.remember.error("mirror", "remove", mirror.note["id"], expect=1)["code"] == "not_found"
    mirror("remove", mirror.fact["id"])
    assert mirror.files() == {} and json.loads((mirror.remember.store / "mirror.json").read_text())["memos"] == {}


def test_what_is_left_to_a_person_comes_with_the_next_step(mirror: Mirror) -> None:
    (name,) = mirror("add", mirror.note["id"])["written"]
    (mirror.public / name).write_text("mine\n")
    (warning,) = mirror("sync", expect=1)["warnings"]
    assert f"`mirror sync --overwrite {mirror.note['id']}`" in warning
    (warning,) = mirror("remove", mirror.note["id"])["warnings"]
    assert name in warning and "stays" in warning and (mirror.public / name).read_text() == "mine\n"
    (mirror.public / name).unlink()
    mirror("add", mirror.note["id"])
    (mirror.public / name).unlink()
    (warning,) = mirror("sync", expect=1)["warnings"]
    assert "removed outside" in warning and f"`mirror remove {mirror.note['id']}`" in warning
    assert mirror("sync", "--overwrite", mirror.note["id"])["written"] == [name]


def test_a_file_that_has_the_name_already_is_left_alone(mirror: Mirror) -> None:
    mirror.public.mkdir()
    name = Path(mirror.note["path"]).name
    (mirror.public / name).write_text("somebody's\n")
    [written] = mirror("add", mirror.note["id"])["written"]
    assert written == f"{name.removesuffix('.md')}-{mirror.note['id']}.md"
    assert mirror.files()[name] == b"somebody's\n" and mirror("status")["foreign"] == [name]


@pytest.mark.parametrize("what", ["link", "dangling", "fifo", "folder"])
def test_nothing_is_followed_in_public(mirror: Mirror, what: str) -> None:
    name = Path(mirror.note["path"]).name
    mirror("add", mirror.note["id"])
    (mirror.public / name).unlink()
    outside = mirror.remember.home / "outside.txt"
    outside.write_text("precious\n")
    make = {
        "link": lambda path: path.symlink_to(outside),
        "dangling": lambda path: path.symlink_to(mirror.remember.home / "nowhere"),
        "fifo": os.mkfifo,
        "folder": os.mkdir,
    }
    make[what](mirror.public / name)
    mirror.remember("update", mirror.note["id"], "--content", "new")
    assert mirror.states() == {mirror.note["id"]: "unreadable"}
    mirror("sync", expect=1)
    mirror("sync", "--overwrite", mirror.note["id"], expect=1)
    mirror("remove", mirror.note["id"])
    assert outside.read_text() == "precious\n" and not (mirror.remember.home / "nowhere").exists()
    assert os.path.lexists(mirror.public / name)


def test_a_public_directory_that_is_a_link_is_refused(mirror: Mirror) -> None:
    elsewhere = mirror.remember.home / "elsewhere"
    elsewhere.mkdir()
    mirror.public.symlink_to(elsewhere)
    assert mirror.remember.error("mirror", "add", mirror.note["id"], expect=2)["code"] == "unsafe_path"
    assert list(elsewhere.iterdir()) == []


def test_what_cannot_be_named(mirror: Mirror) -> None:
    with open(mirror.remember.store / "MEMORY.md", "a") as file:
        file.write("\n- by hand, without an ID\n")
    listed = mirror.remember.json("list")["memos"]
    by_hand = next(memo for memo in listed if memo["text"] == "by hand, without an ID")
    assert "has no memo ID" in mirror.remember.error("mirror", "add", f"MEMORY.md:{by_hand['line']}", expect=2)["message"]
    assert mirror.remember.error("mirror", "add", "0123abcd", expect=1)["code"] == "not_found"
    large = mirror.remember.json("note", "Large", "-", stdin="word " * 300_000)
    assert "too many for a mirror" in mirror.remember.error("mirror", "add", large["id"], expect=2)["message"]
    assert not mirror.public.exists()


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        '{"version": 2, "memos": {}}',
        '{"version": 1, "memos": {"aaaa0001": {"file": "../../x.md", "sha256": null}}}',
        '{"version": 1, "memos": {"aaaa0001": {"file": ".hidden.md", "sha256": null}}}',
        '{"version": 1, "memos": {"aaaa0001": {"file": "a.md", "sha256": null}, "aaaa0002": {"file": "a.md", "sha256": null}}}',
    ],
)
def test_a_damaged_list_is_refused_and_left(mirror: Mirror, text: str) -> None:
    path = mirror.remember.store / "mirror.json"
    path.write_text(text)
    for words in (("status",), ("sync",), ("add", mirror.note["id"]), ("remove", mirror.note["id"])):
        error = mirror.remember.error("mirror", *words, expect=4)
        assert error["code"] == "damaged" and "mirror.json" in error["message"]
    assert path.read_text() == text and not mirror.public.exists()


def test_without_a_store_nothing_is_made(remember: Console) -> None:
    for words in (("status",), ("sync",), ("add", "aaaa0001")):
        assert remember.error("mirror", *words, expect=2)["code"] == "not_initialised"
    assert list(remember.work.iterdir()) == []


def test_only_looking_migrates_nothing(remember: Console) -> None:
    shutil.copytree(TREE / "tests" / "fixtures" / "legacy", remember.store)
    before = {path: path.read_bytes() for path in remember.store.rglob("*") if path.is_file()}
    remember("mirror", "status")
    remember("consolidate", "list")
    assert {path: path.read_bytes() for path in remember.store.rglob("*") if path.is_file()} == before


def test_text_output(mirror: Mirror) -> None:
    assert mirror.remember("mirror", "status") == "no memo is mirrored; `remember mirror add ID` names one\n"
    name = Path(mirror.note["path"]).name
    assert mirror.remember("mirror", "add", mirror.note["id"]) == f"written {mirror.public}/{name}\n"
    assert mirror.remember("mirror", "sync") == "nothing to copy\n"
    assert mirror.remember("mirror", "status") == f"{mirror.note['id']}  {name}  same\n"


def test_git_commits_the_mirror_and_nothing_private(mirror: Mirror) -> None:
    work = mirror.remember.work
    subprocess.run(["git", "init", "-q", str(work)], check=True)
    (work / ".gitignore").write_text(".pi/\n")
    mirror("add", mirror.note["id"])
    subprocess.run(["git", "-C", str(work), "add", "-A"], check=True)
    staged = subprocess.run(["git", "-C", str(work), "ls-files"], check=True, capture_output=True, text=True).stdout.split()
    assert staged == [".gitignore", f".memory/{Path(mirror.note['path']).name}"]
