"""`remember manifest`: checksums of every memory file, for an audit that `sha256sum -c` can do too."""

from __future__ import annotations

from remember.cli.opening import memory_of
from remember.cli.options import COMMON, JSON, ROOT, SCOPE_ONE, STORES, Argument, Option, Spec
from remember.cli.output import safe
from remember.errors import RefusedInput
from remember.format.counts import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.cli.options import Args
    from remember.cli.output import Output

__all__ = ["SPEC"]


def write(args: Args, out: Output) -> int:
    """Write the manifest of one store; `-` prints it."""
    file = args.text("file") or "-"
    if file == "-" and args.flag("json"):
        raise RefusedInput("--json answers with a document, and - prints the manifest itself", "name a FILE, or leave --json away")
    text, path, count = memory_of(args).manifest_write(file, args.flag("force"))
    if args.flag("json"):
        out.json({"file": path, "files": count})
    elif path is None:
        out.raw(text)
    elif not out.quiet:
        out.line(f"{counted(count, 'file')} in {safe(path)}; try `sha256sum -c {safe(path)}`")
    return 0


def verify(args: Args, out: Output) -> int:
    """Say how the store differs from a manifest; exit status 1 where it does."""
    found = memory_of(args).manifest_verify(args.text("file") or "")
    if args.flag("json"):
        out.json({"differences": found})
    else:
        for item in found:
            memo = f" [{item['id']}]" if item["id"] else ""
            before = f" (was {safe(str(item['old']))})" if item["old"] else ""
            out.line(f"{item['kind']}  {safe(str(item['path']))}{memo}{before}")
        if not found and not out.quiet:
            out.line("everything is as the manifest says")
    if any(item["kind"] == "unreadable" for item in found):
        return 4
    return 1 if found else 0


_OPTIONS = (ROOT, SCOPE_ONE, STORES[0], JSON, *COMMON)

SPEC = Spec(
    "manifest",
    "SHA-256 of every memory file in the format of sha256sum, and what differs from it later.",
    None,
    subcommands=(
        Spec(
            "write",
            "Write the manifest of a store to FILE (- prints it).",
            write,
            (Argument("file", "FILE"),),
            (Option("force", ("--force",), "flag", "Replace FILE where it is there already."), *_OPTIONS),
            ("remember manifest write memory.sha256", "remember manifest write - --scope local"),
        ),
        Spec(
            "verify",
            "Say which memos were added, changed, removed or renamed since.",
            verify,
            (Argument("file", "FILE"),),
            _OPTIONS,
            ("remember manifest verify memory.sha256", "remember manifest verify memory.sha256 --json"),
        ),
    ),
)
