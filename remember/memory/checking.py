"""Checking and repairing the stores that are meant: the door to `remember.check` for every face."""

from __future__ import annotations

import os

from remember._named import NamedTuple
from remember.check.answer import Checked
from remember.check.codes import expand
from remember.check.findings import order
from remember.check.run import Ask, Subject, check
from remember.check.severities import problems
from remember.memory.context import now_ms, random_bits, recovery_dir
from remember.scope import registry
from remember.scope.discover import global_store, local_store, not_initialised
from remember.scope.select import named_store

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from remember.check.findings import Finding
    from remember.check.steps import Repair
    from remember.memory.context import Surroundings
    from remember.model import StoreRef

    Document = dict[str, object]

__all__ = ["Asked", "check_output", "check_stores", "explain_code", "manifest_verify", "manifest_write", "subjects"]

_RANK = {"error": 0, "warning": 1, "info": 2, "unknown": -1}


def subjects(around: Surroundings) -> tuple[list[Subject], list[str]]:
    """The stores to be checked, and remarks about those that are not there yet.

    Raises NotInitialised where no store is there at all, and for a local one that was asked for by name.
    """
    refs, remarks = _refs(around)
    unique = {ref.place: ref for ref in reversed(refs)}
    kept = [ref for ref in refs if unique[ref.place] is ref]
    ineffective = [f"{what}; see `remember config check`" for what in problems(dict(around.config.severities))]
    return [Subject(ref, recovery_dir(around.config, ref)) for ref in kept], [*around.config.warnings, *ineffective, *remarks]


def _refs(around: Surroundings) -> tuple[list[StoreRef], list[str]]:
    config = around.config
    if around.stores:
        return [named_store(config, around.cwd, around.root, name) for name in around.stores], []
    refs: list[StoreRef] = []
    remarks: list[str] = []
    if around.scope != "local":
        there = global_store(config)
        if os.path.lexists(there.path):
            refs.append(there)
        else:
            remarks.append(f"the global store ({there.path}) does not exist yet; its first write makes it")
    if around.scope != "global":
        local = local_store(around.root, around.cwd, config, registry.trusted(config.config_dir))
        if os.path.lexists(local.path):
            refs.append(local)
        elif around.scope in ("local", "both") or (not refs and not around.everything):
            raise not_initialised(local.root or around.cwd, config.local_dir)
        else:
            remarks.append(f"{local.root} has no store (`remember init` makes one)")
    if around.everything:
        refs += [named_store(config, around.cwd, around.root, name) for name in registry.names(config.config_dir)]
    return refs, remarks


class Asked(NamedTuple):
    """What a check is asked for: how thorough, which codes (or groups), the least severity that counts, and whether to repair.

    `dry_run` plans the repairs and makes none; `timeout_s` is how long a repair waits for another writer.
    """

    quick: bool = False
    files_only: bool = False
    secrets: bool = False
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    severity: str = "info"
    repair: bool = False
    dry_run: bool = False
    timeout_s: float = 10.0


def check_stores(around: Surroundings, asked: Asked, progress: Callable[[int, int], None] | None = None) -> Checked:
    """The findings of the stores that are meant, after the repairs where these are asked for. Raises RefusedInput, NotInitialised."""
    chosen = expand(asked.select)
    meant, remarks = subjects(around)
    found = _look(around, meant, asked, progress)
    repairs: list[Repair] = []
    if asked.repair or asked.dry_run:
        from remember.check.repair import apply_repairs, plan_repairs
        from remember.check.steps import Means

        means = Means(around.config.cache_dir, now_ms(), random_bits, asked.timeout_s, chosen)
        act = plan_repairs if asked.dry_run else apply_repairs
        repairs = [step for subject in meant for step in act(subject, found, means)]
        if repairs and not asked.dry_run:
            found = _look(around, meant, asked, progress)
    shown = [f for f in found if _RANK[f.severity] <= _RANK[asked.severity]]
    return Checked(tuple(shown), tuple(repairs), tuple(subject.ref for subject in meant), tuple(remarks))


def _look(around: Surroundings, meant: list[Subject], asked: Asked, progress: Callable[[int, int], None] | None) -> list[Finding]:
    """Every finding of the codes that were chosen; what the snapshot leaves out is asked of the concern that makes it."""
    from remember.memory.sharing import git_findings

    chosen, ignored = expand(asked.select), expand(asked.ignore)
    config = around.config
    secrets = asked.secrets or "R316" in chosen
    ask = Ask(config.cache_dir, now_ms(), asked.quick, asked.files_only, secrets, config.severities)
    found = check(meant, ask, progress)
    if not asked.files_only:
        from remember.memory.recall import over_budget

        for subject in meant:
            found += over_budget(around, subject.ref) if subject.ref.layout == "remember" else []
    for subject in meant:
        found += git_findings(subject.ref, around.environ, config.severities)
    return [f for f in order(found) if (not chosen or f.code in chosen) and f.code not in ignored]


def explain_code(name: str) -> tuple[Document, str]:
    """A finding code as a document and as text. Raises RefusedInput for an unknown one."""
    from remember.check.codes import code_named, explain

    code = code_named(name)
    fields: Document = {"code": code.name, "title": code.title, "severities": list(code.severities), "advice": code.advice}
    return fields, explain(code)


def check_output(checked: Checked, kind: str) -> list[object]:
    """A check's answer in a format: one document (`json`, `sarif`), one a finding (`jsonl`), or text (`github`)."""
    from remember import __version__
    from remember.check import formats

    if kind == "jsonl":
        return [formats.finding_document(finding) for finding in checked.findings]
    if kind == "sarif":
        return [formats.sarif(checked.findings, __version__, os.getcwd())]
    return [formats.github(checked.findings, os.getcwd()) if kind == "github" else formats.document(checked)]


def _manifest_store(around: Surroundings) -> StoreRef:
    """The one store of a manifest: the local one unless said otherwise."""
    from remember.scope.select import choose_one

    return choose_one(around.config, around.cwd, around.root, around.scope, around.stores)


def manifest_write(around: Surroundings, file: str, force: bool = False) -> tuple[str, str | None, int]:
    """The manifest as (text, path of the file it was written to, number of files); `-` writes none.

    Raises PathTaken where the file is there and `force` is not given, IOFailure.
    """
    from remember.check.manifest import manifest_text
    from remember.errors import IOFailure, NotFound, PathTaken
    from remember.files.lines import replace_file
    from remember.layouts import layout_of

    ref = _manifest_store(around)
    data, count = manifest_text(ref.path, layout_of(ref).rules)
    text = data.decode("utf-8", "surrogateescape")
    if file == "-":
        return text, None, count
    path = os.path.abspath(os.path.join(around.cwd, file))
    if os.path.lexists(path) and not force:
        raise PathTaken(path)
    if not os.path.isdir(os.path.dirname(path)):
        raise NotFound(f"directory {os.path.dirname(path)}", hint="make it first, or name another file", said="there is no ")
    try:
        replace_file(path, data)
    except OSError as error:
        raise IOFailure(path, error) from error
    return text, path, count


def manifest_verify(around: Surroundings, file: str) -> list[Document]:
    """How the store differs from a manifest, as documents. Raises NotFound, FormatError, IOFailure."""
    from remember.check.manifest import verify
    from remember.errors import IOFailure, NotFound
    from remember.layouts import layout_of

    ref = _manifest_store(around)
    path = os.path.join(around.cwd, file)
    try:
        with open(path, "rb") as manifest:
            data = manifest.read()
    except FileNotFoundError:
        raise NotFound(f"manifest {path}", hint="make one with `remember manifest write FILE`", said="there is no ") from None
    except OSError as error:
        raise IOFailure(path, error) from error
    return [difference._asdict() for difference in verify(data, ref.path, layout_of(ref).rules)]
