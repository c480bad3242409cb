"""The changes of the file-style memory tool."""

from __future__ import annotations

from remember.errors import PathTaken
from remember.serve.bounds import clean
from remember.serve.file_view import lines_of, numbered_line
from remember.serve.paths import ROOT, Refused, Spot, found, is_missing, located, missing, needed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.memory.served import Caller
    from remember.serve.arguments import Given

__all__ = ["create", "delete", "insert", "rename", "str_replace"]


def create(caller: Caller, given: Given, _: object) -> str:
    """Make a file."""
    spot = _writable(caller, given, "create", "path")
    text = needed(given, "create", "file_text")
    if not is_missing(spot):
        raise Refused(f"File {spot.path} already exists")
    if spot.files is None:
        raise Refused(f"Path must start with {ROOT}/local or {ROOT}/global, got: {spot.path}")
    if not spot.files.suits(spot.inner):
        raise Refused(f"Unsupported file type for {spot.path}")
    try:
        spot.files.create(spot.inner, text)
    except PathTaken:
        raise Refused(f"File {spot.path} already exists") from None
    return f"File created successfully at: {spot.path}"


def _writable(caller: Caller, given: Given, command: str, name: str) -> Spot:
    spot = located(caller, needed(given, command, name), writing=True)
    if not spot.inner:
        if command == "create":
            if spot.scope and spot.files is None:
                raise Refused(f"Path must start with {ROOT}/local or {ROOT}/global, got: {spot.path}")
            raise Refused(f"File {spot.path} already exists")
        if command in ("delete", "rename"):
            raise Refused(f"Cannot {command} the {spot.path.rstrip('/')} directory itself")
        raise Refused(f"The path {spot.path} is not a file.")
    return spot


def _editable(caller: Caller, given: Given, command: str) -> Spot:
    spot = _writable(caller, given, command, "path")
    there = found(spot)
    if there is None:
        raise missing(spot)
    if there.kind == "folder":
        raise Refused(f"The path {spot.path} is not a file.")
    return spot


def str_replace(caller: Caller, given: Given, _: object) -> str:
    """Replace what is there exactly once."""
    spot = _editable(caller, given, "str_replace")
    old, new = needed(given, "str_replace", "old_str"), given.text("new_str") or ""
    text = "\n".join(lines_of(spot))
    count = text.count(old) if old else 0
    if count == 0:
        raise Refused(f"No replacement was performed, old_str `{old}` did not appear verbatim in {spot.path}.")
    if count > 1:
        at, numbers = text.find(old), []
        while at >= 0:
            numbers.append(str(text.count("\n", 0, at) + 1))
            at = text.find(old, at + len(old))
        shown = ", ".join(numbers)
        several = f"Multiple occurrences of old_str `{old}` in lines: {shown}. Please ensure it is unique"
        raise Refused(f"No replacement was performed. {several}")
    begin = text.index(old)
    after = text[:begin] + new + text[begin + len(old) :]
    assert spot.files is not None
    spot.files.replace(spot.inner, text, after)
    lines = after.split("\n")
    first = text.count("\n", 0, begin)
    last = first + new.count("\n")
    snippet = [numbered_line(n + 1, lines[n]) for n in range(max(0, first - 2), min(len(lines), last + 3))]
    head = "The memory file has been edited. Here is the snippet showing the change (with line numbers):"
    return "\n".join([head, *(str(clean(line)) for line in snippet)])


def insert(caller: Caller, given: Given, _: object) -> str:
    """Put lines after a line."""
    spot = _editable(caller, given, "insert")
    wanted, text = needed(given, "insert", "insert_line"), needed(given, "insert", "insert_text")
    whole = "\n".join(lines_of(spot))
    lines = whole.split("\n")
    if lines[-1] == "":
        lines.pop()
    number = int(wanted) if wanted.lstrip("-").isdigit() and len(wanted) < 10 else -1
    if not 0 <= number <= len(lines):
        raise Refused(f"Invalid `insert_line` parameter: {wanted}. It should be within the range [0, {len(lines)}].")
    end = "\r" if lines and lines[0].endswith("\r") else ""
    lines[number:number] = [line.removesuffix("\r") + end for line in text.rstrip("\n").split("\n")]
    assert spot.files is not None
    spot.files.replace(spot.inner, whole, "\n".join(lines) + "\n")
    return f"The file {spot.path} has been edited."


def _gone(spot: Spot) -> Refused:
    return Refused(f"The path {spot.path} does not exist")


def delete(caller: Caller, given: Given, _: object) -> str:
    """Remove a file, or a folder with all in it."""
    spot = _writable(caller, given, "delete", "path")
    there = found(spot)
    if there is None:
        raise _gone(spot)
    assert spot.files is not None
    if there.kind == "folder":
        paths = spot.files.below(spot.inner)
        if paths:
            spot.files.remove(paths)
        spot.files.prune(spot.inner)
    else:
        _check_kept(spot, "delete")
        spot.files.remove([spot.inner])
    return f"Successfully deleted {spot.path}"


def _check_kept(spot: Spot, what: str) -> None:
    """The facts file makes a directory a store; without it nothing would be found again."""
    if spot.inner == "MEMORY.md":
        raise Refused(f"Cannot {what} {spot.path}: it makes the directory a memory store. Edit it with str_replace instead.")


def rename(caller: Caller, given: Given, _: object) -> str:
    """Give a file or folder another path in the same memory."""
    old = _writable(caller, given, "rename", "old_path")
    new = _writable(caller, given, "rename", "new_path")
    there = found(old)
    if there is None:
        raise _gone(old)
    if not is_missing(new):
        raise Refused(f"The destination {new.path} already exists")
    if old.scope != new.scope:
        raise Refused(f"Cannot rename {old.path} to {new.path}: they are in different memories. Create the one, then delete the other.")
    _check_kept(old, "rename")
    assert old.files is not None
    if there.kind == "folder":
        if f"{new.inner}/".startswith(f"{old.inner}/"):
            raise Refused(f"Cannot rename {old.path} to {new.path}: the one is in the other.")
        pairs = [(path, new.inner + path[len(old.inner) :]) for path in old.files.below(old.inner)]
    else:
        pairs = [(old.inner, new.inner)]
    if not all(old.files.suits(path) for _, path in pairs):
        raise Refused(f"Unsupported file type for {new.path}")
    try:
        old.files.rename(pairs)
    except PathTaken:
        raise Refused(f"The destination {new.path} already exists") from None
    if there.kind == "folder":
        old.files.prune(old.inner)
    return f"Successfully renamed {old.path} to {new.path}"
