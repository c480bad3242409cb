"""The manifest: `sha256sum` verifies it, and its own verification names each memo that is another."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest
from bench import COMMENT, NOTE

from remember.check.manifest import manifest_text, verify
from remember.errors import FormatError
from remember.layouts import layout_named

RULES = layout_named("remember").rules


def differences(bench, data):
    return {(d.kind, d.path, d.id, d.old) for d in verify(data, bench.path, RULES)}


@pytest.mark.skipif(shutil.which("sha256sum") is None, reason="needs GNU coreutils")
def test_sha256sum_verifies_it(bench, tmp_path):
    for name in ("two words", "back\\slash", "line\nfeed", "\u90e8\u7f72", "\udcff", "x" * 200):
        bench.write(f"notes/{name}.md", "x")
    file = tmp_path / "manifest"
    data, count = manifest_text(bench.path, RULES)
    file.write_bytes(data)
    done = subprocess.run(["sha256sum", "-c", "--strict", str(file)], cwd=bench.path, capture_output=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count(b": OK\n") == count == 9
    assert differences(bench, data) == set()


def test_what_sha256sum_writes_can_be_verified(bench):
    done = subprocess.run(["sha256sum", "MEMORY.md", NOTE, "notes/2025-10-09-coffee.md"], cwd=bench.path, capture_output=True, check=True)
    assert differences(bench, done.stdout) == set()


def test_each_difference_is_named_by_id(bench):
    data, _ = manifest_text(bench.path, RULES)
    bench.edit("MEMORY.md", "The kettle is blue.", "The kettle is red.")
    bench.edit("MEMORY.md", COMMENT.format("aaaaaaa2") + "The cup is white.\n", COMMENT.format("aaaaaaa3") + "New.\n")
    os.rename(bench.file(NOTE), bench.file("notes/2025-10-09-chai.md"))
    bench.edit("notes/2025-10-09-coffee.md", "Grind", "Roast")
    bench.note("notes/2025-10-09-new.md", "New", "ccccccc1", "x\n")
    assert differences(bench, data) == {
        ("changed", "MEMORY.md", "aaaaaaa1", None),
        ("removed", "MEMORY.md", "aaaaaaa2", None),
        ("added", "MEMORY.md", "aaaaaaa3", None),
        ("renamed", "notes/2025-10-09-chai.md", "bbbbbbb1", NOTE),
        ("changed", "notes/2025-10-09-coffee.md", "bbbbbbb2", None),
        ("added", "notes/2025-10-09-new.md", "ccccccc1", None),
    }


def test_removed_and_renamed_with_other_content(bench):
    data, _ = manifest_text(bench.path, RULES)
    os.unlink(bench.file("notes/2025-10-09-coffee.md"))
    bench.edit(NOTE, "Boil", "Cook")
    os.rename(bench.file(NOTE), bench.file("notes/x.md"))
    assert differences(bench, data) == {
        ("removed", "notes/2025-10-09-coffee.md", "bbbbbbb2", None),
        ("renamed", "notes/x.md", "bbbbbbb1", NOTE),
        ("changed", "notes/x.md", "bbbbbbb1", None),
    }


def test_prose_that_changed_is_the_files(bench):
    data, _ = manifest_text(bench.path, RULES)
    bench.append("MEMORY.md", "\n# A heading\n")
    assert differences(bench, data) == {("changed", "MEMORY.md", None, None)}


def test_what_is_no_manifest_is_refused_by_line(bench):
    with pytest.raises(FormatError) as refused:
        verify(b"hello\n" + b"0" * 64 + b"  MEMORY.md\nworld\n", bench.path, RULES)
    assert [line for line, _ in refused.value.problems] == [1, 3]
