"""`remember git`: one memory on several machines, carried by git and merged by memo."""

from __future__ import annotations

from remember.cli.options import COMMON, Argument, Spec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.cli.options import Args
    from remember.cli.output import Output

__all__ = ["SPEC"]


def merge_driver(args: Args, out: Output) -> int:
    """Merge three files into the second, as git asks; 1 where there is a conflict."""
    from remember.sync.driver import drive

    status, said = drive(*(str(args.text(name)) for name, _ in _WORDS))
    for line in said:
        out.warn(line)
    return status


_WORDS = (("kind", "KIND"), ("base", "BASE"), ("ours", "OURS"), ("theirs", "THEIRS"), ("size", "MARKER_SIZE"), ("path", "PATH"))
_DRIVER = tuple(Argument(name, metavar) for name, metavar in _WORDS)

SPEC = Spec(
    "git",
    "Share memory between machines with git, merged by memo.",
    None,
    subcommands=(Spec("merge-driver", "What git runs to merge a memory file.", merge_driver, _DRIVER, COMMON, (), hidden=True),),
)
