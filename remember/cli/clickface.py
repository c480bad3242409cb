"""The same commands for Click: help, completion, and a sentence for whatever is wrong with a command line."""

from __future__ import annotations

import click

from remember.cli.meant import INSTEAD, command_meant, near, option_meant
from remember.cli.options import Args, Argument, Option, Spec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

__all__ = ["explained", "group"]

_TYPES = {"text": click.STRING, "multi": click.STRING, "int": click.INT, "float": click.FLOAT}
_SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


class _Lazy(click.Group):
    """A group whose commands are imported when they are called or shown."""

    def __init__(self, verbs: Mapping[str, str], load: Callable[[str], Spec], invoke: Callable[[Spec, Args], int]) -> None:
        super().__init__(
            "remember",
            help="Durable memory in plain Markdown files, for you and your coding agents.",
            epilog="Begin with `remember init`, then `remember add TEXT` and `remember search WORDS`.",
            context_settings=_SETTINGS,
        )
        self.verbs = verbs
        self.load = load
        self.invoke_spec = invoke
        self.params.append(click.Option(["--version"], is_flag=True, help="Print the version."))

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.verbs)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in self.verbs:
            return None
        return _command(self.load(name), self.invoke_spec)

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        _suggest(ctx, args, [verb for verb in self.verbs if not self.load(verb).hidden])
        return super().resolve_command(ctx, args)


class _NoSuchCommand(click.UsageError):
    """A command that is not there, with those that are written nearly so."""

    def __init__(self, name: str, near: list[str], ctx: click.Context) -> None:
        super().__init__(f"there is no command {name!r}", ctx)
        self.near = near


def _suggest(ctx: click.Context, args: list[str], names: Sequence[str]) -> None:
    """Refuse a command that is not there; `names` are those that are worth naming."""
    group = ctx.command
    assert isinstance(group, click.Group)
    if args and not args[0].startswith("-") and group.get_command(ctx, args[0]) is None:
        raise _NoSuchCommand(args[0], command_meant(args[0], names, "" if ctx.parent is None else group.name or ""), ctx)


def explained(error: click.ClickException, verb: str = "") -> tuple[str, str]:
    """What is wrong with a command line that begins with that verb, and what may have been meant or where to look."""
    context = getattr(error, "ctx", None)
    command = context.command_path if context is not None else f"remember {verb}".rstrip()
    hint = f"see `{command} --help`"
    meant = ""
    message = error.format_message().rstrip(".")
    if isinstance(error, _NoSuchCommand):
        meant = _did_you_mean(error.near)
    elif isinstance(error, click.NoSuchOption):
        known = [flag for param in context.command.get_params(context) for flag in param.opts] if context is not None else []
        message = f"there is no option {error.option_name}"
        meant = option_meant(error.option_name, context.command.name or "" if context is not None else "", known)
    elif isinstance(error, click.BadParameter) and error.param is not None and isinstance(error.param.type, click.Choice):
        wrong = message.rpartition(": '")[2].partition("'")[0]
        meant = _did_you_mean(near(wrong, [str(choice) for choice in error.param.type.choices]))
    elif message.startswith("Got unexpected extra argument") and context is not None:
        meant = INSTEAD.get(context.command.name or "", "")
    if meant:
        hint = f"{meant}{'' if meant.endswith('?') else ';'} {hint}"
    return message[:1].lower() + message[1:], hint


def _did_you_mean(names: Sequence[str]) -> str:
    return f"did you mean {' or '.join(names)}?" if names else ""


class _Subgroup(click.Group):
    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        _suggest(ctx, args, [name for name, command in self.commands.items() if not command.hidden])
        return super().resolve_command(ctx, args)


def _command(spec: Spec, invoke: Callable[[Spec, Args], int]) -> click.Command:
    examples = spec.examples or tuple(sub.examples[0] for sub in spec.subcommands if sub.examples)[:3]
    epilog = "\b\nExamples:\n" + "\n".join(f"  {line}" for line in examples) if examples else None
    if spec.subcommands:
        made = _Subgroup(spec.name, help=spec.help, epilog=epilog, context_settings=_SETTINGS, hidden=spec.hidden)
        for sub in spec.subcommands:
            made.add_command(_command(sub, invoke))
        return made

    def callback(**values: object) -> int:
        return invoke(spec, Args(values))

    params: list[click.Parameter] = [
        click.Argument([a.dest], nargs=-1 if a.many else 1, required=not a.optional, metavar=_shown(a))
        for a in spec.arguments
    ]
    params += [_option(option) for option in spec.options]
    return click.Command(
        spec.name, params=params, callback=callback, help=spec.help, epilog=epilog, context_settings=_SETTINGS, hidden=spec.hidden
    )


def _shown(argument: Argument) -> str:
    name = f"[{argument.metavar}]" if argument.optional else argument.metavar
    return name + ("..." if argument.many else "")


def _option(option: Option) -> click.Option:
    names = [option.dest, *option.flags]
    if option.kind == "flag":
        return click.Option(names, is_flag=True, default=False, help=option.help)
    kind = click.Choice(option.choices) if option.kind == "choice" else _TYPES[option.kind]
    return click.Option(
        names,
        type=kind,
        multiple=option.kind == "multi",
        default=None if option.kind == "multi" else option.default,
        help=option.help,
        metavar=option.metavar or None,
    )


def group(verbs: Mapping[str, str], load: Callable[[str], Spec], invoke: Callable[[Spec, Args], int]) -> click.Group:
    """The whole command line as a Click group; `load` gives a verb's Spec, `invoke` runs it."""
    return _Lazy(verbs, load, invoke)
