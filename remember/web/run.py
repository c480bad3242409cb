"""Serves the pages on this machine until interrupted; Datasette is imported here, and its absence is a sentence."""

from __future__ import annotations

from remember.errors import IOFailure, RefusedInput
from remember.memory.browsing import Browsing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from remember.memory import Memory

__all__ = ["run_browser"]

"""What brings Datasette."""


def run_browser(memory: Memory, port: int, safe: Callable[[str], str], told: Callable[[str], None]) -> None:
    """Serve until interrupted; `told` gets the address once it answers, `safe` makes control characters visible.

    Port 0 is any free one. Raises RefusedInput without Datasette or for no port, IOFailure where it is taken, and what reading raises.
    """
    if port > 65535:
        raise RefusedInput(f"there is no port {port}", "give --port between 1 and 65535, or none")
    try:
        import uvicorn

        from remember.web.app import build
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("remember"):
            raise
        from remember.extras import installing

        raise RefusedInput(f"browsing needs the extra `web` ({error.name} is not installed)", f"install it: {installing('web')}") from error
    import secrets
    import socket

    key = secrets.token_urlsafe(18)
    with Browsing(memory.around) as browsing, socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(("127.0.0.1", port))
        except OSError as error:
            raise IOFailure(f"port {port}", error, "give another one with --port, or none") from error
        guard = build(memory, browsing.stores, safe, key, browsing.refresh)
        config = uvicorn.Config(guard, log_level="error", lifespan="on", access_log=False)

        class Server(uvicorn.Server):
            async def startup(self, sockets: list[socket.socket] | None = None) -> None:
                await super().startup(sockets)
                told(f"http://127.0.0.1:{listener.getsockname()[1]}/?key={key}")

        try:
            Server(config).run(sockets=[listener])
        except KeyboardInterrupt:
            pass  # that is how a person ends it
        finally:
            guard.close()
