"""A person's own run: begin, validate, apply, list, abort."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest
from console import Console
from test_schema import fits
from workers import begin, files, plan_text, records, runs, stock

from remember.consolidate import rundirs
from remember.consolidate.begin import Context
from remember.memory.consolidating import abort_run, begin_run
from remember.memory.context import Surroundings


def test_begin_freezes_a_private_copy(remember: Console) -> None:
    stocked = stock(remember)
    begun = fits("consolidation-begun", remember.json("consolidate", "begin"))
    folder = Path(begun["directory"])
    assert stat.S_IMODE(folder.parent.stat().st_mode) == 0o700 and stat.S_IMODE(folder.stat().st_mode) == 0o500
    assert not folder.is_relative_to(remember.work)
    for path, data in stocked.items():
        copied = folder / "store" / path
        assert not path.endswith(".md") or (copied.read_bytes() == data and stat.S_IMODE(copied.stat().st_mode) == 0o400)
    manifest = json.loads((folder / "manifest.json").read_text())
    assert manifest["context"] == {"state": "none", "reason": "none was given"}
    assert [row["path"] for row in manifest["files"]] == sorted(path for path in stocked if path.endswith(".md"))
    assert begun["run"] in begun["prompt"] and begun["memos"] == 5
    assert files(remember) == stocked


def test_validate_changes_nothing_and_apply_does_what_it_said(remember: Console) -> None:
    before, saved = stock(remember), records(remember)
    begun = begin(remember)
    text = plan_text(
        begun, {"op": "forget", **begun["by"]["Use pnpm"]}, {"op": "add", "text": "Use pnpm"}, {"op": "add", "text": "use pnpm!"}
    )
    found = fits("consolidation-validated", remember.json("consolidate", "validate", begun["run"], "-", stdin=text))
    assert [row["changed"] for row in found["operations"]] == [True, True, False]
    assert files(remember) == before and records(remember) == saved and runs(remember)[0]["state"] == "open"
    (remember.work / "plan.json").write_text(text)
    receipt = fits("consolidation-receipt", remember.json("consolidate", "apply", begun["run"], "plan.json"))
    assert receipt["plan_sha256"] == found["plan_sha256"] and receipt["worker"] is None
    assert files(remember)["MEMORY.md"] != before["MEMORY.md"]
    for again in ("apply", "validate"):
        assert remember.error("consolidate", again, begun["run"], "plan.json", expect=3)["message"].endswith("is applied")
    assert remember.error("consolidate", "abort", begun["run"], expect=3)["code"] == "conflict"


def test_only_one_run_is_open_at_a_time(remember: Console) -> None:
    stock(remember)
    begun = begin(remember)
    for words in (("begin",), ("run", "--worker", "true")):
        error = remember.error("consolidate", *words, expect=3)
        assert begun["run"] in error["message"] and "abort" in error["hint"]
    row = fits("consolidation-run", remember.json("consolidate", "abort", begun["run"]))
    assert row["state"] == "aborted" and not Path(begun["directory"]).exists()
    assert begin(remember)["run"] != begun["run"]
    fits("consolidation-runs", remember.json("consolidate", "list"))
    assert [row["state"] for row in runs(remember)] == ["open", "aborted"]


def test_a_memo_that_changed_since_makes_the_whole_plan_stale(remember: Console) -> None:
    stock(remember)
    begun = begin(remember)
    stale, sound = begun["by"]["Use pnpm"], begun["by"]["Port 8096."]
    remember("update", stale["id"], "--content", "Use bun")
    before = files(remember)
    text = plan_text(begun, {"op": "forget", **sound}, {"op": "add", "text": "new"}, {"op": "update", **stale, "content": "Use npm"})
    for verb in ("validate", "apply"):
        error = remember.error("consolidate", verb, begun["run"], "-", expect=3, stdin=text)
        assert error["code"] == "changed" and f"operation 3 (update): {stale['id']} is at revision" in error["message"]
        assert files(remember) == before
    # What the plan does not name may change; the run stays open for a better plan.
    text = plan_text(begun, {"op": "forget", **sound})
    assert remember.json("consolidate", "apply", begun["run"], "-", stdin=text)["changed"]


def test_a_memo_that_went_meanwhile_makes_it_stale_too(remember: Console) -> None:
    stock(remember)
    begun = begin(remember)
    gone = begun["by"]["Old stuff."]
    remember("forget", gone["id"])
    error = remember.error("consolidate", "apply", begun["run"], "-", expect=3, stdin=plan_text(begun, {"op": "forget", **gone}))
    assert gone["id"] in error["message"]


def test_every_bad_operation_is_named_at_once(remember: Console) -> None:
    stock(remember)
    begun = begin(remember)
    operations = [{"op": "add", "text": " "}, {"op": "add", "text": "fine"}, {"op": "note", "description": "TV server", "content": "x"}]
    message = remember.error("consolidate", "validate", begun["run"], "-", expect=2, stdin=plan_text(begun, *operations))["message"]
    assert "operation 1 (add): the fact is empty" in message and "operation 3 (note)" in message and "operation 2" not in message


def test_merging_facts_makes_a_note_and_merging_notes_keeps_the_first(remember: Console) -> None:
    before = stock(remember)
    begun = begin(remember)
    by = begun["by"]
    text = plan_text(
        begun,
        {
            "op": "merge",
            "memos": [by["Backups run at 3 am."], by["The backups run at three."]],
            "description": "Backups",
            "content": "At 3 am.",
        },
        {"op": "merge", "memos": [by["Old stuff."], by["Port 8096."]], "description": "TV server", "content": "Port 8096, once 8095."},
    )
    receipt = remember.json("consolidate", "apply", begun["run"], "-", stdin=text)
    now = files(remember)
    assert [path for path in before if path not in now] == [path for path in before if path.endswith("-tv.md")]
    kept = next(data for path, data in now.items() if path.endswith("-old.md")).decode()
    assert by["Old stuff."]["id"] in kept and 'description: "TV server"' in kept and "once 8095" in kept
    assert receipt["operations"][1]["ids"][0] == by["Old stuff."]["id"]
    assert next(data for path, data in now.items() if path.endswith("-backups.md")).endswith(b"---\nAt 3 am.\n")
    remember("undo")
    assert files(remember) == before


def test_a_store_written_by_hand_keeps_every_other_byte(remember: Console) -> None:
    remember("init")
    memory = remember.store / "MEMORY.md"
    memory.write_bytes(
        b"\xef\xbb\xbf# Mine\r\n\r\n<!-- 2026-02-15T14:30:00Z [aaaa0001] -->\r\n\r\nfirst\r\n- by hand\r\n"
        b"<!-- 2026-02-15T14:30:00Z [aaaa0002] -->\r\n"
        b"second \xff\r\n| a | table |\r\n<!-- 2026-02-15T14:30:00Z [aaaa0003] -->\r\nthird"
    )
    before = memory.read_bytes()
    begun = begin(remember)
    by = {line["id"]: line for line in begun["by"].values()}
    text = plan_text(
        begun, {"op": "update", **by["aaaa0001"], "content": "FIRST"}, {"op": "forget", **by["aaaa0002"]}, {"op": "add", "text": "last"}
    )
    remember("consolidate", "apply", begun["run"], "-", stdin=text)
    after = memory.read_bytes()
    head = b"\xef\xbb\xbf# Mine\r\n\r\n<!-- 2026-02-15T14:30:00Z [aaaa0001] -->\r\n\r\nFIRST\r\n- by hand\r\n| a | table |\r\n"
    assert after.startswith(head + b"<!-- 2026-02-15T14:30:00Z [aaaa0003] -->\r\nthird\r\n<!-- ") and after.endswith(b"-->\r\nlast")
    remember("undo")
    assert memory.read_bytes() == before


def test_one_id_in_two_places_is_never_guessed_about(remember: Console) -> None:
    remember("init")
    memory = remember.store / "MEMORY.md"
    memory.write_text("<!-- 2026-02-15T14:30:00Z [aaaa0001] -->\none\n<!-- 2026-02-15T14:30:00Z [aaaa0001] -->\ntwo\n")
    begun = begin(remember)
    assert begun["memos"] == 0
    text = plan_text(begun, {"op": "forget", "id": "aaaa0001", "revision": "0" * 12})
    remember.error("consolidate", "apply", begun["run"], "-", expect=3, stdin=text)


@pytest.mark.parametrize("run", ["latest", "../../x", "20260101T000000000Z-00000001", ""])
def test_an_unknown_run(remember: Console, run: str) -> None:
    stock(remember)
    for words in (("abort", run), ("validate", run, "-"), ("apply", run, "-")):
        assert remember.error("consolidate", *words, expect=1)["code"] == "not_found"


def test_a_run_whose_state_is_damaged_is_no_obstacle(remember: Console) -> None:
    stock(remember)
    begun = begin(remember)
    (Path(begun["directory"]).parent / "state.json").write_text("{")
    assert runs(remember)[0]["state"] == "failed"
    assert begin(remember)["run"] != begun["run"]


def test_the_oldest_runs_are_pruned(remember: Console, monkeypatch: pytest.MonkeyPatch) -> None:
    stock(remember)
    around = Surroundings(None, None, (), False, remember.environ, str(remember.work))
    monkeypatch.setattr(rundirs, "RUNS_KEPT", 3)
    made = []
    for _ in range(6):
        made.append(str(begin_run(around, Context(None, "x"))["run"]))
        abort_run(around, made[-1])
    assert [row["run"] for row in runs(remember)] == made[:1:-1]


def test_what_looks_like_a_secret_is_masked_for_the_worker_and_exact_in_the_copy(remember: Console) -> None:
    remember("init")
    remember("note", "Access", "--body", "key ghp_" + "a1B2" * 9, "--allow-secret")
    begun = begin(remember)
    folder = Path(begun["directory"])
    assert "ghp_" not in begun["prompt"] + (folder / "memos.jsonl").read_text()
    [copied] = (folder / "store" / "notes").iterdir()
    assert "ghp_" in copied.read_text()


def test_text_output_says_what_was_done(remember: Console) -> None:
    stock(remember)
    lines = remember("consolidate", "begin").splitlines()
    run = lines[0].split()[1].rstrip(":")
    empty = json.dumps({"run": run, "summary": "", "operations": []})
    assert remember("consolidate", "validate", run, "-", stdin=empty) == "the plan is valid; nothing was changed\n"
    assert remember("consolidate", "list") == f"{run}  open\n"
    assert remember("consolidate", "apply", run, "-", stdin=empty) == f"nothing to change: {run}\n"
    assert remember("consolidate", "list") == f"{run}  applied\n"


def test_the_global_store_has_runs_of_its_own(remember: Console) -> None:
    stock(remember)
    remember("add", "--scope", "global", "about me")
    begun = remember.json("consolidate", "begin", "--scope", "global")
    assert begun["memos"] == 1
    begin(remember)
    assert len(remember.json("consolidate", "list", "--scope", "global")["runs"]) == 1
