"""The tables of the documents, made from what they describe; `bash .ci/tables -r` writes them anew."""

from __future__ import annotations

import cog

__all__ = ["codes", "commands", "figures", "messages", "settings"]

_SHOWN = ("S9", "B3", "B4", "S3", "S4", "R1", "E1", "W1", "W3")


def commands() -> None:
    """README: each command and what it does."""
    from remember.cli import VERBS, _load

    cog.outl("| command | does |\n|---|---|")
    for verb in VERBS:
        spec = _load(verb)
        if not spec.hidden:
            cog.outl(f"| `{verb}` | {spec.help} |")


def figures() -> None:
    """README: some of the measured ratios."""
    notes = ""
    cog.outl("| notes | what | wall clock, or figure | CPU | wanted |\n|---:|---|---:|---:|---:|")
    with open("benchmarks/README.md", encoding="utf-8") as file:
        for line in file:
            if line.startswith("`benchmarks/run "):
                notes = line.split()[1].strip("`")
            cells = [cell.strip() for cell in line.split("|")]
            if len(cells) == 8 and cells[1] in _SHOWN:
                cog.outl(f"| {int(notes):,} | {cells[2]} | {cells[3]} | {cells[4]} | {cells[5]} |")


def codes() -> None:
    """docs/checks.md: every code of the checker."""
    from remember.check.codes import table

    cog.out("\n" + table() + "\n")


def messages() -> None:
    """docs/troubleshooting.md: the code words of errors."""
    from remember import errors

    cog.outl("| code | exit | means |\n|---|---|---|")
    rows = {}
    for name in errors.__all__:
        kind = getattr(errors, name)
        if "code" in vars(kind) and kind is not errors.RememberError:
            rows[kind.code] = (kind.exit_status, kind.__doc__.split("\n")[0])
    for code in sorted(rows, key=lambda code: (rows[code][0], code)):
        cog.outl(f"| `{code}` | {rows[code][0]} | {rows[code][1]} |")


def settings() -> None:
    """docs/settings.md: every key with its default, its variables, and whether a project may set it."""
    from remember.scope.keys import KEYS, variables

    cog.outl("| key | default | what it is | environment | project |\n|---|---|---|---|---|")
    for key in KEYS:
        default = "-" if key.default is None else str(key.default).lower() if isinstance(key.default, bool) else key.default
        named = ", ".join(f"`{name}`" for name in variables(key))
        cog.outl(f"| `{key.name}` | {default} | {key.meaning} | {named} | {'yes' if key.project else 'no'} |")
