"""What a text hides, blanked with its line ends kept."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remember.format.comments import blank_comments, blank_percent


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("a %%hidden%% b", "a  b"),
        ("%%\nhidden\nlines\n%%\nseen", "\n\n\n\nseen"),
        ("  %% hidden\nmore %% seen", "  \n seen"),
        ("100%% sure and 50%% more", "100%% sure and 50%% more"),
        ("a%%b%%c", "a%%b%%c"),
        ("open %% only", "open %% only"),
        ("in `%%` code `%%` stays", "in `%%` code `%%` stays"),
        ("```mermaid\n%% note %%\n```\n", "```mermaid\n%% note %%\n```\n"),
        ("mid %% over\nlines %% seen", "mid %% over\nlines %% seen"),
        ("%%a%% b %%c%%", " b "),
        ("%%%% and %%%", "%%%% and %%%"),
    ],
)
def test_what_obsidian_hides(text: str, left: str) -> None:
    assert blank_percent(text) == left


@given(st.text(alphabet=st.sampled_from("%a1 \n`<!->"), max_size=120))
def test_lines_stay_lines(text: str) -> None:
    for blank in (blank_percent, blank_comments):
        found = blank(text)
        assert found.count("\n") == text.count("\n") and len(found) <= len(text)
