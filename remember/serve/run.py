"""Serves until its input ends: the SDK is imported here, and its absence is a sentence with the line that installs it."""

from __future__ import annotations

import os
import signal
import sys

from remember.errors import RefusedInput
from remember.memory.served import Caller, check_served
from remember.serve.files import FilesToolset
from remember.serve.single import SingleToolset
from remember.serve.toolset import Toolset

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import NoReturn

__all__ = ["serve"]

"""What brings the SDK."""

_TOOLSETS = {"all": Toolset, "single": SingleToolset, "files": FilesToolset}


def serve(root: str | None, stores: Sequence[str], toolset: str, read_only: bool, environ: Mapping[str, str], cwd: str) -> NoReturn:
    """Serve on standard input and output until end of input, then end the process with exit status 0.

    Raises RefusedInput without the SDK, UnknownStore, NoSuchRoot.
    """
    from remember import __version__

    tools = _TOOLSETS[toolset](read_only)
    check_served(stores, environ, cwd)
    caller = Caller(root, stores, environ, cwd)
    caller.scopes()  # a root that is not there is said before serving
    try:
        import anyio
        from mcp.server.stdio import stdio_server

        from remember.serve.frames import Asked, Replies, Requests
        from remember.serve.server import make_server
    except ImportError as error:
        from remember.extras import installing

        raise RefusedInput(f"serving MCP needs the extra `mcp` ({error})", f"install it: {installing('mcp')}") from error
    server = make_server(caller, tools, __version__)

    async def run() -> None:
        async with stdio_server() as (reading, writing):
            asked = Asked()
            replies = Replies(writing, asked)
            await server.run(Requests(reading, replies, asked), replies, server.create_initialization_options())

    # The thread that reads standard input cannot be interrupted; the signal's own way ends at once, and no change is torn by it.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        anyio.run(run)
    except* (BrokenPipeError, anyio.BrokenResourceError, anyio.ClosedResourceError):
        _leave()  # whoever listened is gone
    _leave()


def _leave() -> NoReturn:
    """End at once: taking the SDK's modules down costs half a second, and a call that nobody waits for may still run; what that
    changes is either whole or recoverable."""
    sys.stderr.flush()
    os._exit(0)
