"""Finds the links by which other memos name a note's file, and gives them its new name."""

from __future__ import annotations

from posixpath import dirname, join, normpath

from remember.format.comments import fences

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from re import Match

    from remember.format.spans import Edit
    from remember.index.catalogue import Index

__all__ = ["Renaming", "linking_files", "stem", "undated"]


def stem(path: str) -> str:
    """A file's name without folder and `.md`."""
    return path.rpartition("/")[2].removesuffix(".md")


def undated(name: str) -> str:
    """A stem without the date before it."""
    dated = len(name) > 11 and name[4] == name[7] == name[10] == "-" and (name[:4] + name[5:7] + name[8:10]).isdigit()
    return name[11:] if dated else name


def linking_files(index: Index, path: str) -> list[str]:
    """Paths of files (in order) that may hold a link to the note at `path` by its file's name, its own file left out."""
    # Links and bodies both: a Markdown link `[x](notes/y.md)` stands in the body alone.
    name = undated(stem(path)).casefold()
    paths = []
    for (memo_path,) in (
        index.connection.execute(
            "SELECT DISTINCT file.path FROM memo JOIN file ON file.id = memo.file WHERE"
            " instr(lower(memo.body), ?) OR instr(lower(coalesce(memo.description, '')), ?) ORDER BY file.path",
            (name, name),
        )
        if name.isascii()
        else index.connection.execute("SELECT path FROM file ORDER BY path")
    ):
        if isinstance(memo_path, str) and memo_path != path:
            paths.append(memo_path)
    return paths


class Renaming:
    """A note that goes from one path to another, and what its links are called then.

    `unique` says that no other note has its stem without the date, so that a link by that name means this one.
    """

    def __init__(self, old: str, new: str, unique: bool) -> None:
        self.old, self.new = old, new
        old_stem, new_stem = stem(old), stem(new)
        self.names = {old: new, old.removesuffix(".md"): new.removesuffix(".md"), old_stem + ".md": new_stem + ".md", old_stem: new_stem}
        if unique:
            self.names.setdefault(undated(old_stem), undated(new_stem))
        self.names = {key.casefold(): value for key, value in self.names.items()}

    def edits(self, text: str, path: str) -> Iterator[Edit]:
        """Edits of the targets in a file's text; links in code are none."""
        import re

        from remember.format.spans import Edit

        code = fences(text) if "```" in text or "~~~" in text else []
        for found in re.finditer(r"\[\[([^\[\]\n|#]+)|\]\(<?([^()<>\s#]+\.md)", text):
            group = 1 if found[1] is not None else 2
            new = self._wiki(found[1]) if group == 1 else self._markdown(found[2], path)
            if new is not None and not _in_code(text, found, code):
                start, end = found.span(group)
                yield Edit(start, end, new)

    def _wiki(self, target: str) -> str | None:
        bare = target.strip().removesuffix("\\")
        new = self.names.get(bare.casefold())
        return None if new is None else target.replace(bare, new, 1)

    def _markdown(self, target: str, path: str) -> str | None:
        """A Markdown link's target: relative to the linking file, or to the store."""
        here = dirname(path)
        new_name = self.new.rpartition("/")[2]
        if normpath(join(here, target)) == self.old or normpath(target) == self.old:
            return target[: len(target) - len(target.rpartition("/")[2])] + new_name
        return None


def _in_code(text: str, found: Match[str], code: list[tuple[int, int]]) -> bool:
    at = found.start()
    if any(begin <= at < end for begin, end in code):
        return True
    line = text.rfind("\n", 0, at) + 1
    end = text.find("\n", at)
    return text.count("`", line, at) % 2 == 1 and "`" in text[at : len(text) if end < 0 else end]
