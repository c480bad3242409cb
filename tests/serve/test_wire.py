"""The bytes on the wire: frames that are none, wrong types, the end of input, and nothing but protocol on standard output."""

from __future__ import annotations

import json
import signal
import subprocess
import sys

from serving import INITIALIZE, asked


def by_id(answers: list[dict]) -> dict:
    return {answer["id"]: answer for answer in answers}


def test_what_is_no_frame_is_answered_and_the_loop_goes_on(made) -> None:
    answers, _, status = made.wire(
        "garbage",
        "[1, 2]",
        '"text"',
        "\udcff\udcfe",
        {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": []},
        {"jsonrpc": "2.0", "id": 2, "method": "no/such"},
        INITIALIZE,
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": 7}},
        asked(4, "memory_status"),
    )
    assert status == 0
    codes = [answer["error"]["code"] for answer in answers if answer["id"] is None]
    assert sorted(codes) == [-32700, -32700, -32600, -32600]
    found = by_id(answers)
    assert found[1]["error"]["code"] == -32600
    assert found[2]["error"]["code"] == -32601
    assert found[3]["error"]["code"] == -32602
    assert found[0]["result"]["protocolVersion"] == "2025-06-18"
    assert found[4]["result"]["structuredContent"]["stores"]


def test_it_ends_within_a_second_although_a_change_waits_for_a_lock(made) -> None:
    lock = f"fcntl.flock(os.open({str(made.store)!r}, os.O_RDONLY), fcntl.LOCK_EX)"
    code = f"import fcntl, os, time; {lock}; print(1, flush=True); time.sleep(20)"
    holder = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    try:
        assert holder.stdout and holder.stdout.readline()
        _, elapsed_s, status = made.wire(INITIALIZE, asked(1, "memory_write", content="waits"))
        assert status == 0 and elapsed_s < 1.5
    finally:
        holder.kill()
        holder.wait()
        holder.stdout.close()


def test_what_is_asked_before_the_end_is_answered_within_a_second(made) -> None:
    answers, elapsed_s, status = made.wire(INITIALIZE, *(asked(n, "memory_write", content=f"fact {n}") for n in range(1, 3)))
    assert {n for n, answer in by_id(answers).items() if "result" in answer} == {"ready", 0, 1, 2}
    assert status == 0 and elapsed_s < 1.0
    assert made.run("list").count("fact ") == 2


def test_a_broken_note_and_a_legacy_store_print_nothing_but_frames(made) -> None:
    (made.store / "notes").mkdir(exist_ok=True)
    (made.store / "notes" / "broken.md").write_text("---\ndescription: x\nzebra\n")
    (made.store / "pi-remember.json").unlink()
    answers, _, status = made.wire(INITIALIZE, asked(1, "memory_search", query="zebra"), asked(2, "memory_read"))
    assert status == 0 and all(answer["jsonrpc"] == "2.0" for answer in answers)
    assert by_id(answers)[1]["result"]["structuredContent"]["hits"]


def test_the_modern_era_discovers_and_stamps_results(made) -> None:
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    discover = {"jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": {"_meta": meta}}
    listed = {"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {"_meta": meta}}
    found = by_id(made.wire(listed, first=discover)[0])
    assert "2026-07-28" in found[1]["result"]["supportedVersions"]
    for number in (1, 2):
        result = found[number]["result"]
        assert result["resultType"] == "complete" and result["ttlMs"] == 0 and result["cacheScope"] == "private"
        assert result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "remember"


def test_without_the_sdk_a_sentence_names_the_line_that_installs_it(made) -> None:
    code = "import sys; sys.modules['mcp'] = None; from remember.cli import main; sys.exit(main(['mcp']))"
    done = subprocess.run([sys.executable, "-c", code], cwd=made.work, env=made.environ, capture_output=True, text=True, input="")
    assert done.returncode == 2 and done.stdout == ""
    assert "pip install 'remember-md[mcp]'" in done.stderr and "Traceback" not in done.stderr


def test_a_wrong_start_is_said_before_serving(made) -> None:
    for named in (["--store", "nowhere"], ["--root", "/no/such/root"]):
        done = subprocess.run(
            [sys.executable, "-m", "remember", "mcp", *named], cwd=made.work, env=made.environ, capture_output=True, text=True, input=""
        )
        assert (done.returncode, done.stdout) == (2, "")
        assert named[1] in done.stderr and "Traceback" not in done.stderr


def test_an_interrupt_ends_it_at_once(made) -> None:
    command = [sys.executable, "-m", "remember", "mcp"]
    with subprocess.Popen(command, cwd=made.work, env=made.environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        assert server.stdin and server.stdout
        server.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
        server.stdin.flush()
        assert server.stdout.readline()
        server.send_signal(signal.SIGINT)
        assert server.wait(2) == -signal.SIGINT


def test_two_servers_and_the_command_line_keep_every_change(made) -> None:
    command = [sys.executable, "-m", "remember", "mcp"]
    streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    servers = [subprocess.Popen(command, cwd=made.work, env=made.environ, **streams) for _ in range(2)]
    for number, server in enumerate(servers):
        frames = [INITIALIZE, *(asked(n, "memory_write", content=f"server {number} fact {n}") for n in range(1, 9))]
        server.stdin.write("".join(json.dumps(frame) + "\n" for frame in frames).encode())
        server.stdin.flush()
    for n in range(4):
        made.run("add", f"command fact {n}")
    for server in servers:
        answers = [json.loads(server.stdout.readline()) for _ in range(9)]
        assert all(not answer["result"].get("isError") for answer in answers)
        server.stdin.close()
        assert server.wait(5) == 0
        server.stdout.close()
    listed = json.loads(made.run("list", "--json"))
    assert len({memo["id"] for memo in listed["memos"]}) == 20
    assert json.loads(made.run("check", "--json"))["findings"] == []
