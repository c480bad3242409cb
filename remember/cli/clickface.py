"""The same commands for Click: help, completion, and a sentence for whatever is wrong with a command line."""

from __future__ import annotations

from difflib import get_close_matches

import click

from remember.cli.options import Args, Option, Spec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["group"]

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
        _suggest(ctx, args, self.verbs)
        return super().resolve_command(ctx, args)


def _suggest(ctx: click.Context, args: list[str], names: Mapping[str, object]) -> None:
    if args and not args[0].startswith("-") and args[0] not in names:
        near = get_close_matches(args[0], list(names), 3, 0.5)
        hint = f" Did you mean {' or '.join(near)}?" if near else " See `remember --help`."
        ctx.fail(f"there is no command {args[0]!r}.{hint}")


class _Subgroup(click.Group):
    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        _suggest(ctx, args, self.commands)
        return super().resolve_command(ctx, args)


def _command(spec: Spec, invoke: Callable[[Spec, Args], int]) -> click.Command:
    epilog = "\b\nExamples:\n" + "\n".join(f"  {line}" for line in spec.examples) if spec.examples else None
    if spec.subcommands:
        made = _Subgroup(spec.name, help=spec.help, epilog=epilog, context_settings=_SETTINGS, hidden=spec.hidden)
        for sub in spec.subcommands:
            made.add_command(_command(sub, invoke))
        return made

    def callback(**values: object) -> int:
        return invoke(spec, Args(values))

    params: list[click.Parameter] = [
        click.Argument([a.dest], nargs=-1 if a.many else 1, required=not a.optional, metavar=a.metavar + ("..." if a.many else ""))
        for a in spec.arguments
    ]
    params += [_option(option) for option in spec.options]
    return click.Command(
        spec.name, params=params, callback=callback, help=spec.help, epilog=epilog, context_settings=_SETTINGS, hidden=spec.hidden
    )


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
