"""The watcher as a process: what was written before a search began is found, whatever happens to files, folders and itself."""

from __future__ import annotations

import contextlib
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from remember.index import catalogue
from remember.memory import Memory, open_memory


class Bench:
    """A store, a cache and a runtime directory of their own, and watchers over the store."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.store = home / "store"
        (self.store / "notes").mkdir(parents=True)
        (self.store / "MEMORY.md").write_text("")
        (self.store / "pi-remember.json").write_text('{"version": 1}\n')
        (home / "run").mkdir()
        self.environ = {
            "HOME": str(home),
            "REMEMBER_CACHE_DIR": str(home / "cache"),
            "XDG_RUNTIME_DIR": str(home / "run"),
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(Path(__file__).parents[1]),
        }
        self.memory: Memory = open_memory(store=str(self.store), environ=self.environ, cwd=str(home))
        self.prefix: list[str] = []
        self.walks = 0
        self.running: list[subprocess.Popen[str]] = []

    def command(self, *more: str) -> list[str]:
        return [*self.prefix, sys.executable, "-m", "remember", "watch", "--store", str(self.store), "--json", *more]

    def start(self, command: list[str]) -> subprocess.Popen[str]:
        pipe = subprocess.PIPE
        process = subprocess.Popen(command, env=self.environ, cwd=self.home, stdout=pipe, stderr=pipe, text=True)
        self.running.append(process)
        return process

    def watch(self, *more: str) -> subprocess.Popen[str]:
        """A watcher that has walked the store."""
        process = self.start(self.command(*more))
        assert process.stdout is not None
        first = json.loads(process.stdout.readline())
        assert first["full"]
        return process

    def end(self, process: subprocess.Popen[str], how: int = signal.SIGTERM) -> tuple[str, str]:
        process.send_signal(how)
        return process.communicate(timeout=5)

    def note(self, name: str, body: str) -> Path:
        path = self.store / "notes" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f'---\ndescription: "A note"\nmemory-id: "0000000a"\n---\n{body}\n')
        return path

    def found(self, word: str) -> list[str]:
        return sorted(hit.memo.path for hit in self.memory.search(word, limit=1000).hits)

    def vouched(self, word: str) -> tuple[list[str], bool]:
        """What a search finds, and whether it had the watcher's word instead of a walk."""
        before = self.walks
        found = self.found(word)
        return found, self.walks == before

    def soon_vouched(self, word: str, wanted: list[str]) -> None:
        """Each search until the watcher vouches for one finds exactly `wanted`, and that one too."""
        deadline = time.monotonic() + 8
        while time.monotonic() < deadline:
            found, spared = self.vouched(word)
            assert found == wanted
            if spared:
                return
            time.sleep(0.02)
        raise AssertionError("the watcher does not vouch")


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    home = Path(tempfile.mkdtemp(prefix="rw"))  # a socket's path is short
    made = Bench(home.resolve())
    monkeypatch.setenv("XDG_RUNTIME_DIR", made.environ["XDG_RUNTIME_DIR"])
    real = catalogue.scan

    def counted(*args: object) -> object:
        made.walks += 1
        return real(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(catalogue, "scan", counted)
    yield made
    for process in made.running:
        process.kill()
        process.communicate()
    shutil.rmtree(home)


def test_notes_from_before_the_start_are_all_there_and_later_ones_are_heard(bench: Bench) -> None:
    for n in range(10):
        bench.note(f"n{n}.md", "early")
    process = bench.watch()
    bench.soon_vouched("early", [f"notes/n{n}.md" for n in range(10)])
    bench.note("z.md", "late early")
    bench.soon_vouched("late", ["notes/z.md"])
    bench.note("z.md", "other")
    bench.soon_vouched("late", [])
    (bench.store / "notes/z.md").unlink()
    bench.soon_vouched("other", [])
    out, err = bench.end(process)
    assert process.returncode == 0
    assert err == ""
    assert all(json.loads(line)["store"] for line in out.splitlines())


def test_a_change_is_committed_without_anybody_asking(bench: Bench) -> None:
    process = bench.watch()
    bench.note("a.md", "quiet")
    assert process.stdout is not None
    told = json.loads(process.stdout.readline())
    assert (told["read"], told["full"]) == (1, False)
    assert [m.path for m in bench.memory.list(refresh=False).memos] == ["notes/a.md"]


def test_folders_that_go_come_and_are_renamed(bench: Bench) -> None:
    bench.note("sub/deep/a.md", "apple")
    bench.note("b.md", "apple")
    bench.watch()
    notes = bench.store / "notes"
    bench.soon_vouched("apple", ["notes/b.md", "notes/sub/deep/a.md"])
    (notes / "sub").rename(notes / "moved")
    assert bench.found("apple") == ["notes/b.md", "notes/moved/deep/a.md"]
    bench.soon_vouched("apple", ["notes/b.md", "notes/moved/deep/a.md"])
    bench.note("moved/deep/c.md", "apple")
    bench.soon_vouched("apple", ["notes/b.md", "notes/moved/deep/a.md", "notes/moved/deep/c.md"])
    (notes / "moved").rename(bench.home / "out")
    assert bench.found("apple") == ["notes/b.md"]
    bench.soon_vouched("apple", ["notes/b.md"])
    (bench.home / "out/deep/d.md").write_text("apple\n")
    (bench.home / "out").rename(notes / "back")
    assert "notes/back/deep/d.md" in bench.found("apple")
    bench.note("back/deep/e.md", "apple")
    bench.soon_vouched("apple", ["notes/b.md", *(f"notes/back/deep/{name}.md" for name in "acde")])
    shutil.rmtree(notes / "back")
    assert bench.found("apple") == ["notes/b.md"]
    bench.soon_vouched("apple", ["notes/b.md"])


def on_disk(bench: Bench) -> dict[str, str]:
    files = (p for p in bench.store.rglob("*.md") if p.is_file() and p.name != "MEMORY.md")
    return {str(p.relative_to(bench.store)): p.read_text().split("---\n", 2)[-1].strip() for p in files}


def edit(bench: Bench, rng: random.Random) -> None:
    """One change of the kinds that people, editors and synchronisers make."""
    notes = bench.store / "notes"
    files = [p for p in notes.rglob("*.md") if p.is_file()]
    kind = rng.randrange(9)
    word = f"w{rng.randrange(10_000):04d}"
    if kind <= 2 or not files:
        bench.note(rng.choice(["", "", "sub/", "sub/deep/"]) + f"n{rng.randrange(40)}.md", word)
        return
    path = rng.choice(files)
    if kind == 3:
        with path.open("r+") as file:  # the same inode and size
            file.seek(len(path.read_text()) - 6)
            file.write(word)
    elif kind == 4:
        stat = path.stat()
        path.write_text(path.read_text().rstrip("\n")[:-1] + "x\n")
        os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    elif kind == 5:
        path.rename(path.with_name(f"r{rng.randrange(40)}.md"))
    elif kind == 6:
        path.unlink()
    elif kind == 7:
        side = path.with_suffix(".new")
        side.write_text(path.read_text().rstrip("\n") + " over\n")
        side.rename(path)
    elif (notes / "sub").is_dir():
        target = notes / f"moved{rng.randrange(3)}"
        shutil.rmtree(target, ignore_errors=True)
        (notes / "sub").rename(target)


def check(bench: Bench, rng: random.Random, steps: int) -> int:
    """Edits and the oracle; how many of the reads were spared their walk."""

    from remember.index.session import with_indexes

    ref = bench.memory.around.selection().refs[0]
    spared = 0
    for step in range(steps):
        for _ in range(rng.choice([1, 1, 2, 5])):
            edit(bench, rng)
        if rng.random() < 0.3:
            time.sleep(rng.random() * 0.12)
        before = bench.walks

        def ask(indexes: list[catalogue.Index]) -> dict[str, str]:
            connection: sqlite3.Connection = indexes[0].connection
            rows = connection.execute("SELECT file.path, memo.body FROM memo JOIN file ON file.id = memo.file WHERE kind = 'note'")
            return {path: body.strip() for path, body in rows}

        assert with_indexes([ref], str(bench.home / "cache"), ask) == on_disk(bench), step
        spared += bench.walks == before
    return spared


def test_no_read_is_stale_while_a_watcher_runs_is_killed_stops_or_starts(bench: Bench) -> None:
    rng = random.Random(20261201)
    process = bench.watch()
    assert check(bench, rng, 120) > 20
    process.send_signal(signal.SIGSTOP)
    check(bench, rng, 5)
    process.send_signal(signal.SIGCONT)
    check(bench, rng, 30)
    process.kill()
    process.wait()
    assert check(bench, rng, 20) == 0
    process = bench.watch()
    assert check(bench, rng, 60) > 10
    bench.memory.index_drop()
    check(bench, rng, 5)
    bench.memory.index_rebuild()
    assert check(bench, rng, 40) > 5


def test_an_index_that_somebody_built_anew_is_not_vouched_for(bench: Bench) -> None:
    bench.note("a.md", "apple")
    bench.watch()
    bench.soon_vouched("apple", ["notes/a.md"])
    bench.memory.index_rebuild()
    assert bench.vouched("apple") == (["notes/a.md"], False)
    bench.soon_vouched("apple", ["notes/a.md"])


def test_another_store_in_the_place_of_the_watched_one(bench: Bench) -> None:
    bench.note("a.md", "apple")
    bench.watch()
    bench.soon_vouched("apple", ["notes/a.md"])
    other = bench.home / "other"
    shutil.copytree(bench.store, other)
    (other / "notes/a.md").rename(other / "notes/b.md")
    bench.store.rename(bench.home / "gone")
    other.rename(bench.store)
    assert bench.vouched("apple") == (["notes/b.md"], False)
    bench.soon_vouched("apple", ["notes/b.md"])
    bench.note("c.md", "apple")
    bench.soon_vouched("apple", ["notes/b.md", "notes/c.md"])


def test_a_second_watcher_is_told_and_one_after_a_kill_is_not(bench: Bench) -> None:
    first = bench.watch()
    second = subprocess.run(bench.command(), env=bench.environ, cwd=bench.home, capture_output=True, text=True, timeout=10)
    assert second.returncode == 3
    assert json.loads(second.stderr)["error"]["code"] == "conflict"
    first.kill()
    first.wait()
    third = bench.watch()
    bench.end(third)
    assert third.returncode == 0


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_it_ends_within_a_second_and_leaves_nothing(bench: Bench, how: int) -> None:
    bench.note("a.md", "apple")
    process = bench.watch()
    for _ in range(20):
        bench.found("apple")
    began = time.monotonic()
    bench.end(process, how)
    assert time.monotonic() - began < 1
    assert process.returncode == 0
    assert sorted(os.listdir(bench.store)) == ["MEMORY.md", "notes", "pi-remember.json"]
    assert [name for name in os.listdir(bench.home / "run/remember") if name.endswith(".sock")] == []


def test_a_store_that_vanishes_keeps_its_rows_and_is_watched_again(bench: Bench) -> None:
    bench.note("a.md", "apple")
    bench.watch()
    bench.soon_vouched("apple", ["notes/a.md"])
    bench.store.rename(bench.home / "away")
    time.sleep(0.3)
    (index,) = (bench.home / "cache").glob("*.sqlite")
    with contextlib.closing(sqlite3.connect(f"file:{index}?mode=ro", uri=True)) as rows:
        assert [path for (path,) in rows.execute("SELECT path FROM file WHERE path LIKE 'notes/%'")] == ["notes/a.md"]
    (bench.home / "away").rename(bench.store)
    bench.soon_vouched("apple", ["notes/a.md"])


def test_a_store_that_cannot_be_written_is_not_vouched_for(bench: Bench) -> None:
    bench.note("a.md", "apple")
    if os.geteuid() == 0:
        if not shutil.which("setpriv"):
            pytest.skip("root writes everywhere")
        bench.prefix = ["setpriv", "--bounding-set=-dac_override", "--inh-caps=-dac_override"]
    process = bench.watch("-v")
    bench.soon_vouched("apple", ["notes/a.md"])
    bench.store.chmod(0o500)
    time.sleep(0.3)
    try:
        for _ in range(5):
            assert bench.vouched("apple") == (["notes/a.md"], False)
    finally:
        bench.store.chmod(0o700)
    bench.soon_vouched("apple", ["notes/a.md"])
    assert "no file can be made in the store" in bench.end(process)[1]


@pytest.mark.slow  # whether the queue overflows depends on how busy the machine is
def test_more_events_than_the_system_remembers(bench: Bench) -> None:
    one, other = bench.note("a.md", "apple"), bench.note("b.md", "apple")
    process = bench.watch("-v")
    bench.soon_vouched("apple", ["notes/a.md", "notes/b.md"])
    most = int(Path("/proc/sys/fs/inotify/max_queued_events").read_text())
    if most > 200_000:
        pytest.skip("this system remembers very many events")
    process.send_signal(signal.SIGSTOP)
    for _ in range(most // 2 + 100):
        os.utime(one)  # alternating, or the system would count them as one
        os.utime(other)
    other.rename(bench.store / "notes/c.md")
    process.send_signal(signal.SIGCONT)
    assert bench.found("apple") == ["notes/a.md", "notes/c.md"]
    bench.soon_vouched("apple", ["notes/a.md", "notes/c.md"])
    bench.note("d.md", "apple")
    bench.soon_vouched("apple", ["notes/a.md", "notes/c.md", "notes/d.md"])
    _, err = bench.end(process)
    assert "more happened at once" in err


def test_a_limit_of_watches_is_said_and_nothing_is_vouched_for(bench: Bench) -> None:
    for n in range(8):
        bench.note(f"f{n}/a.md", "apple")
    limit = "echo 4 > /proc/sys/user/max_inotify_watches && exec "
    inside = ["unshare", "-Ur", "sh", "-c", limit + " ".join([*bench.command("-v")])]
    if not shutil.which("unshare") or subprocess.run(["unshare", "-Ur", "true"], check=False).returncode:
        pytest.skip("no user namespaces here")
    process = bench.start(inside)
    assert process.stdout is not None
    process.stdout.readline()
    for n in range(8):
        bench.note(f"f{n}/b.md", "apple")
        assert bench.vouched("apple")[1] is False
    assert len(bench.found("apple")) == 16
    found = [f for f in bench.memory.check().findings if f.code == "R802"]
    assert [f.severity for f in found] == ["warning"]
    assert "cannot be watched: the limit of watches is reached" in found[0].message
    _, err = bench.end(process)
    assert "cannot be watched" in err
    assert [f for f in bench.memory.check().findings if f.code == "R802"] == []


def test_a_watcher_that_hears_everything_is_no_finding(bench: Bench) -> None:
    bench.note("sub/a.md", "apple")
    bench.watch()
    assert [f for f in bench.memory.check().findings if f.code == "R802"] == []


def test_without_inotify_the_index_is_kept_but_not_vouched_for(bench: Bench) -> None:
    bench.note("a.md", "apple")
    program = (
        "import sys; import remember.watch.loop as loop; from remember.watch.ear import PlainEar; from remember.cli import main;"
        " loop._best_ear = PlainEar; sys.exit(main(sys.argv[1:]))"
    )
    command = [sys.executable, "-c", program, *bench.command()[3:]]
    process = bench.start(command)
    assert process.stdout is not None
    process.stdout.readline()
    bench.note("sub/b.md", "apple")
    deadline = time.monotonic() + 5
    while len(bench.memory.list(refresh=False).memos) < 2 and time.monotonic() < deadline:
        time.sleep(0.02)
    assert len(bench.memory.list(refresh=False).memos) == 2
    assert bench.vouched("apple") == (["notes/a.md", "notes/sub/b.md"], False)
    bench.end(process)
    assert process.returncode == 0


def test_an_event_from_outside_is_said_and_leads_to_a_walk(bench: Bench) -> None:
    from remember.memory.watching import keepers

    said: list[str] = []
    (keeper,) = keepers(bench.memory.around, lambda _: None, said.append)
    try:
        keeper.walk()
        assert not keeper.stale
        keeper.note(f"{bench.store}/.git/index", False)
        keeper.note(f"{bench.store}/recovery/x.md", False)
        assert not keeper.stale and not keeper.pending
        keeper.note(f"{bench.store}-other/notes/a.md", False)
        assert keeper.stale
        assert "outside the store" in said[0]
    finally:
        keeper.close()


def test_two_stores_one_watcher_and_one_inside_the_other(bench: Bench) -> None:
    inner = bench.store / "notes/inner"
    inner.mkdir()
    bench.note("inner/a.md", "apple")
    process = bench.start([*bench.command("-v"), "--store", str(inner)])
    bench.soon_vouched("apple", ["notes/inner/a.md"])
    other = open_memory(store=str(inner), environ=bench.environ, cwd=str(bench.home))
    outer, bench.memory = bench.memory, other
    bench.soon_vouched("apple", ["a.md"])
    bench.note("inner/b.md", "apple")
    bench.soon_vouched("apple", ["a.md", "b.md"])
    bench.memory = outer
    bench.soon_vouched("apple", ["notes/inner/a.md", "notes/inner/b.md"])
    assert bench.end(process)[1] == ""


def test_an_interrupt_during_the_first_walk_leaves_a_whole_index_or_none(bench: Bench) -> None:
    for n in range(3000):
        bench.note(f"n{n}.md", f"apple word{n} " + "text " * 50)
    for wait_s in (0.3, 0.6, 0.9):
        process = bench.start(bench.command())
        time.sleep(wait_s)
        began = time.monotonic()
        _, err = bench.end(process)
        assert time.monotonic() - began < 1.5
        assert "Traceback" not in err
        assert list(bench.home.glob("cache/*.tmp")) == []
    assert len(bench.found("apple")) == 1000
