"""From `/memories/SCOPE/…` to a file of a store, with the refusals that the file-style memory tool words exactly.

What the other side controls: the path. The texts are those of the published reference backend for `memory_20250818`.
"""

from __future__ import annotations

from remember._named import NamedTuple
from remember.errors import NotInitialised, RefusedInput
from remember.memory.filing import Filing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.memory.filing import Found
    from remember.memory.served import Caller
    from remember.serve.arguments import Given

__all__ = ["ROOT", "Refused", "Spot", "found", "is_missing", "located", "missing", "needed", "readable_scopes"]

ROOT = "/memories"


class Refused(RefusedInput):
    """An error whose message is the whole text that the model gets."""


class Spot(NamedTuple):
    """A path of the tool: the store's files and the path in it ("" for the whole store); `scope` is "" for the root."""

    path: str
    scope: str
    inner: str
    files: Filing | None


def located(caller: Caller, path: str, writing: bool = False) -> Spot:
    """What a path means. Raises Refused outside the prefix or for a traversal; what choosing a store raises."""
    if not (path == ROOT or path.startswith(ROOT + "/")) or "\0" in path:
        raise Refused(f"Path must start with {ROOT}, got: {path}")
    parts = [part for part in path[len(ROOT) :].split("/") if part not in ("", ".")]
    if ".." in parts or "\\" in path or "%2e" in path.lower():
        raise Refused(f"Path {path} would escape {ROOT} directory")
    if not parts:
        return Spot(path, "", "", None)
    scope, inner = parts[0], "/".join(parts[1:])
    if scope not in ("local", "global", *caller.stores):
        return Spot(path, scope, inner, None)
    served = caller.writing(None, scope) if writing else caller.reading(None, scope)
    return Spot(path, scope, inner, Filing(served.memory.around))


def found(spot: Spot) -> Found | None:
    """What is there. Raises Refused for a link or a special file."""
    if spot.files is None:
        return None
    try:
        there = spot.files.look(spot.inner)
    except NotInitialised:
        return None
    if there is not None and there.kind == "link":
        raise Refused(f"Path would escape {ROOT} directory via symlink")
    if there is not None and (there.kind == "other" or (there.kind == "file" and not spot.files.suits(spot.inner))):
        raise Refused(f"Unsupported file type for {spot.path}")
    return there


def is_missing(spot: Spot) -> bool:
    """Whether nothing is there."""
    return found(spot) is None


def readable_scopes(caller: Caller) -> list[str]:
    """The folders in the root, sorted."""
    return sorted(caller.scopes())


def needed(given: Given, command: str, name: str) -> str:
    """A parameter that the command cannot do without. Raises Refused."""
    value = given.text(name)
    if value is None:
        raise Refused(f"{command} needs the parameter `{name}`.")
    return value


def missing(spot: Spot) -> Refused:
    """The refusal to view or edit what is not there."""
    return Refused(f"The path {spot.path} does not exist. Please provide a valid path.")
