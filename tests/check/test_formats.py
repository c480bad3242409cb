"""Findings for programs: JSON, GitHub's workflow commands and SARIF hold what they must, whatever names files have."""

from __future__ import annotations

import json
import re

import jsonschema
import pytest
from bench import COMMENT

from remember.check.answer import Checked
from remember.check.codes import CODES
from remember.check.findings import Finding, exit_status, order
from remember.check.formats import document, finding_document, github, sarif


def closed(required, **properties):
    """An object of the OASIS schema, which allows none to have properties that it does not name."""
    return {"type": "object", "required": list(required), "properties": properties, "additionalProperties": False}


# The parts of the OASIS schema of SARIF 2.1.0 (sections 3.13 to 3.30) that our logs use, with what is required. An output with
# every code was valid under the whole schema, as was this; that schema is not ours to hand on.
TEXT = closed(["text"], text={"type": "string", "minLength": 1})
LEVEL = {"enum": ["none", "note", "warning", "error"]}
RULE = closed(
    ["id"], id={"type": "string"}, shortDescription=TEXT, help=TEXT, defaultConfiguration=closed([], level=LEVEL)
)
DRIVER = closed(
    ["name"],
    name={"type": "string"},
    semanticVersion={"type": "string", "pattern": r"^\d+\.\d+\.\d+([-+].+)?$"},
    rules={"type": "array", "uniqueItems": True, "items": RULE},
)
PLACE = closed(
    [],
    artifactLocation=closed([], uri={"type": "string", "format": "uri-reference"}, uriBaseId={"enum": ["ROOT"]}),
    region=closed([], startLine={"type": "integer", "minimum": 1}),
)
RESULT = closed(
    ["message"],
    ruleId={"type": "string"},
    ruleIndex={"type": "integer", "minimum": 0},
    level=LEVEL,
    message=TEXT,
    partialFingerprints={"type": "object", "additionalProperties": {"type": "string"}},
    locations={"type": "array", "items": closed([], physicalLocation=PLACE)},
    properties={"type": "object"},
)
RUN = closed(
    ["tool", "results"],
    tool=closed(["driver"], driver=DRIVER),
    columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
    originalUriBaseIds={
        "type": "object",
        "additionalProperties": closed(["uri"], uri={"type": "string", "pattern": "^file:///.*/$"}),
    },
    results={"type": "array", "items": RESULT},
)
SARIF = closed(
    ["version", "runs"],
    **{"$schema": {"type": "string", "format": "uri"}},
    version={"const": "2.1.0"},
    runs={"type": "array", "minItems": 1, "items": RUN},
)


LEVELS = {"error": "error", "warning": "warning", "info": "note", "unknown": "warning"}


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


def every_code(store):
    """A finding of each code, severity, and kind of place."""
    for name, code in CODES.items():
        for severity in code.severities:
            for path, line in (("MEMORY.md", 3), ("", 0), ("notes/odd: \udcff,%\n.md", 0), ("notes/\u65e5\u672c \u8a9e.md", 1)):
                yield Finding(name, severity, "local", "local", store, path, line, "is odd", code.advice, code.repair)


@pytest.mark.parametrize("store", ["/projects/place/.pi/memory", "/elsewhere/with blank/store"])
def test_sarif_of_every_code_and_kind_of_place(store):
    found = list(every_code(store))
    log = json.loads(json.dumps(sarif(found, "1.2.3", "/projects/place")))
    jsonschema.validate(log, SARIF)
    (run,) = log["runs"]
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == sorted(CODES)
    assert {result["ruleId"] for result in run["results"]} == set(CODES)
    assert [result["level"] for result in run["results"]] == [LEVELS[finding.severity] for finding in found]
    for result, finding in zip(run["results"], found, strict=True):
        place = result["locations"][0]["physicalLocation"]
        assert place["artifactLocation"]["uri"].startswith("file:///elsewhere/with%20blank/" if "else" in store else ".pi/memory")
        assert place.get("region") == ({"startLine": finding.line} if finding.line else None)
    # Two findings of one code in two places are two alerts, on each run the same.
    prints = [result["partialFingerprints"]["findingHash/v1"] for result in run["results"]]
    assert len(set(prints)) == len({(finding.code, finding.path, finding.message) for finding in found})


def test_sarif_of_nothing(bench):
    log = json.loads(json.dumps(sarif([], "1.2.3", bench.path)))
    jsonschema.validate(log, SARIF)
    assert log["runs"][0]["results"] == log["runs"][0]["tool"]["driver"]["rules"] == []


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
    assert exit_status([*found, found[0]._replace(severity="unknown")]) == 4


def checked_status(found):
    return Checked(tuple(found), (), ()).exit_status

