"""Stories: what is told in tests/stories is what the commands print; `pytest tests/test_stories.py --update` tells them anew."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from telling import TESTS, Telling

from remember.cli import VERBS, _load

STORIES = sorted((TESTS / "stories").glob("*.md"))


@pytest.mark.parametrize("path", STORIES, ids=lambda path: path.stem)
def test_a_story_is_true(path: Path, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    text = path.read_text(encoding="utf-8")
    told = Telling(tmp_path / "home", python_path=str(TESTS.parent)).tell(text)
    assert "Traceback" not in told
    if request.config.getoption("--update"):
        path.write_text(told, encoding="utf-8")
    assert told == path.read_text(encoding="utf-8")


def test_every_verb_has_a_story() -> None:
    told = {path.stem for path in STORIES}
    assert {verb for verb in VERBS if not _load(verb).hidden} - told == set(), "write tests/stories/VERB.md, then --update"


def test_stories_tell_nothing_of_the_machine_they_were_told_on() -> None:
    for path in STORIES:
        text = path.read_text(encoding="utf-8")
        places = (tempfile.gettempdir(), str(TESTS.parent), str(Path.home()))
        assert not [place for place in places if place + "/" in text], path.name
