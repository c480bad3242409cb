"""Numbers with their nouns; and no text of the program that forgets the one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from remember.format.counts import counted

PROGRAM = Path(__file__).resolve().parents[2] / "remember"
NOUNS = "bytes|changes|characters|differences|entries|facts|files|findings|folders|hits|lines|links|memos|names|notes|records|repairs"
NAKED = re.compile(r"\{(?!(?:\w+\.)*_?[A-Z_]+\})[^{}]*\}(?: more)? (?:" + NOUNS + r")\b")
MORE_THAN_ONE = {
    "the {what} has {len(cleaned)} characters": "the text is longer than its limit",
    "the fact has {len(text)} characters": "the text is longer than its limit",
    "the note has {len(cleaned)} characters": "the text is longer than its limit",
    "{size_bytes} bytes, more than": "a file larger than the limit",
    "larger than {limit_bytes} bytes": "a limit",
    "has {node.stat.st_size} bytes; the first": "a file larger than the limit",
    "has {len(new.strip())} characters": "the shorter of two long texts",
    "{len(pairs)} facts, the first": "one fact is told otherwise",
    "{len(memos)} memos, the first": "one memo is told otherwise",
    "means {len(memos)} memos": "one memo is forgotten without a question",
    "of the {len(gone)} memos": "some of them were left out, and one was kept",
    "{done}/{total} files": "a progress bar",
    "{len(new)} notes, the first": "one note is told otherwise",
    "{len(memos)} notes, the first": "one memo is told otherwise",
    "of the {count} memos are named": "some of them were left out, and one was kept",
    "would have {size} bytes": "a file larger than the limit",
    "in {result.files} files": "one file is told otherwise",
    "it has {found.size_bytes} bytes, more than": "a file larger than the limit",
    "the index has {count} lines; the programs": "an index longer than its limit",
    "{found.st_size} bytes, more than": "a file larger than the limit",
    "larger than {self.rules.most_bytes} bytes": "a limit",
    "the first {rules.most_files} files": "a limit",
    "more than {self.limits.output_bytes} bytes": "a limit",
}
"""What may be written with a plural always, and why."""


@pytest.mark.parametrize(
    ("number", "noun", "text"),
    [(0, "fact", "0 facts"), (1, "fact", "1 fact"), (2, "fact", "2 facts"), (1, "entry", "1 entry"), (3, "entry", "3 entries"),
     (2, "key", "2 keys"), (1, "more line", "1 more line"), (21, "more line", "21 more lines"), (None, "file", "None files")],
)
def test_one_is_one(number, noun, text):
    assert counted(number, noun) == text


def test_no_text_forgets_the_one():
    naked = []
    for path in PROGRAM.rglob("*.py"):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if NAKED.search(line) and not any(known in line for known in MORE_THAN_ONE):
                naked.append(f"{path.relative_to(PROGRAM)}:{number}: {line.strip()}")
    assert naked == []
