"""`remember hooks`: memory in agents' own configuration, put in and taken out exactly."""

from __future__ import annotations

from remember.cli.options import COMMON, JSON, Argument, Option, Spec
from remember.cli.output import safe
from remember.errors import RefusedInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.cli.options import Args
    from remember.cli.output import Output
    from remember.memory.agents import AgentSetup, HooksPlan

__all__ = ["SPEC"]


def install(args: Args, out: Output) -> int:
    """Put the entries in, after a yes."""
    from remember.memory.agents import AgentSetup

    setup = AgentSetup()
    plan = setup.install(_agent(args))
    return _do(setup, plan, "installed", args, out)


def uninstall(args: Args, out: Output) -> int:
    """Take the entries out, after a yes."""
    from remember.memory.agents import AgentSetup

    setup = AgentSetup()
    plan = setup.uninstall(_agent(args))
    return _do(setup, plan, "uninstalled", args, out)


def _agent(args: Args) -> str:
    from remember.memory.agents import AGENTS

    agent = str(args.text("agent"))
    if agent not in AGENTS:
        raise RefusedInput(f"there is no agent {agent}", "agents are " + ", ".join(AGENTS))
    return agent


def _do(setup: AgentSetup, plan: HooksPlan, done: str, args: Args, out: Output) -> int:
    dry, as_json = args.flag("dry_run"), args.flag("json")
    if not as_json:
        for line in plan.diff:
            out.line(_colored(line, out))
        for note in plan.notes:
            out.line(f"note: {safe(note)}")
    if plan.files and not dry and not args.flag("yes"):
        answer = out.confirm(f"Change {len(plan.files)} file{'s' if len(plan.files) > 1 else ''} of {plan.agent}?")
        if answer is None:
            raise RefusedInput("nobody can be asked whether to change these files; nothing was changed", "pass --yes")
        if not answer:
            out.line("nothing was changed")
            return 0
    if not dry:
        setup.apply(plan)
    if as_json:
        out.json({"agent": plan.agent, "dry_run": dry, "changed": bool(plan.files) and not dry, **plan.document()})
        return 0
    if not plan.files:
        out.line(f"nothing to change for {plan.agent}")
    elif not dry:
        out.line(f"{done} for {plan.agent}")
    return 0


def _colored(line: str, out: Output) -> str:
    style = {"+": "green", "-": "red", "@": "cyan"}.get(line[:1])
    return out.style(safe(line), style) if style else safe(line)


def status(args: Args, out: Output) -> int:
    """What is installed where; exit status 1 where an agent that was named has not everything."""
    from remember.memory.agents import AGENTS, AgentSetup

    setup = AgentSetup()
    named = args.text("agent")
    agents = [_agent(args)] if named else list(AGENTS)
    rows = [{"agent": agent, "path": path, "state": state} for agent in agents for path, state in setup.status(agent)]
    if args.flag("json"):
        out.json({"files": rows})
    else:
        for row in rows:
            out.line(f"{row['agent']}: {row['state']}  {safe(row['path'])}")
    return 1 if named and any(row["state"] != "installed" for row in rows) else 0


_AGENT = (Argument("agent", "AGENT"),)
_OPTIONS = (
    Option("yes", ("--yes", "-y"), "flag", "Do not ask."),
    Option("dry_run", ("--dry-run",), "flag", "Only show what would change."),
    JSON,
    *COMMON,
)

SPEC = Spec(
    "hooks",
    "Put memory into an agent's own configuration (claude, codex, gemini, pi, opencode), or take it out again.",
    None,
    subcommands=(
        Spec(
            "install",
            "Put hook and MCP entry in; shows it and asks.",
            install,
            _AGENT,
            _OPTIONS,
            ("remember hooks install claude --dry-run", "remember hooks install codex --yes"),
        ),
        Spec(
            "uninstall",
            "Take exactly that out.",
            uninstall,
            _AGENT,
            _OPTIONS,
            ("remember hooks uninstall claude --dry-run", "remember hooks uninstall codex --yes"),
        ),
        Spec(
            "status",
            "Say what is installed where.",
            status,
            (Argument("agent", "AGENT", optional=True),),
            (JSON, *COMMON),
            ("remember hooks status", "remember hooks status claude --json"),
        ),
    ),
)
