"""The browser's face through its own application and as a process: what is shown, who is let in, and that nothing is written."""

from __future__ import annotations

import hashlib
import re
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator

import pytest
from console import TREE, Console

pytest.importorskip("datasette", reason="the extra `web` is not installed")

HOSTILE = "Evil </pre><script>alert(1)</script> \u202egnp.exe \x1b[31m"


class Served:
    """`remember browse` as a process, and a browser that keeps its cookie."""

    def __init__(self, remember: Console, *more: str) -> None:
        environ = {**remember.environ, "PYTHONPATH": str(TREE)}
        argv = [sys.executable, "-m", "remember", "browse", "--no-open", *more]
        self.process = subprocess.Popen(argv, cwd=remember.work, env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.address = self.process.stdout.readline().strip()
        self.base = self.address.partition("/?")[0]
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        self.opener.open(self.address, timeout=30).read()

    def get(self, path: str) -> str:
        with self.opener.open(self.base + path, timeout=30) as answer:
            return str(answer.read().decode())

    def status(self, path: str, cookie: bool = True, method: str = "GET", **headers: str) -> int:
        request = urllib.request.Request(self.base + path, method=method, headers=headers)
        try:
            with (self.opener if cookie else urllib.request.build_opener()).open(request, timeout=30) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as error:
            with error:
                return error.code

    def end(self) -> tuple[int, str]:
        self.process.send_signal(signal.SIGINT)
        _, said = self.process.communicate(timeout=30)
        return self.process.returncode, said


@pytest.fixture
def served(stocked: Console) -> Iterator[Served]:
    page = Served(stocked)
    yield page
    if page.process.poll() is None:
        page.end()


def titles(page: str) -> list[str]:
    return re.findall(r'<h3><a href="/memo\?[^"]*">([^<]*)</a></h3>', page)


def test_the_newest_memos_stand_on_the_first_page_and_a_search_is_ours(served: Served, stocked: Console) -> None:
    assert len(titles(served.get("/"))) == len(stocked.json("list")["memos"])
    assert titles(served.get("/?q=server+configuration"))[0] == "TV server configuration"
    assert "<mark>" in served.get("/?q=proxy")
    assert titles(served.get("/?q=%22%27%29+AND+%28")) == []
    assert titles(served.get("/?kind=fact")) != titles(served.get("/?kind=note"))


def test_what_is_written_while_it_runs_is_there_at_once(served: Served, stocked: Console) -> None:
    assert titles(served.get("/?q=%E8%BF%81%E7%A7%BB")) == []
    stocked("add", "部署脚本在数据库迁移之前运行 #ops/web")
    assert titles(served.get("/?q=%E8%BF%81%E7%A7%BB")) == ["部署脚本在数据库迁移之前运行 #ops/web"]
    assert '"tag": "ops/web", "memos": 1' in served.get("/local/tags.json?_shape=array")
    stocked("undo")
    assert "ops/web" not in served.get("/local/tags.json?_shape=array")


def test_a_memo_is_shown_whole_with_what_links_to_it(served: Served, stocked: Console) -> None:
    note = stocked.json("note", "Guests", "--body", "They watch, see [[TV server configuration]] and [[nothing]].")
    page = served.get(f"/memo?store=local&place={note['path']}")
    assert "They watch" in page and "TV server configuration</a>" in page and "(nothing of that name)" in page
    target = next(memo for memo in stocked.json("list")["memos"] if memo["description"] == "TV server configuration")
    assert "Linked from" in served.get(f"/memo?store=local&place={target['path']}")
    assert served.status("/memo?store=local&place=notes/nothing.md") == 404
    assert served.status("/memo?store=local&place=../../../etc/passwd") == 404


def test_what_a_file_holds_cannot_become_a_page(served: Served, stocked: Console) -> None:
    note = stocked.store / "notes" / "2026-01-01-evil.md"
    note.write_text(f'---\ndescription: "<img src=x onerror=alert(1)>"\nmemory-id: "0e0e0e0e"\n---\n{HOSTILE}\n', encoding="utf-8")
    for path in ("/", "/?q=evil", "/?q=%3Cscript%3E", "/memo?store=local&place=notes/2026-01-01-evil.md", "/local/memo"):
        page = served.get(path)
        assert "<script>alert" not in page and "<img src=x" not in page, path
        if not path.startswith("/local"):
            assert "\x1b" not in page and "\u202e" not in page, path


def test_only_who_has_the_key_comes_in_by_a_local_name_and_to_read(served: Served) -> None:
    assert served.status("/", cookie=False) == 403
    assert served.status("/?key=wrong", cookie=False) == 403
    assert served.status("/", Host="evil.example") == 403
    assert served.status("/", method="POST") == 405
    assert served.status("/local?sql=select+1") == 403
    assert served.status("/local.db") in (403, 404)
    assert served.status("/", cookie=False, Cookie="remember-browse=nonsense") == 403
    assert served.status("/") == 200


def test_browsing_writes_nothing_and_ends_cleanly(served: Served, stocked: Console) -> None:
    def sums() -> dict[str, str]:
        files = (path for path in stocked.store.rglob("*") if path.is_file())
        return {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}

    before = sums()
    for path in ("/", "/?q=proxy", "/local", "/local/memo", "/local/tags", "/local/links", "/local/largest", "/local/oldest"):
        assert served.status(path) == 200, path
    assert served.end() == (0, "")
    assert sums() == before
    assert stocked.json("check", "--severity", "warning")["findings"] == []


def test_any_folder_can_be_browsed(remember: Console) -> None:
    folder = remember.work / "docs"
    folder.mkdir()
    (folder / "a.md").write_text("# Zebra crossings\n\nBlack and white.\n")
    page = Served(remember, "--store", "./docs")
    try:
        assert titles(page.get("/?q=black")) == ["Zebra crossings"]
        (place,) = re.findall(r'href="(/memo\?[^"]*)"', page.get("/?q=black"))
        assert "Black and white." in page.get(place.replace("&amp;", "&"))
    finally:
        page.end()


def test_a_port_that_is_taken_is_a_sentence(served: Served, stocked: Console) -> None:
    port = served.base.rpartition(":")[2]
    error = stocked.raw("browse", "--no-open", "--port", port)
    assert error.returncode == 4 and b"--port" in error.stderr and b"Traceback" not in error.stderr


def test_without_datasette_it_names_the_extra(stocked: Console) -> None:
    code = "import sys; sys.modules['datasette'] = None; from remember.cli import main; sys.exit(main(['browse']))"
    environ = {**stocked.environ, "PYTHONPATH": str(TREE)}
    done = subprocess.run([sys.executable, "-c", code], cwd=stocked.work, env=environ, capture_output=True, text=True)
    assert done.returncode == 2 and "remember-md[web]" in done.stderr
