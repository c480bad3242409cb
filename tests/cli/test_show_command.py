"""`remember show` as a person calls it: a memo whole, or lines of it as `search` numbers them."""

from __future__ import annotations

import pytest
from console import Console


@pytest.fixture
def named(remember: Console) -> str:
    remember("init")
    return str(remember.json("note", "A title", "--body", "one\ntwo\nthree\n")["path"])


@pytest.mark.parametrize(
    ("lines", "shown"), [("7:7", "one\n"), ("8:", "two\nthree\n"), ("8", "two\n"), ("1:8", "one\ntwo\n"), ("9:99", "three\n")]
)
def test_lines_are_counted_as_in_the_file(remember: Console, named: str, lines: str, shown: str) -> None:
    assert remember("show", named, "--lines", lines).rstrip("\n") == shown.rstrip("\n")


@pytest.mark.parametrize("lines", ["0:1", "9:8", "x", "²", "1:2:3"])
def test_what_is_no_range_is_refused(remember: Console, named: str, lines: str) -> None:
    assert "no range" in remember.error("show", named, "--lines", lines, expect=2)["message"]


@pytest.mark.parametrize("lines", ["900:901", "1:3", "500"])
def test_lines_without_text_are_nothing_found(remember: Console, named: str, lines: str) -> None:
    assert "lines 7 to 9" in remember.error("show", named, "--lines", lines, expect=1)["hint"]
