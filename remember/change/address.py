"""From what a person types (an ID, the beginning of one, a path, a path with a line) to exactly one memo, or a refusal."""

from __future__ import annotations

from remember.errors import Ambiguous, NotFound, UnsafePath
from remember.format.ids import is_id, is_prefix

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from remember.errors import RememberError
    from remember.index.catalogue import Index
    from remember.model import Memo

__all__ = ["TWICE", "by_id", "by_name", "by_place", "find", "near", "nothing", "one"]

_LOOKED_AT = 5000
TWICE = "`remember check` says why the ID stands twice and what to do; `show` and `forget` take a place"
"""What to do about an ID that several memos of one store have (after a merge, or copied by hand)."""


def find(indexes: Sequence[Index], address: str) -> tuple[Index, Memo]:
    """The one memo that an ID, a place or a unique beginning of an ID (four digits and more) names.

    Raises NotFound with near names, Ambiguous with the candidates, UnsafePath for a path that is in none of the stores.
    """
    wanted = address.strip()
    for look in (by_id, by_place, by_name, _by_prefix):
        if found := look(indexes, wanted):
            return one(wanted, found)
    raise nothing(indexes, wanted)


def nothing(indexes: Sequence[Index], wanted: str) -> RememberError:
    """The refusal of an address that names no memo: UnsafePath for an absolute path in none of the stores, else NotFound."""
    if wanted.startswith("/") and not any(wanted.startswith(index.ref.path + "/") for index in indexes):
        return UnsafePath(wanted, "lies in none of the stores that are meant")
    if 0 < len(wanted) < 4 and set(wanted.lower()) <= set("0123456789abcdef"):
        return NotFound(wanted, hint="the beginning of an ID is four digits at least; see `remember list`")
    if wanted == "MEMORY.md":
        return NotFound(wanted, hint="a fact is named by its ID, or its line as in MEMORY.md:2; see `remember list`")
    return NotFound(wanted, near(indexes, wanted))


def one(address: str, found: Sequence[tuple[Index, Memo]]) -> tuple[Index, Memo]:
    """The only one of these memos. Raises Ambiguous where there are several."""
    if len(found) > 1:
        twice = {memo.id for _, memo in found} == {address.lower()} and len({index.ref.place for index, _ in found}) == 1
        hint = TWICE if twice else ""
        raise Ambiguous(address, [f"{memo.place} in {memo.store}" + (f" ({memo.id})" if memo.id else "") for _, memo in found], hint)
    return found[0]


def by_id(indexes: Sequence[Index], wanted: str) -> list[tuple[Index, Memo]]:
    """Every memo with exactly that ID; [] for what is none."""
    memo_id = wanted.lower()
    if not is_id(memo_id):
        return []
    return [(index, memo) for index in indexes for memo in index.by_id(memo_id)]


def _by_prefix(indexes: Sequence[Index], wanted: str) -> list[tuple[Index, Memo]]:
    prefix = wanted.lower()
    if not is_prefix(prefix) or is_id(prefix):
        return []
    return [(index, memo) for index in indexes for memo in index.by_prefix(prefix)]


def by_name(indexes: Sequence[Index], wanted: str) -> list[tuple[Index, Memo]]:
    """Every fact file of that name, by its header or file name without ending: zcode stores know their memos so."""
    key = wanted.casefold()
    found: list[tuple[Index, Memo]] = []
    for index in indexes:
        if index.ref.layout == "zcode" and key:
            rows = index.connection.execute(
                "SELECT file.path, memo.names FROM memo JOIN file ON file.id = memo.file WHERE memo.kind = 'note'"
            )
            paths = [path for path, names in rows if isinstance(path, str) and key in _names(path, names)]
            found += [(index, memo) for path in paths for memo in index.by_path(path)]
    return found


def _names(path: str, names: str | None) -> list[str]:
    stem = path.rpartition("/")[2].removesuffix(".md").casefold()
    return [stem, *(names.casefold().split("\n") if names else [])]


def by_place(indexes: Sequence[Index], wanted: str) -> list[tuple[Index, Memo]]:
    """Every memo at a place: a path below its store, or below the file system's root, perhaps with `:LINE`.

    A line names the fact that stands in it; for a note, any line of the file. Raises UnsafePath for a path that leads out.
    """
    if "/" not in wanted and not wanted.rpartition(":")[0].endswith(".md") and not wanted.endswith(".md"):
        return []
    path, colon, number = wanted.rpartition(":")
    line = int(number) if colon and number.isdecimal() and number.isascii() and len(number) < 10 else 0
    found: list[tuple[Index, Memo]] = []
    if "\\x" in wanted:  # a name that is not UTF-8, as it was printed
        raw = _unescaped(wanted)
        if raw != wanted and (found := by_place(indexes, raw)):
            return found
    for index in indexes:
        for candidate, at in ((wanted, 0), (path, line)) if line else ((wanted, 0),):
            found = found + [(index, memo) for memo in _at(index, candidate, at)]
    return found


def _unescaped(text: str) -> str:
    """`\\xe9` as the byte it stands for."""
    from re import sub

    return sub(r"\\x([89a-f][0-9a-f])", lambda match: chr(0xDC00 + int(match[1], 16)), text)


def _at(index: Index, path: str, line: int) -> list[Memo]:
    memos = _of_file(index, path)
    facts = [memo for memo in memos if memo.kind == "fact"]
    if line and facts:
        # The comment above a fact is a line of it too.
        return [memo for memo in facts if memo.line == line] or [memo for memo in facts if memo.line == line + 1 and memo.id]
    return [memo for memo in memos if memo.kind != "fact"] or facts


def _of_file(index: Index, path: str) -> list[Memo]:
    from remember.files.safe import check_relative

    store = index.ref.path + "/"
    if path.startswith("/"):
        if index.ref.public and path.startswith(index.ref.public + "/"):
            path = index.ref.public.rpartition("/")[2] + path[len(index.ref.public) :]
        elif path.startswith(store):
            path = path[len(store) :]
        else:
            return []
    path = path.removeprefix("./")
    beside = index.layout.rules.public_prefix
    path = beside + check_relative(path.removeprefix(beside)) if beside and path.startswith(beside) else check_relative(path)
    memos = index.by_path(path)
    if memos or path.isascii():
        return memos
    from unicodedata import normalize

    spellings = {normalize(form, path) for form in ("NFC", "NFD")} - {path}
    return [memo for spelling in sorted(spellings) for memo in index.by_path(spelling)]


def near(indexes: Sequence[Index], wanted: str) -> list[str]:
    """Up to three IDs, places or titles that look like what was asked for."""
    from difflib import get_close_matches
    from itertools import islice

    names: dict[str, str] = {}
    for index in indexes:
        for memo in islice(index.all(), _LOOKED_AT):
            shown = f"{memo.id or memo.place} ({memo.title})"
            for name in (memo.id, memo.place, memo.title):
                if name:
                    names.setdefault(name.casefold(), shown)
    close = get_close_matches(wanted.casefold(), names, n=3, cutoff=0.6)
    return list(dict.fromkeys(names[name] for name in close))
