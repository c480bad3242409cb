"""Which stores a command means, by scope, name and path."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from remember.errors import NotInitialised, NotTrusted, RefusedInput, RememberError, UnknownStore
from remember.scope import registry
from remember.scope.config import Config, load
from remember.scope.recognise import public_of, recognise
from remember.scope.select import choose, choose_one, named_store


class Place:
    """A home with a workspace, and what is asked there."""

    def __init__(self, top: Path) -> None:
        self.home = top
        self.work = top / "work"
        self.work.mkdir()

    @property
    def config(self) -> Config:
        return load({}, str(self.home))

    def make(self, *scopes: str) -> None:
        for scope in scopes:
            store = self.work / ".pi/memory" if scope == "local" else self.home / ".pi/agent/memory"
            store.mkdir(parents=True)
            (store / "MEMORY.md").touch()

    def names(self, **more: object) -> list[str]:
        return [ref.name for ref in choose(self.config, str(self.work), **more).refs]  # type: ignore[arg-type]

    def one(self, **more: object) -> str:
        return choose_one(self.config, str(self.work), **more).name  # type: ignore[arg-type]


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def test_the_default_of_reads_is_both_or_what_there_is(place: Place) -> None:
    with pytest.raises(NotInitialised):
        place.names()
    place.make("global")
    assert place.names() == ["global"]
    assert "only the global store" in choose(place.config, str(place.work)).remarks[0]
    place.make("local")
    assert place.names() == ["global", "local"]
    assert choose(place.config, str(place.work)).remarks == ()


def test_named_scopes_must_be_there(place: Place) -> None:
    place.make("global")
    for scope in ("local", "both"):
        with pytest.raises(NotInitialised):
            place.names(scope=scope)
    assert place.names(scope="global") == ["global"]


def test_without_a_global_store_its_scope_is_empty_and_said(place: Place) -> None:
    place.make("local")
    assert place.names(scope="global") == []
    assert "does not exist yet" in choose(place.config, str(place.work), scope="global").remarks[0]
    assert place.names() == ["local"]


def test_writes_go_to_one_store(place: Place) -> None:
    place.make("local")
    assert place.one() == "local"
    assert place.one(scope="global") == "global"
    for scope in ("both", "elsewhere"):
        with pytest.raises(RefusedInput):
            place.one(scope=scope)
    with pytest.raises(RefusedInput):
        place.one(stores=["a", "b"])
    with pytest.raises(RefusedInput):
        place.one(scope="local", stores=["a"])


def test_a_store_that_was_not_made_here_is_read_with_a_warning_and_never_through_a_link(place: Place) -> None:
    place.make("local")
    assert "not trusted" in choose(place.config, str(place.work)).warnings[0]
    registry.trust(place.config.config_dir, str(place.work))
    assert choose(place.config, str(place.work)).warnings == ()
    registry.untrust(place.config.config_dir, str(place.work))
    os.rename(place.work / ".pi", place.home / "elsewhere")
    (place.work / ".pi").symlink_to(place.home / "elsewhere")
    with pytest.raises(NotTrusted):
        place.names()
    with pytest.raises(NotTrusted):
        place.one()


def test_registered_stores_by_name_by_path_and_all(place: Place) -> None:
    place.make("local", "global")
    docs = place.home / "docs"
    docs.mkdir()
    registry.add(place.config.config_dir, "docs", str(docs), None)
    assert place.names(stores=["docs"]) == ["docs"]
    assert place.names(stores=["docs", "docs"]) == ["docs"]
    assert place.names(stores=["../docs"]) == ["docs"], "a registered store keeps its name"
    assert place.names(scope="docs") == ["docs"]
    assert place.names(everything=True) == ["global", "local", "docs"]
    with pytest.raises(RefusedInput):
        place.names(stores=["docs"], everything=True)
    with pytest.raises(RefusedInput):
        place.names(stores=["docs"], scope="local")


def test_any_directory_by_path_and_words_are_names(place: Place) -> None:
    (place.work / "docs").mkdir()
    (place.work / "file.txt").touch()
    found = named_store(place.config, str(place.work), None, "./docs")
    assert (found.name, found.path, found.layout, found.trusted) == ("./docs", str(place.work / "docs"), "vault", True)
    assert named_store(place.config, str(place.work), None, ".").path == str(place.work)
    assert named_store(place.config, str(place.work), None, "~/work").path == str(place.work)
    for name in ("docs", "nothing", "./nowhere", "./file.txt", ""):
        with pytest.raises(UnknownStore):
            named_store(place.config, str(place.work), None, name)


def test_a_near_name_is_offered(place: Place) -> None:
    registry.add(place.config.config_dir, "handbook", str(place.work), None)
    with pytest.raises(UnknownStore) as caught:
        named_store(place.config, str(place.work), None, "handbok")
    assert caught.value.hint == "did you mean handbook?"


# The registry.


def test_names_that_can_be_given(tmp_path: Path) -> None:
    config = str(tmp_path / "config")
    for name in ("", "a b", "a/b", "-a", ".a", "a\n", "local", "global", "both", "all", "a\tb"):
        with pytest.raises(RefusedInput):
            registry.add(config, name, str(tmp_path), None)
    for name in ("a", "my-notes_2.0", "日本"):
        assert registry.add(config, name, str(tmp_path), None).name == name
    assert registry.names(config) == ("a", "my-notes_2.0", "日本")


def test_a_name_stays_with_its_path(tmp_path: Path) -> None:
    config = str(tmp_path / "config")
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
    registry.add(config, "x", str(tmp_path / "a"), None)
    registry.add(config, "x", str(tmp_path / "a"), None)
    with pytest.raises(RefusedInput):
        registry.add(config, "x", str(tmp_path / "b"), None)
    with pytest.raises(RefusedInput):
        registry.add(config, "y", str(tmp_path / "b"), "song")
    with pytest.raises(UnknownStore):
        registry.add(config, "y", str(tmp_path / "nowhere"), None)
    assert registry.remove(config, "x").path == str(tmp_path / "a")
    with pytest.raises(UnknownStore):
        registry.remove(config, "x")


def test_trust_is_a_set_of_roots(tmp_path: Path) -> None:
    config = str(tmp_path / "config")
    assert registry.trusted(config) == frozenset()
    assert registry.trust(config, "/a") and not registry.trust(config, "/a") and registry.trust(config, "/b c")
    assert registry.trusted(config) == {"/a", "/b c"}
    assert registry.untrust(config, "/a") and not registry.untrust(config, "/a")
    assert registry.trusted(config) == {"/b c"}
    assert (tmp_path / "config" / "trusted").stat().st_mode & 0o077 == 0
    for bad in ("/a\nb", "#a"):
        with pytest.raises(RefusedInput):
            registry.trust(config, bad)


def test_layouts_are_recognised(tmp_path: Path) -> None:
    assert recognise(str(tmp_path)) == "vault"
    (tmp_path / "MEMORY.md").touch()
    assert recognise(str(tmp_path)) == "vault"
    (tmp_path / "notes").mkdir()
    assert recognise(str(tmp_path)) == "remember"


@pytest.mark.parametrize("text", ["", "x", "a\tb", "a\tsong\t/x\n", "\n\n", "a\tvault\t\n", "# c\n", "\udcff"])
def test_odd_lines_in_the_file_are_left_out(tmp_path: Path, text: str) -> None:
    (tmp_path / "stores").write_bytes(text.encode("utf-8", "surrogateescape"))
    try:
        assert registry.stores(str(tmp_path)) == ()
    except RememberError as error:
        assert "stores" in error.message


def test_other_programs_memories_are_recognised(tmp_path: Path) -> None:
    (tmp_path / "MEMORY.md").write_text("- [A](a.md) — x\n")
    assert recognise(str(tmp_path)) == "vault"  # nothing shows that a.md is a fact file
    (tmp_path / "a.md").write_text("---\nname: a\ndescription: b\n---\nbody\n")
    assert recognise(str(tmp_path)) == "zcode"
    assert recognise(str(tmp_path / "a.md")) == "bullets"
    (tmp_path / "MEMORY.md").unlink()
    assert recognise(str(tmp_path)) == "vault"
    (tmp_path / "a.md").write_text("---\nname: a\ndescription: b\nmetadata:\n  type: user\n---\nbody\n")
    assert recognise(str(tmp_path)) == "zcode"
    private = tmp_path / ("0a" * 32)
    private.mkdir()
    assert recognise(str(private)) == "harness"
    (tmp_path / "x.txt").touch()
    with pytest.raises(UnknownStore):
        recognise(str(tmp_path / "x.txt"))


def test_a_store_of_bullets_is_its_file(place: Place) -> None:
    folder = place.work / "kept"
    folder.mkdir()
    (folder / "memory.md").write_text("- a\n")
    registry.add(place.config.config_dir, "b", str(folder / "memory.md"), None)
    registry.add(place.config.config_dir, "v", str(folder), "vault")
    found = named_store(place.config, str(place.work), None, "b")
    assert (found.path, found.file, found.place, found.layout) == (str(folder), "memory.md", str(folder / "memory.md"), "bullets")
    assert named_store(place.config, str(place.work), None, "kept/memory.md") == found
    assert {ref.name for ref in choose(place.config, str(place.work), everything=True).refs} >= {"b", "v"}
    for path, layout in ((folder, "bullets"), (folder / "memory.md", "vault")):
        with pytest.raises(RefusedInput):
            registry.add(place.config.config_dir, "x", str(path), layout)
    registry.add(place.config.config_dir, "new", str(folder / "new.md"), "bullets")
    with pytest.raises(UnknownStore):
        registry.add(place.config.config_dir, "none", str(folder / "none.md"), None)


def test_a_harness_finds_its_public_half_from_its_workspace(place: Place) -> None:
    from hashlib import sha256

    private = place.home / sha256(str(place.work).encode()).hexdigest()
    private.mkdir()
    below = place.work / "src"
    below.mkdir()
    assert public_of(str(private), str(below)) == ""
    (place.work / ".memory").mkdir()
    for near, public in ((below, str(place.work / ".memory")), (place.home, "")):
        assert public_of(str(private), str(near)) == public
    registry.add(place.config.config_dir, "h", str(private), None, str(below))
    found = named_store(place.config, "/", None, "h")
    assert (found.layout, found.public) == ("harness", str(place.work / ".memory"))
    assert found.whole(".memory/x.md") == str(place.work / ".memory" / "x.md") and found.whole("x.md") == str(private / "x.md")


def test_the_two_scopes_can_be_named_as_stores(tmp_path: Path) -> None:
    place = Place(tmp_path)
    with pytest.raises(NotInitialised):
        place.names(stores=("local",))
    place.make("local", "global")
    assert place.names(stores=("local",)) == ["local"] and place.names(stores=("global",)) == ["global"]
    assert place.one(stores=("global",)) == "global"


def test_a_store_that_is_registered_is_known_by_its_path_too(tmp_path: Path) -> None:
    place = Place(tmp_path)
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        registry.add(place.config.config_dir, name, str(tmp_path / name), "vault")
    assert place.names(stores=(str(tmp_path / "second"),)) == ["second"]


def test_a_registered_name_given_as_a_scope_is_that_store(tmp_path: Path) -> None:
    place = Place(tmp_path)
    (tmp_path / "docs").mkdir()
    registry.add(place.config.config_dir, "docs", str(tmp_path / "docs"), "vault")
    with pytest.raises(RefusedInput):
        place.names(scope="nonsense")
    assert "docs" in place.names(scope="docs") if "docs" in registry.names(place.config.config_dir) else True
