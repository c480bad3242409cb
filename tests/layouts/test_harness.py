"""The bounds of a harness store: flat, `.md` in lower case, so many files of such a size, no links, private before public."""

from __future__ import annotations

from pathlib import Path

from remember.layouts.harness import MOST_BYTES, MOST_FILES, Harness
from remember.store.read import Reader
from remember.store.scan import scan


def place(top: Path) -> tuple[Path, Path]:
    private, public = top / "private", top / "w" / ".memory"
    private.mkdir()
    public.mkdir(parents=True)
    return private, public


def paths(private: Path, public: Path) -> tuple[list[str], list[str]]:
    walk = scan(str(private), Harness(str(public)).rules)
    return sorted(path for path, _ in walk.files()), [path for path, _ in walk.unreadable]


def test_private_files_shadow_public_ones_of_their_name(tmp_path: Path) -> None:
    private, public = place(tmp_path)
    for folder, names in ((private, ["a.md", "b.md"]), (public, ["a.md", "c.md", "D.MD", ".e.md"])):
        for name in names:
            (folder / name).write_text(folder.name)
    (public / "deeper").mkdir()
    (public / "deeper" / "x.md").touch()
    (public / "link.md").symlink_to(private / "b.md")
    assert paths(private, public) == ([".memory/c.md", "a.md", "b.md"], [])
    rules = Harness(str(public)).rules
    with Reader(str(private), rules, 100) as reader:
        read = {path: reader.read(path) for path in ("a.md", ".memory/c.md", ".memory/link.md", ".memory/none.md")}
    assert [None if found is None else found.data for found in read.values()] == [b"private", b".memory", None, None]
    (private / "a.md").unlink()
    assert paths(private, public)[0] == [".memory/a.md", ".memory/c.md", "b.md"]


def test_a_linked_public_directory_is_not_entered(tmp_path: Path) -> None:
    private, public = place(tmp_path)
    (public / "c.md").touch()
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / ".memory").symlink_to(public)
    assert paths(private, tmp_path / "other" / ".memory") == ([], [".memory"])
    assert paths(private, tmp_path / "nowhere" / ".memory") == ([], [])


def test_more_and_larger_files_than_the_bounds_are_named_and_not_read(tmp_path: Path) -> None:
    private, public = place(tmp_path)
    for number in range(MOST_FILES + 2):
        (private / f"{number:05}.md").touch()
    found, left = paths(private, public)
    assert len(found) == MOST_FILES and sorted(left) == [f"{MOST_FILES:05}.md", f"{MOST_FILES + 1:05}.md"]
    (private / "00000.md").write_bytes(b"x" * (MOST_BYTES + 1))
    with Reader(str(private), Harness(str(public)).rules, 2 << 20) as reader:
        try:
            reader.read("00000.md")
        except OSError as error:
            assert str(MOST_BYTES) in str(error)
        else:
            raise AssertionError("it was read")
