"""Conflict copies of sync programs: grouped by their original, with what makes them differ."""

from __future__ import annotations

import os

import pytest
from bench import NOTE

from remember.check.copies import difference

STEM = NOTE.removesuffix(".md")
NAMES = [
    f"{STEM}.sync-conflict-20261018-161033-ABCDEFG.md",
    f"{STEM} (Ann's conflicted copy 2026-10-18).md",
    f"{STEM} (conflicted copy 2026-10-18 161033).md",
    f"{STEM} 2.md",
    f"{STEM}-DESKTOP-A1B2C3.md",
]


def found(bench, code):
    return [(f.path, f.message) for f in bench.check(files_only=True) if f.code == code]


def test_every_copy_is_measured_against_the_original(bench):
    for name in NAMES:
        bench.write(name, bench.read(NOTE) + b"more\n")
    ids, copies = found(bench, "R501"), found(bench, "R405")
    assert sorted(path for path, _ in ids) == sorted(path for path, _ in copies) == sorted(NAMES)
    assert all(f"which {NOTE} has too" in message for _, message in ids)
    assert all(message == f"looks like a conflict copy of {NOTE} (1 line only in the copy: 'more')" for _, message in copies)


@pytest.mark.parametrize(
    ("copy", "original", "how"),
    [
        (b"a\nb\n", b"a\nb\n", "the two are equal"),
        (b"b\na\n", b"a\nb\n", "the same lines in another order"),
        (b"a\n", b"a\nb\nc\n", "2 lines only in the original: 'b' …"),
        (b"a\na\nx\n", b"a\ny\n", "2 lines only in the copy: 'a' …; 1 line only in the original: 'y'"),
        (b"\x1b[31m\n", b"", "1 line only in the copy: '\\x1b[31m'"),
        (b"\xff" * 100, b"", "1 line only in the copy: '" + "\\udcff" * 60 + "…'"),
        (b"x" * (1 << 21), b"", ""),
        (None, b"", ""),
    ],
)
def test_how_two_files_differ(tmp_path, copy, original, how):
    for name, data in (("copy", copy), ("original", original)):
        if data is not None:
            (tmp_path / name).write_bytes(data)
    assert difference(os.fspath(tmp_path), "copy", "original") == how
