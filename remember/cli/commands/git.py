"""`remember git`: one memory on several machines, carried by git and merged by memo."""

from __future__ import annotations

from remember.cli.options import COMMON, JSON, ROOT, SCOPE_ONE, STORE_ONE, WRITER, Argument, Option, Spec
from remember.cli.output import safe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.cli.options import Args
    from remember.cli.output import Output
    from remember.memory.context import Surroundings

__all__ = ["SPEC"]


def merge_driver(args: Args, out: Output) -> int:
    """Merge three files into the second, as git asks; 1 where there is a conflict."""
    from remember.sync.driver import drive

    status, said = drive(*(str(args.text(name)) for name, _ in _WORDS))
    for line in said:
        out.warn(line)
    return status


def setup(args: Args, out: Output) -> int:
    """Put the merge driver into the repository, or take it out."""
    from remember.memory.sharing import git_setup, git_setup_document

    dry, undo = args.flag("dry_run"), args.flag("undo")
    done = git_setup(_around(args), undo, dry)
    if args.flag("json"):
        out.json(git_setup_document(done, dry))
        return 0
    for change in done.changes:
        out.line(f"{'would change' if dry else 'changed'}: {safe(change)}")
    if not done.changes:
        out.line("nothing to change")
    for note in done.notes:
        out.line(f"note: {safe(note)}")
    return 0


def sync(args: Args, out: Output) -> int:
    """Commit the store's files and exchange commits with the remote."""
    from remember.memory.sharing import git_sync, git_sync_document

    done = git_sync(_around(args), args.flag("push"), args.seconds("lock_timeout"))
    if done.offline:
        out.warn(f"{done.remote} cannot be reached ({done.offline}); what was committed is shared by the next sync")
    if args.flag("json"):
        out.json(git_sync_document(done))
        return 0
    files = len(done.files)
    out.line(f"committed {files} file{'s' if files != 1 else ''} as {done.commit}" if done.commit else "nothing to commit")
    if done.merged != "nothing":
        out.line(f"took in commits of {safe(done.remote)} ({done.merged})")
    if done.pushed:
        out.line(f"pushed to {safe(done.remote)}")
    for note in done.notes:
        out.line(f"note: {safe(note)}")
    return 0


def _around(args: Args) -> Surroundings:
    from remember.memory.context import Surroundings

    return Surroundings(args.text("root"), args.text("scope"), args.texts("store"))


_WORDS = (("kind", "KIND"), ("base", "BASE"), ("ours", "OURS"), ("theirs", "THEIRS"), ("size", "MARKER_SIZE"), ("path", "PATH"))
_DRIVER = tuple(Argument(name, metavar) for name, metavar in _WORDS)

_WHICH = (ROOT, SCOPE_ONE, STORE_ONE, JSON, *COMMON)
_UNDO = Option("undo", ("--undo",), "flag", "Take exactly that out again.")
_DRY = Option("dry_run", ("--dry-run",), "flag", "Only say what would change.")
_PUSH = Option("push", ("--push",), "flag", "In a project's repository: push too, where only memory would go out.")

SPEC = Spec(
    "git",
    "Share memory between machines with git, merged by memo.",
    None,
    subcommands=(
        Spec(
            "setup",
            "Put the merge driver into the repository that a store lies in.",
            setup,
            (),
            (_UNDO, _DRY, *_WHICH),
            ("remember git setup", "remember git setup --undo --dry-run"),
        ),
        Spec(
            "sync",
            "Commit memory files; in a repository of the store's own fetch, merge and push too.",
            sync,
            (),
            (_PUSH, *WRITER, *_WHICH),
            ("remember git sync", "remember git sync --scope global"),
        ),
        Spec("merge-driver", "What git runs to merge a memory file.", merge_driver, _DRIVER, COMMON, (), hidden=True),
    ),
)
