from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from texts import any_text

from remember.format.links import links, tag_key, tags, tags_and_links


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("#lesson Use uv.", ("lesson",)),
        ("Use uv #lesson.", ("lesson",)),
        ("a #b-c #d_e #f/g, #h!", ("b-c", "d_e", "f/g", "h")),
        ("(#a) [#b] {#c} \"#d\" '#e' “#f” «#g» **#h** *#i* ~~#j~~", tuple("abcdefghij")),
        ("#x/ #y- #z//", ("x", "y", "z")),
        ("#42 #2026 #4x #x4", ("4x", "x4")),
        ("#Lesson #lesson #LESSON", ("Lesson",)),
        ("#部署 #ภาษาไทย #हिन्दी #Über #e\u0301te", ("部署", "ภาษาไทย", "हिन्दी", "Über", "e\u0301te")),
        ("#a\n#b\r\n\t#c", ("a", "b", "c")),
        ("「#メモ」、#二", ("メモ", "二")),
        ("#a,#b;#c", ("a", "b", "c")),
        ("- #a\n> #b\n| #c |", ("a", "b", "c")),
        ("#C++ and #.net", ("C",)),
        ("#emoji🎉 #🎉", ("emoji",)),
    ],
)
def test_tags(text: str, found: tuple[str, ...]) -> None:
    assert tags(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# Heading",
        "## Heading",
        "##x",
        "a#b",
        "中文#标签",
        "a-#b",
        "&#123; &#x41;",
        "/#b",
        "#",
        "#/definitions/x",
        "#---",
        "#_",
        "#!/bin/sh",
        "https://example.org/#frag https://example.org/a?b=(#frag",
        "<https://example.org/ #x>",
        '[text](#anchor) [text #t](url) [t](url "#x")',
        "[[page#heading]] [[#heading]] [[page|#alias]] [[a #b]]",
        "[id]: #anchor",
        '<a href="#top">',
        "`#code` and ``a ` #code``",
        "`a\n#code`",
        "```\n#code\n```",
        "~~~sh\n#code\n~~~",
        "<!-- #comment -->",
        "<!--\n#comment\n-->",
        "\\#escaped",
    ],
)
def test_no_tags(text: str) -> None:
    assert tags(text) == ()


def test_what_is_not_closed_hides_nothing() -> None:
    assert tags("```\n#a") == ("a",)
    assert tags("` #a") == ("a",)
    assert tags("`one\n\n#a two`") == ("a",)
    assert tags("<!-- #a") == ("a",)
    assert tags("[ #a") == ("a",)
    assert tags("<b #a") == ("a",)
    assert tags("`a` #b `c`") == ("b",)
    assert tags("\\`a #b `c`") == ("b",)
    assert tags("- [ ] #todo [^1]: #x") == ("todo", "x")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("[[a]] [[b|x]] [[c#h]] [[d#^block]] [[e#h|x]] ![[f]]", tuple("abcdef")),
        ("[[notes/2026-10-18-x.md]]", ("notes/2026-10-18-x.md",)),
        ("[[ spaced name ]]", ("spaced name",)),
        ("| [[a\\|b]] |", ("a",)),
        ("[[a]] [[A]] [[a]]", ("a", "A")),
        ("[[#here]] [[]] [[ ]] [[|x]]", ()),
        ("[[a\nb]] [[c", ()),
        ("[[[a]]]", ("a",)),
        ("[[部署 手順]]", ("部署 手順",)),
        ("`[[a]]` [[b]]", ("b",)),
        ("```sh\nif [[ -f x ]]; then\n```\n[[b]]", ("b",)),
        ("<!-- [[a]] --> [[b]]", ("b",)),
    ],
)
def test_links(text: str, found: tuple[str, ...]) -> None:
    assert links(text) == found


@given(any_text)
def test_any_text_has_tags_and_links(text: str) -> None:
    found = tags(text)
    assert tags_and_links(text) == (found, links(text))
    assert len({tag_key(tag) for tag in found}) == len(found)
    for tag in found:
        assert "#" + tag in text and not tag.isdigit() and " " not in tag
    for link in links(text):
        assert link == link.strip() and link in text and "|" not in link


@given(
    st.from_regex(r"[a-zéß部][a-z0-9_éß部]{0,8}", fullmatch=True),
    any_text.map(lambda t: t.replace("`", "").replace("~", "").replace("<", "")),
)
def test_a_tag_on_a_line_of_its_own_is_found_after_any_text(tag: str, text: str) -> None:
    assert tag_key(tag) in {tag_key(found) for found in tags(f"{text}\n\n#{tag}\n\n{text}")}


MANY = "".join(f"#zq{number} " for number in range(40)) + "\n\n"


@given(
    st.one_of(
        any_text,
        st.lists(st.sampled_from(["`", "``", "```", "~~~", "#a", " #b", "\n", "\n\n", "x", "<!--", "-->", "\\"]), max_size=20).map("".join),
    )
)
def test_few_and_many_marks_are_read_alike(text: str) -> None:
    assert tags(MANY + text)[40:] == tags(text)


@pytest.mark.parametrize(("one", "other"), [("Lesson", "lesson"), ("ＡＢ", "ab"), ("Straße", "STRASSE"), ("e\u0301", "é"), ("ﬁ", "FI")])
def test_tag_keys(one: str, other: str) -> None:
    assert tag_key(one) == tag_key(other)


@pytest.mark.parametrize(
    "text",
    [
        "<!-- c -->" + "".join(f" #t{i}" for i in range(30_000)),
        "x://" + "".join(f"(#a{i}" for i in range(30_000)),
        "".join(f"```\nx\n```\n#t{i}\n" for i in range(20_000)),
        "`" * 200_000 + "".join(f"`{i} #a{i}" for i in range(20_000)),
        "[[" * 100_000 + "#a",
        "](" * 100_000 + " #a",
        "<a " * 100_000 + "#a",
        "".join("`" * (i % 300) + f" #x{i} " for i in range(3_000)),
        "<!--" * 100_000 + " #a `b`",
    ],
    ids=range(9),
)
def test_time_grows_with_length_alone(text: str) -> None:
    began = time.process_time()
    tags_and_links(text)
    assert time.process_time() - began < 2


@pytest.mark.parametrize("blanks", ["", " ", "  ", "\t", " \t "])
def test_a_line_of_blanks_parts_paragraphs_so_no_code_reaches_over_it(blanks: str) -> None:
    assert tags(f"a lonely ` mark\n{blanks}\n#seen and ` another") == ("seen",)
    assert tags(f"a lonely ` mark\n{blanks}\nthen `#code` here") == ()
    assert links(f"a lonely ` mark\n{blanks}\n[[seen]] and ` another") == ("seen",)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("`a ``b`` #c` #d", ("d",)),
        ("`a `` #c #d", ("c", "d")),
        ("``a ` #c`` #d", ("d",)),
        ("`` #c ``` #d", ("c", "d")),
        ("#نمی\u200cخواهم x", ("نمی\u200cخواهم",)),
    ],
)
def test_runs_of_backticks_end_where_a_run_as_long_stands(text: str, expected: tuple[str, ...]) -> None:
    assert tags(text) == expected
