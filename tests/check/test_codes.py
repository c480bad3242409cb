"""The table of codes: complete, explained, documented, and every code that can be found has a fixture that finds it."""

from __future__ import annotations

import io
import os
import re
from contextlib import redirect_stdout

import pytest
from cogapp import Cog

from remember.check.code import SEVERITIES
from remember.check.codes import CODES, code_named, expand, explain, table
from remember.errors import RefusedInput

HERE = os.path.dirname(__file__)
TREE = os.path.dirname(os.path.dirname(HERE))
ELSEWHERE: set[str] = set()
"""Found by concerns that are not built yet: none."""


def text_of(folder):
    parts = []
    for name in sorted(os.listdir(folder)):
        if name.endswith(".py") and name != "test_codes.py":
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                parts.append(file.read())
    return "\n".join(parts)


def test_every_code_is_whole():
    for name, code in CODES.items():
        assert re.fullmatch(r"[RZ]\d{3}", name) and code.name == name
        assert set(code.severities) <= set(SEVERITIES) and code.severities
        assert code.repair in "CMSU-"
        assert code.title[0].islower() or not code.title[0].isalpha() or code.title.startswith(("git", "Z", "R", "Markdown", "IDs"))
        assert code.advice.endswith(".")
        assert explain(code).startswith(name)


def test_every_code_is_reported_somewhere_and_no_other_is():
    package = os.path.join(TREE, "remember")
    source = "\n".join(text_of(os.path.join(package, part)) for part in ("check", "index", "format", "memory", "sync"))
    source = re.sub(r"Code\(.*", "", source)
    reported = set(re.findall(r'"([RZ]\d{3})"', source))
    assert reported - set(CODES) == set()
    assert set(CODES) - reported == ELSEWHERE


def test_every_code_has_a_fixture_that_turns_it_red():
    tests = "".join(text_of(os.path.join(TREE, "tests", part)) for part in ("check", "index", "cli", "sync"))
    missing = {name for name in CODES if f'"{name}"' not in tests}
    assert missing == ELSEWHERE


def test_groups_and_unknown_codes():
    assert expand(["r501, R50"]) >= {"R501", "R505"}
    assert expand(["R6xx"]) == {name for name in CODES if name.startswith("R6")}
    assert expand([]) == frozenset()
    for name in ("R999", "nonsense", "x"):
        with pytest.raises(RefusedInput):
            expand([name])
    assert code_named(" r201 ").name == "R201"


def test_the_document_is_what_the_table_gives():
    path = os.path.join(TREE, "docs", "checks.md")
    with open(path, encoding="utf-8") as file:
        shown = file.read()
    assert table() in shown
    with redirect_stdout(io.StringIO()):
        assert Cog().main(["cog", "--check", path]) == 0
