from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from texts import any_text, clean_text

from remember.errors import RefusedInput
from remember.format import text as cleaning


@given(any_text)
def test_clean_text_is_one_line_without_control_characters(text: str) -> None:
    cleaned = cleaning.clean(text)
    assert not any(char < " " or "\x7f" <= char <= "\x9f" or char in "\u2028\u2029" for char in cleaned)
    assert "  " not in cleaned and cleaned == cleaned.strip()
    assert cleaning.clean(cleaned) == cleaned


def test_cleaning() -> None:
    assert cleaning.clean("\ufeff a\x1b[31m\tb\r\nc\u3000d\x85e\0f ") == "a [31m b c d e f"
    assert cleaning.clean("नमस्ते 👩‍👩‍👧 é") == "नमस्ते 👩‍👩‍👧 é"


@pytest.mark.parametrize(
    ("given_text", "stored"),
    [
        ("- Use uv", "Use uv"),
        ("*  Use uv", "Use uv"),
        ("+ Use uv", "Use uv"),
        ("1. Use uv", "Use uv"),
        ("12. Use uv", "Use uv"),
        ("2026. was good", "2026. was good"),
        ("1.5 is a version", "1.5 is a version"),
        ("- [ ] open", "[ ] open"),
        ("-5 degrees", "-5 degrees"),
        ("**bold** start", "**bold** start"),
        ("2026-05-26", "2026-05-26"),
        ("null", "null"),
        ("~", "~"),
        ("1e5", "1e5"),
        ("-", "-"),
        ("[]", "[]"),
        ("# of retries is 5", "# of retries is 5"),
        ("```", "```"),
        ("---", "---"),
        ("x" * 300, "x" * 300),
    ],
)
def test_facts_are_kept_but_for_a_list_marker(given_text: str, stored: str) -> None:
    assert cleaning.clean_fact(given_text) == stored


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "empty"),
        (" \n\t", "empty"),
        ("x" * 301, "301"),
        ("<!-- x", "<!--"),
        ("- <!-- x", "<!--"),
        ("a\udcff", "UTF-8"),
        ("\ud800", "UTF-8"),
    ],
)
def test_facts_are_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(RefusedInput, match=reason):
        cleaning.clean_fact(text)
    if not text.startswith("-"):
        with pytest.raises(RefusedInput, match=reason):
            cleaning.clean_description(text)


def test_a_long_fact_is_sent_to_a_note() -> None:
    with pytest.raises(RefusedInput) as caught:
        cleaning.clean_fact("x" * 301)
    assert "remember note" in caught.value.hint


@given(any_text)
def test_no_fact_raises_anything_else(text: str) -> None:
    for clean in (cleaning.clean_fact, cleaning.clean_description):
        try:
            stored = clean(text)
        except RefusedInput:
            continue
        assert 0 < len(stored) <= 300 and not stored.startswith("<!--") and "\n" not in stored
        assert stored.encode("utf-8")


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n",
        "\ufeff",
        "\ufeff\ufeff\n",
        "---\na: b\n---\n",
        "\ufeff---\n",
        "--- \r\nx",
        "\n\n---\nmemory-id: x\n---\n",
        "a\0b",
        "a\udc80",
    ],
)
def test_bodies_are_refused(text: str) -> None:
    with pytest.raises(RefusedInput):
        cleaning.check_body(text)


@pytest.mark.parametrize("text", ["x", "----\nx", "- a\n---\nb", "  indented\n", "# H\n\n---\n", "a\r\nb", "tab\there"])
def test_bodies_are_kept(text: str) -> None:
    assert cleaning.check_body(text) == text
    assert cleaning.check_body("\ufeff" + text) == text


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Use uv.", "use  UV"),
        ("Straße", "STRASSE!"),
        ("ﬁle", "file;"),
        ("部署。", "部署"),
        ("部署！", "部署？"),
        ("é", "e\u0301"),
        ("ＡＢＣ", "abc"),
        ("done ...", "done"),
        ("İ", "i\u0307"),
    ],
)
def test_duplicates_are_seen(one: str, other: str) -> None:
    assert cleaning.duplicate_key(one) == cleaning.duplicate_key(other)


@pytest.mark.parametrize(("one", "other"), [("a.b", "ab"), ("!", "?"), ("uv", "uvx"), ("C++", "C"), ("#a", "a")])
def test_others_are_no_duplicates(one: str, other: str) -> None:
    assert cleaning.duplicate_key(one) != cleaning.duplicate_key(other)


@given(clean_text)
def test_a_text_that_says_something_has_a_key(text: str) -> None:
    assert cleaning.duplicate_key(text) or not text.strip()
    assert cleaning.duplicate_key(cleaning.duplicate_key(text)) == cleaning.duplicate_key(text)


CLUSTERS = [
    "👩‍👩‍👧",
    "🇩🇪",
    "e\u0301",
    "क्षि",
    "ก็",
    "กำ",
    "☝🏽",
    "✈️",
    "1️⃣",
    "🏴\U000e0067\U000e0062\U000e007f",
    "각",
    "\u1100\u1161\u11a8",
    "ab",
    "\r\n",
    "가\u11a8",
]


@given(st.lists(st.sampled_from(CLUSTERS), min_size=1, max_size=8), st.integers(0, 40))
def test_a_cut_never_parts_what_is_one_character(clusters: list[str], limit: int) -> None:
    text = "".join(clusters)
    cut = cleaning.cut(text, limit)
    assert len(cut) <= limit and text.startswith(cut)
    places, at = {0}, 0
    for cluster in clusters:
        if cluster == "ab":
            places.add(at + 1)
        at += len(cluster)
        places.add(at)
    assert len(cut) in places


@given(any_text, st.integers(0, 50))
def test_any_text_can_be_cut(text: str, limit: int) -> None:
    cut = cleaning.cut(text, limit)
    assert text.startswith(cut) and len(cut) <= limit


def test_a_fact_of_299_characters_and_a_flag() -> None:
    assert cleaning.cut("x" * 299 + "🇩🇪", 300) == "x" * 299


@given(st.text(st.sampled_from(" \ufeff\ta\x00\n")))
def test_a_byte_order_mark_is_never_first(text: str) -> None:
    cleaned = cleaning.clean(text)
    assert not cleaned.startswith((" ", "\ufeff"))
    assert cleaning.clean(cleaned) == cleaned


@given(
    st.lists(
        st.one_of(st.text("ab A.\u00e9\u0130\ufb01\n ", max_size=6), st.sampled_from(["Tea", "tea.", "Stra\u00dfe", "STRASSE", "x  y"])),
        max_size=4,
    )
)
def test_many_keys_are_the_keys_of_each(texts: list[str]) -> None:
    assert cleaning.duplicate_keys(texts) == [cleaning.duplicate_key(text) for text in texts]
