"""A model on the loopback interface that speaks four wire formats: it calls the tools it was told to, in turn, then answers."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

ANSWER = "the loopback model has answered"
Json = dict[str, Any]


class Call(NamedTuple):
    """A tool by the end of its name, and its arguments."""

    tool: str
    arguments: Json


class Request(NamedTuple):
    """What a client asked the model."""

    path: str
    body: Json


class Dialect(NamedTuple):
    """A wire format: how its path ends, the tools it offers, the results it brings, and how an answer is written."""

    matches: Callable[[str], bool]
    tools: Callable[[Json], list[tuple[str, str]]]
    results: Callable[[Json], list[str]]
    answer: Callable[[Json, str, int, tuple[str, str] | None, Json], tuple[bytes, str]]


def _plain(value: object) -> str:
    """The text in a result: texts as they are, all else as JSON."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "\n".join(_plain(item) for item in value)
    if isinstance(value, dict) and isinstance(value.get("text"), str):
        return value["text"]
    return json.dumps(value, ensure_ascii=False)


def _events(rows: Sequence[tuple[str, Json | str]]) -> tuple[bytes, str]:
    lines = (
        (f"event: {name}\n" if name else "") + "data: " + (data if isinstance(data, str) else json.dumps(data)) + "\n\n"
        for name, data in rows
    )
    return "".join(lines).encode(), "text/event-stream"


def _blocks(body: Json, role: str, kind: str) -> Iterator[Json]:
    for message in body.get("messages", []):
        if message.get("role") == role and isinstance(message.get("content"), list):
            yield from (block for block in message["content"] if block.get("type") == kind)


# --- Anthropic messages: Claude Code


def _anthropic(body: Json, path: str, number: int, tool: tuple[str, str] | None, arguments: Json) -> tuple[bytes, str]:
    empty: Json = {"id": f"m{number}", "type": "message", "role": "assistant", "model": "stub", "content": []}
    message = {**empty, "stop_reason": None, "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1}}
    if tool:
        block: Json = {"type": "tool_use", "id": f"toolu_{number}", "name": tool[1], "input": {}}
        whole, stop = {**block, "input": arguments}, "tool_use"
        delta: Json = {"type": "input_json_delta", "partial_json": json.dumps(arguments)}
    else:
        block, stop = {"type": "text", "text": ""}, "end_turn"
        whole, delta = {"type": "text", "text": ANSWER}, {"type": "text_delta", "text": ANSWER}
    if not body.get("stream"):
        return json.dumps({**message, "content": [whole], "stop_reason": stop}).encode(), "application/json"
    rows: list[Json] = [
        {"type": "message_start", "message": message},
        {"type": "content_block_start", "index": 0, "content_block": block},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": None}, "usage": {"output_tokens": 1}},
        {"type": "message_stop"},
    ]
    return _events([(row["type"], row) for row in rows])


# --- OpenAI chat completions: pi, OpenCode


def _chat(body: Json, path: str, number: int, tool: tuple[str, str] | None, arguments: Json) -> tuple[bytes, str]:
    base = {"id": f"c{number}", "object": "chat.completion.chunk", "created": 1, "model": "stub"}
    if tool:
        function = {"name": tool[1], "arguments": json.dumps(arguments)}
        delta: Json = {"role": "assistant", "tool_calls": [{"index": 0, "id": f"call_{number}", "type": "function", "function": function}]}
    else:
        delta = {"role": "assistant", "content": ANSWER}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    end = {**base, "choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls" if tool else "stop"}], "usage": usage}
    return _events([("", {**base, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}), ("", end), ("", "[DONE]")])


# --- OpenAI responses: Codex, whose tools lie in namespaces


def _responses_tools(body: Json) -> list[tuple[str, str]]:
    found = []
    for tool in body.get("tools", []):
        space = tool["name"] if tool.get("type") == "namespace" else ""
        found += [(space, inner.get("name", "")) for inner in (tool.get("tools", []) if space else [tool])]
    return found


def _responses(body: Json, path: str, number: int, tool: tuple[str, str] | None, arguments: Json) -> tuple[bytes, str]:
    if tool:
        item: Json = {"type": "function_call", "id": f"fc_{number}", "call_id": f"call_{number}", "name": tool[1], "status": "completed"}
        item |= {"arguments": json.dumps(arguments), **({"namespace": tool[0]} if tool[0] else {})}
    else:
        text = {"type": "output_text", "text": ANSWER, "annotations": []}
        item = {"type": "message", "id": f"m_{number}", "role": "assistant", "status": "completed", "content": [text]}
    details = {"input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}
    usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2, **details}
    whole = {"id": f"r{number}", "object": "response", "created_at": 1, "model": "stub", "status": "completed"}
    whole |= {"output": [item], "usage": usage}
    return _events(
        [
            ("response.created", {"type": "response.created", "response": {**whole, "status": "in_progress", "output": []}}),
            ("response.output_item.done", {"type": "response.output_item.done", "output_index": 0, "item": item}),
            ("response.completed", {"type": "response.completed", "response": whole}),
        ]
    )


# --- Gemini


def _gemini_results(body: Json) -> list[str]:
    parts = [part for content in body.get("contents", []) for part in content.get("parts", [])]
    return [_plain(part["functionResponse"].get("response", {}).get("output", part)) for part in parts if "functionResponse" in part]


def _gemini(body: Json, path: str, number: int, tool: tuple[str, str] | None, arguments: Json) -> tuple[bytes, str]:
    part = {"functionCall": {"name": tool[1], "args": arguments}} if tool else {"text": ANSWER}
    usage = {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}
    candidate = {"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}
    reply = {"candidates": [candidate], "usageMetadata": usage}
    if "stream" in path.lower():
        return _events([("", reply)])
    return json.dumps(reply).encode(), "application/json"


DIALECTS = (
    Dialect(
        lambda path: path.endswith("/messages"),
        lambda body: [("", tool.get("name", "")) for tool in body.get("tools", [])],
        lambda body: [_plain(block.get("content")) for block in _blocks(body, "user", "tool_result")],
        _anthropic,
    ),
    Dialect(
        lambda path: path.endswith("/chat/completions"),
        lambda body: [("", tool["function"]["name"]) for tool in body.get("tools", [])],
        lambda body: [_plain(m.get("content")) for m in body.get("messages", []) if m.get("role") == "tool"],
        _chat,
    ),
    Dialect(
        lambda path: path.endswith("/responses"),
        _responses_tools,
        lambda body: [_plain(item.get("output")) for item in body.get("input", []) if item.get("type") == "function_call_output"],
        _responses,
    ),
    Dialect(
        lambda path: "enerateContent" in path,
        lambda body: [("", row["name"]) for tool in body.get("tools", []) for row in tool.get("functionDeclarations", [])],
        _gemini_results,
        _gemini,
    ),
)


class Loopback:
    """The model: `calls` are made in turn in each conversation; `requests` is what it was asked."""

    def __init__(self, calls: Sequence[Call]) -> None:
        self.calls, self.requests = tuple(calls), list[Request]()
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)

    def __enter__(self) -> Loopback:
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.server.server_close()

    def reply(self, path: str, body: Json) -> tuple[bytes, str]:
        """The answer to a request of any dialect; an empty object to what is none."""
        self.requests.append(Request(path, body))
        dialect = _dialect(path)
        if dialect is None:
            return b"{}", "application/json"
        number = len(dialect.results(body))
        call = self.calls[number] if number < len(self.calls) else None
        tool = next((t for t in dialect.tools(body) if call and t[1].endswith(call.tool)), None)
        return dialect.answer(body, path, number, tool, call.arguments if call else {})

    def tools(self) -> set[str]:
        """The names of all tools that were offered to the model."""
        return {name for r in self.requests if (d := _dialect(r.path)) for _, name in d.tools(r.body)}

    def results(self) -> list[str]:
        """The results of the tools in the longest conversation, as the model saw them."""
        found = [d.results(r.body) for r in self.requests if (d := _dialect(r.path))]
        return max(found, key=len, default=[])

    def first(self) -> str:
        """The first request that offers tools, as JSON."""
        offered = (r for r in self.requests if (d := _dialect(r.path)) and d.tools(r.body))
        request = next(offered, None)
        return json.dumps(request.body, ensure_ascii=False) if request else ""


def _dialect(path: str) -> Dialect | None:
    return next((dialect for dialect in DIALECTS if dialect.matches(path)), None)


def _handler(model: Loopback) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            """Say nothing."""

        def give(self, data: bytes, kind: str) -> None:
            self.send_response(200)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def do_HEAD(self) -> None:
            self.give(b"", "text/plain")

        def do_GET(self) -> None:
            self.give(b'{"object":"list","data":[{"id":"stub","object":"model"}],"models":[]}', "application/json")

        def do_POST(self) -> None:
            size = int(self.headers.get("content-length") or 0)
            try:
                body = json.loads(self.rfile.read(size) or b"{}")
            except ValueError:
                body = {}
            self.give(*model.reply(self.path.split("?")[0], body if isinstance(body, dict) else {}))

    return Handler
