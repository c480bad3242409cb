"""`remember store`: registered stores of any layout."""

from __future__ import annotations

from remember.cli.options import COMMON, JSON, ROOT, Argument, Option, Spec
from remember.cli.output import safe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.cli.options import Args
    from remember.cli.output import Output
    from remember.setup import Discovery

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
        beside = f" and {safe(store.public)}" if store.public else ""
        out.line(f"registered {safe(store.name)} ({store.layout})  {safe(store.path)}{beside}")
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


def discover(args: Args, out: Output) -> int:
    """Name the memory of other programs, and register it after a yes; exit status 1 where there is none."""
    from remember.setup import Setup

    setup = Setup()
    root, found = setup.store_discover(args.text("root"))
    as_json = args.flag("json")
    if not as_json:
        for one in found:
            _print_found(one, out)
    offered = [one for one in found if one.can_register]
    wanted = args.flag("register")
    if offered and not wanted and not as_json:
        wanted = bool(out.confirm(f"Register {len(offered)} store{'s' if len(offered) > 1 else ''}?"))
    done = [setup.store_add(one.found.name, one.found.path, one.found.layout, root) for one in offered] if wanted else []
    if as_json:
        from remember.documents import discovery_document

        out.json(discovery_document(root, [(one.found, one.registered, one.command) for one in found], [store.name for store in done]))
    else:
        for store in done:
            out.line(f"registered {safe(store.name)} ({store.layout})  {safe(store.path)}")
        if not found:
            out.line(f"no memory of other programs was found for {safe(root)}")
    return 0 if found else 1


def _print_found(one: Discovery, out: Output) -> None:
    layout = one.found.layout or "only imported"
    out.line(f"{out.style(one.found.agent, 'bold')}  {layout}  {safe(one.found.path)}")
    for warning in one.found.warnings:
        out.line(f"    note: {safe(warning)}")
    out.line(f"    registered as {safe(one.registered)}" if one.registered else f"    {safe(one.command)}")


SPEC = Spec(
    "store",
    "Register further stores by name: another store, an Obsidian vault, any folder of Markdown.",
    None,
    subcommands=(
        Spec(
            "add",
            "Register a store.",
            add,
            (Argument("name", "NAME"), Argument("path", "PATH", offers=("<folder>",))),
            (Option("layout", ("--layout",), "text", "How it is laid out (recognised where not given).", metavar="LAYOUT"), JSON, *COMMON),
            ("remember store add docs ./docs", "remember store add handbook ./docs --layout vault"),
        ),
        Spec(
            "discover",
            "Find the memory of other programs for this workspace: Claude Code, ZCode, pi's memory tools, basic-memory, Codex.",
            discover,
            (),
            (Option("register", ("--register",), "flag", "Register what was found, without asking."), ROOT, JSON, *COMMON),
            ("remember store discover", "remember store discover --register"),
        ),
        Spec("list", "List registered stores.", show, (), (JSON, *COMMON), ("remember store list", "remember store list --json")),
        Spec(
            "remove",
            "Forget a registration; the files stay.",
            remove,
            (Argument("name", "NAME", offers=("<store>",)),),
            (JSON, *COMMON),
            ("remember store remove docs", "remember store remove docs --json"),
        ),
    ),
)
