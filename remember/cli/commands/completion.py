"""`remember completion`: the script that teaches a shell our commands, options and memos."""

from __future__ import annotations

from remember.cli.options import COMMON, Argument, Spec
from remember.errors import RefusedInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.cli.options import Args
    from remember.cli.output import Output

__all__ = ["SPEC"]


def run(args: Args, out: Output) -> int:
    """Print the script of one shell."""
    from remember.cli.shells import SCRIPTS

    shell = str(args.text("shell"))
    if shell not in SCRIPTS:
        raise RefusedInput(f"there is no completion for {shell}", "shells are " + ", ".join(SCRIPTS))
    out.raw(SCRIPTS[shell])
    return 0


SPEC = Spec(
    "completion",
    "Print a script that completes commands, options, IDs, tags and names in bash, zsh or fish.",
    run,
    (Argument("shell", "SHELL", offers=("bash", "zsh", "fish")),),
    COMMON,
    ("remember completion bash", "remember completion zsh", "remember completion fish"),
)
