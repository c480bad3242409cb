"""`remember hook`: what an agent's own hook calls; it always ends with exit status 0."""

from __future__ import annotations

import os
import sys

from remember.cli.options import COMMON, Argument, Option, Spec
from remember.errors import IOFailure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.cli.options import Args
    from remember.cli.output import Output

__all__ = ["SPEC"]

_INPUT_BYTES = 16 << 20
_WAIT_S = 3.0
"""How long an input is waited for that its writer leaves open."""


def run(args: Args, out: Output) -> int:
    """Answer in the agent's contract."""
    from remember.memory.hooking import hook_reply, no_reply

    words, client = args.texts("event"), args.text("client") or ""
    if args.texts("astray"):
        text, remarks = no_reply(client), tuple(f"there is no option {word}" for word in args.texts("astray"))
    else:
        text, remarks = hook_reply(words[0] if words else "", client, _input(), os.environ)
    try:
        out.raw(text)
        out.out.flush()
    except (OSError, IOFailure):
        _give_up(out)
    for remark in remarks:
        out.warn(remark)
    return 0


def _input() -> bytes:
    """What the agent says of itself: to the end of input, or to the end of a whole JSON document; nobody is waited for long."""
    from select import select
    from time import monotonic

    data = b""
    end = monotonic() + _WAIT_S
    try:
        descriptor = sys.stdin.fileno()
        while not os.isatty(descriptor) and len(data) < _INPUT_BYTES and select([descriptor], [], [], max(0.0, end - monotonic()))[0]:
            piece = os.read(descriptor, 1 << 16)
            data += piece
            if not piece or (len(piece) < 1 << 16 and _whole(data)):
                break
    except (OSError, ValueError):
        return data  # no input, or what there is of it
    return data


def _whole(data: bytes) -> bool:
    if not data.rstrip().endswith(b"}"):
        return False
    import json

    try:
        json.loads(data)
    except (ValueError, RecursionError):
        return False
    return True


def _give_up(out: Output) -> None:
    """Nobody takes the answer: what is left of it goes nowhere, so that the end finds nothing to write."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, out.out.fileno())
    os.close(null)


SPEC = Spec(
    "hook",
    "Answer an agent's hook (session-start, prompt, session-end); reads its JSON on standard input, never fails.",
    run,
    (Argument("event", "EVENT", many=True, optional=True, offers=("session-start", "prompt", "session-end")),),
    (Option("client", ("--client",), "text", "claude, codex, gemini, pi or opencode.", metavar="NAME", offers=("<agent>",)), *COMMON),
    ("remember hook session-start --client claude", "remember hook session-end --client gemini"),
    forgiving=True,
)
