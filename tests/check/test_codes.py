"""The table of codes: complete, explained, documented, and every code that can be found has a fixture that finds it."""

from __future__ import annotations

import os
import re

import pytest

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


DESIGN = {
    "error": "R101 R103 R104 R105 R106 R201 R208 R303 R304 R306 R308 R314 R501 R502 R603 R604 R607 R608 R609 "
    "R610 R611 R612 R613",
    "warning": "R102 R207 R210 R211 R301 R305 R307 R309 R315 R316 R402 R403 R404 R405 R407 R503 R602 R605 R606 R701 R704 R801 R802 "
    "R803 Z101 Z102 Z103",
    "info": "R107 R202 R205 R209 R317 R401 R406 R409 R505 R600 R702 R703 R901 R902 R903 Z104",
    "unknown": "R318",
    "warning info": "R204 R206 R601",
    "error info": "R203 R302 R311 R312",
    "error warning": "R212",
    "warning unknown": "R313",
    "unknown warning": "R408",
    "info warning": "R504",
}
"""The severities that the design gives, the usual one first.

R212 is a warning for a line that has no comment of its own, R302 is information in a vault, R203 and R311 in a code block.
"""


def test_severities_are_those_of_the_design():
    wanted = {name: tuple(severities.split()) for severities, names in DESIGN.items() for name in names.split()}
    assert {name: code.severities for name, code in CODES.items() if name in wanted} == wanted
    assert set(wanted) <= set(CODES)


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
