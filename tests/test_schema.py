"""The published schemas are what the models give, and what the commands print fits them."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from console import TREE, Console

from remember.cli import VERBS, _load
from remember.wire.documents import MODELS, schema_files

SCHEMAS = TREE / "schema"


def fits(name: str, document: Any) -> Any:
    """The document, after both the published schema and the model have taken it."""
    schema = json.loads((SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema).validate(document)
    MODELS[name].model_validate(document)
    return document


def test_the_files_in_schema_are_the_models() -> None:
    committed = {path.name: path.read_text(encoding="utf-8") for path in SCHEMAS.glob("*.schema.json")}
    assert committed == schema_files(), "run `python -m remember.wire`"


@pytest.mark.parametrize("name", sorted(schema_files()))
def test_every_schema_is_valid_and_says_what_it_is(name: str) -> None:
    schema = json.loads(schema_files()[name])
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["description"]
    assert schema["additionalProperties"] is False


def test_a_document_with_another_field_is_refused() -> None:
    with pytest.raises(jsonschema.ValidationError):
        fits("config-path", {"path": "/x", "more": 1})
    with pytest.raises(jsonschema.ValidationError):
        fits("config-path", {})


def test_answers_about_memos(stocked: Console) -> None:
    found = fits("search", stocked.json("search", "proxy", "--explain"))
    assert found["total"] == 2 and found["hits"][0]["explanation"]
    assert fits("search", stocked.json("search", "xylophone", expect=1))["hits"] == []
    for line in stocked("search", "proxy", "--jsonl").splitlines():
        fits("hit", json.loads(line))
    listed = fits("list", stocked.json("list"))
    assert listed["total"] == 3
    for line in stocked("list", "--jsonl").splitlines():
        fits("memo", json.loads(line))
    note = next(memo for memo in listed["memos"] if memo["kind"] == "note")
    assert fits("show", stocked.json("show", note["id"]))["content"].startswith("Port 8096")
    assert fits("links", stocked.json("links", note["id"]))["backlinks"]
    fits("links", stocked.json("links", "MEMORY.md:4"))
    numbers = fits("stats", stocked.json("stats"))
    assert (numbers["memos"], numbers["unreferenced_total"], len(numbers["months"])) == (3, 0, 1)
    assert fits("tags", stocked.json("tags")) == {"tags": [{"tag": "lesson", "memos": 1}]}


def test_odd_memos_fit_too(stocked: Console) -> None:
    notes = stocked.store / "notes"
    (notes / "broken.md").write_text("---\ndescription: x\ndescription: y\n---\nzebra\n")
    Path(os.fsdecode(os.fsencode(notes) + b"/\xff.md")).write_text("zebra and more\n")
    (stocked.store / "topic.md").write_text("# Zebra\n")
    with open(stocked.store / "MEMORY.md", "a") as file:
        file.write("\n# Heading\n\nzebra prose\nin two lines\n")
    listed = fits("list", stocked.json("list"))["memos"]
    assert {"broken", "path_bytes"} <= {key for memo in listed for key in memo}
    assert "text" in {memo["kind"] for memo in listed}
    assert len(fits("search", stocked.json("search", "zebra"))["hits"]) == 4
    fits("check", stocked.json("check", expect=1))


def test_answers_about_changes(stocked: Console) -> None:
    added = fits("change", stocked.json("add", "one more"))
    assert fits("change", stocked.json("add", "one more"))["duplicate_of"] == added["id"]
    assert len(fits("add-many", stocked.json("add", "-", stdin="first\nsecond\n"))["changes"]) == 2
    noted = fits("change", stocked.json("note", "Another", "--body", "x"))
    fits("change", stocked.json("update", noted["id"], "--content", "y"))
    fits("change", stocked.json("update", noted["id"], "--description", "Yet another"))
    fits("change", stocked.json("update", added["id"], "--content", "one less"))
    fits("change", stocked.json("edit", noted["id"], EDITOR="sed -i s/y/z/"))
    fits("change", stocked.json("move", noted["id"], "--slug", "elsewhere"))
    fits("change", stocked.json("move", added["id"], "--to", "global"))
    fits("forget", stocked.json("forget", noted["id"], "--dry-run"))
    forgotten = fits("forget", stocked.json("forget", noted["id"]))
    fits("turned", stocked.json("undo"))
    fits("turned", stocked.json("redo"))
    fits("turned", stocked.json("restore", forgotten["changes"][0]["recovery_id"]))
    history = fits("history", stocked.json("history"))
    assert history["total"] > 8
    (stocked.store / "recovery" / "foreign.json").write_text("{}")
    (stocked.store / "recovery" / "20260101T000000000Z-00000000.json").write_text("{")
    assert fits("history", stocked.json("history"))["foreign"]
    for line in stocked("history", "--jsonl").splitlines():
        fits("record", json.loads(line))
    newest = history["records"][0]["recovery_id"]
    assert fits("history-show", stocked.json("history", "show", newest))["diff"]
    assert fits("history-prune", stocked.json("history", "prune", newest)) == {"pruned": [newest]}


def test_answers_about_stores(stocked: Console) -> None:
    fits("init", stocked.json("init"))
    (stocked.work / "docs").mkdir()
    fits("store", stocked.json("store", "add", "docs", "docs"))
    fits("store-list", stocked.json("store", "list"))
    assert len(fits("status", stocked.json("status", "--all"))["stores"]) == 3
    fits("index-status", stocked.json("index", "status"))
    fits("index-rebuild", stocked.json("index", "rebuild"))
    fits("index-path", stocked.json("index", "path"))
    assert fits("index-drop", stocked.json("index", "drop"))["dropped"]
    fits("store", stocked.json("store", "remove", "docs"))
    assert fits("trust-list", stocked.json("trust", "list"))["roots"] == [str(stocked.work)]
    fits("trust", stocked.json("trust", "remove"))
    fits("trust", stocked.json("trust", "add"))


def test_answers_about_the_configuration(remember: Console) -> None:
    path = fits("config-path", remember.json("config", "path"))["path"]
    assert path == str(remember.home / ".config" / "remember" / "config.toml")
    assert fits("config-set", remember.json("config", "set", "inject", "false")) == {"key": "inject", "value": "false", "path": path}
    assert fits("config-unset", remember.json("config", "unset", "inject")) == {"key": "inject", "path": path, "changed": True}
    assert fits("config-unset", remember.json("config", "unset", "inject", expect=1))["changed"] is False
    remember("config", "set", "inject", "false")
    shown = {row["key"]: row for row in fits("config-show", remember.json("config", "show"))["settings"]}
    assert (shown["inject"]["value"], shown["inject"]["source"]) == (False, path)
    assert shown["inject_chars_local"]["source"] == "default"
    assert fits("config-check", remember.json("config", "check")) == {"problems": []}
    assert fits("config-edit", remember.json("config", "edit", EDITOR="true")) == {"path": path, "changed": False}


def test_answers_about_drift(stocked: Console) -> None:
    assert fits("check", stocked.json("check"))["counts"]["error"] == 0
    fits("check-code", stocked.json("check", "--explain", "R501"))
    fits("manifest-write", stocked.json("manifest", "write", "../m"))
    stocked("add", "later")
    (stocked.store / "notes" / "n.md").write_text("x")
    assert len(fits("manifest-verify", stocked.json("manifest", "verify", "../m", expect=1))["differences"]) >= 2
    with open(stocked.store / "MEMORY.md", "a") as file:
        file.write("<!-- 2025-10-09T08:53:20Z [aaaaaaa3] -->\n")
    assert fits("check", stocked.json("check", expect=1))["findings"]
    fits("check", stocked.json("check", "--repair", "--dry-run", expect=1))
    for line in stocked("check", "--jsonl", expect=1).splitlines():
        fits("finding", json.loads(line))


def test_answers_about_sharing(stocked: Console) -> None:
    for words in (("init", "-q"), ("config", "user.name", "x"), ("config", "user.email", "x@example.com")):
        subprocess.run(["git", *words], cwd=stocked.work, env=stocked.environ, check=True)
    assert fits("git-setup", stocked.json("git", "setup"))["changes"]
    done = fits("git-sync", stocked.json("git", "sync"))
    assert done["commit"] and done["files"] and done["remote"] is None and not done["whole"]
    assert fits("git-setup", stocked.json("git", "setup", "--undo"))["changes"]


def test_answers_for_agents(stocked: Console) -> None:
    assert "TV server" in fits("context", stocked.json("context"))["text"]
    stocked("trust", "remove")
    fits("context", stocked.json("context"))
    fits("context-review", stocked.json("context", "--review"))
    assert fits("hooks", stocked.json("hooks", "install", "claude", "--dry-run"))["changed"] is False
    assert fits("hooks", stocked.json("hooks", "install", "claude", "--yes"))["changed"] is True
    assert "installed" in {file["state"] for file in fits("hooks-status", stocked.json("hooks", "status"))["files"]}
    fits("hooks", stocked.json("hooks", "uninstall", "claude", "--yes"))


def test_answers_about_migrations(remember: Console) -> None:
    shutil.copytree(TREE / "tests" / "fixtures" / "legacy", remember.store)
    assert fits("migrate", remember.json("migrate", "--dry-run"))["stores"][0]["due"] is True
    (done,) = fits("migrate", remember.json("migrate"))["stores"]
    fits("migrate", remember.json("migrate"))
    fits("migrate-rollback", remember.json("migrate", "--rollback", done["backups"][0]))


def test_answers_about_exchange(stocked: Console) -> None:
    for line in stocked("export", "jsonl", "-").splitlines():
        fits("export-line", json.loads(line))
    assert fits("export", stocked.json("export", "jsonl", "out.jsonl"))["memos"] == 3
    assert fits("export", stocked.json("export", "bullets", "out.md"))["left_out"]
    stocked("forget", "--yes", "--text", "proxy")
    assert fits("import", stocked.json("import", "jsonl", "out.jsonl", "--dry-run"))["counts"]["imported"] == 1
    assert fits("import", stocked.json("import", "jsonl", "out.jsonl"))["counts"]["duplicates"] == 2


def test_answers_about_other_programs(remember: Console) -> None:
    assert fits("store-discover", remember.json("store", "discover", expect=1))["found"] == []
    (remember.home / ".pi" / "agent").mkdir(parents=True)
    (remember.home / ".pi" / "agent" / "memory.md").write_text("- A note\n")
    assert fits("store-discover", remember.json("store", "discover", "--register"))["registered"] == ["pi-memory-global"]
    assert fits("store-discover", remember.json("store", "discover"))["found"][0]["registered"] == "pi-memory-global"


def test_answers_about_consolidation(stocked: Console) -> None:
    begun = fits("consolidation-begun", stocked.json("consolidate", "begin"))
    plan = {"run": begun["run"], "summary": "one more", "operations": [{"op": "add", "text": "more"}]}
    fits("consolidation-plan", plan)
    fits("consolidation-validated", stocked.json("consolidate", "validate", begun["run"], "-", stdin=json.dumps(plan)))
    fits("consolidation-receipt", stocked.json("consolidate", "apply", begun["run"], "-", stdin=json.dumps(plan)))
    run = 's/.*"run": "\\([^"]*\\)".*/{"run": "\\1", "summary": "", "operations": []}/'
    fits("consolidation-receipt", stocked.json("consolidate", "run", "--worker", f"sed '{run}' manifest.json"))
    fits("consolidation-run", stocked.json("consolidate", "abort", stocked.json("consolidate", "begin")["run"]))
    assert len(fits("consolidation-runs", stocked.json("consolidate", "list"))["runs"]) == 3


def test_answers_about_the_mirror(stocked: Console) -> None:
    note = next(memo for memo in stocked.json("list")["memos"] if memo["kind"] == "note")
    assert fits("mirror", stocked.json("mirror", "add", note["id"]))["written"]
    (stocked.work / ".memory" / "other.md").write_text("x")
    assert fits("mirror", stocked.json("mirror", "status"))["foreign"] == ["other.md"]
    fits("mirror", stocked.json("mirror", "sync"))
    fits("mirror-list", json.loads((stocked.store / "mirror.json").read_text()))
    assert fits("mirror", stocked.json("mirror", "remove", note["id"]))["withdrawn"]


def test_answers_about_harvests(stocked: Console) -> None:
    found = fits("harvest", stocked.json("harvest", "--worker", "echo The proxy listens on port 8080.", stdin="talk"))
    assert found["added"][0]["changed"]
    assert fits("harvest", stocked.json("harvest", stdin="talk"))["skipped"]


def test_lines_of_watch() -> None:
    """A watcher is told of in its story."""
    lines = (TREE / "tests" / "stories" / "watch.md").read_text(encoding="utf-8").splitlines()
    (line,) = [line for line in lines if line.startswith("{")]
    assert fits("watch", json.loads(line))["full"] is True


def test_every_command_with_json_has_a_schema_that_is_tried() -> None:
    """What a command prints is named in this file, as `stocked.json("verb", …)`."""
    told = Path(__file__).read_text(encoding="utf-8")
    for verb in VERBS:
        for spec in _load(verb).subcommands or (_load(verb),):
            if any(option.dest == "json" for option in spec.options) and verb != "watch":
                words = f'"{verb}", "{spec.name}"' if _load(verb).subcommands else f'"{verb}"'
                assert f".json({words}" in told, words


def test_errors_fit_their_schema(stocked: Console) -> None:
    assert stocked.error("show", "nothing", expect=1)["code"] == "not_found"
    assert stocked.error("add", "x" * 301, expect=2)["code"] == "refused_input"


def test_every_error_has_a_code_of_its_own() -> None:
    from remember import errors

    classes = [getattr(errors, name) for name in errors.__all__]
    assert len({one.code for one in classes}) == len(classes)
    tree = errors.__doc__ or ""
    for one in classes:
        if re.search(rf"\b{one.__name__} +{one.code}\b", tree):
            assert re.search(rf"\b{one.__name__} +{one.code} +{one.exit_status}\b", tree)
