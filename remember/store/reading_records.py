"""Reads recovery records: those exactly of our form by hand, all others through the validated border.

Our own code in place of the border's models, since loading these takes four times as long as the rest of an `undo`; what is
read here is what the models would give (tests/store/test_records.py), and what is not plainly of our form goes to them.
"""

from __future__ import annotations

from remember.errors import DamagedStore
from remember.format import ids, times
from remember.store.records import STATES, Content, FileItem, KeptItem, LinesItem, Record, RenameItem, is_record_id

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from remember.store.records import Item

__all__ = ["from_json", "own_record"]

_RECORD = {"by", "version", "id", "action", "created", "summary", "state", "turned", "changes"}
_LINES = {"type", "path", "id", "at", "before", "after", "prev", "next", "made"}
_FILE = {"type", "path", "before", "after"}
_CONTENT = {"text", "mode", "mtime_ns"}


def from_json(data: bytes, shown: str) -> Record | None:
    """The record in these bytes, validated; None for a foreign one. Raises DamagedStore for one of ours that breaks its form."""
    own = own_record(data)
    if own is not None:
        return own
    from remember.wire import records as wire

    try:
        document = wire.read(data)
    except ValueError as error:
        hint = "it is left alone; `remember history` lists the others"
        raise DamagedStore(shown, f"is no valid recovery record ({error})", hint) from error
    return None if document is None else _record(document)


class _Other(Exception):
    """It is not plainly of our form."""


def own_record(data: bytes) -> Record | None:
    """A record of fact lines and whole files that are UTF-8, as we write it; None for any other, valid or not."""
    import json

    try:
        raw = json.loads(data)
        if type(raw) is not dict or raw.keys() - {"partner"} != _RECORD or raw["by"] != "remember" or raw["version"] != 1:
            return None
        partner = raw.get("partner")
        known = type(raw["version"]) is int and raw["state"] in STATES and type(raw["changes"]) is list
        if not known or not _is_id(raw["id"]) or not (partner is None or _is_id(partner)):
            return None
        created, turned = _moment(raw["created"]), None if raw["turned"] is None else _moment(raw["turned"])
        changes = tuple(_item(change) for change in raw["changes"])
        summary, action = _text(raw["summary"]).decode(), _text(raw["action"]).decode()
    except (_Other, ValueError, RecursionError, TypeError):  # UnicodeEncodeError is a ValueError
        return None
    return Record(raw["id"], action, created, summary, raw["state"], changes, partner, turned) if action else None


def _is_id(value: object) -> bool:
    return type(value) is str and is_record_id(value)


def _moment(value: object) -> int:
    found = times.parse(value) if type(value) is str else None
    if found is None or times.show(found) != value:
        raise _Other
    return found


def _text(value: object) -> bytes:
    if type(value) is not str:
        raise _Other
    return value.encode()


def _item(item: object) -> Item:
    if type(item) is not dict:
        raise _Other
    if item.keys() == _LINES and item["type"] == "fact":
        memo_id, at, made = item["id"], item["at"], item["made"]
        named = memo_id is None or (type(memo_id) is str and ids.is_id(memo_id))
        if not named or type(at) is not int or at < 0 or type(made) is not bool:
            raise _Other
        before, after, above, below = (_text(item[name]) for name in ("before", "after", "prev", "next"))
        return LinesItem(_path(item["path"]), memo_id, at, before, after, above, below, made)
    if item.keys() == _FILE and item["type"] == "file":
        return FileItem(_path(item["path"]), _content(item["before"]), _content(item["after"]))
    raise _Other


def _path(value: object) -> str:
    return _text(value).decode("utf-8", "surrogateescape")


def _content(value: object) -> Content | None:
    if value is None:
        return None
    if type(value) is not dict or value.keys() != _CONTENT:
        raise _Other
    mode, mtime_ns = value["mode"], value["mtime_ns"]
    octal = type(mode) is str and len(mode) == 4 and mode[0] == "0" and not mode.strip("01234567")
    if not octal or not (mtime_ns is None or type(mtime_ns) is int):
        raise _Other
    return Content(_text(value["text"]), int(mode, 8), mtime_ns)


def _record(document: Mapping[str, object]) -> Record:
    """A record from a document that `wire.records` has validated."""
    get = dict(document)
    partner = get["partner"]
    return Record(
        str(get["id"]),
        str(get["action"]),
        int(get["created_ms"]),  # type: ignore[call-overload]
        str(get["summary"]),
        str(get["state"]),
        tuple(_read_item(dict(item)) for item in get["changes"]),  # type: ignore[attr-defined]
        partner,  # type: ignore[arg-type]
        get["turned_ms"],  # type: ignore[arg-type]
    )


def _read_item(item: dict[str, object]) -> Item:
    kind = item.pop("type")
    if kind == "fact":
        return LinesItem(**item)  # type: ignore[arg-type]
    if kind == "rename":
        return RenameItem(**item)  # type: ignore[arg-type]
    if kind == "kept":
        return KeptItem(**item)  # type: ignore[arg-type]
    before, after = (None if c is None else Content(*c) for c in (item["before"], item["after"]))  # type: ignore[misc]
    return FileItem(str(item["path"]), before, after)
