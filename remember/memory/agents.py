"""Agents' own configuration: what would change, shown as a diff, and done when that is agreed."""

from __future__ import annotations

import os
import sys

from remember._named import NamedTuple
from remember.hooks.agents import AGENTS
from remember.hooks.install import Installer
from remember.scope.config import load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from remember.hooks.install import Plan, Step

__all__ = ["AGENTS", "AgentSetup", "HooksPlan", "own_command"]

class HooksPlan(NamedTuple):
    """What is to be done: the files that change, how (unified diff lines), and what the user has still to do."""

    agent: str
    files: tuple[str, ...]
    diff: tuple[str, ...]
    notes: tuple[str, ...]
    plan: Plan

    def document(self) -> dict[str, object]:
        """The same for programs."""
        return {"files": list(self.files), "diff": "\n".join(self.diff), "notes": list(self.notes)}


class AgentSetup:
    """Hooks and MCP entries of one user."""

    def __init__(self, environ: Mapping[str, str] | None = None, command: Sequence[str] | None = None) -> None:
        self.environ = dict(os.environ) if environ is None else environ
        home = self.environ.get("HOME") or os.path.expanduser("~")
        config = load(self.environ, home)
        self.installer = Installer(command or own_command(), self.environ, home, config.data_dir)

    def install(self, agent: str) -> HooksPlan:
        """What installing would change. Raises RefusedInput, Conflict, IOFailure."""
        return _shown(self.installer.install(agent), _missing_extra())

    def uninstall(self, agent: str) -> HooksPlan:
        """What taking it out would change."""
        return _shown(self.installer.uninstall(agent), ())

    def apply(self, plan: HooksPlan) -> None:
        """Do what was shown. Raises ChangedOutside, IOFailure."""
        self.installer.apply(plan.plan)

    def status(self, agent: str) -> list[tuple[str, str]]:
        """(file, state) for each file of an agent."""
        return self.installer.status(agent)


def own_command() -> tuple[str, ...]:
    """This program as others can call it: the absolute path of the script, else the interpreter with `-m remember`."""
    script = sys.argv[0] if sys.argv else ""
    if os.path.basename(script).startswith("remember"):
        from shutil import which

        found = os.path.abspath(script) if os.sep in script else which(script)
        if found and os.access(found, os.X_OK):
            return (found,)
    return (sys.executable, "-m", "remember")


def _missing_extra() -> tuple[str, ...]:
    from importlib.util import find_spec

    if find_spec("mcp"):
        return ()
    from remember.extras import installing

    return (f"the MCP server cannot start: the extra `mcp` is not installed; {installing('mcp')}",)


def _shown(plan: Plan, more: tuple[str, ...]) -> HooksPlan:
    diff = tuple(line for step in plan.steps for line in _diff(step))
    return HooksPlan(plan.agent, tuple(step.path for step in plan.steps), diff, (*more, *plan.notes), plan)


def _diff(step: Step) -> list[str]:
    """Unified diff lines; credentials in the lines around a change are masked."""
    from difflib import unified_diff

    from remember.format.secrets import mask

    old, new = (step.before or "").splitlines(), (step.after or "").splitlines()
    names = (step.path if step.before is not None else "/dev/null", step.path if step.after is not None else "/dev/null")
    return [mask(line.rstrip("\n")) for line in unified_diff(old, new, *names, lineterm="", n=2)]
