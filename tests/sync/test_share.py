"""`git sync`: what it commits, when it merges and pushes, and how it leaves a repository when it cannot."""

from __future__ import annotations

import subprocess
import threading
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from clones import COMMAND, Clone, World
from test_clones import findings

from remember.errors import Conflict, IOFailure, Locked
from remember.store.lock import locked
from remember.sync.git import Done
from remember.sync.reach import failure, is_offline
from remember.sync.share import Shared, is_memory, share


def sync(clone: Clone, push: bool = False, timeout_s: float = 10.0) -> Shared:
    return share(clone.place(), COMMAND, push, timeout_s)


def test_two_machines_share_a_store_of_its_own(pair: tuple[Clone, Clone]) -> None:
    one, two = pair
    one.add("new of one")
    done = sync(one)
    assert (done.whole, done.files, done.merged, done.pushed, done.remote) == (True, ("MEMORY.md",), "nothing", True, "origin")
    two.note("new of two", "text")
    two.add("more of two")
    done = sync(two)
    assert len(done.files) == 2 and done.merged == "merge" and done.pushed
    assert sync(one)[3:7] == ("", (), "fast-forward", False)
    assert sync(one)[3:7] == ("", (), "nothing", False)
    assert one.facts() == two.facts() and len(one.facts()) == 5
    assert findings(one) == findings(two) == []


def test_a_clone_without_the_driver_is_merged_by_memo_all_the_same(world: World) -> None:
    one, two = world.first(), world.another("two", setup=False)
    for clone in (one, two):
        clone.add(f"new of {clone.name}")
        sync(clone)
    assert len(two.facts()) == 2 and two.git("config", "--get-regexp", "^merge[.]", expect=1) == ""


def test_a_store_whose_attributes_ask_for_no_driver_is_told(world: World) -> None:
    one = world.first()
    assert sync(one).notes == ()
    one.write("", ".gitattributes")
    assert sync(one).notes == ("git merges this store by line; `remember git setup` makes it merge by memo",)


def test_files_that_are_no_memory_are_left_alone(pair: tuple[Clone, Clone]) -> None:
    one = pair[0]
    one.write("draft", "draft.txt")
    one.write("staged", "staged.txt")
    one.git("add", "staged.txt")
    one.write("{}", "recovery/x.json")
    one.write("x", "notes/.hidden.md")
    one.add("new")
    assert sync(one).files == ("MEMORY.md",)
    assert sorted(one.git("status", "--porcelain", "--untracked-files=all").splitlines()) == [
        "?? draft.txt",
        "?? notes/.hidden.md",
        "A  staged.txt",
    ]
    assert one.git("show", "--name-only", "--format=", "HEAD").split() == ["MEMORY.md"]
    place = one.place()
    for path, belongs in ((".gitattributes", True), ("notes/a/b.md", True), ("daily/x.md", True), ("pi-remember.json", True)):
        assert is_memory(place, path) is belongs
    for path in ("recovery/x.md", "migrations/a/MEMORY.md", "x.txt", ".git/x.md", "notes/.x.md"):
        assert not is_memory(place, path)


def test_removed_renamed_and_oddly_named_files(pair: tuple[Clone, Clone]) -> None:
    one, two = pair
    (name,) = one.notes()
    (one.store / one.path_of(name)).rename(one.store / "notes" / '2026-10-18-né [a] "b" *.md')
    one.write("# loose\n", "daily/-x.md")
    assert sorted(sync(one).files) == sorted(["daily/-x.md", one.path_of(name), 'notes/2026-10-18-né [a] "b" *.md'])
    assert sync(two).merged == "fast-forward"
    assert (two.store / "daily" / "-x.md").exists() and list(two.notes()) == [name]


def test_in_a_project_it_commits_memory_alone_and_pushes_only_on_request(world: World) -> None:
    one = world.first(below=".pi/memory")
    two = world.another("two", below=".pi/memory")
    one.add("new of one")
    one.write("code", "../../code.py")
    done = sync(one)
    assert not done.whole and not done.pushed and done.files == (".pi/memory/MEMORY.md",) and "--push" in done.notes[0]
    assert one.git("status", "--porcelain") == "?? code.py\n"
    assert sync(one, push=True).pushed
    two.add("new of two")
    done = sync(two, push=True)
    assert (done.merged, done.pushed) == ("merge", True) and len(two.facts()) == 2


def test_in_a_project_commits_of_other_files_are_neither_pushed_nor_taken_in(world: World) -> None:
    one = world.first(below=".pi/memory")
    two = world.another("two", below=".pi/memory")
    one.write("code", "../../code.py")
    one.commit("a change of the code")
    one.add("new of one")
    with pytest.raises(Conflict, match=r"unpushed commits touch other files than memory: code\.py"):
        sync(one, push=True)
    assert one.git("log", "-1", "--format=%s") == "memory: 1 file\n"
    assert two.git("ls-remote", "origin", "main").split()[0] == two.git("rev-parse", "HEAD").strip()
    one.git("push", "-q")
    two.add("new of two")
    with pytest.raises(Conflict, match=r"origin/main has commits that touch other files than memory: code\.py") as caught:
        sync(two, push=True)
    assert "git pull" in caught.value.hint and not (two.top / "code.py").exists()
    two.git("pull", "-q", "--no-rebase", "--no-edit")
    # The merge commit brought nothing of its own: what it merged is on the remote already.
    assert sync(two, push=True).pushed and len(two.facts()) == 2


def test_a_conflict_leaves_the_merge_open_and_says_how_to_go_on(pair: tuple[Clone, Clone]) -> None:
    one, two = pair
    name = next(iter(one.facts()))
    for clone in pair:
        clone.update(name, f"as {clone.name} has it")
    sync(one)
    with pytest.raises(Conflict, match=r"a merge is open in .*; in conflict: MEMORY\.md") as caught:
        sync(two)
    assert "git add" in caught.value.hint and "git commit --no-edit" in caught.value.hint and "git merge --abort" in caught.value.hint
    assert ("R203", "MEMORY.md", 1) in findings(two)
    with pytest.raises(Conflict, match="a merge is open"):
        sync(two)
    text = two.read()
    kept = [line for line in text.split("\n") if line[:7] not in ("<<<<<<<", "=======", ">>>>>>>") and line != "as one has it"]
    seen = set()
    two.write("\n".join(line for line in kept if not line.startswith("<!--") or not (line in seen or seen.add(line))))
    two.git("add", "MEMORY.md")
    with pytest.raises(Conflict, match="nothing is in conflict any more"):
        sync(two)
    two.git("commit", "-q", "--no-edit")
    assert sync(two).pushed and sync(one).merged == "fast-forward"
    assert one.facts()[name] == "as two has it" and findings(one) == []


def test_markers_are_not_committed(pair: tuple[Clone, Clone]) -> None:
    one = pair[0]
    one.write(one.read() + "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other\n")
    with pytest.raises(Conflict, match=r"MEMORY\.md:\d+: conflict markers; it is not committed"):
        sync(one)
    assert one.git("status", "--porcelain") == " M MEMORY.md\n"


@pytest.mark.parametrize("start", [("rebase", "origin/main"), ("cherry-pick", "origin/main")], ids=lambda words: words[0])
def test_a_rebase_or_cherry_pick_that_is_open_is_named(pair: tuple[Clone, Clone], start: tuple[str, str]) -> None:
    one, two = pair
    name = next(iter(one.facts()))
    for clone in pair:
        clone.update(name, f"as {clone.name} has it")
        clone.commit()
    one.git("push", "-q")
    two.git("fetch", "-q")
    two.git(*start, expect=1)
    with pytest.raises(Conflict, match=f"a {start[0]} is open") as caught:
        sync(two)
    assert f"git {start[0]} --continue" in caught.value.hint and f"git {start[0]} --abort" in caught.value.hint


@pytest.mark.parametrize("address", ["http://127.0.0.1:1/gone.git", "git://127.0.0.1:1/gone.git", "http://no-such-host.invalid/gone.git"])
def test_offline_it_commits_and_says_so(pair: tuple[Clone, Clone], address: str) -> None:
    one, two = pair
    one.git("remote", "set-url", "origin", address)
    one.add("made offline")
    done = sync(one)
    assert done.commit and not done.pushed and done.offline
    one.git("remote", "set-url", "origin", str(one.world.origin))
    assert sync(one).pushed and sync(two).merged == "fast-forward"


@pytest.mark.parametrize(
    "said",
    [
        "fatal: Authentication failed for 'https://example.org/memory.git/'",
        "git@example.org: Permission denied (publickey).",
        "Host key verification failed.",
        "ERROR: Repository not found.",
        "fatal: could not read Username for 'https://example.org': terminal prompts disabled",
        "fatal: unable to access 'https://example.org/memory.git/': The requested URL returned error: 403",
        "fatal: unable to access 'https://example.org/memory.git/': server certificate verification failed.",
    ],
)
def test_a_remote_that_refuses_is_no_missing_network(pair: tuple[Clone, Clone], said: str) -> None:
    one, _ = pair
    script = one.world.folder / "refuse"
    script.write_text(f"#!/bin/sh\ncat >&2 <<'END'\n{said}\nEND\nexit 128\n")
    script.chmod(0o755)
    one.git("config", "protocol.ext.allow", "always")
    one.git("remote", "set-url", "origin", f"ext::{script}")
    before = one.git("rev-parse", "HEAD")
    one.add("made meanwhile")
    with pytest.raises(IOFailure, match="git fetch origin") as caught:
        sync(one)
    assert caught.value.exit_status == 4 and "what was committed stays" in caught.value.hint
    assert one.git("rev-parse", "HEAD") != before
    script.write_text("#!/bin/sh\necho 'ssh: Could not resolve hostname example.org' >&2\nexit 128\n")
    assert sync(one).offline


def refusing(status: int) -> type[BaseHTTPRequestHandler]:
    class Refusing(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.send_header("WWW-Authenticate", 'Basic realm="memory"')
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Nothing on standard error."""

    return Refusing


@pytest.mark.parametrize(
    ("status", "hint"),
    [(401, "does not let you in"), (403, "does not let you in"), (404, "no such repository"), (500, "mend what git says")],
)
def test_a_remote_that_refuses_is_an_error(pair: tuple[Clone, Clone], status: int, hint: str) -> None:
    one, _ = pair
    one.world.environ["GIT_TERMINAL_PROMPT"] = "0"
    server = HTTPServer(("127.0.0.1", 0), refusing(status))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        one.git("remote", "set-url", "origin", f"http://127.0.0.1:{server.server_port}/memory.git")
        one.add("kept here")
        with pytest.raises(IOFailure) as caught:
            sync(one)
    finally:
        server.shutdown()
        server.server_close()
    assert hint in caught.value.hint and "what was committed stays" in caught.value.hint and caught.value.exit_status == 4
    assert one.git("log", "--format=%s", "-1").startswith("memory:")


def test_a_remote_that_is_nowhere_is_an_error(pair: tuple[Clone, Clone]) -> None:
    one, _ = pair
    one.git("remote", "set-url", "origin", str(one.world.folder / "gone.git"))
    one.add("kept here")
    with pytest.raises(IOFailure, match=r"gone\.git") as caught:
        sync(one)
    assert "no such repository" in caught.value.hint


@pytest.mark.parametrize(
    ("said", "offline", "hint"),
    [
        ("ssh: Could not resolve hostname x: Name or service not known", True, ""),
        ("ssh: connect to host x port 22: Connection timed out", True, ""),
        ("ssh: connect to host x port 22: No route to host", True, ""),
        ("me@x: Permission denied (publickey).", False, "does not let you in"),
        ("Host key verification failed.", False, "does not let you in"),
        ("ERROR: Repository not found.", False, "no such repository"),
    ],
)
def test_what_ssh_says_is_told_apart(said: str, offline: bool, hint: str) -> None:
    done = Done(128, b"", f"{said}\nfatal: Could not read from remote repository.\n\nPlease make sure you have the correct access rights\n")
    assert is_offline(done) == offline
    assert said in failure(done, "git fetch origin").message and hint in failure(done, "git fetch origin").hint


def test_a_repository_without_remote_or_branch(world: World) -> None:
    one = world.first()
    one.git("remote", "remove", "origin")
    one.add("new")
    done = sync(one)
    assert done.commit and "no remote" in done.notes[0]
    one.git("checkout", "-q", "--detach")
    one.git("remote", "add", "origin", str(world.origin))
    with pytest.raises(Conflict, match="no branch is checked out"):
        sync(one)


def test_the_first_sync_of_a_new_repository(world: World, tmp_path: Path) -> None:
    from remember.store.create import create_store

    one = Clone(world, "fresh")
    create_store(str(tmp_path.resolve() / "fresh"))
    subprocess.run(["git", "init", "-q", "-b", "main", str(one.top)], env=world.environ, check=True)
    one.setup()
    one.git("remote", "add", "origin", str(world.origin))
    one.add("the first")
    done = sync(one)
    assert done.pushed and set(done.files) == {".gitattributes", ".gitignore", "MEMORY.md", "pi-remember.json"}
    assert sync(world.another("two")).commit == ""


def test_a_hook_that_refuses_is_heard(pair: tuple[Clone, Clone]) -> None:
    one = pair[0]
    hook = one.top / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho 'not on a Sunday' >&2\nexit 1\n")
    hook.chmod(0o755)
    one.add("new")
    with pytest.raises(IOFailure, match="not on a Sunday"):
        sync(one)
    hook.unlink()
    assert sync(one).pushed


def test_an_unsaved_change_of_another_file_that_a_merge_would_touch_stops_it(pair: tuple[Clone, Clone]) -> None:
    one, two = pair
    one.write("of one", "readme.txt")
    one.commit()
    one.git("push", "-q")
    two.write("of two", "readme.txt")
    two.add("new")
    with pytest.raises(Conflict, match="git does not merge"):
        sync(two)
    assert (two.store / "readme.txt").read_text() == "of two"
    assert not (two.top / ".git" / "MERGE_HEAD").exists()


def test_writers_are_waited_for(pair: tuple[Clone, Clone]) -> None:
    one = pair[0]
    one.add("new")
    with locked(one.ref.path), pytest.raises(Locked):
        sync(one, timeout_s=0.1)


def test_many_machines_at_once(world: World) -> None:
    """Each pushes while others do: a push that comes too late fetches, merges and tries again."""
    machines = [world.first()] + [world.another(f"m{number}") for number in range(3)]
    for clone in machines:
        clone.add(f"new of {clone.name}")
    with ThreadPoolExecutor(4) as pool:
        done = list(pool.map(sync, machines))
    assert all(one.pushed for one in done)
    for clone in machines:
        sync(clone)
        assert len(clone.facts()) == 4
        assert findings(clone) == []
