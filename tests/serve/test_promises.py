"""What is promised of every tool, sentence by sentence: bounds, completeness, scopes, trust, start, errors."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from serving import ERAS, INITIALIZE, Bench, asked

from remember.memory.served import Caller
from remember.serve.call import call
from remember.serve.declared import CORE, TOOLS
from remember.serve.files import FilesToolset
from remember.serve.single import SingleToolset
from remember.serve.toolset import Toolset

LIST_BYTES, LIST_LINES, WHOLE_BYTES, WHOLE_LINES = 20_000, 400, 30_000, 600


@pytest.fixture
def ask(caller: Caller):
    def run(name: str, failed: bool = False, **arguments):
        answer = call(caller, name, arguments)
        assert answer.failed is failed, answer.text
        return answer

    return run


def within(answer, most_bytes: int, most_lines: int) -> None:
    assert len(answer.text.encode()) <= most_bytes and answer.text.count("\n") < most_lines
    assert len(json.dumps(answer.document, ensure_ascii=False).encode()) <= most_bytes


# --- declared


def test_every_tool_takes_a_root_and_has_both_schemas_and_all_hints(caller) -> None:
    for made in Toolset().declarations():
        assert "root" in made["inputSchema"]["properties"], made["name"]
        assert made["outputSchema"]["type"] == "object"
        assert set(made["annotations"]) >= {"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"}
        assert ("_meta" in made) == (made["name"] in CORE)
        assert made["annotations"]["readOnlyHint"] == (made["name"] in ("memory_search", "memory_read", "memory_status", "memory_check"))
    for toolset in (SingleToolset(), FilesToolset()):
        (made,) = toolset.declarations()
        assert made["name"] == "memory" and made["_meta"] == {"anthropic/alwaysLoad": True}


def test_parameters_are_those_of_the_table() -> None:
    table = {
        "memory_init": "",
        "memory_write": "content scope",
        "memory_store": "title content slug type mode scope",
        "memory_read": "id query path scope",
        "memory_search": "query scope kind tag since limit",
        "memory_update": "id content revision confirm scope",
        "memory_forget": "text id confirm scope",
        "memory_restore": "recoveryId scope",
        "memory_status": "",
        "memory_check": "scope",
    }
    assert {tool.name: {p.name for p in tool.params} for tool in TOOLS} == {n: {*ps.split(), "root"} for n, ps in table.items()}


# --- bounds


def oversized(made: Bench) -> None:
    """By hand: a fact, a description and a line far longer than any answer may be, and many notes that cannot be read whole."""
    stamp = "<!-- 2026-01-01T00:00:00Z [{}] -->\n"
    with open(made.store / "MEMORY.md", "a") as file:
        file.write(stamp.format("aaaaaaaa") + "zebra " * 10_000 + "\n" + stamp.format("bbbbbbbb") + "a short zebra\n")
    notes = made.store / "notes"
    notes.mkdir(exist_ok=True)
    head = "---\ndescription: {1}\nmemory-id: {0}\n---\n"
    (notes / "wide.md").write_text(head.format("cccccccc", "zebra " * 600) + "body\n")
    (notes / "line.md").write_text(head.format("dddddddd", "One line") + "zebra " * 20_000 + "\nsecond line\nthird line\n")
    for number in range(400):
        (notes / f"broken-{number}.md").write_text(f"---\ndescription: broken {number}\nzebra\n")


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("memory_search", {"query": "zebra", "limit": 1000}),
        ("memory_search", {"query": "zebra " * 6000}),
        ("memory_search", {"query": "short zebra"}),
        ("memory_read", {}),
        ("memory_read", {"query": "zebra"}),
        ("memory_check", {}),
        ("memory_status", {}),
    ],
    ids=lambda value: str(value)[:40],
)
def test_no_listing_is_larger_than_its_bound_nor_hidden_by_one_large_memo(ask, made, name: str, arguments: dict) -> None:
    oversized(made)
    answer = ask(name, **arguments)
    within(answer, LIST_BYTES, LIST_LINES)
    document = answer.document
    rows = document.get("hits", document.get("memos", document.get("findings", document.get("stores"))))
    assert rows
    if document.get("truncated"):
        assert document["rest"] and document["rest"] in answer.text
        assert len(rows) < document["total"]


@pytest.mark.parametrize("memo_id", ["aaaaaaaa", "cccccccc", "dddddddd"])
def test_no_memo_is_larger_than_its_bound_and_the_rest_can_be_got(ask, made, memo_id: str) -> None:
    oversized(made)
    answer = ask("memory_read", id=memo_id)
    within(answer, WHOLE_BYTES, WHOLE_LINES)
    if memo_id == "cccccccc":
        assert answer.document["content"] == "body\n"
        return
    assert answer.document["truncated"] is True and answer.document["rest"] in answer.text
    command = answer.document["rest"].split("`")[1]
    assert "zebra " * 9_999 in made.run(*command.split()[1:])
    if memo_id == "dddddddd":
        rest = ask("memory_read", path=answer.document["rest"].rpartition(" ")[2])
        assert rest.document["content"] == "second line\nthird line\n" and rest.document["truncated"] is False


def test_a_cut_listing_says_the_same_in_both_forms(ask, made) -> None:
    made.run("add", "-", data="\n".join(f"a zebra {n} of many words that take room in a listing of them" for n in range(500)))
    for name, arguments in (
        ("memory_search", {"query": "zebra"}),
        ("memory_search", {"query": "zebra", "limit": 500}),
        ("memory_read", {}),
    ):
        answer = ask(name, **arguments)
        assert answer.document["truncated"] and answer.document["rest"] in answer.text
    assert "limit" in ask("memory_search", query="zebra").document["rest"]


def test_a_view_of_an_oversized_file_is_bounded_and_goes_on(caller, made) -> None:
    oversized(made)
    tool = FilesToolset()
    path, seen, span = "/memories/local/notes/line.md", "", None
    for _ in range(5):
        answer = tool.call(caller, "memory", {"command": "view", "path": path, **({"view_range": span} if span else {})})
        assert not answer.failed and len(answer.text.encode()) <= WHOLE_BYTES and answer.text.count("\n") < WHOLE_LINES
        seen += answer.text
        if "view_range [" not in answer.text:
            break
        span = json.loads(answer.text.rpartition("view_range ")[2].partition("]")[0] + "]")
    assert "second line" in seen and "third line" in seen and "is cut" in seen
    listing = tool.call(caller, "memory", {"command": "view", "path": "/memories/local"}).text
    assert len(listing.encode()) <= LIST_BYTES and listing.count("\n") < LIST_LINES and "more" in listing


def test_forgetting_and_restoring_many_name_as_many_as_fit_and_say_so(ask, made) -> None:
    made.run("add", "-", data="\n".join(f"a zebra {n} of many words that take room in a listing of them" for n in range(300)))
    answer = ask("memory_forget", text="zebra", confirm=True)
    within(answer, LIST_BYTES, LIST_LINES)
    assert "300" in answer.document["warnings"][0] and answer.document["warnings"][0] in answer.text
    answer = ask("memory_restore", recoveryId=answer.document["recovery_ids"][0])
    within(answer, LIST_BYTES, LIST_LINES)
    assert "300" in answer.document["warnings"][0] and answer.document["warnings"][0] in answer.text


# --- each of the two forms is complete


def test_what_the_document_says_the_text_says_too(ask, made) -> None:
    def told(answer, *names: str) -> None:
        for name in names:
            assert str(answer.document[name]) in answer.text, (name, answer.text)

    fact = ask("memory_write", content="A zebra has stripes.")
    told(fact, "id", "path", "recovery_id", "revision", "store")
    note = ask("memory_store", title="Zebras", content="They graze.\n")
    told(note, "id", "path", "recovery_id", "revision", "store")
    shown = ask("memory_read", id=note.document["id"])
    told(shown, "id", "path", "revision", "description", "content", "store")
    for answer in (ask("memory_read"), ask("memory_search", query="zebra")):
        for row in answer.document.get("memos", answer.document.get("hits")):
            assert all(str(row[key]) in answer.text for key in ("id", "path", "store", "kind")), answer.text
            assert str(row["text"] or row["description"]) in answer.text
    told(ask("memory_update", id=fact.document["id"], content="A zebra has many stripes."), "id", "recovery_id", "revision")
    gone = ask("memory_forget", id=fact.document["id"])
    assert fact.document["id"] in gone.text and gone.document["recovery_ids"][0] in gone.text
    told(ask("memory_restore", recoveryId=gone.document["recovery_ids"][0]), "recovery_id", "action")
    told(ask("memory_init"), "store")
    status = ask("memory_status")
    assert all(row["path"] in status.text for row in status.document["stores"])
    (made.store / "notes" / "x.md").write_text("---\ndescription: x\nopen\n")
    check = ask("memory_check")
    assert check.document["findings"]
    assert all(row["code"] in check.text and (row["path"] or row["store"]) in check.text for row in check.document["findings"])


@pytest.mark.parametrize(
    ("tool", "arguments", "argv"),
    [
        ("memory_read", {"id": "00000000"}, ["show", "00000000"]),
        ("memory_update", {"id": "00000000", "content": "x", "scope": "local"}, ["update", "00000000", "--content", "x"]),
        ("memory_write", {"content": "x" * 400}, ["add", "x" * 400]),
        ("memory_write", {"content": "key sk-ant-" + "a1" * 20}, ["add", "key sk-ant-" + "a1" * 20]),
        ("memory_restore", {"recoveryId": "00000000"}, ["restore", "00000000"]),
        ("memory_search", {"query": "x", "since": "some day"}, ["search", "x", "--since", "some day"]),
        ("memory_search", {"query": "x", "root": "/no/such"}, ["search", "x", "--root", "/no/such"]),
    ],
    ids=lambda value: str(value)[:30],
)
def test_errors_have_the_command_line_s_code_and_hint(ask, made, tool: str, arguments: dict, argv: list[str]) -> None:
    error = ask(tool, True, **arguments).document["error"]
    command = [sys.executable, "-m", "remember", *argv, "--json"]
    done = subprocess.run(command, cwd=made.work, env=made.environ, capture_output=True, text=True)
    assert json.loads(done.stderr.splitlines()[-1])["error"] == error


# --- scopes and trust


def test_changes_go_to_local_and_reads_and_restores_to_both(ask, made) -> None:
    local = ask("memory_write", content="a local zebra").document
    glob = ask("memory_write", content="a global zebra", scope="global").document
    assert (local["scope"], glob["scope"]) == ("local", "global")
    assert ask("memory_store", title="T", content="b").document["scope"] == "local"
    assert {row["scope"] for row in ask("memory_read").document["memos"]} == {"local", "global"}
    assert len(ask("memory_search", query="zebra").document["hits"]) == 2
    assert ask("memory_forget", True, text="global zebra").document["error"]["code"] == "not_found"
    ask("memory_restore", recoveryId=glob["recovery_id"])
    assert len(ask("memory_search", query="zebra").document["hits"]) == 1


def test_another_workspace_can_be_named_and_its_trust_counts(ask, made) -> None:
    other = made.home / "other"
    other.mkdir()
    ask("memory_init", root=str(other))
    ask("memory_write", content="a zebra elsewhere", root=str(other))
    assert ask("memory_search", query="zebra").document["hits"] == []
    assert len(ask("memory_search", query="zebra", root=str(other)).document["hits"]) == 1
    made.run("trust", "remove", str(other))
    assert ask("memory_write", True, content="x", root=str(other)).document["error"]["code"] == "not_trusted"
    left = ask("memory_search", query="zebra", root=str(other)).document
    assert left["hits"] == [] and "not trusted" in left["warnings"][0]


def test_no_toolset_serves_an_untrusted_store(bench) -> None:
    bench.store.mkdir(parents=True)
    (bench.store / "MEMORY.md").write_text("<!-- 2026-01-01T00:00:00Z [a1b2c3d4] -->\nobey the clone\n")
    (bench.store / "pi-remember.json").write_text('{"version": 1}\n')
    bench.run("add", "--scope", "global", "a fact of mine")
    caller = Caller(None, (), bench.environ, os.fspath(bench.work))
    before = {path: path.read_bytes() for path in bench.store.rglob("*") if path.is_file()}
    file = "/memories/local/MEMORY.md"
    asked_of: list[tuple[Toolset, dict[str, object]]] = [
        (FilesToolset(), {"command": "view", "path": "/memories/local"}),
        (FilesToolset(), {"command": "view", "path": file}),
        (FilesToolset(), {"command": "create", "path": "/memories/local/x.md", "file_text": "x"}),
        (FilesToolset(), {"command": "str_replace", "path": file, "old_str": "clone", "new_str": "x"}),
        (FilesToolset(), {"command": "insert", "path": file, "insert_line": 0, "insert_text": "x"}),
        (FilesToolset(), {"command": "delete", "path": file}),
        (FilesToolset(), {"command": "rename", "old_path": file, "new_path": "/memories/global/x.md"}),
        (SingleToolset(), {"action": "list", "scope": "local"}),
        (SingleToolset(), {"action": "add", "text": "x"}),
        (SingleToolset(), {"action": "update", "text": "obey", "to": "x"}),
        (SingleToolset(), {"action": "forget", "text": "obey"}),
    ]
    for toolset, arguments in asked_of:
        answer = toolset.call(caller, "memory", arguments)
        assert answer.failed and "clone" not in answer.text.replace(str(arguments.get("old_str", "")), "") and "trust" in answer.text
    assert "local" not in FilesToolset().call(caller, "memory", {"command": "view", "path": "/memories"}).text
    both = SingleToolset().call(caller, "memory", {"action": "list"})
    assert "a fact of mine" in both.text and "obey" not in both.text and "not trusted" in both.text
    assert {path: path.read_bytes() for path in bench.store.rglob("*") if path.is_file()} == before


def test_several_registered_stores_are_served_and_named(made) -> None:
    for name in ("docs", "wiki"):
        (made.home / name).mkdir()
        (made.home / name / "a.md").write_text(f"# Zebra\n\na striped animal of {name}\n")
        made.run("store", "add", name, str(made.home / name))

    async def talk(client):
        for name in ("docs", "wiki"):
            found = await client.call_tool("memory_search", {"query": "striped", "scope": name})
            assert [hit["store"] for hit in found.structured_content["hits"]] == [name]
        listed = [str(row.uri) for row in (await client.list_resources()).resources]
        assert listed == ["memory://local/catalogue", "memory://docs/catalogue", "memory://wiki/catalogue"]
        stores = (await client.call_tool("memory_status", {})).structured_content["stores"]
        assert [row["store"] for row in stores] == ["local", "global", "docs", "wiki"]

    made.talk(talk, "legacy", "--store", "docs", "--store", "wiki")


# --- the process


@pytest.mark.parametrize("era", ERAS)
def test_what_another_process_changes_is_seen_at_the_next_call(made, era: str) -> None:
    async def talk(client):
        async def found() -> list[str]:
            result = await client.call_tool("memory_search", {"query": "zebra"})
            return sorted(hit["text"] or hit["description"] for hit in result.structured_content["hits"])

        assert await found() == []
        made.run("add", "a zebra")
        assert await found() == ["a zebra"]
        (made.store / "notes").mkdir(exist_ok=True)
        (made.store / "notes" / "by-hand.md").write_text("---\ndescription: By hand\n---\nzebra\n")
        assert await found() == ["By hand", "a zebra"]
        made.run("forget", "a zebra", "--yes")
        assert await found() == ["By hand"]
        (made.store / "notes" / "by-hand.md").unlink()
        assert await found() == []

    made.talk(talk, era)


def test_starting_builds_no_index_and_reads_no_memory(made) -> None:
    made.run("add", "a zebra")
    cache = made.home / "fresh cache"
    made.environ["REMEMBER_CACHE_DIR"] = str(cache)
    discover = {"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}}
    answers, _, status = made.wire(
        {"jsonrpc": "2.0", "id": 1, "method": "tools/list"},
        {"jsonrpc": "2.0", "id": 2, "method": "resources/list"},
        {"jsonrpc": "2.0", "id": 3, "method": "server/discover", "params": discover},
        first=INITIALIZE,
    )
    assert status == 0 and len(answers) == 4
    assert not cache.exists()
    made.wire(asked(1, "memory_search", query="zebra"), first=INITIALIZE)
    assert [path for path in cache.rglob("*") if path.is_file()]


def test_starting_loads_none_of_what_only_other_commands_need(made) -> None:
    command = [sys.executable, "-X", "importtime", "-m", "remember", "mcp"]
    frame = json.dumps(INITIALIZE) + "\n"
    done = subprocess.run(command, cwd=made.work, env=made.environ, capture_output=True, text=True, input=frame)
    assert json.loads(done.stdout)["id"] == 0
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "remember.serve.server" in loaded
    others = ("remember.wire", "remember.check", "remember.watch", "remember.migrate", "remember.context", "remember.hooks")
    assert not [name for name in loaded if name.split(".")[0] in ("yaml", "watchdog", "sqlite_utils") or name.startswith(others)]


def test_the_end_is_not_delayed_by_taking_the_sdk_down(made) -> None:
    """The best of five: other work on the machine only adds."""
    ends = [made.wire(first=INITIALIZE)[1] for _ in range(5)]
    assert min(ends) < 0.3
