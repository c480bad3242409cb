"""The wire at its edges: frames that are none are answered, and what was asked before the end of input is answered too.

What the other side controls: every byte of standard input.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import anyio
import mcp_types as types
from mcp.shared.message import SessionMessage

if TYPE_CHECKING:
    from types import TracebackType

__all__ = ["Asked", "Replies", "Requests", "refusal"]

LAST_WAIT_S = 0.6
"""How long after the end of input answers are waited for."""


class Asked:
    """The requests that have no answer yet."""

    def __init__(self) -> None:
        self.ids: set[object] = set()


def refusal(error: Exception) -> types.JSONRPCError:
    """The answer to a frame that could not be read: its ID where it had one, -32700 for no JSON, else -32600."""
    found: list[dict[str, Any]] = error.errors() if hasattr(error, "errors") else []
    syntax = not found or any(row.get("type") == "json_invalid" for row in found)
    frame_id: object = None
    for row in found:
        given = row.get("input")
        if isinstance(given, dict) and isinstance(given.get("id"), (str, int)) and not isinstance(given.get("id"), bool):
            frame_id = given["id"]
    code, message = (types.PARSE_ERROR, "Parse error") if syntax else (types.INVALID_REQUEST, "Invalid request")
    return types.JSONRPCError(jsonrpc="2.0", id=frame_id, error=types.ErrorData(code=code, message=message))  # type: ignore[arg-type]


class Replies:
    """What is written; keeps count of what was answered."""

    def __init__(self, inner: Any, asked: Asked) -> None:
        self.inner, self.asked = inner, asked

    async def send(self, item: SessionMessage) -> None:
        """Pass a message on."""
        await self.inner.send(item)
        if isinstance(item.message, (types.JSONRPCResponse, types.JSONRPCError)):
            self.asked.ids.discard(item.message.id)

    async def aclose(self) -> None:
        """Close the stream."""
        await self.inner.aclose()

    def close(self) -> None:
        """Close the stream at once."""
        self.inner.close()

    async def __aenter__(self) -> Replies:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.aclose()


class Requests:
    """What is read; frames that are none are answered here and go no further."""

    def __init__(self, inner: Any, replies: Replies, asked: Asked) -> None:
        self.inner, self.replies, self.asked = inner, replies, asked

    @property
    def last_context(self) -> Any:
        """The context in which the last message was sent, as the SDK wants it."""
        return getattr(self.inner, "last_context", None)

    async def receive(self) -> SessionMessage | Exception:
        """The next message. Raises anyio.EndOfStream at the end, after the answers that are due."""
        while True:
            try:
                item = await self.inner.receive()
            except anyio.EndOfStream:
                with anyio.move_on_after(LAST_WAIT_S):
                    while self.asked.ids:
                        await anyio.sleep(0.01)
                raise
            if isinstance(item, Exception):
                await self.replies.send(SessionMessage(refusal(item)))
                continue
            if isinstance(item.message, types.JSONRPCRequest):
                self.asked.ids.add(item.message.id)
            elif isinstance(item.message, types.JSONRPCNotification) and item.message.method == "notifications/cancelled":
                self.asked.ids.discard((item.message.params or {}).get("requestId"))
            assert isinstance(item, SessionMessage)
            return item

    def __aiter__(self) -> Requests:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def aclose(self) -> None:
        """Close the stream."""
        await self.inner.aclose()

    def close(self) -> None:
        """Close the stream at once."""
        self.inner.close()

    async def __aenter__(self) -> Requests:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.aclose()
