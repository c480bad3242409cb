"""What can be set: each key with its kind, default, variables of the environment, and what it is."""

from __future__ import annotations

from remember._named import NamedTuple

__all__ = ["KEYS", "KEYS_BY_NAME", "Key", "near_key", "variables"]


class Key(NamedTuple):
    """A setting: its kind (`path`, `relative`, `count`, `switch`, `choice`, `text`, `command`), default, further variables, meaning."""

    name: str
    kind: str
    default: object
    meaning: str
    variables: tuple[str, ...] = ()
    project: bool = False
    choices: tuple[str, ...] = ()


KEYS = (
    Key("global_dir", "path", "~/.pi/agent/memory", "the directory of the global store", ("REMEMBER_DIR", "PI_REMEMBER_DIR")),
    Key("local_dir", "relative", ".pi/memory", "the directory of the local store, below the workspace's root"),
    Key("cache_dir", "path", None, "the directory of the indexes; the platform's for caches where it is not set"),
    Key("inject", "switch", True, "whether `context`, and so an agent's session, is given anything", project=True),
    Key(
        "inject_chars_global",
        "count",
        3000,
        "characters of the global store that an agent sees when a session begins",
        ("PI_REMEMBER_INJECT_CHARS_GLOBAL",),
    ),
    Key(
        "inject_chars_local",
        "count",
        3000,
        "characters of the local store that an agent sees when a session begins",
        ("PI_REMEMBER_INJECT_CHARS_LOCAL",),
        project=True,
    ),
    Key(
        "exit_summary",
        "switch",
        False,
        "whether a session's end is harvested for facts (`hook session-end`)",
        ("PI_REMEMBER_EXIT_SUMMARY",),
    ),
    Key("exit_summary_model", "text", None, "the model of the `llm` library that is asked then", ("PI_REMEMBER_EXIT_SUMMARY_MODEL",)),
    Key(
        "exit_summary_scope",
        "choice",
        "auto",
        "the store that gets those facts: auto, local or global",
        ("PI_REMEMBER_EXIT_SUMMARY_SCOPE",),
        False,
        ("auto", "local", "global"),
    ),
    Key(
        "exit_summary_timeout_ms", "count", 10000, "how long the answer may take, in milliseconds", ("PI_REMEMBER_EXIT_SUMMARY_TIMEOUT_MS",)
    ),
    Key("summary_command", "command", None, "the command that answers a prompt for `harvest`"),
    Key("consolidate_command", "command", None, "the command that makes a plan for `consolidate run`"),
    Key("consolidate_timeout_ms", "count", 300_000, "how long that command may take, in milliseconds"),
    Key("color", "choice", "auto", "when to use colours: auto, always or never", (), True, ("auto", "always", "never")),
)
"""Every key, in the order in which `config show` prints them."""

KEYS_BY_NAME = {key.name: key for key in KEYS}


def variables(key: Key) -> tuple[str, ...]:
    """The environment's names of a setting, the one that counts most first."""
    own = f"REMEMBER_{key.name.upper()}"
    first = (key.variables[0], own) if key.name == "global_dir" else (own,)
    return tuple(dict.fromkeys((*first, *key.variables)))


def near_key(name: str) -> str:
    """A hint for a key that is not known: the nearest one, or nothing."""
    from difflib import get_close_matches

    near = get_close_matches(name, KEYS_BY_NAME, 1)
    return f" (did you mean {near[0]}?)" if near else ""
