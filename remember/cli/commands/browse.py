"""`remember browse`: the memory in a browser, read-only."""

from __future__ import annotations

from remember.cli.opening import memory_of
from remember.cli.options import COMMON, ROOT, SCOPE, STORES, Option, Spec
from remember.cli.output import safe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.cli.options import Args
    from remember.cli.output import Output

__all__ = ["SPEC"]


def run(args: Args, out: Output) -> int:
    """Serve until interrupted."""
    from remember.web.run import run_browser

    def told(address: str) -> None:
        out.line(address)
        out.flush()
        if out.terminal and not args.flag("no_open"):
            import webbrowser

            webbrowser.open(address)

    run_browser(memory_of(args), args.number("port") or 0, safe, told)
    return 0


SPEC = Spec(
    "browse",
    "Read and search memory in a browser, on this machine only, until interrupted (needs the extra `web`).",
    run,
    (),
    (
        Option("port", ("--port",), "int", "The port to listen on; any free one unless given.", metavar="N"),
        Option("no_open", ("--no-open",), "flag", "Only print the address; do not open a browser."),
        ROOT,
        SCOPE,
        *STORES,
        *COMMON,
    ),
    ("remember browse", "remember browse --store ./docs --no-open"),
)
