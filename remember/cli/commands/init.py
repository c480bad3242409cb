"""`remember init`: make and trust a local store."""

from __future__ import annotations

from remember.cli.options import COMMON, JSON, ROOT, Option, Spec
from remember.cli.output import safe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.cli.options import Args
    from remember.cli.output import Output

__all__ = ["SPEC"]


def run(args: Args, out: Output) -> int:
    """Make the store; one that came with a repository is trusted only after a yes."""
    from remember.setup import Setup

    setup = Setup()
    done = setup.init(args.text("root"), args.flag("trust"))
    if not done.made and not done.trusted and not args.flag("json"):
        answer = out.confirm(f"{safe(done.store)} was there already. Trust what is in it, and show it to agents?")
        if answer:
            done = setup.init(args.text("root"), True)
    if args.flag("json"):
        out.json({"root": done.root, "store": done.store, "made": done.made, "trusted": done.trusted})
        return 0
    out.line(f"{'made' if done.made else 'already there:'} {safe(done.store)}")
    if not done.trusted:
        out.warn(f"{done.root} is not trusted yet: look at the store, then run `remember trust add {done.root}`")
    elif done.made and not out.quiet:
        out.line('next: remember add "what is worth remembering"')
    return 0


SPEC = Spec(
    "init",
    "Make a memory store in this workspace (.pi/memory) and trust it.",
    run,
    (),
    (Option("trust", ("--trust",), "flag", "Trust a store that was there already."), ROOT, JSON, *COMMON),
    ("remember init", "remember init --root ~/homelab"),
)
