"""Findings as documents for programs: JSON objects, GitHub workflow commands, SARIF 2.1.0."""

from __future__ import annotations

import os

from remember.check.codes import CODES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from remember.check.answer import Checked
    from remember.check.findings import Finding
    from remember.check.steps import Repair

    Document = dict[str, object]

__all__ = ["document", "finding_document", "github", "repair_document", "sarif"]

_LEVELS = {"error": "error", "warning": "warning", "info": "note", "unknown": "warning"}
_GITHUB = {"error": "error", "warning": "warning", "info": "notice", "unknown": "warning"}
_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def _readable(text: str) -> str:
    """Text that holds bytes of a name or file which are no UTF-8, with these escaped."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def finding_document(finding: Finding) -> Document:
    """A finding; `path` and `line` are null where it is about the store as a whole, `path_bytes` stands where the path is no UTF-8."""
    found: Document = {
        "code": finding.code,
        "severity": finding.severity,
        "scope": finding.scope,
        "store": finding.store,
        "store_path": _readable(finding.store_path),
        "path": _readable(finding.path) or None,
        "line": finding.line or None,
        "message": _readable(finding.message),
        "repair": finding.repair,
        "repairable": finding.fix in ("C", "M") and finding.severity != "unknown",
    }
    if found["path"] and found["path"] != finding.path:
        from base64 import b64encode

        found["path_bytes"] = b64encode(finding.path.encode("utf-8", "surrogateescape")).decode()
    return found


def repair_document(step: Repair) -> Document:
    """A step of a repair; `done` is null in a plan."""
    return {
        "code": step.code,
        "scope": step.scope,
        "store": step.store,
        "path": _readable(step.path) or None,
        "line": step.line or None,
        "action": _readable(step.action),
        "done": step.done,
        "recovery_id": step.recovery_id,
        "error": None if step.error is None else _readable(step.error),
    }


def document(checked: Checked) -> Document:
    """The whole answer, counted by severity."""
    counts = dict.fromkeys(("error", "warning", "info", "unknown"), 0)
    for finding in checked.findings:
        counts[finding.severity] += 1
    return {
        "findings": [finding_document(finding) for finding in checked.findings],
        "counts": counts,
        "repairs": [repair_document(step) for step in checked.repairs],
        "stores": [{"store": ref.name, "scope": ref.scope, "path": _readable(ref.path), "layout": ref.layout} for ref in checked.stores],
        "warnings": list(checked.warnings),
    }


def _escaped(text: str, more: str = "") -> str:
    text = _readable(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    for char in more:
        text = text.replace(char, f"%{ord(char):02X}")
    return "".join(char if char.isprintable() else "\ufffd" for char in text)


def github(findings: Iterable[Finding], cwd: str) -> str:
    """One workflow command a finding (docs.github.com, "Workflow commands": `::error file=…,line=…,title=…::message`)."""
    lines = []
    for finding in findings:
        file = os.path.relpath(os.path.join(finding.store_path, finding.path), cwd)
        place = f"file={_escaped(file, ':,')}" + (f",line={finding.line}" if finding.line else "")
        title = _escaped(f"{finding.code} {CODES[finding.code].title}", ":,")
        lines.append(f"::{_GITHUB[finding.severity]} {place},title={title}::{_escaped(f'{finding.message}. {finding.repair}')}\n")
    return "".join(lines)


def sarif(findings: Iterable[Finding], version: str, cwd: str) -> Document:
    """A SARIF 2.1.0 log with one run; files are given relative to `cwd` where they are below it, else absolute."""
    found = list(findings)
    used = sorted({finding.code for finding in found})
    number = {code: at for at, code in enumerate(used)}
    driver = {"name": "remember", "semanticVersion": version, "rules": [_rule(code) for code in used]}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {"ROOT": {"uri": _uri(cwd.rstrip("/"), absolute=True) + "/"}},
        "results": [_result(finding, number[finding.code], cwd) for finding in found],
    }
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(name: str) -> Document:
    code = CODES[name]
    return {
        "id": name,
        "shortDescription": {"text": code.title},
        "help": {"text": code.advice},
        "defaultConfiguration": {"level": _LEVELS[code.severities[0]]},
    }


def _uri(path: str, absolute: bool = False) -> str:
    from urllib.parse import quote

    quoted = quote(os.fsencode(path))
    return "file://" + quoted if absolute else quoted


def _result(finding: Finding, rule: int, cwd: str) -> Document:
    whole = os.path.join(finding.store_path, finding.path) if finding.path else finding.store_path
    relative = os.path.relpath(whole, cwd)
    outside = relative.startswith("..")
    artifact: Document = {"uri": _uri(whole, absolute=True)} if outside else {"uri": _uri(relative), "uriBaseId": "ROOT"}
    place: Document = {"artifactLocation": artifact}
    if finding.line:
        place["region"] = {"startLine": finding.line}
    message = _readable(f"{finding.path or finding.store}: {finding.message}")
    return {
        "ruleId": finding.code,
        "ruleIndex": rule,
        "level": _LEVELS[finding.severity],
        "message": {"text": message},
        "locations": [{"physicalLocation": place}],
        "partialFingerprints": {"findingHash/v1": _fingerprint(finding)},
        "properties": {"severity": finding.severity, "store": finding.store},
    }


def _fingerprint(finding: Finding) -> str:
    from hashlib import sha256

    text = "\0".join((finding.code, finding.path, finding.message))
    return sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:32]
