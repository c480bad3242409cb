"""Sets one key of the user's configuration file by its span; comments, order and all other bytes stay."""

from __future__ import annotations

from remember.errors import IOFailure, RefusedInput
from remember.files.lines import read_small
from remember.scope.config import KEYS_BY_NAME, near_key, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["set_value"]


def set_value(path: str, name: str, raw: str, home: str, write: Callable[[str, bytes], None]) -> None:
    """Set one key of the user's file by its span; comments, order and all other bytes stay.

    `write(path, bytes)` puts the file in place. Raises RefusedInput for an unknown key, an invalid value, or a file that is no TOML.
    """
    key = KEYS_BY_NAME.get(name)
    if key is None:
        raise RefusedInput(f"there is no setting {name}{near_key(name)}", "see `remember config show`")
    try:
        value = parse(key, raw, home)
    except ValueError as error:
        raise RefusedInput(f"{name} = {raw!r} {error}", key.meaning) from None
    old = _present(path)
    text = (old or b"").decode("utf-8", "surrogateescape")
    shown = _toml(raw if key.kind == "path" else value)
    new = _edited(text, name, shown)
    _check_edit(path, text, new, name)
    write(path, new.encode("utf-8", "surrogateescape"))


def _present(path: str) -> bytes | None:
    try:
        return read_small(path)
    except OSError as error:
        raise IOFailure(path, error) from error


def _check_edit(path: str, old: str, new: str, name: str) -> None:
    """Refuse unless the file was TOML before, is TOML after, and nothing but the one key differs."""
    import tomllib

    try:
        before = tomllib.loads(old.removeprefix("\ufeff"))
    except (ValueError, RecursionError) as error:
        raise RefusedInput(f"{path} is no valid TOML ({error})", "mend it with `remember config edit`") from error
    try:
        after = tomllib.loads(new.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        after = {}
    rest = {k: v for k, v in after.items() if k != name}
    if name not in after or rest != {k: v for k, v in before.items() if k != name}:
        raise RefusedInput(f"{name} cannot be set in {path} without touching other lines", "use `remember config edit`")


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
    table = next((n for n, line in enumerate(lines) if line.lstrip().startswith("[")), len(lines))
    for number, line in enumerate(lines[:table]):
        key, equals, rest = line.partition("=")
        if equals and key.strip().strip("\"'") == name:
            end = "\r" if line.endswith("\r") else ""
            lines[number] = f"{key}= {shown}{_comment(rest)}{end}"
            return "\n".join(lines)
    if table == len(lines):
        table -= lines[-1] == ""  # before the nothing that follows a final line end
        return "\n".join([*lines[:table], f"{name} = {shown}{newline}", ""])
    return "\n".join([*lines[:table], f"{name} = {shown}{newline}", *lines[table:]])


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
