"""The merge driver as git runs it: three files, an exit status, and a result that cannot be taken for done when it is not."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from clones import COMMAND, TREE
from hypothesis import given, settings
from hypothesis import strategies as st

import remember.sync.driver as driver
from remember.errors import IOFailure, RefusedInput
from remember.format.mergeparts import side
from remember.format.problems import conflict_lines
from remember.sync.driver import drive, merge_lines
from remember.sync.setup import driver_line

A = "<!-- 2026-10-18T16:10:33Z [a1b2c3d4] -->\nfact a\n"
B = "<!-- 2026-10-18T16:10:34Z [b1b2c3d4] -->\nfact b\n"
C = "<!-- 2026-10-18T16:10:35Z [c1b2c3d4] -->\nfact c\n"


class Three:
    """The three files that git gives."""

    def __init__(self, folder: Path, base: str | bytes, ours: str | bytes, theirs: str | bytes) -> None:
        self.names = []
        for name, text in (("base", base), ("ours", ours), ("theirs", theirs)):
            (folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())
            self.names.append(str(folder / name))

    def run(self, kind: str = "facts", size: str = "7") -> int:
        status, self.said = drive(kind, *self.names, size, "MEMORY.md")
        return status

    @property
    def text(self) -> str:
        return Path(self.names[1]).read_bytes().decode("utf-8", "surrogateescape")


def test_clean_and_in_conflict(tmp_path: Path) -> None:
    three = Three(tmp_path, A, A + B, A + C)
    assert three.run() == 0 and three.text == A + B + C and three.said == ()
    three = Three(tmp_path, A, A.replace("fact a", "x"), A.replace("fact a", "y"))
    assert three.run(size="9") == 1
    assert three.text.startswith("<<<<<<<<< ours [a1b2c3d4]\n") and conflict_lines(three.text) == [1, 4, 7]
    assert three.said == ("MEMORY.md: in conflict: a1b2c3d4",)


def test_prose_is_merged_by_lines_and_facts_keep_their_places(tmp_path: Path) -> None:
    base = "# Kitchen\n\nabout\nthe kettle\n\n" + A + "\n# Garden\n\n" + B
    ours = base.replace("about\n", "all about\n") + C
    theirs = base.replace("the kettle\n", "the kettle\nand cups\n").replace("# Garden", "# The garden")
    three = Three(tmp_path, base, ours, theirs)
    assert three.run() == 0
    assert side(merge_lines("a\nb\nc\nd\ne\n", "A\nb\nc\nd\ne\n", "a\nb\nc\nd\nE\n"), True) == "A\nb\nc\nd\nE\n"
    text = three.text
    assert text.startswith("# Kitchen\n\nall about\nthe kettle\nand cups\n\n<!--")
    assert text.index("and cups") < text.index("fact a") < text.index("# The garden") < text.index("fact b") < text.index("fact c")
    assert text.count("fact a") == text.count("fact b") == 1


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("bom", ["", "\ufeff"])
@pytest.mark.parametrize("last", [True, False])
def test_bytes_outside_the_merge_stay(tmp_path: Path, end: str, bom: str, last: bool) -> None:
    def dressed(text: str) -> str:
        text = bom + text.replace("\n", end)
        return text if last else text.removesuffix(end)

    three = Three(tmp_path, dressed(A), dressed(A + B), dressed(A + C))
    assert three.run() == 0 and three.text == dressed(A + B + C)


def test_mixed_line_ends_stay_line_by_line(tmp_path: Path) -> None:
    mixed = A.replace("\n", "\r\n") + B
    three = Three(tmp_path, mixed, mixed + C, mixed.replace("fact b", "fact B"))
    assert three.run() == 0 and three.text == A.replace("\n", "\r\n") + B.replace("fact b", "fact B") + C


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    three = Three(tmp_path, b"\xff\xfe\0", b"\xff\xfe\0a", b"\xff\xfe\0b")
    for kind in ("facts", "note", "bullets", "index"):
        assert three.run(kind) == 1
        assert conflict_lines(three.text.replace("\ufffd", "?"))
        three = Three(tmp_path, b"\xff\xfe\0", b"\xff\xfe\0a", b"\xff\xfe\0b")
    # A fact of bytes that are no UTF-8 is carried like any other.
    three = Three(tmp_path, A, A.encode() + b"<!-- 2026-10-18T16:10:34Z [b1b2c3d4] -->\nna\xefve\n", A + C)
    assert three.run() == 0 and b"na\xefve\n" in Path(three.names[1]).read_bytes()


def test_bullets_and_index_lines(tmp_path: Path) -> None:
    three = Three(
        tmp_path, "# List\n- one\n- two\n- three\n", "# List\n- one\n- two, edited\n- three\n- mine\n", "# List\n- two\n- three\n- yours\n"
    )
    assert three.run("bullets") == 0 and three.text == "# List\n- two, edited\n- three\n- mine\n- yours\n"
    three = Three(tmp_path, "- one more thing\n", "- one more thing, mine\n", "- one more thing, yours\n")
    assert three.run("bullets") == 1 and "<<<<<<< ours\n- one more thing, mine\n=======\n" in three.text
    base = "# Memory\n- [Tea](tea.md) — how\n- **[Cup](<the cup.md>)**: white\n"
    three = Three(tmp_path, base, base.replace("— how", "— how to"), base.replace("white", "blue") + "- [Spoon](spoon.md)\n")
    assert three.run("index") == 0 and three.text == base.replace("how", "how to").replace("white", "blue") + "- [Spoon](spoon.md)\n"
    three = Three(tmp_path, base, base.replace("how", "mine"), base.replace("how", "yours"))
    assert three.run("index") == 1 and "<<<<<<< ours [tea.md]\n- [Tea](tea.md) — mine\n=======\n" in three.text
    # The same new index line from both sides stands there once.
    three = Three(tmp_path, base, base + "- [Spoon](spoon.md)\n", base + "- [Spoon](spoon.md)\n- [Fork](fork.md)\n")
    assert three.run("index") == 0 and three.text.count("spoon.md") == 1


def test_whatever_goes_wrong_both_sides_stand_in_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr(driver, "merge", broken)
    three = Three(tmp_path, A, A + B, A + C)
    assert three.run() == 1
    assert three.text == f"<<<<<<< ours\n{A}{B}=======\n{A}{C}>>>>>>> theirs\n"
    assert "ZeroDivisionError" in three.said[0]


def test_what_cannot_be_asked(tmp_path: Path) -> None:
    three = Three(tmp_path, A, A, A)
    with pytest.raises(RefusedInput, match="no kind song"):
        three.run("song")
    for size in ("0", "x", "-1", "10000"):
        with pytest.raises(RefusedInput, match="conflict markers"):
            three.run(size=size)
    os.unlink(three.names[2])
    with pytest.raises(IOFailure, match="theirs"):
        three.run()


def shell(folder: Path, line: str) -> int:
    for mark, name in (("%O", "base"), ("%A", "ours"), ("%B", "theirs"), ("%L", "7"), ("%P", "'a file.md'")):
        line = line.replace(mark, name)
    environ = {**os.environ, "PYTHONPATH": str(TREE)}
    return subprocess.run(["sh", "-c", line.replace("%%", "%")], cwd=folder, env=environ, capture_output=True).returncode


def test_the_line_that_git_runs_merges_by_lines_where_ours_cannot_run(tmp_path: Path) -> None:
    here = tmp_path / "it's 100% here"
    here.mkdir()
    program = here / "remember"
    program.write_text(f'#!/bin/sh\nexec {COMMAND[0]} -m remember "$@"\n')
    program.chmod(0o755)
    three = Three(tmp_path, A, A + B, A + C)
    assert shell(tmp_path, driver_line([str(program)], "facts")) == 0 and three.text == A + B + C
    three = Three(tmp_path, A, A.replace("fact a", "x"), A.replace("fact a", "y"))
    assert shell(tmp_path, driver_line([str(program)], "facts")) == 1 and "ours [a1b2c3d4]" in three.text
    for ruin in ("", "#!/bin/sh\nkill -9 $$\n", "#!/bin/sh\nexit 2\n"):
        program.write_text(ruin) if ruin else program.unlink()
        if ruin:
            program.chmod(0o755)
        three = Three(tmp_path, A, A + B, A + C)
        assert shell(tmp_path, driver_line([str(program)], "facts")) == 1
        assert conflict_lines(three.text) and "fact b" in three.text and "fact c" in three.text
        three = Three(tmp_path, "a\nb\nc\n", "A\nb\nc\n", "a\nb\nC\n")
        assert shell(tmp_path, driver_line([str(program)], "note")) == 0 and three.text == "A\nb\nC\n"


def test_it_loads_nothing_of_store_configuration_or_index(tmp_path: Path) -> None:
    three = Three(tmp_path, A, A + B, A + C)
    words = ["git", "merge-driver", "--color", "never", "facts", *three.names, "7", "MEMORY.md"]
    code = f"import sys; from remember.cli import main; main({words!r}); print('\\n'.join(sys.modules), file=sys.stderr)"
    environ = {**os.environ, "PYTHONPATH": str(TREE)}
    done = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, cwd=tmp_path, env=environ, check=True)
    loaded = set(done.stderr.split())
    heavy = {
        "click",
        "pydantic",
        "sqlite3",
        "yaml",
        "typing",
        "pathlib",
        "dataclasses",
        "remember.memory",
        "remember.scope.config",
        "subprocess",
    }
    assert loaded & heavy == set() and not {name for name in loaded if name.startswith(("remember.store", "remember.index"))}
    assert three.text == A + B + C


lines = st.lists(st.sampled_from(["a", "b", "<<<<<<< x", "=======", ">>>>>>> y", "<" * 40, "é"]), max_size=5).map(
    lambda words: "".join(word + "\n" for word in words)
)


@settings(max_examples=60, deadline=None)
@given(lines, lines, lines)
def test_a_merge_by_lines_keeps_what_each_side_added(base: str, ours: str, theirs: str) -> None:
    chunks = merge_lines(base, ours, theirs)
    if all(chunk.theirs is None for chunk in chunks):
        assert set(side(chunks, True).split("\n")) >= (set(ours.split("\n")) | set(theirs.split("\n"))) - set(base.split("\n"))
    else:
        assert set(side(chunks, True).split("\n")) >= set(ours.split("\n")) - set(base.split("\n"))
        assert set(side(chunks, False).split("\n")) >= set(theirs.split("\n")) - set(base.split("\n"))
