"""`remember config`: settings with their sources."""

from __future__ import annotations

from remember.cli.options import COMMON, JSON, Argument, Option, Spec
from remember.cli.output import safe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.cli.options import Args
    from remember.cli.output import Output

__all__ = ["SPEC"]


def show(args: Args, out: Output) -> int:
    """Print each value and where it came from."""
    from remember.setup import Setup

    settings = Setup().config_show(args.texts("key"))
    if args.flag("json"):
        out.json({"settings": [dict(setting._asdict()) for setting in settings]})
        return 0
    for setting in settings:
        value = "-" if setting.value is None else str(setting.value).lower() if isinstance(setting.value, bool) else str(setting.value)
        out.line(f"{out.style(setting.key, 'bold')} = {safe(value)}  {out.style('(' + safe(setting.source) + ')', 'dim')}")
        if out.verbose:
            out.line(f"    {setting.meaning}")
    return 0


def path(args: Args, out: Output) -> int:
    """Print the path of the user's file."""
    from remember.setup import Setup

    place = Setup().config_path()
    out.json({"path": place}) if args.flag("json") else out.line(safe(place))
    return 0


def put(args: Args, out: Output) -> int:
    """Set one value in the user's file, or the project's."""
    from remember.setup import Setup

    key, value, project = str(args.text("key")), str(args.text("value")), args.flag("project")
    setup = Setup()
    place = setup.config_set(key, value, project)
    if args.flag("json"):
        out.json({"key": key, "value": value, "path": place})
    elif not out.quiet:
        out.line(f"{key} = {safe(value)}  in {safe(place)}")
    in_force = Setup().config_show([key])[0]
    if in_force.source != place and not in_force.source.startswith("default"):
        out.warn(f"{in_force.source} has {key} too, and counts more")
    elif in_force.source != place:
        out.warn("the project's settings count once its root is trusted: `remember trust add`")
    return 0


def unset(args: Args, out: Output) -> int:
    """Take one value out of the user's file, or the project's; 1 where it was not there."""
    from remember.setup import Setup

    key = str(args.text("key"))
    place, was_there = Setup().config_unset(key, args.flag("project"))
    if args.flag("json"):
        out.json({"key": key, "path": place, "changed": was_there})
    else:
        out.line(f"{key} is {'out of' if was_there else 'not in'} {safe(place)}")
    return 0 if was_there else 1


def edit(args: Args, out: Output) -> int:
    """Open the user's file in the editor."""
    from remember.cli.body import from_editor
    from remember.setup import Setup

    setup = Setup()
    text = setup.config_text()
    new = from_editor(text, ".toml")
    changed = new != text
    if changed:
        setup.config_write(new)
    if args.flag("json"):
        out.json({"path": setup.config_path(), "changed": changed})
    else:
        out.line(f"{'saved' if changed else 'nothing changed:'} {safe(setup.config_path())}")
    return check(args, out) if changed and not args.flag("json") else 0


def check(args: Args, out: Output) -> int:
    """Name every problem of the configuration; exit status 1 where there is one."""
    from remember.setup import Setup

    problems = Setup().config_check()
    if args.flag("json"):
        out.json({"problems": problems})
    else:
        for problem in problems:
            out.line(safe(problem))
        if not problems and not out.quiet:
            out.line("the configuration is in order")
    return 1 if problems else 0


PROJECT = Option("project", ("--project",), "flag", "Of this workspace: .pi/remember.toml below its root.")

SPEC = Spec(
    "config",
    "Settings: command line, environment, project, user file, defaults, in that order.",
    None,
    subcommands=(
        Spec(
            "show",
            "Print each value and its source; -v says what each is.",
            show,
            (Argument("key", "KEY", many=True, optional=True),),
            (JSON, *COMMON),
            ("remember config show", "remember config show color -v", "remember config show --json"),
        ),
        Spec("path", "Print where the user's file is.", path, (), (JSON, *COMMON), ("remember config path", "remember config path --json")),
        Spec(
            "set",
            "Set one value in the user's file, or the project's.",
            put,
            (Argument("key", "KEY"), Argument("value", "VALUE")),
            (PROJECT, JSON, *COMMON),
            ("remember config set inject_chars_local 5000", "remember config set color never --project"),
        ),
        Spec(
            "unset",
            "Take one value out of the user's file, or the project's.",
            unset,
            (Argument("key", "KEY"),),
            (PROJECT, JSON, *COMMON),
            ("remember config unset color", "remember config unset inject_chars_local --project"),
        ),
        Spec(
            "edit",
            "Open the user's file in $EDITOR.",
            edit,
            (),
            (JSON, *COMMON),
            ("remember config edit", "EDITOR=nano remember config edit"),
        ),
        Spec(
            "check",
            "Name unknown keys and invalid values.",
            check,
            (),
            (JSON, *COMMON),
            ("remember config check", "remember config check --json"),
        ),
    ),
)
