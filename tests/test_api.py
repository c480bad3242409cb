"""`import remember`: what it offers, that it costs nothing until used, and that it answers as the commands do."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from console import Console

import remember as package
from remember import errors


@pytest.fixture
def memory(stocked: Console) -> package.Memory:
    return package.open(root=str(stocked.work), environ=stocked.environ)


def test_the_public_face() -> None:
    assert package.__all__ == [
        "Catalogue",
        "Change",
        "Freshness",
        "Hit",
        "Memo",
        "Memory",
        "RememberError",
        "SearchResult",
        "__version__",
        "errors",
        "open",
    ]
    assert dir(package) == package.__all__
    assert all(getattr(package, name) is not None for name in package.__all__)
    with pytest.raises(AttributeError):
        package.nothing  # noqa: B018


def test_importing_it_loads_nothing(stocked: Console) -> None:
    code = "import sys; before = set(sys.modules); import remember; print(sorted(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", code], env=stocked.environ, capture_output=True, text=True, check=True)
    assert done.stdout.strip() in ("['__future__', 'remember']", "['remember']")


def test_every_module_has_a_sorted_public_face() -> None:
    import ast

    for path in sorted((Path(package.__file__).parent).rglob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "__all__":
                names = ast.literal_eval(node.value)
                assert names == sorted(names, key=lambda name: (not name.isupper(), name[0].islower(), name)), path
                assert not [name for name in names if name.startswith("_") and name != "__version__"], path


def test_reading(memory: package.Memory) -> None:
    found = memory.search("tv server", limit=20, kind="note")
    assert found.hits[0].id and found.hits[0].memo.description == "TV server configuration"
    assert found.query == "tv server" and found.total >= 1 and not found.truncated
    notes = memory.list(kind="note").memos
    assert [memo.id for memo in notes] == [found.hits[0].id]
    shown = memory.show(str(found.hits[0].id))
    assert shown.content.startswith("Port 8096") and len(shown.revision) == 12
    assert memory.status()[0]["initialised"] is True
    assert memory.check().exit_status == 0


def test_values_are_immutable(memory: package.Memory) -> None:
    memo = memory.list().memos[0]
    with pytest.raises(AttributeError):
        memo.path = "x"  # type: ignore[misc]
    assert isinstance(memo.tags, tuple) and memo == memory.list().memos[0] and hash(memo)


def test_changing_and_taking_back(memory: package.Memory) -> None:
    (change,) = memory.add("Said through the interface.")
    assert change.changed and change.recovery_id
    memory.update(str(change.id), "Said otherwise.", if_revision=change.revision)
    with pytest.raises(errors.ChangedOutside):
        memory.update(str(change.id), "Said a third time.", if_revision=change.revision)
    note = memory.note("A description", "a body")
    assert memory.show(str(note.path)).memo.id == note.id
    memos, changes = memory.forget(str(note.id))
    assert [memo.id for memo in memos] == [note.id] and changes and changes[0].changed
    assert memory.undo().recovery_id == changes[0].recovery_id
    assert memory.redo().recovery_id == changes[0].recovery_id
    assert memory.restore(str(changes[0].recovery_id)).state == "undone"
    assert memory.show(str(note.id)).content == "a body\n"
    records = memory.history()["records"]
    assert isinstance(records, list) and len(records) == 7


def test_forgetting_several_needs_consent(memory: package.Memory) -> None:
    memos, changes = memory.forget("a", by="text")
    assert len(memos) > 1 and changes is None
    asked: list[int] = []
    _, changes = memory.forget("a", by="text", agreed=lambda memos: bool(asked.append(len(memos))) or True)
    assert changes and asked == [len(memos)]


def test_opening_writes_nothing(remember: Console) -> None:
    memory = package.open(root=str(remember.work), environ=remember.environ)
    with pytest.raises(errors.NotInitialised):
        memory.search("x")
    with pytest.raises(errors.NoSuchRoot):
        package.open(root="/nowhere/at/all", environ=remember.environ).list()
    assert list(remember.home.rglob("*")) == [remember.work]


def test_any_folder_is_a_store(stocked: Console) -> None:
    (stocked.work / "docs").mkdir()
    (stocked.work / "docs" / "a.md").write_text("# Zebra\n\nstripes\n")
    memory = package.open(store=str(stocked.work / "docs"), environ=stocked.environ)
    assert memory.search("stripes").hits[0].memo.title == "Zebra"
    assert package.open(store="docs", environ=stocked.environ, cwd=str(stocked.work)).search("stripes").total == 1
    with pytest.raises(errors.RefusedInput):
        memory.add("x")
    assert sorted(path.name for path in (stocked.work / "docs").iterdir()) == ["a.md"]


def test_mistakes_are_typed_errors(memory: package.Memory) -> None:
    with pytest.raises(errors.NotFound):
        memory.show("00000000")
    for wrong in ({"kind": "song"}, {"since": "whenever"}, {"limit": 0}, {"sort": "beauty"}):
        with pytest.raises(errors.RefusedInput):
            memory.search("x", **wrong)  # type: ignore[arg-type]
    with pytest.raises(errors.RefusedInput):
        memory.search(" ")
    with pytest.raises(errors.Duplicate):
        memory.note("TV server configuration", "another body")
    with pytest.raises(errors.SecretRefused):
        memory.add("ghp_0123456789abcdefghijABCDEFGHIJ012345")


def test_the_tree_of_errors() -> None:
    for name in errors.__all__:
        one = getattr(errors, name)
        assert issubclass(one, errors.RememberError) and one.__doc__ and one.exit_status in (1, 2, 3, 4)
        assert name in (errors.__doc__ or "")
