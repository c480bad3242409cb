"""The index of a zcode store with lines for files that had none; every other byte of it stays."""

from __future__ import annotations

from remember.change.lines import line_items
from remember.format.spans import Edit, apply, decode
from remember.layouts.zcode_edit import put_line
from remember.layouts.zcode_header import read_header
from remember.layouts.zcode_index import INDEX, index_lines
from remember.store.commit import FileEdit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from remember.store.commit import View
    from remember.store.records import Item

__all__ = ["mend_index"]


def mend_index(view: View, paths: Iterable[str]) -> tuple[FileEdit, tuple[Item, ...], list[tuple[str, str, int, str]]] | None:
    """The index's edit, its items, and steps as (code, path, line, action); None where every file is there and has its line."""
    before = decode(view.read(INDEX) or b"")
    text, at = before, len(before)
    done = []
    for path in paths:
        data = view.read(path)
        if data is None or any(path in line.targets for line in index_lines(text)):
            continue
        edit = put_line(text, path, read_header(decode(data)).description or None)
        if edit is not None:
            at = min(at, edit.start)
            text = apply(text, [edit])
            done.append(("Z102", path, 0, f"adds its line to {INDEX}"))
    if not done:
        return None
    # All new lines stand behind each other.
    whole = Edit(at, at, text[at : at + len(text) - len(before)])
    new, items = line_items(INDEX, before, [(whole, None)], made=view.content(INDEX) is None)
    return FileEdit(INDEX, new), items, done
