"""Answers a prompt on standard input through the `llm` library: a worker like any other, so that the same limits hold it.

    python -P -m remember.harvest.model MODEL

Needs the extra `llm` (https://llm.datasette.io), and is the only module that imports it.
"""

from __future__ import annotations

import sys

__all__ = ["main"]


def main(arguments: list[str]) -> int:
    """Print the model's answer; the exit status is 1, with a line on standard error, where there is none."""
    try:
        import llm
    except ImportError:
        from remember.extras import installing

        return _failed(f"the library llm is not installed; {installing('llm')}")
    prompt = sys.stdin.buffer.read().decode("utf-8", "replace")
    try:
        model = llm.get_model(arguments[0])
    except llm.UnknownModelError:
        return _failed(f"llm knows no model {arguments[0]}")
    try:
        answer = model.prompt(prompt, stream=False).text()
    except Exception as error:  # plugins raise whatever they like: a missing key, a network that is down
        return _failed(f"{type(error).__name__}: {error}")
    sys.stdout.write(answer)
    return 0


def _failed(reason: str) -> int:
    sys.stderr.write(reason + "\n")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
