"""`remember trust`: workspaces whose store may be shown to agents."""

from __future__ import annotations

from remember.cli.options import COMMON, JSON, Argument, Spec
from remember.cli.output import safe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.cli.options import Args
    from remember.cli.output import Output

__all__ = ["SPEC"]


def add(args: Args, out: Output) -> int:
    """Trust a root."""
    from remember.setup import Setup

    root, new = Setup().trust_add(args.text("root"))
    if args.flag("json"):
        out.json({"root": root, "changed": new})
    else:
        out.line(f"{'trusted' if new else 'trusted already:'} {safe(root)}")
    return 0


def remove(args: Args, out: Output) -> int:
    """Trust a root no longer; exit status 1 where it was not trusted."""
    from remember.setup import Setup

    root, was = Setup().trust_remove(args.text("root"))
    if args.flag("json"):
        out.json({"root": root, "changed": was})
    else:
        out.line(f"{'no longer trusted:' if was else 'was not trusted:'} {safe(root)}")
    return 0 if was else 1


def show(args: Args, out: Output) -> int:
    """List trusted roots."""
    from remember.setup import Setup

    roots = Setup().trust_list()
    if args.flag("json"):
        out.json({"roots": list(roots)})
    else:
        for root in roots:
            out.line(safe(root))
    return 0


_ROOT = (Argument("root", "ROOT", optional=True),)
_TRUSTED = (Argument("root", "ROOT", optional=True, offers=("<root>",)),)

SPEC = Spec(
    "trust",
    "Trust the store that came with a workspace, so that agents may see it.",
    None,
    subcommands=(
        Spec("add", "Trust a workspace (this one).", add, _ROOT, (JSON, *COMMON), ("remember trust add .", "remember trust add")),
        Spec("remove", "Trust it no longer.", remove, _TRUSTED, (JSON, *COMMON), ("remember trust remove .", "remember trust remove")),
        Spec("list", "List trusted workspaces.", show, (), (JSON, *COMMON), ("remember trust list", "remember trust list --json")),
    ),
)
