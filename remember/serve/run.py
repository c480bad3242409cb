"""Serves until its input ends: the SDK is imported here, and its absence is a sentence with the line that installs it."""

from __future__ import annotations

import os
import sys
import time

from remember.errors import RefusedInput
from remember.memory.served import Caller, check_served
from remember.serve.toolset import toolset_named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["INSTALL", "serve"]

INSTALL = "pip install 'remember-md[mcp]'"
"""What brings the SDK."""

_LAST_WAIT_S = 0.6


def serve(root: str | None, stores: Sequence[str], toolset: str, read_only: bool, environ: Mapping[str, str], cwd: str) -> int:
    """Serve on standard input and output until end of input. Raises RefusedInput without the SDK, UnknownStore, NoSuchRoot."""
    from remember import __version__

    tools = toolset_named(toolset, read_only)
    check_served(stores, environ, cwd)
    caller = Caller(root, stores, environ, cwd)
    caller.scopes()  # a root that is not there is said before serving
    try:
        import anyio
        from mcp.server.stdio import stdio_server

        from remember.serve.server import Busy, make_server
    except ImportError as error:
        raise RefusedInput(f"serving MCP needs the extra `mcp` ({error})", f"install it: {INSTALL}") from error
    busy = Busy()
    server = make_server(caller, tools, __version__, busy)

    async def run() -> None:
        async with stdio_server() as (reading, writing):
            await server.run(reading, writing, server.create_initialization_options())

    anyio.run(run)
    _leave(busy.calls)
    return 0


def _leave(running: int) -> None:
    """End at once although a call that nobody waits for still runs: what it changes is either whole or not begun."""
    if not running:
        return
    time.sleep(_LAST_WAIT_S)
    sys.stderr.flush()
    os._exit(0)
