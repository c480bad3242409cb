"""Other programs' path rules against the places that those programs chose themselves."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remember.exchange.places import claude_slug, harness_name, zcode_hash, zcode_name, zcode_slug

LONG = "/home/ana/" + "/".join(["abcdefghij" * 5] * 5)

CLAUDE = {
    "/home/ana/src/remember": "-home-ana-src-remember",
    "/home/ana/My Proj_v1.2": "-home-ana-My-Proj-v1-2",
    "/srv/ünï": "-srv--n-",
    "/srv/😀": "-srv---",
    LONG: LONG.replace("/", "-")[:200] + "-ryc3xx",
}

ZCODE = {
    "/home/ana/src/Remember": "remember-3189f90747f694ae",
    "/home/ana/My Proj (v2)": "my-proj-v2-8821f377633420d8",
    "/home/ana/项目": "project-c85633e3a235b1cd",
    "/srv/.zcode": ".zcode-3d1eaafc7dd061f2",
}

ZCODE_WINDOWS = {"D:\\Work\\Chat App": "chat-app-fe7c6de761851088", "F:\\Cache\\AI": "ai-5fc659ea014eae85"}

HARNESS = {
    "/home/ana/src/remember": "a9902f338e488afa36caa785653eecd1012e87b91e7f4cad055777151728d3ba",
    "/home/ana/My Proj (v2)": "8821f377633420d8969ea9c02891bc266443225cb8af3dfb8213d06d827bc2e1",
    "/home/ana/项目": "c85633e3a235b1cdab2ac1b8b0609933e49d0780da34391698f2d67a4d2e6848",
    "/tmp/w": "28b8cac271d3c6c6d580c84bc9ebf267760c95c1af93b230d7f2559b764b3fbf",
}


@pytest.mark.parametrize(("path", "slug"), CLAUDE.items())
def test_claude_code(path: str, slug: str) -> None:
    assert claude_slug(path) == slug


@pytest.mark.parametrize(("path", "name"), ZCODE.items())
def test_zcode(path: str, name: str) -> None:
    assert zcode_name(path) == name


@pytest.mark.parametrize(("path", "name"), ZCODE_WINDOWS.items())
def test_zcode_on_windows(path: str, name: str) -> None:
    assert zcode_name(path, windows=True) == name


@pytest.mark.parametrize(("path", "name"), HARNESS.items())
def test_the_harness(path: str, name: str) -> None:
    assert harness_name(path) == name


@given(st.text())
def test_any_path_has_a_name_that_is_one_plain_word(path: str) -> None:
    slug = claude_slug("/" + path)
    assert set(slug) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-")
    assert len(slug) <= 200 + 1 + 6
    assert 1 <= len(zcode_slug(path)) <= 48
    assert "/" not in zcode_name(path)


def test_a_path_that_is_no_utf_8_has_a_name_too() -> None:
    path = b"/srv/\xff\xfe".decode("utf-8", "surrogateescape")
    assert claude_slug(path) == "-srv---"
    assert len(zcode_hash(path)) == 16
    assert len(harness_name(path)) == 64


def test_similar_paths_share_claude_codes_folder_but_no_other() -> None:
    assert claude_slug("/t/a-b") == claude_slug("/t/a/b")  # the client's own weakness: discovery must say which path it means
    assert zcode_name("/t/a-b") != zcode_name("/t/a/b")
    assert harness_name("/t/my_x") != harness_name("/t/my-x")
