"""Search end to end on real stores: any text is a query, every script is found, filters are part of the match."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from stocking import note

from remember.index.catalogue import Filters
from remember.index.search import Found, Request, search
from remember.index.session import with_indexes
from remember.model import StoreRef

QUERIES = int(os.environ.get("REMEMBER_TEST_QUERIES", "2500"))
"""Random queries in one run; ten thousand were tried with each release."""


def ask(stores: StoreRef | list[StoreRef], cache: str, query: str, filters: Filters | None = None, **options: object) -> Found:
    refs = stores if isinstance(stores, list) else [stores]
    request = Request(query, **options)  # type: ignore[arg-type]
    return with_indexes(refs, cache, lambda indexes: search(indexes, request, filters or Filters()))


def paths(found: Found) -> list[str]:
    return [hit.memo.path.removeprefix("notes/") for hit in found.hits]


@pytest.mark.parametrize(
    ("body", "queries"),
    [
        ("部署需要先运行迁移脚本", ["迁移", "迁移脚本", "移", "部署", "本"]),
        ("東京タワーに行く", ["東京", "タワー", "京", "く"]),
        ("검색기능을 씁니다", ["검색", "기능"]),
        ("ทดสอบภาษาไทย", ["ภาษา", "ไทย"]),
        ("यह हिन्दी भाषा है", ["हिन्दी", "भाषा"]),
        ("Обычные русские предложения", ["русские", "Русские обычные отсутствующее", "предложение"]),
        ("Ünïcödé façade", ["unicode", "facade", "ÜNÏCÖDÉ"]),
        ("ﬁle ｆｕｌｌｗｉｄｔｈ", ["file", "fullwidth"]),
    ],
)
def test_words_of_any_script_are_found(store: StoreRef, cache: str, body: str, queries: list[str]) -> None:
    note(store, "wanted.md", body, "00000001", "one")
    note(store, "other.md", "something else entirely, nothing alike", "00000002", "two")
    for query in queries:
        assert paths(ask(store, cache, query)) == ["wanted.md"], query


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("uteke-cloud-dev", "cloud.md"),
        ("ADR-0005", "adr.md"),
        ("PROJ-123", "proj.md"),
        ("Downloads/transcripts", "path.md"),
        ("max_body_size", "snake.md"),
        ("maxBodySize", "snake.md"),
        ("max-body-size", "snake.md"),
        ("body size", "snake.md"),
        ("fetchUser", "camel.md"),
        ("user", "camel.md"),
        ("std::vector", "cpp.md"),
        ("1.0.21", "version.md"),
        ('"1.0.21"', "version.md"),
        ("v1.0.21", "version.md"),
        ("E7071", "code.md"),
    ],
)
def test_identifiers_are_found_whole_and_by_part(store: StoreRef, cache: str, query: str, first: str) -> None:
    bodies = {
        "cloud.md": "the uteke-cloud-dev cluster",
        "decoy1.md": "cloud dev and more about uteke",
        "adr.md": "decided in ADR-0005 long ago",
        "decoy2.md": "ADR 0006 and 0005 things",
        "proj.md": "see PROJ-123",
        "path.md": "kept in ~/Downloads/transcripts for now",
        "snake.md": "set max_body_size in the file",
        "camel.md": "call fetchUserProfile first",
        "cpp.md": "a std::vector of things",
        "version.md": "needs 1.0.21 at least",
        "decoy3.md": "port 1021 is open",
        "code.md": "it ends with E7071",
    }
    for number, (name, body) in enumerate(bodies.items()):
        note(store, name, body, f"{number:08x}", f"memo {name[:-3]} number {number}")
    found = ask(store, cache, query)
    assert paths(found)[0] == first
    if "1.0.21" in query:
        assert "decoy3.md" not in paths(found)


def test_random_queries_are_all_valid(store: StoreRef, cache: str) -> None:
    note(store, "a.md", "some words, 部署, `code_here` and maxBodySize NEAR AND OR NOT", "00000001", "a note")
    Path(store.path, "MEMORY.md").write_text("<!-- 2026-01-02T03:04:05Z [00000002] -->\na fact about words\n")
    rng = random.Random(4)
    pieces = ['"', "'", "(", ")", "*", ":", "^", "-", "+", "{", "}", "\0", "\ud800", "😀", "部", "AND", "OR", "NOT", "NEAR(", "words", "a"]
    pieces += [".", "\\", "body:", "title:", "foo:bar", "/", "\n", "\t", "%", "_", "é", "\u200d", "👨‍👩‍👧", "\u202e", "code_here", "1.2.3"]
    pieces += [",", ";--", "]]", "[["]

    def run(indexes: list) -> None:
        for number in range(QUERIES):
            query = "".join(rng.choice(pieces) + rng.choice(["", " "]) for _ in range(rng.randrange(1, 9)))
            request = Request(query, exact=number % 3 == 0, all_terms=number % 5 == 0, without=(rng.choice(pieces),) * (number % 4 == 0))
            found = search(indexes, request, Filters())
            assert len(found.hits) == found.total <= 2, query
        assert search(indexes, Request("word " * 200_000), Filters()).total == 2
        assert search(indexes, Request("x" * 1_000_000), Filters()).total == 0
        assert search(indexes, Request("words " + "." * 1_000_000, exact=True, without=("!" * 1_000_000,)), Filters()).total == 2

    with_indexes([store], cache, run)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(body=st.text(min_size=1, max_size=300), query=st.text(min_size=1, max_size=40))
def test_highlights_and_lines_are_always_inside_the_snippet(store: StoreRef, cache: str, body: str, query: str) -> None:
    text = body.encode("utf-8", "replace").decode()
    note(store, "a.md", "x words " + text.replace("\r", " "), "00000001")
    for hit in ask(store, cache, query + " words").hits:
        assert all(0 <= start < end <= len(hit.snippet) for start, end in hit.highlights)
        lines = Path(store.path, hit.memo.path).read_bytes().count(b"\n") + 1
        assert 1 <= hit.snippet_line <= lines


def test_the_snippet_is_the_best_passage_of_a_long_chinese_note(store: StoreRef, cache: str) -> None:
    lines = ["今天的天气很好我们去公园散步"] * 2000
    lines[1692] = "部署之前需要先运行迁移脚本"  # the header takes six lines and the first body line is the seventh
    note(store, "long.md", "\n".join(lines), "00000001")
    (hit,) = ask(store, cache, "迁移脚本").hits
    assert "迁移脚本" in hit.snippet
    assert hit.snippet_line == 1699
    assert [hit.snippet[a:b] for a, b in hit.highlights] == ["迁移脚本"]


def test_the_last_word_of_a_megabyte_in_one_line(store: StoreRef, cache: str) -> None:
    note(store, "big.md", "filler word " * 87_000 + "zebrafinch", "00000001")
    (hit,) = ask(store, cache, "zebrafinch").hits
    assert "zebrafinch" in hit.snippet
    assert len(hit.snippet) < 400
    assert hit.snippet_line == 7


def test_snippets_never_cut_a_grapheme(store: StoreRef, cache: str) -> None:
    family = "👨‍👩‍👧‍👦"
    note(store, "a.md", (family + " ") * 120 + "needle " + (family + " ") * 120, "00000001")
    (hit,) = ask(store, cache, "needle").hits
    assert set(hit.snippet.replace(family, "").split()) <= {"needle", "…"}


def test_filters_are_part_of_the_match(store: StoreRef, cache: str) -> None:
    for number in range(30):
        tag = "even" if number % 2 == 0 else "odd"
        note(store, f"n{number:02d}.md", f"common #{tag} #all/n{number}", f"{number:08x}", f"Note {number}")
    fact = "<!-- 2026-03-02T03:04:05Z [000000ff] -->\na common fact #even\n"
    Path(store.path, "MEMORY.md").write_text(fact + "\n# Heading\n\nProse with common words\nover two lines.\n")
    assert ask(store, cache, "common").total == 32
    assert ask(store, cache, "common", Filters(kind="fact")).total == 1
    assert ask(store, cache, "common", Filters(kind="text")).total == 1
    assert ask(store, cache, "common", Filters(kind="note", tags=["EVEN"])).total == 15
    assert ask(store, cache, "common", Filters(tags=["even", "all/n4"])).total == 1
    assert ask(store, cache, "common", Filters(tags=["all"])).total == 30
    assert ask(store, cache, "common", Filters(kind="fact", since_ms=1772420645000)).total == 1
    assert ask(store, cache, "common", Filters(kind="fact", until_ms=1772420645000)).total == 0
    assert len(ask(store, cache, "common", limit=5).hits) == 5


def test_exact_all_terms_not_and_missing(store: StoreRef, cache: str) -> None:
    note(store, "a.md", "the retry policy of the queue", "00000001", "one")
    note(store, "b.md", "policy about retry of jobs", "00000002", "two")
    note(store, "c.md", "retry only", "00000003", "three")
    assert paths(ask(store, cache, '"retry policy"', exact=True)) == ["a.md"]
    assert sorted(paths(ask(store, cache, "retry policy", all_terms=True))) == ["a.md", "b.md"]
    assert sorted(paths(ask(store, cache, "retry", without=("policy",)))) == ["c.md"]
    found = ask(store, cache, "retry policy absentword")
    assert paths(found)[0] == "a.md"
    assert {hit.memo.path: hit.missing for hit in found.hits}["notes/c.md"] == ("policy", "absentword")


@pytest.mark.parametrize(
    ("query", "missing"),
    [("数据库", ("库",)), ("数据", ()), ("迁移数据", ("迁移",)), ("据库数据", ("据库",)), ("库 数据 policy", ("库", "policy"))],
)
def test_missing_of_an_unspaced_script_is_what_no_word_found_covers(
    store: StoreRef, cache: str, query: str, missing: tuple[str, ...]
) -> None:
    note(store, "a.md", "备份数据", "00000001", "one")
    (hit,) = ask(store, cache, query).hits
    assert hit.missing == missing


@pytest.mark.parametrize("written", ["Straße", "STRASSE", "strasse", "STRAẞE"])
@pytest.mark.parametrize("asked", ["Straße", "STRASSE", "strasse", "STRAẞE", "strass"])
def test_sharp_s_is_ss(store: StoreRef, cache: str, written: str, asked: str) -> None:
    note(store, "a.md", f"Die {written} ist gesperrt.", "00000001", "one")
    (hit,) = ask(store, cache, asked).hits
    start, end = hit.highlights[0]
    assert hit.snippet[start:end] == written


def test_a_query_that_is_an_id_finds_its_memo_first(store: StoreRef, cache: str) -> None:
    note(store, "a.md", "nothing", "deadbeef", "one")
    note(store, "b.md", "mentions deadbeef in its body", "00000002", "two")
    assert paths(ask(store, cache, "DEADBEEF"))[:2] == ["a.md", "b.md"]


def test_several_stores_share_one_set_of_statistics(store: StoreRef, cache: str, tmp_path: Path) -> None:
    other = StoreRef("other", "other", str(tmp_path / "other"), "vault")
    Path(other.path).mkdir()
    Path(other.path, "x.md").write_text("alpha beta\n")
    note(store, "y.md", "alpha beta", "00000001", "zzz")
    for number in range(40):
        note(store, f"f{number}.md", "alpha filler", f"{number + 16:08x}", f"filler {number}")
    hits = {hit.memo.store: hit.score for hit in ask([store, other], cache, "alpha beta").hits[:2]}
    assert set(hits) == {"global", "other"}
    assert abs(hits["global"] - hits["other"]) < 0.25 * max(hits.values())


@pytest.mark.parametrize("sort", ["created", "modified", "path"])
def test_other_orders_sort_all_matches(store: StoreRef, cache: str, sort: str) -> None:
    for number in range(50):
        path = note(store, f"n{number:02d}.md", "common", f"{number:08x}", f"Note {number}")
        path.write_text(path.read_text().replace("2026-01-02T", f"2026-0{1 + number % 9}-02T"))
    shown = ask(store, cache, "common", sort=sort, limit=10).hits
    keys = [hit.memo.path if sort == "path" else -(hit.memo.modified_ms or 0) for hit in shown]
    everything = ask(store, cache, "common", limit=100).hits
    assert keys == sorted(hit.memo.path if sort == "path" else -(hit.memo.modified_ms or 0) for hit in everything)[:10]


def test_explain_adds_up(store: StoreRef, cache: str) -> None:
    note(store, "a.md", "retry policy", "00000001", "one")
    note(store, "b.md", "other things", "00000002", "two")
    (hit,) = ask(store, cache, "retry policy", explain=True).hits
    parts = dict(hit.explanation)
    total = sum(amount for name, amount in parts.items() if name not in ("coverage", "phrase"))
    assert abs(total * parts["coverage"] * parts["phrase"] - hit.score) < 0.02


def test_comments_and_frontmatter_are_no_body_text(store: StoreRef, cache: str) -> None:
    note(store, "a.md", "shown <!-- secretword --> text\n```\n<!-- codeword -->\n```", "00000001", "one")
    assert ask(store, cache, "secretword").total == 0
    assert ask(store, cache, "codeword").total == 1
    assert ask(store, cache, "memory-id").total == 0


@pytest.mark.parametrize("sort", ["modified", "created", "path"])
def test_several_stores_in_another_order_than_by_score(tmp_path: Path, cache: str, sort: str) -> None:
    refs = []
    for name, days in (("one", (1, 4)), ("two", (2, 3))):
        path = tmp_path / name
        (path / "notes").mkdir(parents=True)
        refs.append(StoreRef("registered", name, str(path.resolve()), "remember"))
        for day in days:
            stamp = f"2025-01-0{day}T00:00:00.000Z"
            head = f'description: "d"\nmemory-id: "0000000{day}"\ncreated-date: "{stamp}"\nlast-modified-date: "{stamp}"'
            (path / "notes" / f"n{day}.md").write_text(f"---\n{head}\n---\nzebra\n")
    found = paths(ask(refs, cache, "zebra", sort=sort))
    assert found == (["n1.md", "n2.md", "n3.md", "n4.md"] if sort == "path" else ["n4.md", "n3.md", "n2.md", "n1.md"])
    assert paths(ask(refs, cache, "zebra", sort=sort, limit=2)) == found[:2]


def test_a_memo_that_is_named_by_its_id_and_matches_too_is_there_once(store: StoreRef, cache: str) -> None:
    note(store, "a.md", "see deadbeef for more", "deadbeef")
    note(store, "b.md", "deadbeef is another one", "00000002")
    found = ask(store, cache, "deadbeef")
    assert paths(found) == ["a.md", "b.md"] and found.total == 2


TEXTS = {
    "cn.md": "数据库迁移 完成",
    "jp.md": "東京タワーへ行く",
    "th.md": "ทดสอบภาษาไทย",
    "kr.md": "검색기능 추가",
    "one.md": "Do restart on one host, per Café rules",
    "works.md": "This one works; 2026.4.10 release",
    "proxies.md": "It is restarting the proxies",
    "version.md": "v2.10.0-rc.1 tagged",
    "bare.md": "Moved to 2.10.0 today",
    "port.md": "port 10 open",
    "plan.md": "plan b is ready",
    "go.md": "plan to go",
}


@pytest.fixture
def texts(store: StoreRef, cache: str) -> Callable[..., set[str]]:
    for number, (name, text) in enumerate(TEXTS.items(), 1):
        note(store, name, text, f"{number:08x}", "A title")

    def ask(query: str, **more: Any) -> set[str]:
        found = with_indexes([store], cache, lambda indexes: search(indexes, Request(query, **more), Filters()))
        assert found.total == len(found.hits)
        return {hit.memo.path.removeprefix("notes/") for hit in found.hits}

    return ask


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("数据库", {"cn.md"}),
        ("数据", {"cn.md"}),
        ("库迁", {"cn.md"}),
        ("库", {"cn.md"}),
        ("移", {"cn.md"}),
        ("数据库迁移", {"cn.md"}),
        ("数据库迁移 完", {"cn.md"}),
        ("数据库 迁移", set()),
        ("東京", {"jp.md"}),
        ("タワー", {"jp.md"}),
        ("ภาษา", {"th.md"}),
        ("검색", {"kr.md"}),
        ("ones", set()),
        ("on", {"one.md"}),
        ("on one hosts", set()),
        ("on one host", {"one.md"}),
        ("On  ONE, host", {"one.md"}),
        ("cafe rules", {"one.md"}),
        ("proxy", set()),
        ("restarts", set()),
        ("restarting the", {"proxies.md"}),
        ('"one" "release"', {"works.md"}),
        ('restart "one host"', {"one.md"}),
        ("2.10.0", {"bare.md"}),
    ],
)
def test_exact_words_stand_there_as_they_are(texts: Callable[..., set[str]], query: str, expected: set[str]) -> None:
    assert texts(query, exact=True) == expected


def test_what_is_left_out_may_be_a_part_of_an_unspaced_run(texts: Callable[..., set[str]]) -> None:
    for word in ("数据库", "数据", "库", "库迁移", "数据库迁移"):
        assert texts("迁移", without=(word,)) == set()
    assert texts("迁移", without=("数库",)) == {"cn.md"}


def test_every_term_means_also_those_of_one_character(texts: Callable[..., set[str]]) -> None:
    assert texts("2.10.0", all_terms=True) == {"version.md", "bare.md"}
    assert texts("plan b", all_terms=True) == {"plan.md"}
    assert texts("9.10.0", all_terms=True) == set()


def test_a_version_is_found_with_and_without_its_v(texts: Callable[..., set[str]], store: StoreRef, cache: str) -> None:
    found = with_indexes([store], cache, lambda indexes: search(indexes, Request("2.10.0"), Filters()))
    assert [hit.memo.path for hit in found.hits][:2] in (["notes/bare.md", "notes/version.md"], ["notes/version.md", "notes/bare.md"])
