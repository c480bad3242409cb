"""Files are replaced, made and removed durably, and never at the cost of somebody else's save."""

from __future__ import annotations

import os

import pytest

from remember.errors import ChangedOutside, DamagedStore, IOFailure, PathTaken
from remember.files import atomic, swap
from remember.files.atomic import NotDurable, exchange, make_dirs, publish_new, remove
from remember.files.safe import Spot


@pytest.fixture
def folder(tmp_path):
    descriptor = os.open(tmp_path, os.O_RDONLY)
    yield lambda name="file.md": Spot(descriptor, name, str(tmp_path / name))
    os.close(descriptor)


class Kept(list):
    """What was handed over to be kept."""

    def __call__(self, data: bytes) -> None:
        self.append(data)


def names(tmp_path):
    return sorted(os.listdir(tmp_path))


def editor_saves(spot: Spot, data: bytes) -> None:
    """A save as most editors do it: a new file renamed over the old one."""
    other = spot.shown + ".editor"
    with open(other, "wb") as file:
        file.write(data)
    os.rename(other, spot.shown)


def when(monkeypatch, name, number, act):
    """Call `act` just before the nth call of a function of the atomic module's."""
    real, calls = getattr(atomic, name), []

    def held(*args, **kwargs):
        calls.append(1)
        if len(calls) == number:
            act()
        return real(*args, **kwargs)

    monkeypatch.setattr(atomic, name, held)


def test_a_new_file_is_private_whole_and_alone(folder, tmp_path):
    publish_new(folder(), b"text\n")
    assert names(tmp_path) == ["file.md"]
    assert (tmp_path / "file.md").read_bytes() == b"text\n"
    assert (tmp_path / "file.md").stat().st_mode & 0o7777 == 0o600


def test_a_new_file_takes_mode_and_time(folder, tmp_path):
    publish_new(folder(), b"x", 0o644, 1_600_000_000_123_456_789)
    found = (tmp_path / "file.md").stat()
    assert (found.st_mode & 0o7777, found.st_mtime_ns) == (0o644, 1_600_000_000_123_456_789)


def test_a_taken_path_is_never_overwritten(folder, tmp_path):
    (tmp_path / "file.md").write_bytes(b"there")
    with pytest.raises(PathTaken):
        publish_new(folder(), b"new")
    assert (tmp_path / "file.md").read_bytes() == b"there"
    assert names(tmp_path) == ["file.md"]


def test_a_dangling_link_is_a_taken_path_too(folder, tmp_path):
    (tmp_path / "file.md").symlink_to(tmp_path / "nowhere")
    with pytest.raises(PathTaken):
        publish_new(folder(), b"new")
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o664])
def test_an_exchange_keeps_the_mode(folder, tmp_path, mode):
    (tmp_path / "file.md").write_bytes(b"old")
    (tmp_path / "file.md").chmod(mode)
    exchange(folder(), b"new", b"old", Kept())
    assert (tmp_path / "file.md").read_bytes() == b"new"
    assert (tmp_path / "file.md").stat().st_mode & 0o7777 == mode
    assert names(tmp_path) == ["file.md"]


def test_an_exchange_refuses_what_it_did_not_expect(folder, tmp_path):
    (tmp_path / "file.md").write_bytes(b"edited")
    with pytest.raises(ChangedOutside):
        exchange(folder(), b"new", b"old", Kept())
    assert (tmp_path / "file.md").read_bytes() == b"edited"


def test_an_exchange_refuses_a_missing_file(folder, tmp_path):
    with pytest.raises(ChangedOutside):
        exchange(folder(), b"new", b"old", Kept())
    assert names(tmp_path) == []


def test_hard_links_and_read_only_files_are_not_written(folder, tmp_path):
    (tmp_path / "file.md").write_bytes(b"old")
    os.link(tmp_path / "file.md", tmp_path / "second")
    with pytest.raises(DamagedStore, match="hard link"):
        exchange(folder(), b"new", b"old", Kept())
    os.unlink(tmp_path / "second")
    (tmp_path / "file.md").chmod(0o400)
    with pytest.raises(IOFailure, match="read-only"):
        exchange(folder(), b"new", b"old", Kept())
    with pytest.raises(IOFailure, match="read-only"):
        remove(folder(), b"old", Kept())
    assert (tmp_path / "file.md").read_bytes() == b"old"
    assert names(tmp_path) == ["file.md"]


def test_a_save_just_before_the_exchange_wins(folder, tmp_path, monkeypatch):
    (tmp_path / "file.md").write_bytes(b"old")
    when(monkeypatch, "exchange_names", 1, lambda: editor_saves(folder(), b"saved"))
    with pytest.raises(ChangedOutside):
        exchange(folder(), b"new", b"old", Kept())
    assert (tmp_path / "file.md").read_bytes() == b"saved"
    assert names(tmp_path) == ["file.md"]


def test_a_save_in_place_just_before_the_exchange_wins(folder, tmp_path, monkeypatch):
    (tmp_path / "file.md").write_bytes(b"old")
    when(monkeypatch, "exchange_names", 1, lambda: (tmp_path / "file.md").write_bytes(b"saved in place"))
    with pytest.raises(ChangedOutside):
        exchange(folder(), b"new", b"old", Kept())
    assert (tmp_path / "file.md").read_bytes() == b"saved in place"


def test_of_two_saves_in_the_window_the_newer_is_in_the_file_and_the_older_is_kept(folder, tmp_path, monkeypatch):
    (tmp_path / "file.md").write_bytes(b"old")
    kept = Kept()

    def twice():
        editor_saves(folder(), b"first")
        when(monkeypatch, "exchange_names", 1, lambda: editor_saves(folder(), b"second"))

    when(monkeypatch, "exchange_names", 1, twice)
    with pytest.raises(ChangedOutside):
        exchange(folder(), b"new", b"old", kept)
    assert (tmp_path / "file.md").read_bytes() == b"second"
    assert kept == [b"first"]
    assert names(tmp_path) == ["file.md"]


def test_three_saves_lose_nothing(folder, tmp_path, monkeypatch):
    (tmp_path / "file.md").write_bytes(b"old")
    kept, number = Kept(), [0]
    real = swap.exchange_names

    def held(*args):
        number[0] += 1
        if number[0] <= 4:
            editor_saves(folder(), b"save %d" % number[0])
        return real(*args)

    monkeypatch.setattr(atomic, "exchange_names", held)
    with pytest.raises(ChangedOutside):
        exchange(folder(), b"new", b"old", kept)
    assert (tmp_path / "file.md").read_bytes() == b"save 4"
    assert names(tmp_path) == ["file.md"]


def test_an_editor_that_took_the_file_away_meanwhile_gets_its_own_back(folder, tmp_path, monkeypatch):
    (tmp_path / "file.md").write_bytes(b"old")

    def save_then_delete():
        editor_saves(folder(), b"saved")
        when(monkeypatch, "exchange_names", 1, lambda: os.unlink(tmp_path / "file.md"))

    when(monkeypatch, "exchange_names", 1, save_then_delete)
    with pytest.raises(ChangedOutside):
        exchange(folder(), b"new", b"old", Kept())
    assert (tmp_path / "file.md").read_bytes() == b"saved"


def test_a_late_write_into_the_old_file_is_kept(folder, tmp_path, monkeypatch):
    (tmp_path / "file.md").write_bytes(b"old")
    kept = Kept()
    with open(tmp_path / "file.md", "r+b", buffering=0) as editor:
        when(monkeypatch, "unlink", 1, lambda: editor.write(b"OLD, and more"))
        exchange(folder(), b"new", b"old", kept)
    assert (tmp_path / "file.md").read_bytes() == b"new"
    assert kept == [b"OLD, and more"]


def test_without_an_exchange_the_file_is_compared_and_renamed(folder, tmp_path, monkeypatch):
    monkeypatch.setattr(atomic, "exchange_names", lambda *_: False)
    (tmp_path / "file.md").write_bytes(b"old")
    exchange(folder(), b"new", b"old", Kept())
    assert (tmp_path / "file.md").read_bytes() == b"new"
    with pytest.raises(ChangedOutside):
        exchange(folder(), b"newer", b"old", Kept())
    assert names(tmp_path) == ["file.md"]


def test_without_the_system_call_new_files_and_removals_work(folder, tmp_path, monkeypatch):
    monkeypatch.setattr(swap, "_calls", [None])
    publish_new(folder(), b"new")
    with pytest.raises(PathTaken):
        publish_new(folder(), b"newer")
    exchange(folder(), b"newest", b"new", Kept())
    remove(folder(), b"newest", Kept())
    assert names(tmp_path) == []


def test_remove_takes_exactly_what_was_expected(folder, tmp_path):
    (tmp_path / "file.md").write_bytes(b"old")
    with pytest.raises(ChangedOutside):
        remove(folder(), b"other", Kept())
    assert (tmp_path / "file.md").read_bytes() == b"old"
    remove(folder(), b"old", Kept())
    assert names(tmp_path) == []


def test_a_save_just_before_the_removal_is_put_back(folder, tmp_path, monkeypatch):
    (tmp_path / "file.md").write_bytes(b"old")
    when(monkeypatch, "rename_new", 1, lambda: editor_saves(folder(), b"saved"))
    with pytest.raises(ChangedOutside):
        remove(folder(), b"old", Kept())
    assert (tmp_path / "file.md").read_bytes() == b"saved"
    assert names(tmp_path) == ["file.md"]


def test_two_saves_around_a_removal_lose_nothing(folder, tmp_path, monkeypatch):
    (tmp_path / "file.md").write_bytes(b"old")
    kept = Kept()

    def twice():
        editor_saves(folder(), b"first")
        when(monkeypatch, "rename_new", 1, lambda: editor_saves(folder(), b"second"))

    when(monkeypatch, "rename_new", 1, twice)
    with pytest.raises(ChangedOutside):
        remove(folder(), b"old", kept)
    assert (tmp_path / "file.md").read_bytes() == b"second"
    assert kept == [b"first"]


def failing_fsync(monkeypatch, number):
    real, calls = os.fsync, []

    def fsync(descriptor):
        calls.append(descriptor)
        if len(calls) == number:
            raise OSError(5, "Input/output error")
        return real(descriptor)

    monkeypatch.setattr(os, "fsync", fsync)
    return calls


def test_a_failed_fsync_of_the_file_is_not_retried(folder, tmp_path, monkeypatch):
    (tmp_path / "file.md").write_bytes(b"old")
    calls = failing_fsync(monkeypatch, 1)
    with pytest.raises(IOFailure) as caught:
        exchange(folder(), b"new", b"old", Kept())
    assert not isinstance(caught.value, NotDurable)
    assert len(calls) == 1
    assert (tmp_path / "file.md").read_bytes() == b"old"
    assert names(tmp_path) == ["file.md"]


def test_a_failed_fsync_of_the_folder_says_that_the_change_is_visible(folder, tmp_path, monkeypatch):
    (tmp_path / "file.md").write_bytes(b"old")
    failing_fsync(monkeypatch, 2)
    with pytest.raises(NotDurable) as caught:
        exchange(folder(), b"new", b"old", Kept())
    assert "not durable" in caught.value.hint
    assert (tmp_path / "file.md").read_bytes() == b"new"


def test_an_interrupt_leaves_no_temporary_file(folder, tmp_path, monkeypatch):
    def interrupt(descriptor):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        publish_new(folder(), b"new")
    assert names(tmp_path) == []


def test_folders_are_made_private(tmp_path):
    made = tmp_path / "a" / "b"
    make_dirs(str(made))
    make_dirs(str(made))
    assert made.stat().st_mode & 0o777 == 0o700
    (tmp_path / "file").write_text("x")
    with pytest.raises(DamagedStore):
        make_dirs(str(tmp_path / "file" / "below"))


def test_an_editor_that_never_stops_saving_loses_nothing(folder, tmp_path, monkeypatch):
    """Every exchange meets a newer save: the rounds end, and the last two saves are both there."""
    (tmp_path / "file.md").write_bytes(b"old")
    kept, number = Kept(), [0]
    real = swap.exchange_names

    def held(*args):
        number[0] += 1
        editor_saves(folder(), b"save %d" % number[0])
        return real(*args)

    monkeypatch.setattr(atomic, "_ROUNDS", 5)
    monkeypatch.setattr(atomic, "exchange_names", held)
    with pytest.raises(ChangedOutside):
        exchange(folder(), b"new", b"old", kept)
    there = [(tmp_path / "file.md").read_bytes(), *kept]
    assert sorted(there) == [b"save 5", b"save 6"] and names(tmp_path) == ["file.md"]


def test_where_the_exchange_fails_half_way_the_message_says_where_the_bytes_are(folder, tmp_path, monkeypatch):
    (tmp_path / "file.md").write_bytes(b"old")
    real, calls = swap.exchange_names, []

    def once(*args):
        calls.append(1)
        if len(calls) > 1:
            return False
        editor_saves(folder(), b"saved")
        return real(*args)

    monkeypatch.setattr(atomic, "exchange_names", once)
    with pytest.raises(IOFailure) as caught:
        exchange(folder(), b"new", b"old", Kept())
    aside = [name for name in names(tmp_path) if name != "file.md"]
    assert len(aside) == 1 and aside[0] in caught.value.hint
    assert (tmp_path / aside[0]).read_bytes() == b"saved" and (tmp_path / "file.md").read_bytes() == b"new"


def test_a_write_between_reading_what_came_out_and_dropping_it_is_kept(folder, tmp_path, monkeypatch):
    (tmp_path / "file.md").write_bytes(b"old")
    kept = Kept()
    with open(tmp_path / "file.md", "r+b", buffering=0) as editor:
        when(monkeypatch, "_discard", 1, lambda: editor.write(b"OLD, and more"))
        exchange(folder(), b"new", b"old", kept)
    assert (tmp_path / "file.md").read_bytes() == b"new"
    assert kept == [b"OLD, and more"]


def test_what_comes_out_too_large_to_be_read_goes_back(folder, tmp_path, monkeypatch):
    (tmp_path / "file.md").write_bytes(b"old")
    monkeypatch.setattr(atomic, "LIMIT_BYTES", 10)
    when(monkeypatch, "exchange_names", 1, lambda: editor_saves(folder(), b"a save beyond the limit"))
    with pytest.raises((ChangedOutside, IOFailure)):
        exchange(folder(), b"new", b"old", Kept())
    assert b"a save beyond the limit" in [(tmp_path / name).read_bytes() for name in names(tmp_path)]
