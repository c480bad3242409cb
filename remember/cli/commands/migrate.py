"""`remember migrate`: from older format versions to the present one, and back."""

from __future__ import annotations

from remember.cli.opening import memory_of
from remember.cli.options import COMMON, JSON, ROOT, SCOPE, STORES, WRITER, Option, Spec
from remember.cli.output import safe
from remember.format.counts import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.cli.options import Args
    from remember.cli.output import Output

    Document = dict[str, object]

__all__ = ["SPEC"]


def run(args: Args, out: Output) -> int:
    """Migrate the selected stores, print the plan, or bring back a backup set."""
    from remember.errors import RefusedInput

    backup = args.text("rollback")
    if backup is not None:
        if args.flag("dry_run"):
            raise RefusedInput("--rollback cannot be combined with --dry-run", "it refuses of its own accord where anything has changed")
        return _roll_back(backup, args, out)
    documents = memory_of(args).migrate(dry_run=args.flag("dry_run"), timeout_s=args.seconds("lock_timeout"))
    if args.flag("json"):
        out.json({"dry_run": args.flag("dry_run"), "stores": documents})
        return 0
    for document in documents:
        _tell(document, args.flag("dry_run"), out)
    return 0


def _tell(document: Document, dry_run: bool, out: Output) -> None:
    """One store's plan or outcome."""
    name = safe(str(document["store"]))
    for notice in document["notices"]:  # type: ignore[attr-defined]
        out.warn(f"{name}: {notice}")
    if not document["due"]:
        out.line(f"{name}: up to date (format version {document['version']})")
        return
    files: list[Document] = document["files"]  # type: ignore[assignment]
    if dry_run or out.verbose:
        for file in files:
            rules = "; ".join(file["rules"])  # type: ignore[arg-type]
            out.line(f"  {file['action']:8} {safe(str(file['path']))}" + (f"  ({safe(rules)})" if rules else ""))
    if dry_run:
        out.line(f"{name}: {counted(len(files), 'file')}; nothing was changed (run `remember migrate` to do it)")
    else:
        sets = ", ".join(document["backups"])  # type: ignore[arg-type]
        out.line(f"{name}: migrated to format version {document['version']}; the originals are in migrations/{sets}")


def _roll_back(backup: str, args: Args, out: Output) -> int:
    """Bring back a backup set."""
    document = memory_of(args).migrate_rollback(backup, timeout_s=args.seconds("lock_timeout"))
    files: list[str] = document["files"]  # type: ignore[assignment]
    if args.flag("json"):
        out.json(document)
        return 0
    out.line(f"{safe(str(document['store']))}: {counted(len(files), 'file')} brought back from {document['backup']}")
    out.warn("the store is of the legacy format again; the next `list`, `show`, `search` or change migrates it anew")
    return 0


SPEC = Spec(
    "migrate",
    "Bring stores of the legacy format to the present one; backups first, the marker last.",
    run,
    (),
    (
        Option("dry_run", ("--dry-run",), "flag", "Print the plan, change nothing."),
        Option("rollback", ("--rollback",), "text", "Bring back this backup set, where nothing changed since.", metavar="BACKUP"),
        *WRITER,
        ROOT,
        SCOPE,
        *STORES,
        JSON,
        *COMMON,
    ),
    ("remember migrate --dry-run", "remember migrate", "remember migrate --rollback v0-to-v1-0f8b2c1e-6d5a-4b7e-9c3d-2a1b0c9d8e7f"),
)
