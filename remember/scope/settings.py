"""Sets or unsets one key of a configuration file by its span; comments, order and all other bytes stay."""

from __future__ import annotations

from remember.errors import IOFailure, RefusedInput
from remember.files.lines import read_small
from remember.scope.config import parse
from remember.scope.keys import KEYS, KEYS_BY_NAME, near_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from remember.scope.keys import Key

__all__ = ["key_of", "set_value", "unset_value"]


def key_of(name: str, project: bool = False) -> Key:
    """The setting of that name. Raises RefusedInput for an unknown one, and for one that no project may set where it is to."""
    key = KEYS_BY_NAME.get(name)
    if key is None:
        raise RefusedInput(f"there is no setting {name}{near_key(name)}", "see `remember config show`")
    if project and not key.project:
        may = ", ".join(key.name for key in KEYS if key.project)
        raise RefusedInput(f"{name} may not be set by a project", f"a project sets {may}; leave --project out to set it for you")
    return key


def set_value(path: str, key: Key, raw: str, home: str, write: Callable[[str, bytes], None]) -> None:
    """Set one key of the file; `write(path, bytes)` puts it in place.

    Raises RefusedInput for an invalid value, or a file that is no TOML.
    """
    name = key.name
    try:
        value = parse(key, raw, home)
    except ValueError as error:
        raise RefusedInput(f"{name} = {raw!r} {error}", key.meaning) from None
    old = _present(path)
    text = (old or b"").decode("utf-8", "surrogateescape")
    shown = _toml(raw if key.kind == "path" else value)
    new = _edited(text, name, shown)
    _check_edit(path, text, new, name, True)
    write(path, new.encode("utf-8", "surrogateescape"))


def unset_value(path: str, name: str, write: Callable[[str, bytes], None]) -> bool:
    """Take one key out of the file; whether it was there. Raises RefusedInput for a file that is no TOML."""
    text = (_present(path) or b"").decode("utf-8", "surrogateescape")
    lines = text.split("\n")
    number = _line_of(lines, name)
    if number is None:
        _check_edit(path, text, text, name, False)
        return False
    new = "\n".join(lines[:number] + (lines[number + 1 :] or [""] * bool(number)))
    _check_edit(path, text, new, name, False)
    write(path, new.encode("utf-8", "surrogateescape"))
    return True


def _present(path: str) -> bytes | None:
    try:
        return read_small(path)
    except OSError as error:
        raise IOFailure(path, error) from error


def _check_edit(path: str, old: str, new: str, name: str, there: bool) -> None:
    """Refuse unless the file was TOML before, is TOML after, and nothing but the one key differs."""
    import tomllib

    try:
        before = tomllib.loads(old.removeprefix("\ufeff"))
    except (ValueError, RecursionError) as error:
        raise RefusedInput(f"{path} is no valid TOML ({error})", "mend it with `remember config edit`") from error
    try:
        after = tomllib.loads(new.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        after = None
    rest = {k: v for k, v in (after or {}).items() if k != name}
    if after is None or (name in after) != there or rest != {k: v for k, v in before.items() if k != name}:
        raise RefusedInput(f"{name} cannot be changed in {path} without touching other lines", "change it with an editor")


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    import json

    return json.dumps(str(value), ensure_ascii=False)


def _edited(text: str, name: str, shown: str) -> str:
    """The TOML text with one top-level key set: its line replaced, or a line added before the first table."""
    lines = text.split("\n")
    newline = "\r" if lines[0].endswith("\r") else ""
    number = _line_of(lines, name)
    if number is not None:
        key, _, rest = lines[number].partition("=")
        lines[number] = f"{key}= {shown}{_comment(rest)}" + ("\r" if lines[number].endswith("\r") else "")
        return "\n".join(lines)
    table = _first_table(lines)
    if table == len(lines):
        table -= lines[-1] == ""  # before the nothing that follows a final line end
        return "\n".join([*lines[:table], f"{name} = {shown}{newline}", ""])
    return "\n".join([*lines[:table], f"{name} = {shown}{newline}", *lines[table:]])


def _first_table(lines: list[str]) -> int:
    return next((n for n, line in enumerate(lines) if line.lstrip().startswith("[")), len(lines))


def _line_of(lines: list[str], name: str) -> int | None:
    """The line in which a top-level key is set."""
    for number, line in enumerate(lines[: _first_table(lines)]):
        key, equals, _ = line.partition("=")
        if equals and key.strip().strip("\"'") == name:
            return number
    return None


def _comment(rest: str) -> str:
    """The comment behind a value, with the blanks before it."""
    mark = ""
    for at, char in enumerate(rest):
        if mark:
            mark = "" if char == mark else mark
        elif char in "\"'":
            mark = char
        elif char == "#":
            before = rest[:at]
            return before[len(before.rstrip()) :] + rest[at:].rstrip("\r\n")
    return ""
