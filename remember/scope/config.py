"""Configuration: each value with the place it came from; command line, environment, project, user, default, in that order.

What the other side controls: a cloned repository brings its own `.pi/remember.toml`. It is read only for a trusted root, and
only for keys that cannot make the program run, read or write anything.
"""

from __future__ import annotations

import os
import sys

from remember._named import NamedTuple
from remember.files.lines import read_small
from remember.scope.keys import KEYS, KEYS_BY_NAME, near_key, variables

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from remember.scope.keys import Key

__all__ = ["Config", "Value", "check", "check_tables", "default_dirs", "load", "parse", "user_file"]


_ON, _OFF = ("1", "true", "yes", "on"), ("0", "false", "no", "off")


class Value(NamedTuple):
    """A setting's value and its source: `default`, `environment NAME`, or a file's path."""

    value: object
    source: str


class Config(NamedTuple):
    """All values by key, warnings about invalid ones, and where user files lie."""

    values: Mapping[str, Value]
    warnings: tuple[str, ...]
    config_dir: str
    data_dir: str
    home: str
    severities: Mapping[str, str] = {}

    def text(self, name: str) -> str:
        """A value as text ("" for none)."""
        value = self.values[name].value
        return "" if value is None else str(value)

    def number(self, name: str) -> int:
        """A value as a whole number."""
        return int(str(self.values[name].value))

    def switch(self, name: str) -> bool:
        """A value as true or false."""
        return bool(self.values[name].value)

    @property
    def global_dir(self) -> str:
        """The global store's directory, absolute."""
        return self.text("global_dir")

    @property
    def local_dir(self) -> str:
        """The local store's directory, relative to its root."""
        return self.text("local_dir")

    @property
    def cache_dir(self) -> str:
        """Where indexes live, absolute."""
        return self.text("cache_dir")


def default_dirs(environ: Mapping[str, str], home: str, platform: str = sys.platform) -> tuple[str, str, str]:
    """The platform's (config, cache, data) directories for this program: XDG, %APPDATA% or ~/Library."""
    if platform == "win32":
        roaming = environ.get("APPDATA") or os.path.join(home, "AppData", "Roaming")
        local = environ.get("LOCALAPPDATA") or os.path.join(home, "AppData", "Local")
        return os.path.join(roaming, "remember"), os.path.join(local, "remember", "cache"), os.path.join(local, "remember")
    if platform == "darwin":
        support = os.path.join(home, "Library", "Application Support", "remember")
        places = (support, os.path.join(home, "Library", "Caches", "remember"), support)
    else:
        places = tuple(os.path.join(home, part, "remember") for part in (".config", ".cache", os.path.join(".local", "share")))  # type: ignore[assignment]
    named = (environ.get("XDG_CONFIG_HOME"), environ.get("XDG_CACHE_HOME"), environ.get("XDG_DATA_HOME"))
    config, cache, data = (os.path.join(n, "remember") if n and os.path.isabs(n) else p for n, p in zip(named, places, strict=True))
    return config, cache, data


def user_file(environ: Mapping[str, str], home: str) -> str:
    """The path of the user's configuration file."""
    return os.path.join(default_dirs(environ, home)[0], "config.toml")


def load(environ: Mapping[str, str], home: str, project_file: str | None = None, given: Mapping[str, object] | None = None) -> Config:
    """Read the configuration; an invalid value is named in `warnings` and its default used.

    `project_file` is passed for a trusted root only; `given` are values of the command line.
    """
    config_dir, cache_dir, data_dir = default_dirs(environ, home)
    warnings: list[str] = []
    user_path = os.path.join(config_dir, "config.toml")
    user = _file(user_path, warnings)
    project = _file(project_file, warnings) if project_file else {}
    values = {}
    for key in KEYS:
        sources: list[tuple[object, str]] = []
        if given and given.get(key.name) is not None:
            sources.append((given[key.name], "command line"))
        for variable in variables(key):
            if environ.get(variable):
                sources.append((environ[variable], f"environment {variable}"))
        if key.project and key.name in project:
            sources.append((project[key.name], str(project_file)))
        if key.name in user:
            sources.append((user[key.name], user_path))
        default = cache_dir if key.name == "cache_dir" else key.default
        values[key.name] = _choose(key, sources, default, home, warnings)
    severities = {str(k): str(v) for source in (user, project) for k, v in _table(source.get("check")).items()}
    return Config(values, tuple(warnings), config_dir, data_dir, home, severities)


def _table(value: object) -> Mapping[str, object]:
    if isinstance(value, dict):
        inner = value.get("severity", value)
        return inner if isinstance(inner, dict) else {}
    return {}


def _choose(key: Key, sources: list[tuple[object, str]], default: object, home: str, warnings: list[str]) -> Value:
    for raw, source in sources:
        try:
            return Value(parse(key, raw, home), source)
        except ValueError as error:
            warnings.append(f"{source}: {key.name} = {raw!r} {error}; the default is used")
            break
    return Value(parse(key, default, home) if isinstance(default, str) else default, "default")


def parse(key: Key, raw: object, home: str) -> object:
    """A value as its key wants it; ValueError with the reason, to be read after the value."""
    if key.kind == "count":
        text = str(raw).strip()
        if isinstance(raw, bool) or not (text.isascii() and text.isdigit() and len(text) < 20) or int(text) <= 0:
            raise ValueError("is no positive whole number")
        return int(text)
    if key.kind == "switch":
        text = str(raw).strip().lower()
        if text not in _ON + _OFF:
            raise ValueError("is neither true nor false")
        return text in _ON
    if key.kind == "command" and isinstance(raw, list):
        return _command(raw)
    if not isinstance(raw, str) or not raw.strip() or "\0" in raw:
        raise ValueError("is no text")
    if key.kind == "choice" and raw not in key.choices:
        raise ValueError(f"is none of {', '.join(key.choices)}")
    if key.kind == "path":
        return _path(raw, home)
    if key.kind == "relative":
        parts = raw.replace("\\", "/").rstrip("/").split("/")
        if os.path.isabs(raw) or raw[0] in "~/" or ":" in raw or not all(parts) or {".", "..", ".git"} & set(parts):
            raise ValueError("is no relative directory below the root")
        return "/".join(parts)
    return raw


def _command(words: list[object]) -> str:
    """A command given as a list of words, as one line."""
    import shlex

    if not words or not all(isinstance(word, str) and "\0" not in word for word in words):
        raise ValueError("is no list of words")
    return shlex.join(str(word) for word in words)


def _path(raw: str, home: str) -> str:
    if raw == "~" or raw.startswith("~/"):
        raw = home + raw[1:]
    if not os.path.isabs(raw):
        raw = os.path.abspath(raw)
    return os.path.normpath(raw)


def _file(path: str, warnings: list[str]) -> Mapping[str, object]:
    try:
        data = read_small(path)
    except OSError as error:
        warnings.append(f"{path}: {error.strerror}; it is not read")
        return {}
    if data is None:
        return {}
    import tomllib

    try:
        return tomllib.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        warnings.append(f"{path}: no valid TOML ({error}); it is not read")
        return {}


def check(config: Config, project_file: str | None = None) -> list[str]:
    """Every problem of the configuration: invalid values and unknown keys, each with its source."""
    problems = list(config.warnings)
    for path, project in ((os.path.join(config.config_dir, "config.toml"), False), (project_file, True)):
        if path is None:
            continue
        for name in _file(path, []):
            if name == "check":
                continue
            if name not in KEYS_BY_NAME:
                problems.append(f"{path}: unknown key {name}{near_key(name)}")
            elif project and not KEYS_BY_NAME[name].project:
                problems.append(f"{path}: {name} may not be set by a project")
    return problems


def check_tables(config: Config, project_file: str | None = None) -> list[tuple[str, object]]:
    """The table `[check]` of each file that has one, as (path, value); what codes there are is not known here."""
    paths = [os.path.join(config.config_dir, "config.toml"), *([project_file] if project_file else [])]
    return [(path, found["check"]) for path in paths if "check" in (found := _file(path, []))]
