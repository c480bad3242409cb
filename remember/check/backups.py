"""What the backup sets of migrations tell: whether they are whole, and whether their migration came to its end."""

from __future__ import annotations

import os

__all__ = ["backup_sets", "begun", "damaged"]

_FOLDER, _MANIFEST = "migrations", "manifest.json"


def backup_sets(store: str) -> list[str]:
    """The names of the sets, in their order."""
    try:
        return sorted(name for name in os.listdir(os.path.join(store, _FOLDER)) if name.startswith("v0-to-v1-"))
    except OSError:
        return []


def begun(store: str, name: str) -> bool:
    """Whether the set's migration (or its rollback) stopped half-way, the store having no marker.

    A file that is what the migration makes of it says so. Where each is as it was backed up, nothing was converted yet, or a
    rollback has brought it back; a manifest that does not tell leaves the doubt.
    """
    try:
        entries = _entries(_manifest(os.path.join(store, _FOLDER, name)))
    except (OSError, ValueError):
        return True
    telling = [(str(entry.get("path")), entry["after"], entry.get("sha256")) for entry in entries if "after" in entry]
    return not telling or any(after not in (None, was) and after == _digest(os.path.join(store, path)) for path, after, was in telling)


def damaged(store: str, name: str) -> list[tuple[str, str]]:
    """Backed-up files that are not what their manifest says: every entry with `sha256` and a path below the backup set."""
    folder = os.path.join(store, _FOLDER, name)
    try:
        entries = _entries(_manifest(folder))
    except FileNotFoundError:
        return [(_MANIFEST, "the backup set has no manifest")]
    except (OSError, ValueError) as error:
        return [(_MANIFEST, f"the manifest cannot be read ({error})")]
    found = []
    for entry in entries:
        path = entry.get("backup") or entry.get("path")
        if not isinstance(path, str) or not isinstance(entry.get("sha256"), str) or ".." in path.split("/") or path.startswith("/"):
            continue
        candidates = [path, f"files/{path}", f"backup/{path}"]
        place = next((p for p in candidates if os.path.isfile(os.path.join(folder, p))), None)
        if place is None:
            found.append((path, "the backup is missing"))
        elif _digest(os.path.join(folder, place)) != entry["sha256"]:
            found.append((place, "the backup is not what its manifest says"))
    return found


def _manifest(folder: str) -> object:
    import json

    with open(os.path.join(folder, _MANIFEST), encoding="utf-8") as file:
        return json.load(file)


def _entries(document: object) -> list[dict[str, object]]:
    """The manifest's rows that are objects; a foreign manifest may have none."""
    files = document.get("files") if isinstance(document, dict) else None
    return [entry for entry in files if isinstance(entry, dict)] if isinstance(files, list) else []


def _digest(path: str) -> str | None:
    """SHA-256 in hex digits, None for no regular file that can be read."""
    from hashlib import sha256

    try:
        if not os.path.isfile(path):
            return None
        with open(path, "rb") as file:
            return sha256(file.read()).hexdigest()
    except OSError:
        return None
