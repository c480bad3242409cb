"""The tools as data: name, what it does, parameters, hints; their JSON schemas are made from these rows."""

from __future__ import annotations

from remember._named import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    Schema = dict[str, object]

__all__ = ["CORE", "TOOLS", "Param", "Tool", "input_schema", "output_schema", "tool_named"]


class Param(NamedTuple):
    """A parameter: `kind` is `text`, `count`, `flag` or `texts`."""

    name: str
    kind: str
    about: str
    required: bool = False
    choices: tuple[str, ...] = ()
    default: object = None


class Tool(NamedTuple):
    """A tool with its hints; `gives` names the fields of its answer."""

    name: str
    title: str
    about: str
    params: tuple[Param, ...]
    gives: tuple[str, ...]
    writes: bool = False
    destructive: bool = False
    idempotent: bool = False


_READ = "Which memory: local (this workspace), global (the user), both (the default), or a served store's name."
_WRITE = "Which memory: local (this workspace, the default), global (the user), or a served store's name."
_ROOT = Param("root", "text", "The workspace directory; the server's working directory if left out.")
_SCOPE = Param("scope", "text", _READ)
_SCOPE_ONE = Param("scope", "text", _WRITE)
_CHANGE = ("changed", "id", "kind", "scope", "store", "path", "line", "recovery_id", "revision", "duplicate_of", "hint", "warnings")
_MEMO = ("scope", "store", "kind", "id", "path", "line", "description", "text", "tags", "created", "modified")
_LISTED = ("total", "truncated", "warnings", "stores")

TOOLS = (
    Tool(
        "memory_search",
        "Search memory",
        "Find facts and notes by words, best first. Search before you ask the user or store something. Any text is a query.",
        (
            Param("query", "text", "Words to look for.", True),
            _SCOPE,
            Param("kind", "text", "Only memos of this kind.", False, ("fact", "note", "text")),
            Param("tag", "texts", "Only memos with this tag, or with all of these."),
            Param("since", "text", "Changed on or after a day (2026-10-18), or so long ago (7d, 2w, 3mo, 1y)."),
            Param("limit", "count", "The most hits to give (20)."),
            _ROOT,
        ),
        ("query", "hits", *_LISTED, "rest", "elapsed_ms"),
        idempotent=True,
    ),
    Tool(
        "memory_read",
        "Read memory",
        "Read one memo whole by id or path, or without either the catalogue: every fact, and every note by its description."
        " A long note goes on at a line with path `notes/x.md:LINE`.",
        (
            Param("id", "text", "A memo's ID (eight hexadecimal digits)."),
            Param("query", "text", "Only catalogue lines with this in them."),
            Param("path", "text", "A note's path below the store, or MEMORY.md:LINE."),
            _SCOPE,
            _ROOT,
        ),
        ("memos", *_LISTED, *_MEMO, "content", "revision", "rest"),
        idempotent=True,
    ),
    Tool(
        "memory_write",
        "Store a fact",
        "Store one durable fact: a single line of at most 300 characters. A fact that is there already is not stored twice.",
        (Param("content", "text", "The fact.", True), _SCOPE_ONE, _ROOT),
        _CHANGE,
        writes=True,
        idempotent=True,
    ),
    Tool(
        "memory_store",
        "Store a note",
        "Store a Markdown note for what needs more than a line: a description of one line, and a body.",
        (
            Param("title", "text", "The note's one-line description.", True),
            Param("content", "text", "The body in Markdown, without frontmatter.", True),
            Param("slug", "text", "Name of the file after its date; in a zcode store the memory's name."),
            Param("type", "text", "What kind of fact it is, for a zcode store.", False, ("user", "feedback", "project", "reference")),
            Param("mode", "text", "create (the default), or upsert: replace the note of this name or title.", False, ("create", "upsert")),
            _SCOPE_ONE,
            _ROOT,
        ),
        _CHANGE,
        writes=True,
    ),
    Tool(
        "memory_update",
        "Correct a memo",
        "Replace a fact's text or a note's whole body, by ID. Give the full new text, never a part of it.",
        (
            Param("id", "text", "The memo's ID.", True),
            Param("content", "text", "The full new text.", True),
            Param("revision", "text", "Refuse unless the memo is still at this revision (memory_read gives it)."),
            Param("confirm", "flag", "Take a text that looks like a part of the old one."),
            _SCOPE_ONE,
            _ROOT,
        ),
        _CHANGE,
        writes=True,
        destructive=True,
        idempotent=True,
    ),
    Tool(
        "memory_forget",
        "Forget memos",
        "Remove a memo by ID, or those with a text in them; memory_restore brings them back.",
        (
            Param("text", "text", "What a fact, or a note's description or path, has in it."),
            Param("id", "text", "The memo's ID or place."),
            Param("confirm", "flag", "Needed when more than one memo matches."),
            _SCOPE_ONE,
            _ROOT,
        ),
        ("memos", "changes", "recovery_ids", "warnings"),
        writes=True,
        destructive=True,
    ),
    Tool(
        "memory_restore",
        "Undo a change",
        "Undo one change by the recovery ID that it gave.",
        (Param("recoveryId", "text", "The recovery ID.", True), _SCOPE, _ROOT),
        ("recovery_id", "action", "summary", "state", "changes", "warnings"),
        writes=True,
    ),
    Tool(
        "memory_init",
        "Make a local store",
        "Make this workspace's memory store. Call it when a local memory is wanted and there is none.",
        (_ROOT,),
        ("root", "store", "made", "trusted", "warnings"),
        writes=True,
        idempotent=True,
    ),
    Tool(
        "memory_status",
        "Memory status",
        "Where the stores are, what they hold, and in which state they are.",
        (_ROOT,),
        ("stores", "warnings"),
        idempotent=True,
    ),
    Tool(
        "memory_check",
        "Check memory",
        "Find where memory's files and index, or the files among themselves, disagree; changes nothing.",
        (_SCOPE, _ROOT),
        ("findings", "total", "truncated", "stores", "warnings", "rest", "exit_status"),
        idempotent=True,
    ),
)
"""All ten, those used most first."""

CORE = frozenset(tool.name for tool in TOOLS[:6])
"""What an agent should have at hand without looking for it."""

_TEXT: Schema = {"anyOf": [{"type": "string"}, {"type": "null"}]}
_NUMBER: Schema = {"anyOf": [{"type": "integer"}, {"type": "null"}]}
_FIELDS: dict[str, Schema] = {
    **dict.fromkeys(("id", "kind", "scope", "store", "path", "description", "text", "created", "modified", "content"), _TEXT),
    **dict.fromkeys(("revision", "recovery_id", "duplicate_of", "existing", "query"), _TEXT),
    **dict.fromkeys(("rest", "hint", "root", "action", "summary", "state"), _TEXT),
    **{name: {"type": "array", "items": {"type": "string"}} for name in ("warnings", "tags", "recovery_ids")},
    **{name: {"type": "array", "items": {"type": "object"}} for name in ("hits", "memos", "stores", "changes", "findings")},
    **{name: {"type": "boolean"} for name in ("changed", "truncated", "made", "trusted")},
    **dict.fromkeys(("line", "total", "exit_status"), _NUMBER),
    "elapsed_ms": {"type": "number"},
}
_ERROR: Schema = {
    "type": "object",
    "description": "What went wrong and what to do next; present instead of an answer.",
    "properties": {name: {"type": "string"} for name in ("code", "message", "hint")},
    "required": ["code", "message", "hint"],
}


def _property(param: Param) -> Schema:
    """One type each: some providers know no unions, so strings for lists and numbers, and null, are taken without being offered."""
    kinds: dict[str, Schema] = {
        "text": {"type": "string"},
        "count": {"type": "integer"},
        "flag": {"type": "boolean"},
        "texts": {"type": "array", "items": {"type": "string"}},
    }
    schema = {**kinds[param.kind], "description": param.about}
    return {**schema, "enum": list(param.choices)} if param.choices else schema


def input_schema(params: Sequence[Param]) -> Schema:
    """The JSON Schema of a tool's arguments."""
    return {
        "type": "object",
        "properties": {param.name: _property(param) for param in params},
        "required": [param.name for param in params if param.required],
        "additionalProperties": False,
    }


def output_schema(gives: Sequence[str]) -> Schema:
    """The JSON Schema of a tool's structured answer, or of its error."""
    fields = {name: _FIELDS[name] for name in gives}
    return {"type": "object", "properties": {**fields, "error": _ERROR}, "anyOf": [{"required": ["warnings"]}, {"required": ["error"]}]}


def tool_named(name: str) -> Tool | None:
    """The tool of that name."""
    return next((tool for tool in TOOLS if tool.name == name), None)
