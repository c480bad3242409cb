"""The configuration's table `[check]`, which gives codes another severity: what is wrong in it."""

from __future__ import annotations

from remember.check.codes import CODES

__all__ = ["CHOICES", "problems"]

CHOICES = ("error", "warning", "info", "off")
"""What a code may be set to. That something could not be looked at (`unknown`) is nobody's choice."""


def problems(table: object) -> list[str]:
    """A sentence for each entry that has no effect: an unknown code, or a severity that is none. `table` is as TOML gives it."""
    if not isinstance(table, dict):
        return ["check is no table of codes and severities"]
    found = []
    inner = table.get("severity", table)
    if inner is not table:
        found = [f"[check]: {name} has no effect beside [check.severity]" for name in table if name != "severity"]
    if not isinstance(inner, dict):
        return [*found, "[check]: severity is no table of codes and severities"]
    for name, severity in inner.items():
        if name not in CODES:
            found.append(f"[check]: there is no finding code {name}{_near(name)}")
        elif severity not in CHOICES:
            found.append(f"[check]: {name} = {severity!r} is none of {', '.join(CHOICES)}")
    return found


def _near(name: str) -> str:
    from difflib import get_close_matches

    near = get_close_matches(name.upper(), CODES, 1, 0.7)
    return f" (did you mean {near[0]}?)" if near else ""
