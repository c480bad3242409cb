"""Strategies for the texts that files may hold: odd Unicode, broken bytes, mixed line ends, things of our own format."""

from __future__ import annotations

from hypothesis import strategies as st

COMMENT = "<!-- 2026-10-18T16:10:33Z [a1b2c3d4] -->"

_PIECES = st.sampled_from(
    [
        "",
        " ",
        "    ",
        "\t",
        "\r",
        "\0",
        "\ufeff",
        "\udcff",
        "\u2028",
        "\x1b[31m",
        COMMENT,
        "<!-- 2026-10-18T16:10:33Z [00000012] -->",
        "<!-- 2026-02-15 14:30:00 [session8] -->",
        "<!-- 2026-02-15 14:30:00 [deadbeef] -->",
        "<!-- open",
        "-->",
        "a --> b",
        "---",
        "...",
        "***",
        "===",
        "```",
        "```py",
        "````",
        "~~~",
        "- item",
        "1. item",
        "  continued",
        "# Heading",
        "#tag word",
        "> quote",
        "| a | b |",
        "[x]: #y",
        "[[link|alias]]",
        "<<<<<<< HEAD",
        "=======",
        ">>>>>>> other",
        "key: value",
        'description: "A note"',
        "memory-id: e5f6a7b8",
        "plain sentence",
        "日本語 ภาษา हिन्दी",
        "👩‍👩‍👧 🇩🇪",
    ]
)
_LINE = st.lists(st.one_of(_PIECES, st.text(max_size=8)), max_size=3).map("".join)
_END = st.sampled_from(["\n", "\n", "\n", "\r\n", "\n\n", ""])

file_texts = st.lists(st.tuples(_LINE, _END).map("".join), max_size=14).map("".join)
"""Text as a file may give it, lone surrogates (bytes that are no UTF-8) among it."""

any_text = st.one_of(file_texts, st.text(st.characters(), max_size=60), st.text(st.characters(categories=("Cs",)), max_size=4))
"""Any string at all, lone surrogates of every kind."""

clean_text = st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=80)
"""Text without control characters and surrogates."""

file_bytes = st.one_of(st.binary(max_size=80), file_texts.map(lambda text: text.encode("utf-8", "surrogatepass")))
"""Bytes as a file may hold them."""
