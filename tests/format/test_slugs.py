from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from texts import any_text

from remember.errors import RefusedInput
from remember.format import slugs

DAY = 1_792_339_833_000


@pytest.mark.parametrize(
    ("description", "slug"),
    [
        ("TV server configuration", "tv-server-configuration"),
        ('Q&A: use | not & — "ok"', "q-a-use-not-ok"),
        ("the workspace's own", "the-workspaces-own"),
        ("my_file", "my-file"),
        ("°", "note"),
        ("", "note"),
        ("\u0301", "note"),
        ("🎉🎉", "note"),
        ("部署需要先运行", "部署需要先运行"),
        ("Überprüfung", "überprüfung"),
        ("u\u0308ber", "über"),
        ("ภาษาไทย ดี", "ภาษาไทย-ดี"),
        ("हिन्दी", "हिन्दी"),
        ("a\udcff b", "a-b"),
    ],
)
def test_slugs_are_derived(description: str, slug: str) -> None:
    assert slugs.slug_of(description) == slug


@given(any_text)
def test_a_derived_slug_is_one_that_could_be_given(description: str) -> None:
    slug = slugs.slug_of(description)
    if not slug[:4].isdigit():
        assert slugs.check(slug) == slug
    assert 1 <= len(slug) <= 80


@pytest.mark.parametrize("slug", ["a", "tv-server", "X1", "部署", "é", "a" * 80, "2026", "1984-notes"])
def test_given_slugs_are_taken(slug: str) -> None:
    assert slugs.check(slug) == slug


@pytest.mark.parametrize(
    "slug",
    [
        "",
        "a" * 81,
        "-a",
        "a-",
        "a--b",
        "a b",
        "a_b",
        "a/b",
        "../a",
        "a.md",
        "a\n",
        "\u0301",
        "2026-10-18-x",
        "2026-10-18",
        "a\udcff",
        "a\0",
    ],
)
def test_other_slugs_are_refused_with_the_rule(slug: str) -> None:
    with pytest.raises(RefusedInput) as caught:
        slugs.check(slug)
    assert "80" in caught.value.hint


@given(any_text)
def test_no_slug_raises_anything_else(slug: str) -> None:
    try:
        assert slugs.check(slug) == slug
    except RefusedInput as error:
        assert error.hint


def test_file_names() -> None:
    assert slugs.file_name(DAY, "tv-server") == "2026-10-18-tv-server.md"
    assert slugs.file_name(DAY, "tv-server", 2) == "2026-10-18-tv-server-2.md"


@given(any_text, st.integers(1, 10**6))
def test_file_names_are_short_enough_whatever_the_script(description: str, number: int) -> None:
    slug = slugs.slug_of(description * 9)
    name = slugs.file_name(DAY, slug, number)
    assert len(name.encode()) < 200 and name.endswith(f"-{number}.md" if number > 1 else ".md")
    assert "/" not in name and name.startswith("2026-10-18-")


def test_a_long_name_is_cut_between_characters() -> None:
    name = slugs.file_name(DAY, "क्षि" * 20)
    assert len(name.encode()) < 200 and len(name.removeprefix("2026-10-18-").removesuffix(".md")) % 4 == 0
