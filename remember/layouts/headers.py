"""Foreign headers: YAML through PyYAML's C loader, TOML and JSON through the standard library; the only door to yaml."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["read_json", "read_toml", "read_yaml", "refused"]


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


def refused(source: str, kind: str) -> tuple[int, str] | None:
    """Why a header is none for other readers, as (line in it from 1, reason): no YAML or TOML, or a field that stands twice."""
    if kind == "toml":
        import tomllib

        try:
            tomllib.loads(source)
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            return 1, f"it is no TOML ({error})"
        return None
    if _plain(source) is not None:
        return None
    import yaml

    try:
        yaml.load(source, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        return (1 if mark is None else mark.line + 1), f"it is no YAML ({' '.join((error.problem or '').split())})"
    except (yaml.YAMLError, ValueError, RecursionError, OverflowError, TypeError) as error:
        return 1, f"it is no YAML ({' '.join(str(error).split())})"
    seen: set[str] = set()
    for number, line in enumerate(source.split("\n"), 1):
        key, colon, _ = line.partition(":")
        if not colon or not key or key[0] in " \t#-\"'":
            continue
        if key in seen:
            return number, f"the field {key} stands twice"
        seen.add(key)
    return None
