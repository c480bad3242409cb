"""What people call commands and options elsewhere, and what they are called here; for the rest, what is spelled nearly so."""

from __future__ import annotations

from difflib import get_close_matches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["INSTEAD", "command_meant", "near", "option_meant"]

_NEAR = 0.6
"""How much of two words must agree (difflib's ratio): at half, `--tag` was `--store`."""

_WORDS = {
    "search": "find grep query lookup recall",
    "forget": "delete del rm remove erase drop",
    "list": "ls dir",
    "show": "cat view read open",
    "add": "save remember fact insert append",
    "note": "new create write",
    "update": "set replace change modify",
    "move": "mv rename",
    "undo": "revert rollback back",
    "history": "log changes diff reflog",
    "check": "doctor verify fsck lint validate",
    "check --repair": "fix repair heal",
    "import": "load ingest",
    "export": "dump backup",
    "git sync": "sync pull push merge commit",
    "config show": "settings options get",
    "index rebuild": "reindex rebuild refresh",
    "index drop": "cache",
    "hooks install": "install connect setup",
    "mcp": "server serve",
    "ui": "tui picker",
    "browse": "web",
    "status": "info where",
    "init": "initialise initialize",
    "stats": "statistics",
    "links": "backlinks references",
    "harvest": "extract summarize",
    "consolidate": "tidy dedupe compact cleanup",
    "store add": "register vault",
    "--version": "version",
}
_COMMANDS = {word: command for command, words in _WORDS.items() for word in words.split()}

_SUBCOMMANDS = {
    "config": {"get": "show", "list": "show", "ls": "show", "rm": "unset", "delete": "unset", "remove": "unset", "add": "set"},
    "git": {"merge": "sync", "pull": "sync", "push": "sync", "fetch": "sync", "commit": "sync", "install": "setup", "init": "setup"},
    "store": {"ls": "list", "rm": "remove", "delete": "remove", "register": "add", "find": "discover", "show": "list"},
    "trust": {"ls": "list", "rm": "remove", "delete": "remove", "revoke": "remove", "show": "list"},
    "mirror": {"list": "status", "ls": "status", "rm": "remove", "delete": "remove", "show": "status"},
    "index": {"clear": "drop", "delete": "drop", "rm": "drop", "build": "rebuild", "refresh": "rebuild", "show": "status"},
    "hooks": {"add": "install", "remove": "uninstall", "rm": "uninstall", "list": "status", "show": "status"},
}

_OPTIONS = {
    "--tag": {"add": "write #TAG in the text", "note": "write #TAG in the description", "update": "write #TAG in the text"},
    "--tags": {"add": "write #TAG in the text", "note": "write #TAG in the description"},
    "--title": {"note": "the description is the title: `remember note DESCRIPTION`", "update": "use --description"},
    "--fix": {"check": "use --repair"},
    "--budget": {"context": "use --max-chars; for every session: `remember config set inject_chars_local N`"},
    "--global": {
        "init": "the first `remember add --scope global TEXT` makes the global store",
        "": "use --scope global",
    },
    "--local": {"": "use --scope local"},
    "--scope": {"init": "init makes the local store; the first `remember add --scope global TEXT` makes the global one"},
    "--force": {"forget": "use --yes", "": ""},
    "--dir": {"": "use --root DIR for a workspace, --store DIR for a folder of Markdown"},
    "--path": {"": "use --root DIR for a workspace, --store DIR for a folder of Markdown"},
    "--content": {"note": "use --body", "add": "write the text itself"},
    "--text": {"update": "use --content", "note": "use --body"},
    "--body": {"update": "use --content", "add": "write the text itself"},
    "--max": {"": "use --limit"},
    "--count": {"": "use --limit"},
    "--after": {"": "use --since"},
    "--before": {"": "use --until"},
    "--exclude": {"": "use --not"},
    "--type": {"": "use --kind"},
    "-n": {"": "use --limit"},
    "-f": {"": "use --file"},
    "-m": {"note": "use --body", "": ""},
}

INSTEAD = {
    "undo": "`remember restore RECOVERY_ID` undoes exactly one change",
    "redo": "redo takes what was undone last, whatever it was",
    "list": "`remember search WORDS` looks for words, `--match TEXT` for a substring",
    "tags": "`remember list --tag TAG` lists what has a tag",
    "init": "`remember init --root DIR` makes a store in another directory",
    "note": "put the description in quotes, and the body behind --body",
    "update": "put the new text in quotes, behind --content",
}
"""What to do instead of giving a command more words than it takes."""


def near(word: str, known: Iterable[str]) -> list[str]:
    """Up to three of the known words that are written nearly so."""
    return get_close_matches(word, list(known), 3, _NEAR)


def command_meant(word: str, known: Iterable[str], group: str = "") -> list[str]:
    """The commands (of a group: its subcommands) that may be meant by a word that is none, best first."""
    other = _SUBCOMMANDS.get(group, {}).get(word.casefold()) if group else _COMMANDS.get(word.casefold())
    known = list(known)
    return [other] if other is not None and (not group or other in known) else near(word, known)


def option_meant(option: str, command: str, known: Iterable[str]) -> str:
    """What to do instead of an option that the command (`add`, `check` …) does not have; "" where nobody can tell."""
    known = list(known)
    said = _OPTIONS.get(option, {})
    advice = said.get(command, said.get("", ""))
    if advice and (command in said or any(flag in advice.split() for flag in known)):
        return advice
    close = near(option, known) if len(option) > 2 else []
    return f"did you mean {' or '.join(close)}?" if close else ""
