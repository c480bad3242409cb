"""Foreign headers: YAML through PyYAML's C loader, TOML and JSON through the standard library; the only door to yaml."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["read_json", "read_toml", "read_yaml"]


def read_yaml(source: str) -> Mapping[str, object]:
    """Fields of a YAML mapping; {} for anything else or for what YAML refuses."""
    simple = _plain(source)
    if simple is not None:
        return simple
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        value = yaml.load(source, Loader=loader)
    except (yaml.YAMLError, ValueError, RecursionError, OverflowError, TypeError):
        return _lines(source)
    return {str(k): v for k, v in value.items()} if isinstance(value, dict) else {}


def _plain(source: str) -> Mapping[str, object] | None:
    """`key: value` lines with values that YAML and a reader of lines understand alike, or None; it saves loading yaml."""
    fields: dict[str, object] = {}
    for line in source.split("\n"):
        line = line.rstrip("\r")
        if not line or line.startswith("#"):
            continue
        key, colon, value = line.partition(": ")
        if not colon:
            key, colon, value = line.partition(":")
            if not colon or value:
                return None
        value = value.strip(" \t")
        if not key or not (key[0].isalpha() and key.replace("-", "").replace("_", "").replace(".", "").isalnum()):
            return None
        if value.startswith('"') and value.endswith('"') and len(value) > 1 and "\\" not in value and '"' not in value[1:-1]:
            value = value[1:-1]
        elif value and (value[0] in "\"'[]{}>|&*!%@`#,?-~" or ": " in value or " #" in value or value.endswith(":")):
            return None
        if key in fields:
            return None
        if not value:
            return None  # nested below, or null
        fields[key] = value
    return fields


def _lines(source: str) -> Mapping[str, object]:
    """What can be told of a header that YAML refuses: its plain `key: value` lines."""
    fields: dict[str, object] = {}
    for line in source.split("\n"):
        key, colon, value = line.partition(":")
        if colon and key and not key[0].isspace():
            fields.setdefault(key.strip(), value.strip().strip("\"'"))
    return fields


def read_toml(source: str) -> Mapping[str, object]:
    """Fields of a TOML header; {} where it is no TOML."""
    import tomllib

    try:
        return tomllib.loads(source)
    except (tomllib.TOMLDecodeError, RecursionError):
        return {}


def read_json(source: str) -> Mapping[str, object]:
    """Fields of a JSON header; {} where it is no JSON object."""
    import json

    try:
        value = json.loads(source)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
