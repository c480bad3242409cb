"""Recovery records of the legacy form: without a version, or with references and whole notes of the old format in them."""

from __future__ import annotations

import base64
import binascii
import json
import re

from .v0_format import references, without_references

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from .v0_format import Reference

    Snapshot = Callable[[str, bytes, int], bytes]
    Document = dict[str, object]

__all__ = ["convert_record", "forgotten_paths", "left_behind", "read_record", "told_references"]

_ID = re.compile(r"\d{8}T\d{9}Z-[0-9a-f]{8}")
_STATES = ("done", "undoing", "undone", "redoing")
_SHAPES = {
    "file": ("path", "before", "after"),
    "fact": ("path", "id", "at", "before", "after", "prev", "next", "made"),
    "rename": ("from", "to", "size", "sha256"),
    "kept": ("path", "content"),
}


def read_record(name: str, data: bytes) -> Document | None:
    """The document of a record of ours; None for a foreign one. Raises ValueError where it claims to be ours and has another shape."""
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        document = None
        if _ID.fullmatch(name.removesuffix(".json")):
            raise ValueError("its name says that it is a recovery record of remember, but it is no JSON") from None
    if not isinstance(document, dict) or document.get("by") != "remember":
        return None
    _check(name, document)
    return document


def _check(name: str, document: Document) -> None:
    version = document.get("version", 1)
    if isinstance(version, bool) or version not in (0, 1):
        raise ValueError(f"a recovery record of version {version!r}")
    for key, kind in (("id", str), ("action", str), ("created", str), ("summary", str), ("state", str), ("changes", list)):
        if not isinstance(document.get(key), kind):
            raise ValueError(f"a recovery record without a readable {key!r}")
    if not _ID.fullmatch(str(document["id"])) or f"{document['id']}.json" != name:
        raise ValueError(f"a recovery record that calls itself {document['id']!r}")
    if document["state"] not in _STATES:
        raise ValueError(f"a recovery record in the state {document['state']!r}")
    for change in _changes(document):
        _check_change(change)


def _check_change(change: object) -> None:
    kind = change.get("type") if isinstance(change, dict) else None
    if not isinstance(change, dict) or kind not in _SHAPES:
        raise ValueError(f"a recovery record with a change of the type {kind!r}")
    missing = [key for key in _SHAPES[str(kind)] if key not in change]
    if missing:
        raise ValueError(f"a recovery record with a change without {missing[0]!r}")
    if kind in ("file", "fact"):
        _path_of(change)
        for key in ("before", "after"):
            if kind == "fact":
                _bytes(change[key])
            elif change[key] is not None:
                _content(change[key])
    if kind == "fact":
        _bytes(change["prev"]), _bytes(change["next"])


def _changes(document: Document) -> list[Document]:
    changes = document["changes"]
    assert isinstance(changes, list)
    return changes


def _bytes(value: object) -> bytes:
    if isinstance(value, str):
        return value.encode("utf-8", "surrogateescape")
    if isinstance(value, dict) and isinstance(value.get("base64"), str):
        try:
            return base64.b64decode(value["base64"], validate=True)
        except (binascii.Error, ValueError) as error:
            raise ValueError("a recovery record with base64 that is none") from error
    raise ValueError("a recovery record with a text that is none")


def _value(data: bytes) -> object:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(data).decode()}


def _path_of(change: Document) -> str:
    return _bytes(change["path"]).decode("utf-8", "surrogateescape")


def _content(value: object) -> tuple[bytes, Document]:
    if not isinstance(value, dict):
        raise ValueError("a recovery record with a file that is none")
    return _bytes(value.get("text", value)), value


def _is_note(path: str) -> bool:
    return path.startswith("notes/") and path.endswith(".md")


def _snapshots(document: Document) -> list[tuple[str, Document, str, bytes, Document]]:
    """(path, change, `before` or `after`, bytes, the snapshot) of every whole note in a record."""
    found = []
    for change in _changes(document):
        if change["type"] == "file" and _is_note(_path_of(change)):
            for key in ("before", "after"):
                if change[key] is not None:
                    found.append((_path_of(change), change, key, *_content(change[key])))
    return found


def _lines(change: Document, key: str) -> str:
    return _bytes(change[key]).decode("utf-8", "surrogateescape")


def forgotten_paths(document: Document) -> list[str]:
    """The paths of notes whose reference a deletion took out of `MEMORY.md`, if the deletion stands."""
    if document["state"] not in ("done", "redoing"):
        return []
    found = []
    for change in _changes(document):
        if change["type"] == "fact":
            kept = {reference.path for reference in references(_lines(change, "after"))}
            found += [r.path for r in references(_lines(change, "before")) if r.path not in kept]
    return found


def told_references(document: Document) -> dict[str, Reference]:
    """The references in a record's spans, by the path they name."""
    spans = [_lines(change, key) for change in _changes(document) if change["type"] == "fact" for key in ("before", "after")]
    return {reference.path: reference for span in spans for reference in references(span)}


def left_behind(document: Document) -> dict[str, bytes]:
    """The snapshots of the notes that a deletion which stands removed, by path."""
    if document["state"] not in ("done", "redoing"):
        return {}
    return {path: data for path, change, key, data, _ in _snapshots(document) if key == "before" and change["after"] is None}


def convert_record(document: Document, left: dict[str, tuple[bytes, int, int]], snapshot: Snapshot) -> bytes | None:
    """The record in the new form; None where nothing changes.

    References leave its spans and notes in it get headers by `snapshot(path, bytes, mtime_ns)`; `left` has the
    notes (bytes in the new format, mode, mtime in ns) whose file a deletion left behind and which it now removes.
    """
    fresh: Document = json.loads(json.dumps(document))
    for path, change, key, data, content in _snapshots(fresh):
        stamp = content.get("mtime_ns")
        new = snapshot(path, data, stamp if isinstance(stamp, int) else 0)
        if new != data:
            change[key] = _as_content(new, str(content.get("mode", "0600")), stamp)
    changes = [change for change in _changes(fresh) if change["type"] != "fact" or not _is_empty(_trimmed(change))]
    held = {path for path, change, key, _, _ in _snapshots(fresh) if key == "before" and change["after"] is None}
    for path in dict.fromkeys(forgotten_paths(document)):
        if path in left and path not in held:
            data, mode, mtime_ns = left[path]
            before = _as_content(data, f"{mode & 0o777:04o}", mtime_ns)
            changes.append({"type": "file", "path": _value(path.encode("utf-8", "surrogateescape")), "before": before, "after": None})
    fresh["changes"] = changes
    if fresh == document and document.get("version") == 1:
        return None
    fresh.setdefault("turned", None)
    ordered = {"by": "remember", "version": 1, **{key: value for key, value in fresh.items() if key not in ("by", "version")}}
    return (json.dumps(ordered, indent=1) + "\n").encode()


def _as_content(data: bytes, mode: str, mtime_ns: object) -> Document:
    value = _value(data)
    text = {"text": value} if isinstance(value, str) else dict(value)  # type: ignore[call-overload]
    return {**text, "mode": mode, "mtime_ns": mtime_ns}


def _trimmed(change: Document) -> tuple[Document, bool]:
    """The change without references in its spans and in the lines around them, and whether it held some."""
    held = False
    for key in ("before", "after", "prev", "next"):
        text = _lines(change, key)
        new = without_references(text)
        if new != text:
            held = held or key in ("before", "after")
            change[key] = _value(new.encode("utf-8", "surrogateescape"))
    return change, held


def _is_empty(trimmed: tuple[Document, bool]) -> bool:
    change, held = trimmed
    return held and change["before"] == change["after"]
