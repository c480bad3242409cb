"""Facts are appended byte for byte, once, with IDs that nobody has."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time

import pytest

from remember.change.add import add
from remember.change.undo import undo
from remember.errors import Locked, RefusedInput, SecretRefused, TooLarge, UnsafePath
from remember.store.lock import locked


def test_a_fact_is_a_comment_and_a_line(shop):
    (change,) = add(shop.target, ["Use the workspace's own environment."], shop.terms())
    assert shop.read() == f"<!-- 2026-10-18T16:10:34Z [{change.id}] -->\nUse the workspace's own environment.\n".encode()
    assert (change.changed, change.kind, change.path, change.line) == (True, "fact", "MEMORY.md", 2)
    (memo,) = shop.memos()
    assert (memo.id, memo.line, memo.text) == (change.id, 2, "Use the workspace's own environment.")


def test_the_revision_is_that_of_the_file(shop):
    from remember.format import facts

    changes = add(shop.target, ["one", "two", "three"], shop.terms())
    text = shop.read().decode()
    assert [c.revision for c in changes] == [facts.revision(text, fact) for fact in facts.parse(text).facts]
    assert [c.line for c in changes] == [fact.line for fact in facts.parse(text).facts]


@pytest.mark.parametrize("before", [b"", b"prose", b"prose\n", b"a\r\nb\r\n", b"a\r\nb", b"\xef\xbb\xbfx\n", b"\xff\xfe latin\n", b"\n\n"])
def test_what_was_there_stays_and_undo_gives_it_back(shop, before):
    shop.write(before)
    add(shop.target, ["new fact", "another"], shop.terms())
    after = shop.read()
    assert after.startswith(before)
    assert after.endswith(b"\n") == (before.endswith(b"\n") or not before)
    undo([shop.target], shop.terms())
    assert shop.read() == before


def test_a_missing_facts_file_is_made_and_undone(shop):
    os.unlink(shop.file())
    add(shop.target, ["first"], shop.terms())
    assert os.stat(shop.file()).st_mode & 0o777 == 0o600
    undo([shop.target], shop.terms())
    assert not os.path.exists(shop.file())


def test_several_texts_are_one_record(shop):
    changes = add(shop.target, ["one", "two", "three"], shop.terms())
    assert len({c.recovery_id for c in changes}) == 1
    assert len({c.id for c in changes}) == 3
    assert len(shop.records()) == 1
    assert os.stat(shop.file(f"recovery/{shop.records()[0]}")).st_mode & 0o777 == 0o600
    assert os.stat(shop.file("recovery")).st_mode & 0o777 == 0o700


@pytest.mark.parametrize("again", ["Tea at five", "tea  at FIVE.", "Tea at five!", "Ｔea at five", "- Tea at five", "Tea at\tfive。"])
def test_the_same_again_stores_nothing(shop, again):
    (first,) = add(shop.target, ["Tea at five"], shop.terms())
    before = shop.files()
    (second,) = add(shop.target, [again], shop.terms())
    assert (second.changed, second.id, second.duplicate_of, second.recovery_id) == (False, first.id, first.id, None)
    assert shop.files() == before
    assert len(shop.records()) == 1


def test_the_same_twice_in_one_call_is_stored_once(shop):
    first, second, third = add(shop.target, ["tea", "Tea.", "coffee"], shop.terms())
    assert (first.changed, second.changed, third.changed) == (True, False, True)
    assert second.duplicate_of == first.id
    assert len(shop.memos("fact")) == 2


def test_duplicates_can_be_allowed(shop):
    add(shop.target, ["tea"], shop.terms())
    (second,) = add(shop.target, ["tea"], shop.terms(allow_duplicate=True))
    assert second.changed
    assert len(shop.memos("fact")) == 2


def test_a_match_in_the_other_scope_stores_and_warns(two):
    local, everywhere = two
    (there,) = add(everywhere.target, ["tea"], everywhere.terms())
    (change,) = add(local.target, ["Tea."], local.terms(), [everywhere.target])
    assert change.changed
    assert there.id in change.warnings[0]


def test_an_id_of_either_scope_is_not_drawn_again(two):
    local, everywhere = two
    (there,) = add(everywhere.target, ["tea"], everywhere.terms())
    (here,) = add(local.target, ["coffee"], local.terms())
    draws = iter([int(there.id, 16), int(here.id, 16), 0xABCDEF12])
    terms = local.terms()._replace(bits=lambda n: next(draws) if n == 32 else 1)
    (change,) = add(local.target, ["water"], terms, [everywhere.target])
    assert change.changed and change.id not in (there.id, here.id)


@pytest.mark.parametrize("text", ["", "  \n", "x" * 301, "<!-- x -->", "\ud800"])
def test_what_would_break_the_format_is_refused(shop, text):
    with pytest.raises(RefusedInput):
        add(shop.target, ["good", text], shop.terms())
    assert shop.read() == b""
    assert shop.records() == []


def test_a_credential_is_refused_without_echo(shop):
    token = "ghp_" + "a1B2c3D4e5" * 4
    with pytest.raises(SecretRefused) as caught:
        add(shop.target, [f"the token is {token[:40]}"], shop.terms())
    assert token[:12] not in str(caught.value)
    assert shop.read() == b""
    (change,) = add(shop.target, [f"the token is {token[:40]}"], shop.terms(allow_secret=True))
    assert change.changed


def test_a_locked_store_is_waited_for_and_its_holder_named(shop):
    with locked(shop.path, 1), pytest.raises(Locked) as caught:
        add(shop.target, ["tea"], shop.terms(timeout_s=0.1))
    assert str(os.getpid()) in caught.value.message
    assert shop.read() == b""
    assert shop.records() == []


def test_a_lock_that_is_let_go_in_time_is_no_failure(shop):
    lock = locked(shop.path, 1)
    lock.__enter__()
    release = threading.Timer(0.2, lambda: lock.__exit__(None, None, None))
    release.start()
    began = time.monotonic()
    assert add(shop.target, ["tea"], shop.terms(timeout_s=5))[0].changed
    assert time.monotonic() - began < 2
    release.join()


def test_a_file_beyond_what_is_read_is_not_written(shop):
    with open(shop.file(), "wb") as file:
        file.truncate((64 << 20) + 1)
    with pytest.raises(TooLarge):
        add(shop.target, ["tea"], shop.terms(allow_duplicate=True))
    assert os.path.getsize(shop.file()) == (64 << 20) + 1


@pytest.mark.parametrize("name", ["MEMORY.md", "recovery"])
def test_links_in_the_store_are_not_written_through(shop, tmp_path, name):
    outside = tmp_path / "outside"
    if name == "recovery":
        outside.mkdir()
    else:
        os.unlink(shop.file())
        outside.write_bytes(b"")
    os.symlink(outside, shop.file(name))
    with pytest.raises(UnsafePath):
        add(shop.target, ["tea"], shop.terms())
    assert not list(outside.iterdir()) if outside.is_dir() else outside.read_bytes() == b""


def test_a_store_that_became_a_link_is_not_written(shop, tmp_path):
    os.rename(shop.path, tmp_path / "elsewhere")
    os.symlink(tmp_path / "elsewhere", shop.path)
    with pytest.raises(UnsafePath):
        add(shop.target, ["tea"], shop.terms())


WRITER = """
import random, sys, time
sys.path.insert(0, {root!r})
from remember.change.add import add
from remember.change.target import Target, Terms
from remember.index.catalogue import open_index
from remember.model import StoreRef
name = sys.argv[1]
with open_index(StoreRef("local", "local", {path!r}, "remember"), {cache!r}) as index:
    target = Target(index, {path!r} + "/recovery")
    for number in range({count}):
        (change,) = add(target, [f"fact {{number}} of {{name}}"], Terms(int(time.time() * 1000), random.SystemRandom().getrandbits))
        assert change.changed
"""


def test_writers_at_once_lose_nothing(shop, tmp_path):
    count, writers = 12, 5
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    script = WRITER.format(root=root, path=shop.path, cache=str(tmp_path / "cache"), count=count)
    running = [subprocess.Popen([sys.executable, "-c", script, str(n)]) for n in range(writers)]
    assert [process.wait(60) for process in running] == [0] * writers
    memos = shop.memos("fact")
    assert len(memos) == len({memo.id for memo in memos}) == count * writers
    assert len(shop.records()) == count * writers
    for _ in range(count * writers):
        undo([shop.target], shop.terms())
    assert shop.read() == b""
