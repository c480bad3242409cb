"""`remember show`: one memo whole, with its revision."""

from __future__ import annotations

import os

from remember.cli.opening import local_time, memory_of
from remember.cli.options import COMMON, JSON, ROOT, SCOPE, STORES, Argument, Option, Spec
from remember.cli.output import safe
from remember.errors import NotFound, RefusedInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.cli.options import Args
    from remember.cli.output import Output
    from remember.model import Shown

__all__ = ["SPEC"]


def run(args: Args, out: Output) -> int:
    """Print one memo."""
    shown = memory_of(args).show(str(args.text("memo")))
    for warning in shown.warnings:
        out.warn(warning)
    if args.flag("raw"):
        if args.text("lines") or args.flag("recall"):
            raise RefusedInput("--raw prints the whole file", "give --lines or --recall without --raw")
        _raw(shown, out)
        return 0
    content = _lines_of(shown, args.text("lines")) if args.text("lines") else shown.content
    cut = ""
    if args.flag("recall"):
        from remember.memory.noting import recalled

        content, cut = recalled(content)
    if args.flag("json"):
        from remember.documents import memo_document

        text = content.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
        out.json({**memo_document(shown.memo), "content": text, "revision": shown.revision, "cut": cut})
        return 0
    if not args.text("lines") and not out.quiet:
        _head(shown, out)
    for line in content.removesuffix("\n").split("\n"):
        out.line(safe(line.removesuffix("\r")))
    if cut:
        out.line(out.style(f"(cut after {cut}, as agents recall it; `remember show {safe(shown.memo.place)}` has the whole)", "dim"))
    return 0


def _raw(shown: Shown, out: Output) -> None:
    """The file's own bytes (a fact: its line); a terminal gets no control characters."""
    if out.terminal:
        text = shown.content if shown.memo.kind == "fact" else shown.data.decode("utf-8", "replace")
        for line in text.removesuffix("\n").split("\n"):
            out.line(safe(line.removesuffix("\r")))
        return
    out.out.flush()
    data = shown.content.encode("utf-8", "surrogateescape") + b"\n" if shown.memo.kind == "fact" else shown.data
    descriptor = out.out.fileno()
    while data:
        data = data[os.write(descriptor, data) :]


def _head(shown: Shown, out: Output) -> None:
    memo = shown.memo
    if memo.kind == "note":
        out.line(out.style(safe(memo.title), "bold"))
    facts = [memo.id or "", f"{safe(memo.store)}", safe(memo.place), f"created {local_time(memo.created_ms)}" if memo.created_ms else ""]
    if memo.modified_ms and memo.modified_ms != memo.created_ms:
        facts.append(f"modified {local_time(memo.modified_ms)}")
    facts.append(f"revision {shown.revision}")
    out.line(out.style("  ".join(fact for fact in facts if fact), "dim"))
    if memo.broken:
        out.line(out.style(f"header broken: {memo.broken}", "yellow"))
    out.line()


def _lines_of(shown: Shown, wanted: str | None) -> str:
    """The lines A to B of the memo's file that belong to its content, numbered as `search` numbers them."""
    first, colon, last = str(wanted).partition(":")
    if not (first.isdecimal() and (last.isdecimal() or not last)) or int(first) < 1 or (last and int(last) < int(first)):
        raise RefusedInput(f"{wanted!r} is no range of lines", "give --lines A:B, or A: up to the end")
    lines = shown.content.split("\n")
    begin = max(int(first) - shown.content_line, 0)
    end = int(last) - shown.content_line + 1 if last else (len(lines) if colon else begin + 1)
    picked = lines[begin : max(end, 0)]
    if not picked:
        there = f"lines {shown.content_line} to {shown.content_line + shown.content.rstrip().count(chr(10))} hold its text"
        raise NotFound(f"line {wanted} of {shown.memo.place}", hint=there)
    return "\n".join(picked)


SPEC = Spec(
    "show",
    "Show one memo whole: by ID, the beginning of an ID, path, or MEMORY.md:LINE.",
    run,
    (Argument("memo", "ID|PATH"),),
    (
        Option("lines", ("--lines",), "text", "Only lines A to B, numbered as in the file.", metavar="A:B"),
        Option("recall", ("--recall",), "flag", "Only what an agent recalls of it: 200 lines, at most 4096 bytes."),
        Option("raw", ("--raw",), "flag", "The file as it is, header and all."),
        ROOT,
        SCOPE,
        *STORES,
        JSON,
        *COMMON,
    ),
    ("remember show e5f6a7b8", "remember show notes/2026-10-18-tv-server.md --raw", "remember show MEMORY.md:12 --json"),
)
