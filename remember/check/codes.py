"""The one table of everything `check` can find; docs/checks.md is generated from it."""

from __future__ import annotations

from remember.check.codes_files import FILE_CODES
from remember.check.codes_rest import REST_CODES
from remember.errors import RefusedInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from remember.check.code import Code

__all__ = ["CODES", "code_named", "expand", "explain", "table"]

CODES = {code.name: code for code in (*FILE_CODES, *REST_CODES)}
"""Every code by its name."""

_REPAIRS = {
    "C": "by `--repair` (no memory file is changed)",
    "M": "by `--repair` (what changes in a memory file is saved first)",
    "S": "by `--repair --select CODE` (what changes in a memory file is saved first)",
    "U": "a person decides",
    "-": "only reported",
}
_GROUPS = {
    "R1": "Stores",
    "R2": "Facts",
    "R3": "Notes",
    "R4": "Names and the file system",
    "R5": "Identity and links",
    "R6": "The index against the files",
    "R7": "Recovery records",
    "R8": "Processes",
    "R9": "Recall",
    "Z1": "Other layouts",
}


def code_named(name: str) -> Code:
    """The code of that name, however cased. Raises RefusedInput for an unknown one."""
    code = CODES.get(name.strip().upper())
    if code is None:
        raise RefusedInput(f"there is no finding code {name}", "see docs/checks.md, or name a group as R5")
    return code


def expand(names: Iterable[str]) -> frozenset[str]:
    """Codes from names that may be joined by commas and may stand for a group (`R5`, `R6xx`). Raises RefusedInput."""
    found: set[str] = set()
    for name in (part.strip().upper() for given in names for part in given.split(",") if part.strip()):
        group = name.rstrip("X")
        members = [code for code in CODES if code.startswith(group)] if group else []
        if not members:
            code_named(name)
        found.update(members)
    return frozenset(found)


def explain(code: Code) -> str:
    """What `--explain` prints."""
    return f"{code.name}: {code.title}\n\nseverity: {' or '.join(code.severities)}\nrepair: {_REPAIRS[code.repair]}\n\n{code.advice}\n"


def table() -> str:
    """All codes as Markdown tables, one a group."""
    lines: list[str] = []
    for prefix, title in _GROUPS.items():
        lines += [f"## {title}", "", "| code | finding | severity | repair | what to do |", "|---|---|---|---|---|"]
        for code in CODES.values():
            if code.name.startswith(prefix):
                cells = (code.name, code.title, " or ".join(code.severities), _REPAIRS[code.repair], code.advice.replace("|", "\\|"))
                lines.append("| " + " | ".join(cells) + " |")
        lines.append("")
    return "\n".join(lines)
