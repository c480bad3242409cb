"""Puts entries into agents' configuration files and takes exactly them out again, with a receipt of what was put where.

What the other side controls: the files belong to other programs, which rewrite them at any time; so each is compared with
what was read before it is replaced, and what is taken out is found by its place only while the file is as we left it.
"""

from __future__ import annotations

import json
import os
from hashlib import sha256

from remember._named import NamedTuple
from remember.errors import ChangedOutside, IOFailure, RefusedInput
from remember.files.lines import read_small, replace_file
from remember.hooks.agents import Entry, Wish, installation
from remember.hooks.edits import holds, put_in, take_out
from remember.hooks.jsonspans import Malformed, parse, path_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["Installer", "Plan", "Step"]

_LIMIT_BYTES = 64 << 20


class Step(NamedTuple):
    """One file before and after; None where it is not there."""

    path: str
    before: str | None
    after: str | None


class Plan(NamedTuple):
    """What is to be done for an agent, the receipt that belongs to it (None: drop it), and what the user has still to do."""

    agent: str
    steps: tuple[Step, ...]
    receipt: dict[str, object] | None
    notes: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()


class Installer:
    """Hooks of one user: `command` is the program with its absolute path, receipts lie in the data directory."""

    def __init__(self, command: Sequence[str], environ: Mapping[str, str], home: str, data_dir: str) -> None:
        self.command, self.environ, self.home = tuple(command), environ, home
        self.folder = os.path.join(data_dir, "hooks")

    # --- plans

    def install(self, agent: str) -> Plan:
        """Put everything in; what an earlier call put in goes first. Raises RefusedInput, Conflict, IOFailure."""
        wanted = installation(agent, self.command, self.environ, self.home)
        earlier = self.receipt(agent)
        bases = {step.path: step.after for step in self._out(earlier)}
        steps, rows = [], []
        for wish in wanted.wishes:
            path = os.path.realpath(wish.file)
            before = _read(path)
            base = bases.pop(path, before)
            edited = put_in(path, base, wish)
            old = next((row for row in _rows(earlier) if row.get("path") == path), {})
            rows.append(_row(path, base, edited.text, edited.spans, wish, _missing_folders(path) or _texts(old.get("folders"))))
            steps.append(Step(path, before, edited.text))
        steps += [Step(path, _read(path), after) for path, after in bases.items()]
        changed = tuple(step for step in steps if step.before != step.after)
        return Plan(agent, changed, {"version": 1, "agent": agent, "files": rows}, wanted.afterwards)

    def uninstall(self, agent: str) -> Plan:
        """Take everything out that was put in. Without a receipt, what this program would put in now is looked for."""
        receipt = self.receipt(agent)
        if receipt is None:
            wishes = installation(agent, self.command, self.environ, self.home).wishes
            receipt = {"files": [{"path": os.path.realpath(wish.file), "wish": _as_json(wish)} for wish in wishes]}
        steps = tuple(step for step in self._out(receipt) if step.before != step.after)
        left = tuple(f"{path} was changed since and is left as it is" for path in self._kept(receipt, steps))
        folders = tuple(folder for row in _rows(receipt) for folder in _texts(row.get("folders")))
        return Plan(agent, steps, None, left, folders)

    def _kept(self, receipt: Mapping[str, object], steps: Sequence[Step]) -> list[str]:
        gone = {step.path for step in steps}
        rows = [row for row in _rows(receipt) if str(row.get("path")) not in gone and _wish(row).text]
        return [str(row["path"]) for row in rows if _read(str(row["path"])) is not None]

    def _out(self, receipt: Mapping[str, object] | None) -> list[Step]:
        steps = []
        for row in _rows(receipt):
            path = str(row["path"])
            text = _read(path)
            if text is not None:
                steps.append(Step(path, text, _without(path, text, row)))
        return steps

    def status(self, agent: str) -> list[tuple[str, str]]:
        """(file, `installed`, `missing` or `changed`) for each file of an agent."""
        receipt = self.receipt(agent)
        rows = [(str(row["path"]), _wish(row), True) for row in _rows(receipt)]
        if receipt is None:
            wishes = installation(agent, self.command, self.environ, self.home).wishes
            rows = [(os.path.realpath(wish.file), wish, False) for wish in wishes]
        states = []
        for path, wish, known in rows:
            text = _read(path)
            there = text is not None and holds(text, wish)
            states.append((path, "installed" if there else "changed" if known else "missing"))
        return states

    # --- doing

    def apply(self, plan: Plan) -> None:
        """Do what was planned. Raises ChangedOutside where a file is no longer what the plan saw, IOFailure."""
        for step in plan.steps:
            if _read(step.path) != step.before:
                raise ChangedOutside(step.path)
        name = os.path.join(self.folder, f"{plan.agent}.json")
        try:
            if plan.receipt is not None:
                os.makedirs(self.folder, 0o700, exist_ok=True)
                replace_file(name, (json.dumps(plan.receipt, indent=2) + "\n").encode())
            for step in plan.steps:
                _write(step)
            if plan.receipt is None and os.path.lexists(name):
                os.unlink(name)
        except OSError as error:
            raise IOFailure(str(error.filename or name), error) from error
        for folder in sorted(plan.folders, key=len, reverse=True):
            try:
                os.rmdir(folder)
            except OSError:
                continue  # somebody else uses it now

    def receipt(self, agent: str) -> dict[str, object] | None:
        """What was put in, None where nothing was. Raises IOFailure, RefusedInput for a receipt that cannot be read."""
        path = os.path.join(self.folder, f"{agent}.json")
        text = _read(path)
        if text is None:
            return None
        try:
            found = json.loads(text)
        except ValueError:
            found = None
        if not isinstance(found, dict) or not isinstance(found.get("files"), list):
            raise RefusedInput(f"{path} is no receipt of ours", "remove it; then what is there is looked for by what it says")
        return found


def _read(path: str) -> str | None:
    try:
        data = read_small(path, _LIMIT_BYTES)
    except OSError as error:
        raise IOFailure(path, error) from error
    return None if data is None else data.decode("utf-8", "surrogateescape")


def _write(step: Step) -> None:
    if step.after is None:
        os.unlink(step.path)
        return
    os.makedirs(os.path.dirname(step.path), 0o700, exist_ok=True)
    replace_file(step.path, step.after.encode("utf-8", "surrogateescape"))


def _missing_folders(path: str) -> list[str]:
    missing = []
    folder = os.path.dirname(path)
    while folder and not os.path.isdir(folder):
        missing.append(folder)
        folder = os.path.dirname(folder)
    return missing


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def _row(path: str, base: str | None, after: str, spans: Sequence[tuple[int, int]], wish: Wish, folders: list[str]) -> dict[str, object]:
    return {
        "path": path,
        "created": base is None,
        "folders": folders,
        "sha256": _digest(after),
        "spans": [list(span) for span in spans],
        "made": [list(p) for p in _made(base, wish)],
        "wish": _as_json(wish),
    }


def _made(base: str | None, wish: Wish) -> list[tuple[str, ...]]:
    """The paths of the containers that our entries need and that were not there."""
    root = parse(base) if base is not None and base.strip() and wish.entries else None
    found = {entry.path[:n]: None for entry in wish.entries for n in range(1, len(entry.path) + 1)}
    return [path for path in found if root is None or path_of(root, path) is None]


def _as_json(wish: Wish) -> dict[str, object]:
    entries = [{"path": list(e.path), "key": e.key, "value": e.value} for e in wish.entries]
    return {"entries": entries, "blocks": list(wish.blocks), "text": wish.text}


def _wish(row: Mapping[str, object]) -> Wish:
    given = row.get("wish")
    known = given if isinstance(given, dict) else {}
    entries = tuple(Entry(tuple(e["path"]), str(e["key"]), e["value"]) for e in known.get("entries", []))
    return Wish(str(row.get("path")), entries, tuple(known.get("blocks", [])), str(known.get("text", "")))


def _rows(receipt: Mapping[str, object] | None) -> list[dict[str, object]]:
    rows = receipt.get("files") if receipt else None
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []


def _texts(value: object) -> list[str]:
    return [str(item) for item in value] if isinstance(value, list) else []


def _without(path: str, text: str, row: Mapping[str, object]) -> str | None:
    """The file's text without what is ours; None where the file was made by us and nothing else is in it."""
    spans, made = row.get("spans"), row.get("made")
    if row.get("sha256") == _digest(text) and isinstance(spans, list):
        for start, length in sorted(spans, reverse=True):
            text = text[:start] + text[start + length :]
        return None if row.get("created") and not text else text
    try:
        rest = take_out(text, _wish(row), [tuple(p) for p in made] if isinstance(made, list) else ())
    except Malformed as error:
        raise RefusedInput(f"{path} is no valid JSON ({error}); it is left as it is", "mend it, then repeat the command") from error
    return None if row.get("created") and rest is not None and rest.strip() in ("", "{}") else rest
