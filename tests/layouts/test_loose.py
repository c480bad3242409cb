"""Any Markdown file is a note; whatever header it has is read kindly, and nothing about it is an error."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remember.format.ids import is_id
from remember.layouts import layout_named
from remember.layouts.headers import read_json, read_toml, read_yaml, refused
from remember.layouts.layout import Entry
from remember.layouts.loose import loose_note

DAY = 86_400_000


def note(text: str, path: str = "folder/some-file.md") -> Entry:
    return loose_note(path, text.encode("utf-8", "surrogateescape"), 5 * DAY)


def test_the_description_is_the_headers_or_the_heading_or_the_file_name() -> None:
    assert note("---\ndescription: A\ntitle: B\n---\n# C\n").description == "A"
    assert note("---\ntitle: B\n---\n# C\n").description == "B"
    assert note("text\n\n# C #\n").description == "C"
    assert note("## D\n#tag\n").description == "some-file"
    assert note("", "a/.odd name.md").description == ".odd name"


def test_titles_and_aliases_are_further_names() -> None:
    found = note("---\ndescription: A\ntitle: B\naliases: [C, D E]\n---\n")
    assert found.names == ("B", "C", "D E")
    assert note("---\naliases:\n  - C\n  - 7\n---\n").names == ("C", "7")
    assert note("---\nalias: C, D\n---\n").names == ("C", "D")


@pytest.mark.parametrize(
    "header",
    [
        "tags: [http, Two]",
        "tags: http, Two",
        "tags: http Two",
        "tags: '#http #Two'",
        "tags:\n- http\n- '#Two'",
        "tag: http,Two",
        "keywords: [http, Two]",
    ],
)
def test_tags_however_they_are_written(header: str) -> None:
    assert note(f"---\n{header}\n---\nand #third\n").tags == ("http", "Two", "third")


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("bom", ["", "\ufeff"])
def test_headers_of_three_kinds(end: str, bom: str) -> None:
    for header in ("---|title: T|---|", "+++|title = 'T'|+++|", '{|"title": "T"|}|', "---|title: T|...|"):
        found = note(bom + (header + "body #x|").replace("|", end))
        assert (found.description, found.body, found.body_line, found.tags) == ("T", f"body #x{end}", 4, ("x",))


def test_dates() -> None:
    assert note("---\ncreated: 1970-01-02\nupdated: 1970-01-03T00:00:00Z\n---\n")[6:8] == (DAY + 37_800_000, 2 * DAY)
    assert note("---\ndate: '1970-01-02T01:00:00+01:00'\n---\n")[6:8] == (DAY, 5 * DAY)
    assert note("+++\ndate = 1970-01-02T00:00:00Z\n+++\n").created_ms == DAY
    for odd in ("yesterday", "9999-99-99", "12", "[1]", "true", "0000-00-00", "", "{a: b}"):
        assert note(f"---\ncreated: {odd}\n---\n")[6:8] == (None, 5 * DAY)


@pytest.mark.parametrize(
    "text",
    [
        "---\n**ACME LLP**\nRe: lease\n---\nbody zebra",
        "---\n{% if %}: {{ x }}\n---\nzebra",
        "---\na: &a [*a]\n---\nzebra",
        "---\nunclosed: 'x\n---\nzebra",
        "---\nnever closed\nzebra",
        "---\n---\nzebra",
        "--- not a header\nzebra",
        "----\nzebra\n----\n",
        "+++\nx = = y\n+++\nzebra",
        "+++\nzebra",
        '{"a": \nzebra',
        '{"a": 1,}\n}\nzebra',
        "---\n- list\n- only\n---\nzebra",
        "---\ntitle:\n  nested: x\n---\nzebra",
        "---\n!!python/object:os.system x\n---\nzebra",
        "---\ntitle: 2020-13-45\ndate: 2020-13-45\n---\nzebra",
        "---\n? a\n: b\n---\nzebra",
        "---\n1: 2\ntrue: x\nnull: y\n---\nzebra",
    ],
)
def test_odd_headers_hide_nothing(text: str) -> None:
    found = note(text)
    assert "zebra" in found.body and found.description and found.broken == ""


def test_comments_are_no_body_text_and_lines_stay() -> None:
    found = note("a\n<!-- secret\n#hidden [[x]] -->b #shown\n```\n<!-- code -->\n```\n")
    assert "secret" not in found.body and found.tags == ("shown",) and found.links == ()
    assert found.body.split("\n")[2] == "b #shown" and "<!-- code -->" in found.body


yaml_like = st.lists(
    st.sampled_from(
        [
            "---",
            "+++",
            "{",
            "}",
            "a: b",
            "title: x",
            "tags: [a",
            "tags: [a, b]",
            "- x",
            "  y: z",
            '"a": 1,',
            "a = 1",
            "...",
            "&a",
            "*a",
            "<<: *a",
            "!!t",
            "\t",
            "\0",
            ": x",
            "? y",
            "|",
            ">",
            "date: 9999-12-31T23:59:59-23:59",
            "x: 1e999",
            "n: 0o7",
        ]
    ),
    max_size=10,
).map("\n".join)


@given(st.one_of(yaml_like, st.text(max_size=80)), st.sampled_from(["", "---\n", "+++\n", "{\n", "\ufeff---\n"]), st.binary(max_size=20))
def test_any_file_is_one_note(text: str, head: str, tail: bytes) -> None:
    data = (head + text).encode("utf-8", "surrogatepass") + tail
    found = loose_note("a.md", data, 7)
    shown = data.decode("utf-8", "replace").removeprefix("\ufeff")
    assert found.kind == "note" and found.line == 1 and found.modified_ms is not None
    assert found.description and "\n" not in found.description
    assert 1 <= found.body_line <= shown.count("\n") + 1
    assert all(isinstance(word, str) and word for word in (*found.tags, *found.links, *found.names))


@given(yaml_like)
def test_readers_of_headers_never_raise(text: str) -> None:
    for reader in (read_yaml, read_toml, read_json):
        assert all(isinstance(key, str) for key in reader(text))
    for kind in ("yaml", "toml"):
        trouble = refused(text, kind)
        assert trouble is None or (1 <= trouble[0] <= text.count("\n") + 2 and trouble[1].isprintable())


plain_values = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "Zs")), min_size=1, max_size=12)


@given(st.dictionaries(st.from_regex(r"\A[a-z][a-z_-]{0,6}\Z"), plain_values, min_size=1, max_size=3))
def test_the_short_way_through_a_header_agrees_with_yaml(fields: dict[str, str]) -> None:
    import yaml

    source = "".join(f"{key}: {value}\n" for key, value in fields.items())
    try:
        full = yaml.safe_load(source)
    except (yaml.YAMLError, ValueError):
        return
    if not isinstance(full, dict):
        return
    found = read_yaml(source)
    # A key such as `no` is a truth value to YAML; a header's keys are names.
    assert len(found) == len(full) and found.keys() >= {key for key in full if isinstance(key, str)}
    for key, value in full.items():
        if isinstance(value, str) and isinstance(key, str):
            assert found[key] == value


def test_layouts_by_name() -> None:
    native, vault = layout_named("remember"), layout_named("vault")
    assert (native.name, native.writable, native.has_ids) == ("remember", True, True)
    assert (vault.name, vault.writable, vault.has_ids) == ("vault", False, False)
    with pytest.raises(KeyError):
        layout_named("song")
    assert [entry.id for entry in vault.parse("a.md", b"---\nmemory-id: a1b2c3d4\n---\nx", 0)] == [None]
    assert {"recovery", "migrations"} <= native.rules.skip_top and "node_modules" in vault.rules.skip
    assert not is_id("A1B2C3D4")
