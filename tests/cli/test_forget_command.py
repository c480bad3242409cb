"""`remember forget` as scripts call it: one JSON document on standard error, or one on standard output."""

from __future__ import annotations

import json

from console import Console


def test_several_matches_are_one_json_error(remember: Console) -> None:
    remember("init")
    for text in ("aa common", "bb common"):
        remember("add", text)
    done = remember.raw("forget", "common", "--json")
    assert (done.returncode, done.stdout) == (2, b"")
    error = json.loads(done.stderr)["error"]
    assert error["code"] == "refused_input" and "2 memos" in error["message"] and "--yes" in error["hint"]
    shown = remember.raw("forget", "common")
    assert shown.returncode == 2 and shown.stderr.count(b"would go: ") == 2
    assert len(remember.json("list")["memos"]) == 2
    assert len(json.loads(remember("forget", "common", "--yes", "--json"))["memos"]) == 2
