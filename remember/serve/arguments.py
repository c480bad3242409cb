"""Arguments as models send them, made into what the tools take: strings for lists and numbers, null for what is left out."""

from __future__ import annotations

from remember.errors import RefusedInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from remember.serve.declared import Param

__all__ = ["Given", "taken"]

_TRUE, _FALSE = ("true", "1", "yes"), ("false", "0", "no", "")


class Given:
    """A call's arguments, checked and of the declared kinds."""

    def __init__(self, values: Mapping[str, object]) -> None:
        self.values = values

    def text(self, name: str) -> str | None:
        """A text, None where it was not given."""
        value = self.values.get(name)
        return None if value is None else str(value)

    def needed(self, name: str) -> str:
        """A required text."""
        return str(self.values[name])

    def count(self, name: str) -> int | None:
        """A whole number."""
        value = self.values.get(name)
        return value if isinstance(value, int) else None

    def flag(self, name: str) -> bool:
        """A flag; false where it was not given."""
        return self.values.get(name) is True

    def texts(self, name: str) -> tuple[str, ...]:
        """A list of texts."""
        value = self.values.get(name)
        return tuple(str(item) for item in value) if isinstance(value, (list, tuple)) else ()


def taken(tool: str, params: Sequence[Param], arguments: Mapping[str, object]) -> Given:
    """The arguments of a call. Raises RefusedInput for an unknown, missing or unsuitable one, naming the nearest."""
    known = {param.name: param for param in params}
    for name in arguments:
        if name not in known:
            raise RefusedInput(f"{tool} has no argument {name!r}", _near(name, list(known)))
    values: dict[str, object] = {}
    for param in params:
        value = arguments.get(param.name)
        if value is not None:
            value = _as(tool, param, value)
        if value is None and param.required:
            raise RefusedInput(f"{tool} needs the argument {param.name!r}", f"it is: {param.about}")
        values[param.name] = value
    return Given(values)


def _near(name: str, known: list[str]) -> str:
    from difflib import get_close_matches

    folded = {candidate.lower().replace("_", ""): candidate for candidate in known}
    near = get_close_matches(name.lower().replace("_", ""), folded, 1, 0.5)
    hint = f"did you mean {folded[near[0]]!r}? " if near else ""
    return f"{hint}it takes {', '.join(known)}"


def _as(tool: str, param: Param, value: object) -> object:
    converted = _KINDS[param.kind](value)
    if converted is None and not (param.kind == "texts" and value == ""):
        wanted = {"text": "a text", "count": "a whole number", "flag": "true or false", "texts": "a list of texts"}[param.kind]
        raise RefusedInput(f"{tool}: {param.name!r} is not {wanted}", f"it is: {param.about}")
    if param.choices and converted not in param.choices:
        if converted == "" and not param.required:
            return None
        raise RefusedInput(f"{tool}: {param.name!r} is none of {', '.join(param.choices)}", "give one of these, or leave it out")
    if isinstance(converted, str) and not _is_unicode(converted):
        raise RefusedInput(f"{tool}: {param.name!r} is not valid UTF-8", "send whole characters")
    return converted


def _is_unicode(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _text(value: object) -> str | None:
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        return None
    return str(value)


def _count(value: object) -> int | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, float) and value.is_integer():
        return int(value)
    text = str(value).strip()
    return int(text) if isinstance(value, (int, str)) and text.isascii() and text.isdigit() and len(text) < 10 else None


def _flag(value: object) -> bool | None:
    if isinstance(value, bool):
        return value
    text = str(value).strip().lower()
    return True if text in _TRUE else False if text in _FALSE else None


def _texts(value: object) -> list[str] | None:
    if isinstance(value, str):
        text = value.strip()
        if text.startswith("["):
            import json

            try:
                value = json.loads(text)
            except (ValueError, RecursionError):
                return None
        else:
            return [part.strip() for part in text.split(",") if part.strip()]
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return [item for item in value if item.strip()]
    return None


_KINDS = {"text": _text, "count": _count, "flag": _flag, "texts": _texts}
