"""`remember hook`: what an agent's own hook calls; it always ends with exit status 0."""

from __future__ import annotations

import os
import sys

from remember.cli.options import COMMON, Argument, Option, Spec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.cli.options import Args
    from remember.cli.output import Output

__all__ = ["SPEC"]

_INPUT_BYTES = 16 << 20


def run(args: Args, out: Output) -> int:
    """Answer in the agent's contract."""
    from remember.memory.hooking import hook_reply

    words = args.texts("event")
    try:
        data = b"" if sys.stdin.isatty() else sys.stdin.buffer.read(_INPUT_BYTES)
    except (OSError, ValueError):
        data = b""
    text, trouble = hook_reply(words[0] if words else "", args.text("client") or "", data, os.environ)
    try:
        out.raw(text)
        out.out.flush()
    except OSError:
        return 0  # nobody listens, and nobody is to be kept waiting
    if trouble:
        out.remark(trouble)
    return 0


SPEC = Spec(
    "hook",
    "Answer an agent's hook (session-start, prompt, session-end); reads its JSON on standard input, never fails.",
    run,
    (Argument("event", "EVENT", many=True, optional=True),),
    (Option("client", ("--client",), "text", "claude, codex, gemini, pi or opencode.", metavar="NAME"), *COMMON),
    ("remember hook session-start --client claude",),
)
