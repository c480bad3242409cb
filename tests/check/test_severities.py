"""Severities of the configuration: what has no effect is named, and what has is silent."""

from __future__ import annotations

import pytest

from remember.check.codes import CODES
from remember.check.severities import CHOICES, problems


def test_every_code_can_be_set_to_every_choice():
    for choice in CHOICES:
        assert problems(dict.fromkeys(CODES, choice)) == []
        assert problems({"severity": dict.fromkeys(CODES, choice)}) == []


@pytest.mark.parametrize(
    ("table", "named"),
    [
        ({"R999": "off"}, ["no finding code R999"]),
        ({"r307": "off"}, ["r307 (did you mean R307?)"]),
        ({"R3": "off"}, ["no finding code R3"]),
        ({"R307": "of"}, ["R307 = 'of' is none of error, warning, info, off"]),
        ({"R307": "unknown"}, ["R307 = 'unknown'"]),
        ({"R307": False}, ["R307 = False"]),
        ({"R307": ["off"]}, ["R307 = ['off']"]),
        ({"R307": "off", "R308": "x", "nonsense": "off"}, ["R308 = 'x'", "nonsense"]),
        ({"severity": {"R307": "x"}, "R308": "off"}, ["R308 has no effect", "R307 = 'x'"]),
        ({"severity": "off"}, ["severity is no table"]),
        ("off", ["check is no table"]),
    ],
)
def test_what_has_no_effect_is_named(table, named):
    found = problems(table)
    assert len(found) == len(named)
    assert [part for part, sentence in zip(named, found, strict=True) if part not in sentence] == []


def test_config_check_names_it_with_its_file_and_check_says_it(stocked):
    file = stocked.home / ".config/remember/config.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("[check]\nR307 = 'off'\nR205 = 'info'\n")
    assert "in order" in stocked("config", "check")
    assert b"config check" not in stocked.raw("check", "-v").stderr
    file.write_text("[check]\nR307 = 'offf'\nR999 = 'off'\n")
    found = stocked.json("config", "check", expect=1)["problems"]
    assert [sentence.startswith(f"{file}: [check]: ") for sentence in found] == [True, True]
    assert "R307" in found[0]
    assert "R999" in found[1]
    assert stocked.raw("check", "-v").stderr.count(b"config check") == 2
