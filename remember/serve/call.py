"""One call of a tool: its arguments checked, its verb run, every error turned into an answer."""

from __future__ import annotations

from remember.errors import IOFailure, RefusedInput, RememberError
from remember.serve import changing, reading
from remember.serve.answer import Answer, error_answer
from remember.serve.arguments import taken
from remember.serve.declared import TOOLS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from remember.memory.served import Caller
    from remember.serve.arguments import Given
    from remember.serve.declared import Tool

    Run = Callable[[Caller, Given], Answer]

__all__ = ["call", "guarded"]

_VERBS: dict[str, Run] = {
    "memory_search": reading.search,
    "memory_read": reading.read,
    "memory_status": reading.status,
    "memory_check": reading.check,
    "memory_write": changing.write,
    "memory_store": changing.store,
    "memory_update": changing.update,
    "memory_forget": changing.forget,
    "memory_restore": changing.restore,
    "memory_init": changing.init,
}


def call(caller: Caller, name: str, arguments: Mapping[str, object], tools: Sequence[Tool] = TOOLS) -> Answer:
    """Run a tool by name. Never raises what a caller can cause: an error is an answer with `failed`."""
    tool = next((tool for tool in tools if tool.name == name), None)
    if tool is None:
        return error_answer(RefusedInput(f"there is no tool {name!r}", "tools are " + ", ".join(tool.name for tool in tools)))
    return guarded(lambda: _VERBS[name](caller, taken(name, tool.params, arguments)))


def guarded(run: Callable[[], Answer]) -> Answer:
    """The answer of a verb, or its error."""
    try:
        return run()
    except RememberError as error:
        return error_answer(error)
    except UnicodeEncodeError as error:
        return error_answer(RefusedInput(f"text that is not valid UTF-8 ({error.reason})", "send it in UTF-8"))
    except OSError as error:
        return error_answer(IOFailure(str(error.filename or "the operating system"), error))
    except RecursionError:
        return error_answer(RememberError("the input is nested too deeply", "simplify it"))
