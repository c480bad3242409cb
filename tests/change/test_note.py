"""Notes get files of their own, and no existing path is ever overwritten."""

from __future__ import annotations

import os

import pytest

from remember.change.note import note
from remember.change.undo import undo
from remember.errors import Duplicate, RefusedInput, SecretRefused


def test_a_note_has_the_four_fields(shop):
    change = note(shop.target, "TV server configuration", "# Heading\n\nbody", shop.terms())
    assert change.path == "notes/2026-10-18-tv-server-configuration.md"
    stamp = "2026-10-18T16:10:34.000Z"
    assert shop.read(change.path).decode() == (
        f'---\ndescription: "TV server configuration"\nmemory-id: "{change.id}"\ncreated-date: "{stamp}"\n'
        f'last-modified-date: "{stamp}"\n---\n# Heading\n\nbody\n'
    )
    assert os.stat(shop.file(change.path)).st_mode & 0o777 == 0o600
    assert os.stat(shop.file("notes")).st_mode & 0o777 == 0o700
    undo([shop.target], shop.terms())
    assert not os.path.exists(shop.file(change.path))


def test_many_notes_of_one_slug_have_files_of_their_own(shop):
    made = [note(shop.target, "same", f"body {n}", shop.terms(allow_duplicate=True), slug="one-slug") for n in range(12)]
    assert len({change.path for change in made}) == len({change.id for change in made}) == 12
    assert made[1].path == "notes/2026-10-18-one-slug-2.md"
    assert [shop.read(change.path).split(b"---\n")[2] for change in made] == [b"body %d\n" % n for n in range(12)]


def test_a_path_that_is_taken_by_anything_is_left_alone(shop):
    os.makedirs(shop.file("notes/2026-10-18-a.md"))
    os.symlink("nowhere", shop.file("notes/2026-10-18-a-2.md"))
    assert note(shop.target, "a", "body", shop.terms()).path == "notes/2026-10-18-a-3.md"


def test_the_same_note_again_is_not_stored(shop):
    first = note(shop.target, "Tea", "at five\n", shop.terms())
    second = note(shop.target, "tea.", "\r\nat five", shop.terms())
    assert (second.changed, second.duplicate_of, second.path) == (False, first.id, first.path)
    assert len(shop.records()) == 1


def test_another_body_or_a_fact_of_that_description_is_a_conflict(shop):
    from remember.change.add import add

    first = note(shop.target, "Tea", "at five", shop.terms())
    (fact,) = add(shop.target, ["Coffee at six"], shop.terms())
    before = shop.files()
    for description, there in (("tea", first.id), ("coffee AT six!", fact.id)):
        with pytest.raises(Duplicate) as caught:
            note(shop.target, description, "at seven", shop.terms())
        assert there in caught.value.hint
    assert shop.files() == before
    assert note(shop.target, "tea", "at six", shop.terms(allow_duplicate=True)).changed


def test_a_fact_that_says_what_a_note_describes_is_that_note(shop):
    from remember.change.add import add

    first = note(shop.target, "Tea at five", "daily", shop.terms())
    (change,) = add(shop.target, ["tea at five."], shop.terms())
    assert (change.changed, change.kind, change.id) == (False, "note", first.id)


@pytest.mark.parametrize("body", ["", " \n", "---\nx: y\n---\n", "\0"])
def test_bodies_that_would_break_a_note_are_refused(shop, body):
    with pytest.raises(RefusedInput):
        note(shop.target, "a", body, shop.terms())
    assert shop.records() == []


@pytest.mark.parametrize("slug", ["", "a b", "a/b", "../x", "2026-10-18-x", "x.md", "-a", "a" * 81])
def test_slugs_that_are_none_are_refused(shop, slug):
    with pytest.raises(RefusedInput):
        note(shop.target, "a", "b", shop.terms(), slug=slug)


def test_credentials_in_description_or_body_are_refused(shop):
    token = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"
    for description, body in ((token, "body"), ("description", f"line\n{token}\n")):
        with pytest.raises(SecretRefused):
            note(shop.target, description, body, shop.terms())
    assert "notes" not in os.listdir(shop.path)


def test_punctuation_survives(shop):
    description = "Q&A: use | not & — \"ok\" 'x' \\n"
    change = note(shop.target, description, "body", shop.terms())
    (memo,) = shop.memos("note")
    assert (memo.description, memo.id) == (description, change.id)
