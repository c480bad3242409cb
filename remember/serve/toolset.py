"""Which tools are offered: all of memory's verbs, one tool for all, or one that looks like a folder of files."""

from __future__ import annotations

from remember.serve.call import call
from remember.serve.declared import CORE, TOOLS, input_schema, output_schema

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from remember.memory.served import Caller
    from remember.serve.answer import Answer
    from remember.serve.declared import Tool

    Document = dict[str, object]

__all__ = ["Toolset", "declaration"]

_LOADED: Document = {"anthropic/alwaysLoad": True}


def declaration(tool: Tool) -> Document:
    """A tool as it stands in a list of tools."""
    made: Document = {
        "name": tool.name,
        "title": tool.title,
        "description": tool.about,
        "inputSchema": input_schema(tool.params),
        "annotations": {
            "title": tool.title,
            "readOnlyHint": not tool.writes,
            "destructiveHint": tool.destructive,
            "idempotentHint": tool.idempotent,
            "openWorldHint": False,
        },
    }
    if tool.gives:
        made["outputSchema"] = output_schema(tool.gives)
    if tool.name in CORE:
        made["_meta"] = _LOADED
    return made


class Toolset:
    """The ten tools, or those of them that only read."""

    def __init__(self, read_only: bool = False) -> None:
        self.tools: Sequence[Tool] = [tool for tool in TOOLS if not (read_only and tool.writes)]

    def declarations(self) -> list[Document]:
        """The list of tools."""
        return [declaration(tool) for tool in self.tools]

    def call(self, caller: Caller, name: str, arguments: Mapping[str, object]) -> Answer:
        """Run one of them."""
        return call(caller, name, arguments, self.tools)
