"""One tool for all: `memory` with an action."""

from __future__ import annotations

from remember.errors import Ambiguous, ChangedOutside, NotFound, RefusedInput
from remember.serve import changing, reading
from remember.serve.arguments import Given, taken
from remember.serve.call import call, guarded
from remember.serve.declared import Param, Tool
from remember.serve.elision import Elided
from remember.serve.toolset import Toolset

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from remember.memory.served import Caller, Served
    from remember.serve.answer import Answer

__all__ = ["SINGLE", "SingleToolset"]

_CHANGED = ("changed", "id", "kind", "scope", "store", "path", "line", "recovery_id", "revision", "duplicate_of", "existing")
_ACTIONS = ("add", "update", "forget", "list")

SINGLE = Tool(
    "memory",
    "Memory",
    "Durable memory. add: store one fact (text). update: replace the memo that has `text` in it, or has that ID, by `to`."
    " forget: remove it. list: what is remembered, or what has `text` in it.",
    (
        Param("action", "text", "What to do.", True, _ACTIONS),
        Param("text", "text", "The fact to add; else an ID, or text that one memo has in it."),
        Param("to", "text", "For update: the full new text."),
        Param("scope", "text", "local (this workspace) or global (the user); changes go to local, list takes both if left out."),
    ),
    (*_CHANGED, "memos", "changes", "recovery_ids", "total", "truncated", "stores", "rest", "warnings"),
    writes=True,
    destructive=True,
)


class SingleToolset(Toolset):
    """The one tool; only its `list` where nothing may be changed."""

    def __init__(self, read_only: bool = False) -> None:
        if not read_only:
            self.tools = [SINGLE]
            return
        action = SINGLE.params[0]._replace(choices=("list",))
        params = (action, *(param for param in SINGLE.params[1:] if param.name != "to"))
        self.tools = [SINGLE._replace(about="Durable memory. list: what is remembered, or what has `text` in it.", params=params)]
        self.tools = [self.tools[0]._replace(writes=False, destructive=False)]

    def declarations(self) -> list[dict[str, object]]:
        """The list of tools."""
        return [{**made, "_meta": {"anthropic/alwaysLoad": True}} for made in super().declarations()]

    def call(self, caller: Caller, name: str, arguments: Mapping[str, object]) -> Answer:
        """Run an action."""
        if name != SINGLE.name:
            return call(caller, name, arguments, self.tools)
        return guarded(lambda: _act(caller, taken(name, self.tools[0].params, arguments)))


_UNDO = "Undo with memory_restore recoveryId"


def _own_words(answer: Answer) -> Answer:
    """A change's answer that names no tool which is not offered here; what is remembered never begins a line of it."""
    lines = answer.text.split("\n")
    told = [line.replace(_UNDO, "A person undoes it with: remember restore", 1) if line.startswith(_UNDO) else line for line in lines]
    return answer._replace(text="\n".join(told))


def _act(caller: Caller, given: Given) -> Answer:
    action, text, scope = given.needed("action"), given.text("text"), given.text("scope") or _only(caller)
    if action == "list":
        return reading.read(caller, Given({"query": text, "scope": scope}), "text or scope")
    if not text:
        raise RefusedInput(f"{action} needs the argument 'text'", "say what to add, or which memo is meant")
    served = caller.writing(None, scope)
    if served.memory.around.one().layout == "bullets":
        return _bullet(served, action, text, given.text("to"))
    if action == "add":
        return _own_words(changing.write(caller, Given({"content": text, "scope": scope})))
    named = _named(caller, text, scope)
    if action == "forget":
        return _own_words(changing.forget(caller, Given({"id": named, "scope": scope})))
    to = given.text("to")
    if not to:
        raise RefusedInput("update needs the argument 'to'", "give the full new text")
    try:
        return _own_words(changing.update(caller, Given({"id": named, "content": to, "scope": scope})))
    except Elided as error:
        error.hint = "send the full new text"
        raise


def _only(caller: Caller) -> str | None:
    """The one store that is served where the workspace has none of its own: it is what an agent means that names none."""
    return caller.stores[0] if len(caller.stores) == 1 and "local" not in caller.scopes() else None


def _bullet(served: Served, action: str, text: str, to: str | None) -> Answer:
    """Notes of a file of bullets are known by their exact text, ends aside; a change concerns all that have it."""
    memory, wanted = served.memory, text.strip()
    if action == "add":
        change = memory.add(text)[0]
        twins = [memo.text for memo in memory.list(kind="fact").memos if memo.id == change.duplicate_of and memo.text]
        existing: dict[str, object] = {"existing": twins[0]} if twins else {}
        return changing.changed(change, served.warnings, existing)
    if not any(memo.text == wanted for memo in memory.list(kind="fact").memos):
        raise NotFound(repr(text), hint="give the exact text of a note, as list prints it")
    if action == "update":
        if not to or not to.strip():
            raise RefusedInput("update needs the argument 'to'", "give the full new text")
        return changing.changed(memory.update(wanted, to), served.warnings)
    memos, changes = memory.forget(wanted, by="text", agreed=lambda found: all(memo.text == wanted for memo in found))
    if changes is None:
        raise ChangedOutside(wanted)
    return changing.forgotten(memos, changes, served.warnings)


def _named(caller: Caller, text: str, scope: str | None) -> str:
    """The ID or place of the one memo that is meant: by ID, else by a text in it. Raises NotFound, Ambiguous."""
    memory = caller.writing(None, scope).memory
    try:
        shown = memory.show(text.strip())
        return shown.memo.id or shown.memo.place
    except NotFound:
        found = [memo for memo in memory.list(match=text).memos if memo.kind != "text"]
    exact = [memo for memo in found if memo.title.casefold() == text.strip().casefold()] or found
    if not exact:
        raise NotFound(text)
    if len(exact) > 1:
        raise Ambiguous(repr(text), [f"{memo.id or memo.place} ({memo.title[:80]})" for memo in exact[:20]])
    return exact[0].id or exact[0].place
