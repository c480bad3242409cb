"""The format marker of a store: `pi-remember.json` with its version."""

from __future__ import annotations

from remember.errors import FormatError

__all__ = ["NAME", "VERSION", "read", "render"]

NAME = "pi-remember.json"
VERSION = 1


def read(data: bytes) -> int:
    """The version in a marker's bytes. Raises FormatError for anything but an object with a non-negative integer version."""
    if data == render():
        return VERSION  # as nearly all are, which spares reading JSON at each start
    import json

    try:
        value = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise FormatError([(1, "it is no JSON object with a version")], NAME) from error
    version = value.get("version") if isinstance(value, dict) else None
    if not isinstance(version, int) or isinstance(version, bool) or version < 0:
        raise FormatError([(1, "its version is no non-negative integer")], NAME)
    return version


def render() -> bytes:
    """The marker of the present version."""
    return b'{"version": 1}\n'
