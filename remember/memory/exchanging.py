"""Import and export: the stores of a call joined with `remember.exchange`."""

from __future__ import annotations

import os

from remember.errors import RefusedInput
from remember.exchange.exporting import EXPORTS, check_export
from remember.exchange.item import Broken, ExportResult, ImportResult, Whole
from remember.exchange.sources import FORMATS, open_source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.change.target import Target, Terms
    from remember.exchange.importing import Imported
    from remember.exchange.item import Item

    Found = list[Item | Broken]
    from remember.memory.context import Surroundings
    from remember.model import StoreRef

__all__ = ["EXPORTS", "FORMATS", "export_memos", "import_memos"]


def import_memos(
    around: Surroundings, format_name: str, path: str, dry_run: bool = False, allow_secret: bool = False, timeout_s: float = 10.0
) -> ImportResult:
    """Bring the memos at `path` into the chosen native store, all in one record.

    Raises RefusedInput for an unknown format or source, NotFound, and what `add` raises.
    """
    from remember.memory.changing import with_terms, writable
    from remember.memory.context import check_format
    from remember.scope.select import choose_one

    path = _absolute(around, path)
    ref = choose_one(around.config, around.cwd, around.root, around.scope, around.stores)
    around.ready(ref, "" if dry_run else "change")
    if ref.layout != "remember":
        raise RefusedInput(f"store {ref.name} has the layout {ref.layout}; memos are imported into a native store", "name another store")
    if os.path.realpath(path) == ref.path:
        raise RefusedInput(f"{path} is the store itself", "name another directory, or another store with --scope or --store")
    if format_name == "remember":
        check_format(ref._replace(path=os.path.realpath(path)))
    found = open_source(format_name, path, around.cwd)
    if not dry_run:
        writable(around, timeout_s)
    terms = with_terms(timeout_s, allow_secret)
    summary = f"{format_name} from {os.path.realpath(path)}"[:300]
    done = _previewed(around, ref, found, terms) if dry_run else _brought(around, ref, found, terms, summary)
    return ImportResult(format_name, path, ref.name, ref.scope, dry_run, done.outcomes, done.recovery_id)


def _absolute(around: Surroundings, path: str) -> str:
    if path == "~" or path.startswith("~/"):
        path = around.home + path[1:]
    return os.path.join(around.cwd, path)


def _brought(around: Surroundings, ref: StoreRef, found: Found, terms: Terms, summary: str) -> Imported:
    from remember.exchange.importing import bring
    from remember.memory.changing import other_stores, with_targets

    refs = [ref, *other_stores(around, ref)]
    return with_targets(around, refs, lambda targets: bring(targets[0], found, terms, summary, targets[1:]))


def _previewed(around: Surroundings, ref: StoreRef, found: Found, terms: Terms) -> Imported:
    from remember.exchange.importing import preview
    from remember.files.safe import open_folder
    from remember.memory.changing import other_stores, with_targets
    from remember.scope.discover import is_store
    from remember.store.view import View

    there = is_store(ref.path)

    def ask(targets: list[Target]) -> Imported:
        if not there:
            return preview(None, None, found, terms, targets)
        folder = open_folder(ref.path)
        try:
            return preview(targets[0], View(folder, ref.path), found, terms, targets[1:])
        finally:
            os.close(folder)

    return with_targets(around, [*([ref] if there else []), *other_stores(around, ref)], ask)


def export_memos(around: Surroundings, format_name: str, path: str, force: bool = False) -> ExportResult:
    """Write the memos of the stores of the call to a new file or directory; for `-` the text is in the result.

    Raises RefusedInput for an unknown format or a place in a store, PathTaken where something is there and `force` is not
    given, NotFound, IOFailure.
    """
    from remember.exchange.directory import wholes
    from remember.exchange.exporting import export

    check_export(format_name, path)
    if path != "-":
        _refuse_in_store(_absolute(around, path))
    selection = around.selection("read")
    warnings = list(selection.warnings)
    memos: list[Whole] = []
    for ref in selection.refs:
        for found in wholes(ref):
            if isinstance(found, Broken):
                warnings.append(f"{ref.name}: {found.source}: {found.reason}")
            else:
                memos.append(found)
    return export(format_name, path if path == "-" else _absolute(around, path), memos, force, warnings)


def _refuse_in_store(path: str) -> None:
    """An export into a store would be a change of its memory without a record. Raises RefusedInput."""
    import os

    from remember.format.marker import NAME

    folder = os.path.realpath(path)
    while True:
        if os.path.lexists(os.path.join(folder, NAME)):
            raise RefusedInput(f"{path} is in the store {folder}, whose files only its own commands change", "name a place outside it")
        if folder == os.path.dirname(folder):
            return
        folder = os.path.dirname(folder)
