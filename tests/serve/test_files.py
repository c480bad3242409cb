"""The file-style tool says exactly what the reference backend says, and every change can be undone."""

from __future__ import annotations

import os

import pytest

from remember.serve.file_view import shown_size
from remember.serve.files import FilesToolset

MISSING = "The path {} does not exist"
INVALID = "Invalid `insert_line` parameter: 9. It should be within the range [0, 3]."
NO_SCOPE = "Path must start with /memories/local or /memories/global, got: /memories/x.md"
NO_MATCH = "No replacement was performed, old_str `zz` did not appear verbatim in /memories/local/sub/a.md."
MARK = "/memories/local/sub/a.md"


@pytest.fixture
def tool(caller):
    toolset = FilesToolset()

    def run(command: str, failed: bool = False, **arguments) -> str:
        answer = toolset.call(caller, "memory", {"command": command, **arguments})
        assert answer.failed is failed, answer.text
        return answer.text

    return run


@pytest.fixture
def file(tool) -> str:
    assert tool("create", path=MARK, file_text="one\ntwo\nthree\n") == f"File created successfully at: {MARK}"
    return MARK


def test_viewing_folders_and_files(tool, file) -> None:
    head = "Here're the files and directories up to 2 levels deep in {}, excluding hidden items:"
    lines = tool("view", path="/memories").split("\n")
    assert lines[0] == head.format("/memories") and lines[1] == "4K\t/memories"
    assert [line.split("\t")[1] for line in lines[2:]] == ["/memories/local/", "/memories/local/MEMORY.md", "/memories/local/sub/"]
    lines = tool("view", path="/memories/local").split("\n")
    assert [line.split("\t")[1] for line in lines[1:]] == ["/memories/local", "/memories/local/MEMORY.md", "/memories/local/sub/", MARK]
    assert "14B\t" + MARK in lines
    content = f"Here's the content of {MARK} with line numbers:\n"
    assert tool("view", path=file) == content + "     1\tone\n     2\ttwo\n     3\tthree\n     4\t"
    assert tool("view", path=file, view_range=[2, 2]) == content + "     2\ttwo"
    assert tool("view", path=file, view_range="[3, -1]") == content + "     3\tthree\n     4\t"


def test_editing(tool, file) -> None:
    head = "The memory file has been edited. Here is the snippet showing the change (with line numbers):\n"
    assert (
        tool("str_replace", path=file, old_str="two", new_str="2a\n2b")
        == head + "     1\tone\n     2\t2a\n     3\t2b\n     4\tthree\n     5\t"
    )
    assert tool("insert", path=file, insert_line=0, insert_text="zero\n\n") == f"The file {MARK} has been edited."
    assert tool("view", path=file).endswith("     1\tzero\n     2\tone\n     3\t2a\n     4\t2b\n     5\tthree\n     6\t")
    assert (
        tool("rename", old_path="/memories/local/sub", new_path="/memories/local/bus")
        == "Successfully renamed /memories/local/sub to /memories/local/bus"
    )
    assert tool("delete", path="/memories/local/bus") == "Successfully deleted /memories/local/bus"
    assert "bus" not in tool("view", path="/memories")


def test_every_change_can_be_undone(tool, file, made) -> None:
    place = made.store / "sub" / "a.md"
    states = [place.read_bytes()]
    tool("str_replace", path=file, old_str="two", new_str="2")
    states.append(place.read_bytes())
    tool("insert", path=file, insert_line="1", insert_text="more")
    states.append(place.read_bytes())
    tool("rename", old_path=file, new_path="/memories/local/b.md")
    tool("delete", path="/memories/local/b.md")
    made.run("undo")
    assert (made.store / "b.md").read_bytes() == states[2]
    made.run("undo")
    for state in (states[2], states[1], states[0]):
        assert place.read_bytes() == state
        made.run("undo")
    assert not place.exists()


@pytest.mark.parametrize(
    ("command", "arguments", "text"),
    [
        ("view", {"path": "/etc/passwd"}, "Path must start with /memories, got: /etc/passwd"),
        ("view", {"path": "/memoriesx"}, "Path must start with /memories, got: /memoriesx"),
        ("view", {"path": "/memories/../etc"}, "Path /memories/../etc would escape /memories directory"),
        ("delete", {"path": "/memories/local/../../x"}, "Path /memories/local/../../x would escape /memories directory"),
        ("view", {"path": "/memories/no"}, "The path /memories/no does not exist. Please provide a valid path."),
        (
            "str_replace",
            {"path": "/memories/local/no.md", "old_str": "a", "new_str": "b"},
            MISSING.format("/memories/local/no.md") + ". Please provide a valid path.",
        ),
        ("insert", {"path": "/memories/local/sub", "insert_line": 0, "insert_text": "b"}, "The path /memories/local/sub is not a file."),
        ("create", {"path": MARK, "file_text": "x"}, f"File {MARK} already exists"),
        ("str_replace", {"path": MARK, "old_str": "zz", "new_str": "b"}, NO_MATCH),
        (
            "str_replace",
            {"path": MARK, "old_str": "e", "new_str": "b"},
            "No replacement was performed. Multiple occurrences of old_str `e` in lines: 1, 3, 3. Please ensure it is unique",
        ),
        ("insert", {"path": MARK, "insert_line": 9, "insert_text": "x"}, INVALID),
        ("delete", {"path": "/memories/local/no.md"}, MISSING.format("/memories/local/no.md")),
        ("rename", {"old_path": "/memories/local/no.md", "new_path": "/memories/local/x.md"}, MISSING.format("/memories/local/no.md")),
        ("rename", {"old_path": MARK, "new_path": "/memories/local/MEMORY.md"}, "The destination /memories/local/MEMORY.md already exists"),
        ("delete", {"path": "/memories"}, "Cannot delete the /memories directory itself"),
        ("rename", {"old_path": "/memories/", "new_path": "/memories/local/x"}, "Cannot rename the /memories directory itself"),
        ("view", {"path": "/memories/local/pipe.md"}, "Unsupported file type for /memories/local/pipe.md"),
        ("view", {"path": "/memories/local/link.md"}, "Path would escape /memories directory via symlink"),
        ("create", {"path": "/memories/local/out/x.md", "file_text": "x"}, "Path would escape /memories directory via symlink"),
        ("create", {"path": "/memories/x.md", "file_text": "x"}, NO_SCOPE),
    ],
)
def test_errors_are_worded_as_in_the_reference(tool, file, made, command: str, arguments: dict, text: str) -> None:
    os.mkfifo(made.store / "pipe.md")
    (made.store / "link.md").symlink_to("/etc/passwd")
    (made.store / "out").symlink_to(made.home)
    assert tool(command, True, **arguments) == text
    assert not (made.home / "x.md").exists()


def test_what_is_not_memory_s_is_neither_shown_nor_touched(tool, made) -> None:
    made.run("add", "a fact")
    text = tool("view", path="/memories/local")
    assert "recovery" not in text and "pi-remember.json" not in text
    for path in ("/memories/local/recovery", "/memories/local/.gitignore"):
        assert "does not exist" in tool("delete", True, path=path)
    tool("delete", True, path="/memories/local/MEMORY.md")
    assert "a fact" in (made.store / "MEMORY.md").read_text()


def test_secrets_are_refused_and_masked(tool, made) -> None:
    secret = "ghp_" + "a1B2" * 10
    assert secret not in tool("create", True, path="/memories/local/k.md", file_text=f"key {secret}")
    (made.store / "k.md").write_text(f"key {secret}\n")
    assert "[secret removed]" in tool("view", path="/memories/local/k.md")


def test_read_only_can_only_view(caller, made) -> None:
    toolset = FilesToolset(True)
    assert toolset.declarations()[0]["inputSchema"]["properties"]["command"]["enum"] == ["view"]
    assert toolset.call(caller, "memory", {"command": "create", "path": MARK}).failed


def test_sizes_are_shown_as_the_reference_shows_them() -> None:
    assert [shown_size(n) for n in (0, 14, 4096, 1536, 1 << 20, 3 << 30)] == ["0B", "14B", "4K", "1.5K", "1M", "3G"]
