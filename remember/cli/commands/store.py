"""`remember store`: registered stores of any layout."""

from __future__ import annotations

from remember.cli.options import COMMON, JSON, Argument, Option, Spec
from remember.cli.output import safe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.cli.options import Args
    from remember.cli.output import Output

__all__ = ["SPEC"]


def _row(store: object) -> dict[str, object]:
    return dict(store._asdict())  # type: ignore[attr-defined]


def add(args: Args, out: Output) -> int:
    """Register a store."""
    from remember.setup import Setup

    store = Setup().store_add(str(args.text("name")), str(args.text("path")), args.text("layout"))
    if args.flag("json"):
        out.json(_row(store))
    else:
        out.line(f"registered {safe(store.name)} ({store.layout})  {safe(store.path)}")
    return 0


def show(args: Args, out: Output) -> int:
    """List registered stores."""
    from remember.setup import Setup

    stores = Setup().store_list()
    if args.flag("json"):
        out.json({"stores": [_row(store) for store in stores]})
    else:
        for store in stores:
            out.line(f"{out.style(safe(store.name), 'bold')}  {store.layout}  {safe(store.path)}")
    return 0


def remove(args: Args, out: Output) -> int:
    """Forget a registration."""
    from remember.setup import Setup

    store = Setup().store_remove(str(args.text("name")))
    if args.flag("json"):
        out.json(_row(store))
    else:
        out.line(f"no longer registered: {safe(store.name)} (its files stay in {safe(store.path)})")
    return 0


SPEC = Spec(
    "store",
    "Register further stores by name: another store, an Obsidian vault, any folder of Markdown.",
    None,
    subcommands=(
        Spec(
            "add",
            "Register a store.",
            add,
            (Argument("name", "NAME"), Argument("path", "PATH")),
            (Option("layout", ("--layout",), "text", "How it is laid out (recognised where not given).", metavar="LAYOUT"), JSON, *COMMON),
            ("remember store add docs ./docs",),
        ),
        Spec("list", "List registered stores.", show, (), (JSON, *COMMON), ("remember store list",)),
        Spec(
            "remove",
            "Forget a registration; the files stay.",
            remove,
            (Argument("name", "NAME"),),
            (JSON, *COMMON),
            ("remember store remove docs",),
        ),
    ),
)
