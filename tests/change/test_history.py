"""Recovery records can be listed, read as a diff, and pruned by ID or age."""

from __future__ import annotations

import os

import pytest

from remember.change import history
from remember.change.add import add
from remember.change.forget import forget, select
from remember.change.note import note
from remember.change.update import Wanted, update
from remember.errors import NotFound


def test_a_listing_names_ours_others_and_what_cannot_be_read(shop):
    assert history.listing(shop.target) == ((), (), ())
    add(shop.target, ["tea"], shop.terms())
    note(shop.target, "d", "body", shop.terms())
    ours = "20200101T000000000Z-00000000.json"
    for name, data in (("foreign.json", b'{"by": "x"}'), ("broken.json", b"{"), (ours, b'{"by": "remember"}')):
        with open(shop.file("recovery/" + name), "wb") as file:
            file.write(data)
    found = history.listing(shop.target)
    assert [record.action for record in found.records] == ["note", "add"]
    assert found.foreign == ("foreign.json", "broken.json")
    assert [name for name, _ in found.unreadable] == [ours]


def test_a_diff_shows_what_went_and_what_came(shop):
    (fact,) = add(shop.target, ["tea", "water"], shop.terms())[:1]
    made = note(shop.target, "d", "body", shop.terms())
    changes = [
        update([shop.target], fact.id, Wanted("coffee"), shop.terms()),
        update([shop.target], made.id, Wanted("new body"), shop.terms()),
        *forget(select([shop.target], fact.id), shop.terms()),
    ]
    texts = [history.diff(history.find([shop.target], change.recovery_id)[1]) for change in changes]
    assert "-tea" in texts[0] and "+coffee" in texts[0]
    assert "-body" in texts[1] and "+new body" in texts[1] and f"--- a/{made.path}" in texts[1]
    assert "-coffee" in texts[2] and " water" in texts[2]
    with pytest.raises(NotFound):
        history.find([shop.target], "20200101T000000000Z-00000000")


def test_prune_takes_ours_by_id_or_age_and_nothing_else(shop):
    (one,) = add(shop.target, ["one"], shop.terms())
    (two,) = add(shop.target, ["two"], shop.terms())
    middle = shop.now_ms
    (three,) = add(shop.target, ["three"], shop.terms())
    with open(shop.file("recovery/foreign.json"), "wb") as file:
        file.write(b'{"by": "x", "created": "2000-01-01T00:00:00Z"}')
    with pytest.raises(NotFound):
        history.prune(shop.target, shop.terms(), [two.recovery_id, "foreign"])
    assert len(shop.records()) == 4
    assert history.prune(shop.target, shop.terms(), [two.recovery_id]) == (two.recovery_id,)
    assert history.prune(shop.target, shop.terms(), older_than_ms=middle) == (one.recovery_id,)
    assert shop.records() == [f"{three.recovery_id}.json", "foreign.json"]


def test_records_lie_elsewhere_for_other_layouts(shop, tmp_path):
    place = str(tmp_path / "data" / "remember" / "recovery" / "key")
    shop.target.recovery = place
    add(shop.target, ["tea"], shop.terms())
    assert not os.path.exists(shop.file("recovery"))
    assert os.stat(place).st_mode & 0o777 == 0o700
    assert [record.action for record in history.listing(shop.target).records] == ["add"]


def test_every_kind_of_item_is_shown():
    from remember.store.records import DONE, Content, FileItem, KeptItem, Record, RenameItem

    items = (
        RenameItem("notes/a.md", "notes/b.md", 1, "0" * 64),
        KeptItem("notes/c.md", b"theirs\n"),
        FileItem("notes/d.md", Content(b"old\n"), None),
    )
    shown = history.diff(Record("20261018T161033001Z-0000000b", "move", 0, "", DONE, items))
    assert "rename from notes/a.md\nrename to notes/b.md\n" in shown
    assert "notes/c.md (saved by somebody else meanwhile)" in shown and "+theirs\n" in shown
    assert "-old\n" in shown
