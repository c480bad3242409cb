"""Findings for programs: JSON, GitHub's workflow commands and SARIF hold what they must, whatever names files have."""

from __future__ import annotations

import json
import re

import jsonschema
from bench import COMMENT

from remember.check.answer import Checked
from remember.check.findings import exit_status, order
from remember.check.formats import document, finding_document, github, sarif

# The parts of the OASIS schema of SARIF 2.1.0 (sections 3.13 to 3.30) that our logs use, with what is required.
TEXT = {"type": "object", "required": ["text"], "properties": {"text": {"type": "string", "minLength": 1}}}
SARIF = {
    "type": "object",
    "required": ["version", "runs"],
    "properties": {
        "version": {"const": "2.1.0"},
        "$schema": {"type": "string", "format": "uri"},
        "runs": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["tool"],
                "properties": {
                    "tool": {
                        "type": "object",
                        "required": ["driver"],
                        "properties": {
                            "driver": {
                                "type": "object",
                                "required": ["name"],
                                "properties": {
                                    "rules": {
                                        "type": "array",
                                        "uniqueItems": True,
                                        "items": {
                                            "type": "object",
                                            "required": ["id"],
                                            "properties": {
                                                "id": {"type": "string"},
                                                "shortDescription": TEXT,
                                                "help": TEXT,
                                                "defaultConfiguration": {
                                                    "properties": {"level": {"enum": ["none", "note", "warning", "error"]}},
                                                    "additionalProperties": False,
                                                },
                                            },
                                            "additionalProperties": False,
                                        },
                                    }
                                },
                            }
                        },
                    },
                    "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
                    "results": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "required": ["message"],
                            "properties": {
                                "ruleId": {"type": "string"},
                                "ruleIndex": {"type": "integer", "minimum": 0},
                                "level": {"enum": ["none", "note", "warning", "error"]},
                                "message": TEXT,
                                "partialFingerprints": {"type": "object", "additionalProperties": {"type": "string"}},
                                "locations": {
                                    "type": "array",
                                    "items": {
                                        "properties": {
                                            "physicalLocation": {
                                                "required": ["artifactLocation"],
                                                "properties": {
                                                    "artifactLocation": {"properties": {"uri": {"type": "string"}}},
                                                    "region": {"properties": {"startLine": {"type": "integer", "minimum": 1}}},
                                                },
                                            }
                                        }
                                    },
                                },
                            },
                        },
                    },
                },
            },
        },
    },
}


def damaged(bench):
    bench.append("MEMORY.md", COMMENT.format("aaaaaaa3"))
    bench.write("notes/2025-10-09-odd: \udcff,%\n.md", "no header\n")
    return order(bench.check(files_only=True))


def test_sarif(bench):
    found = damaged(bench)
    log = json.loads(json.dumps(sarif(found, "1.2.3", bench.path)))
    jsonschema.validate(log, SARIF)
    run = log["runs"][0]
    assert len(run["results"]) == len(found)
    for result in run["results"]:
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        assert re.fullmatch(r"[A-Za-z0-9._~/%-]*", uri)
    places = {r["ruleId"]: r["locations"][0]["physicalLocation"] for r in run["results"]}
    assert places["R204"]["artifactLocation"] == {"uri": "MEMORY.md", "uriBaseId": "ROOT"}
    assert places["R204"]["region"] == {"startLine": 5}


def test_sarif_of_nothing(bench):
    jsonschema.validate(sarif([], "1.2.3", bench.path), SARIF)


def test_github_commands_cannot_be_broken_by_names(bench):
    lines = github(damaged(bench), bench.path).splitlines()
    assert all(re.fullmatch(r"::(error|warning|notice) file=[^,:]*(,line=\d+)?,title=[^,:]*::.+", line) for line in lines)
    assert any(line.startswith("::warning file=MEMORY.md,line=5,title=R204 ") for line in lines)


def test_documents_are_strict_json(bench):
    checked = Checked(tuple(damaged(bench)), (), (bench.ref,))
    text = json.dumps(document(checked), ensure_ascii=False)
    text.encode("utf-8")
    parsed = json.loads(text)
    assert sum(parsed["counts"].values()) == len(parsed["findings"])
    odd = next(f for f in parsed["findings"] if f["code"] == "R301")
    assert "path_bytes" in odd
    assert finding_document(checked.findings[0])["severity"] in ("error", "warning")


def test_the_exit_status(bench):
    found = damaged(bench)
    assert exit_status(found) == checked_status(found) == 1
    assert exit_status([f for f in found if f.severity == "info"]) == 0
    assert exit_status([*found, found[0].__class__(**{**as_dict(found[0]), "severity": "unknown"})]) == 4


def checked_status(found):
    return Checked(tuple(found), (), ()).exit_status


def as_dict(finding):
    return {name: getattr(finding, name) for name in finding.__slots__}
