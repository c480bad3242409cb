"""`remember status`: which stores are meant, what is in them, and what to do next."""

from __future__ import annotations

from remember.cli.opening import memory_of
from remember.cli.options import COMMON, JSON, ROOT, SCOPE, STORES, Option, Spec
from remember.cli.output import safe
from remember.format.counts import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.cli.options import Args
    from remember.cli.output import Output

    Document = dict[str, object]

__all__ = ["SPEC"]


def run(args: Args, out: Output) -> int:
    """Print the state of each store; works before `init` and changes nothing."""
    states = memory_of(args).status()
    if args.flag("json"):
        out.json({"stores": states})
        return 0
    for state in states:
        _brief(state, out) if args.flag("brief") else _full(state, out)
    if args.flag("brief"):
        _next_steps(states, out)
    return 0


def _summary(state: Document) -> str:
    memos = state["memos"]
    if state["error"]:
        return str(state["error"])
    if not state["initialised"]:
        return "not there yet"
    assert isinstance(memos, dict)
    parts = [counted(memos["facts"], "fact"), counted(memos["notes"], "note")]
    if memos["broken"]:
        parts.append(f"{memos['broken']} with a broken header")
    return ", ".join(parts)


def _brief(state: Document, out: Output) -> None:
    out.line(f"{out.style(safe(str(state['store'])), 'bold'):8} {safe(_summary(state))}  {out.style(safe(str(state['path'])), 'dim')}")


def _full(state: Document, out: Output) -> None:
    out.line(f"{out.style(safe(str(state['store'])), 'bold')}  {safe(_summary(state))}")
    recovery, index = state["recovery"], state["index"]
    assert isinstance(recovery, dict)
    assert isinstance(index, dict)
    rows = [("path", state["path"]), ("chosen by", state["chosen_by"]), ("layout", state["layout"])]
    if state["root"]:
        rows += [("root", state["root"]), ("trusted", "yes" if state["trusted"] else "no")]
    if state["initialised"] and not state["error"]:
        if state["layout"] == "remember":
            rows.append(("format", "legacy" if state["format_version"] is None else f"version {state['format_version']}"))
        rows.append(("size", f"{counted(state['bytes'], 'byte')} in {counted(state.get('files'), 'file')}"))
        foreign = f", {recovery['foreign']} foreign" if recovery["foreign"] else ""
        rows.append(("recovery", f"{counted(recovery['records'], 'record')}{foreign} in {recovery['path']}"))
    size = counted(index["bytes"], "byte") if index["present"] else "not made yet"
    rows.append(("index", f"{index['path']} ({size})"))
    for name, value in rows:
        out.line(f"  {out.style(name, 'dim'):10} {safe(str(value))}")
    for warning in state.get("warnings", ()):  # type: ignore[attr-defined]
        out.warn(f"{state['store']}: {warning}")


def _next_steps(states: list[Document], out: Output) -> None:
    out.line()
    if not any(state["initialised"] for state in states if state["scope"] == "local"):
        out.line("remember init                  make a store for this workspace")
    out.line('remember add "a fact"          remember one line')
    out.line("remember search WORDS          find it again")
    out.line("remember --help                everything else")


SPEC = Spec(
    "status",
    "Say which stores are meant, what is in them and where; works before init.",
    run,
    (),
    (Option("brief", ("--brief",), "flag", "A line a store, and the next steps."), ROOT, SCOPE, *STORES, JSON, *COMMON),
    ("remember status", "remember status --all --json"),
)
