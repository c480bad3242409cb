"""`remember stats`: a memory in numbers, drawn with plain characters."""

from __future__ import annotations

from remember.cli.opening import label, local_time, memory_of
from remember.cli.options import COMMON, JSON, ROOT, SCOPE, STORES, Option, Spec
from remember.cli.output import safe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from remember.cli.options import Args
    from remember.cli.output import Output
    from remember.memory.statistics import Month, Statistics
    from remember.model import Memo

__all__ = ["SPEC"]

_PIPED_WIDTH = 80
_TITLE_LEAST = 20
_GAP_MOST = 3
_TAGS = 10


def run(args: Args, out: Output) -> int:
    """Print the numbers; an empty memory is no error."""
    from remember.memory.statistics import statistics

    found = statistics(memory_of(args).around, 5 if args.number("limit") is None else args.number("limit") or 0, out.progress())
    if args.flag("json"):
        out.json(_document(found))
        return 0
    _Chart(out).draw(found, args.number("months") or 12)
    for warning in found.warnings:
        out.warn(warning)
    return 0


def _document(found: Statistics) -> dict[str, object]:
    from remember.documents import memo_document, store_document

    return {
        "memos": found.memos,
        "bytes": found.size_bytes,
        "undated": found.undated,
        "months": [
            {"month": m.month, "memos": m.memos, "bytes": m.size_bytes, "total_memos": m.total_memos, "total_bytes": m.total_bytes}
            for m in found.months
        ],
        "kinds": [{"kind": k.kind, "memos": k.memos, "bytes": k.size_bytes} for k in found.kinds],
        "tags": [{"tag": t.tag, "memos": t.memos} for t in found.tags],
        "sizes": [{"below_bytes": s.below_bytes, "memos": s.memos} for s in found.sizes],
        "largest": [{"memo": memo_document(memo), "bytes": size} for memo, size in found.largest],
        "oldest": [memo_document(memo) for memo in found.oldest],
        "unreferenced_total": found.unreferenced_total,
        "unreferenced": [memo_document(memo) for memo in found.unreferenced],
        "warnings": list(found.warnings),
        "stores": [store_document(store) for store in found.stores],
    }


class _Chart:
    """Bars and lists that are as wide as the terminal, 80 columns where there is none."""

    def __init__(self, out: Output) -> None:
        self.out = out
        self.width = max(40, out.width or _PIPED_WIDTH)

    def draw(self, found: Statistics, months: int) -> None:
        head = f"{found.memos} memo{'' if found.memos == 1 else 's'}, {_bytes(found.size_bytes)} of text"
        self.out.line(self.out.style(head, "bold"))
        if found.months:
            self._title("made by month")
            self._months(found.months[-months:])
        if found.undated:
            self.out.line(f"  without a time: {found.undated}")
        if found.kinds:
            self._title("kinds")
            self._bars([(kind.kind, kind.memos, _bytes(kind.size_bytes)) for kind in found.kinds])
        if found.tags:
            self._title("tags")
            self._bars([(f"#{safe(tag.tag)}", tag.memos, "") for tag in found.tags[:_TAGS]])
        if found.memos:
            self._title("sizes")
            last = max(at for at, size in enumerate(found.sizes) if size.memos)
            self._bars([(_class(size.below_bytes), size.memos, "") for size in found.sizes[: last + 1]])
        self._memos("largest", [(memo, _bytes(size)) for memo, size in found.largest])
        self._memos("oldest", [(memo, local_time(memo.created_ms or memo.modified_ms)[:10]) for memo in found.oldest])
        alone = [(memo, local_time(memo.created_ms or memo.modified_ms)[:10]) for memo in found.unreferenced]
        self._memos(f"notes that nothing links to ({found.unreferenced_total})", alone)

    def _title(self, text: str) -> None:
        self.out.line()
        self.out.line(self.out.style(text, "bold"))

    def _months(self, months: Sequence[Month]) -> None:
        rows: list[tuple[str, int, str]] = []
        for month in months:
            if rows:
                rows += _between(rows[-1][0], month.month)
            rows.append((month.month, month.memos, f"{month.total_memos} in all, {_bytes(month.total_bytes)}"))
        self._bars(rows)

    def _bars(self, rows: Sequence[tuple[str, int, str]]) -> None:
        """A row a bar: name, bar, number and a remark, the bars to one scale."""
        names = max(len(name) for name, _, _ in rows)
        numbers = max(len(str(count)) for _, count, _ in rows)
        remarks = max(len(remark) for _, _, remark in rows)
        room = max(8, self.width - names - numbers - remarks - (9 if remarks else 7))
        most = max(count for _, count, _ in rows) or 1
        for name, count, remark in rows:
            filled = -(-count * room // most) if count > 0 else 0
            bar = self.out.style("#" * filled, "cyan") + " " * (room - filled)
            number = "" if count < 0 else str(count)
            self.out.line(f"  {name:{names}}  {bar}  {number:>{numbers}}  {remark}".rstrip())

    def _memos(self, title: str, memos: Sequence[tuple[Memo, str]]) -> None:
        if not memos:
            return
        self._title(title)
        longest = max(len(what) for _, what in memos)
        for memo, what in memos:
            name = memo.id or safe(memo.place)
            room = max(_TITLE_LEAST, self.width - longest - len(name) - 6)
            text = safe(memo.title)
            text = text if len(text) <= room else text[: room - 1] + "…"
            self.out.line(f"  {what:>{longest}}  {label(memo, self.out)}  {text}")


def _between(before: str, after: str) -> list[tuple[str, int, str]]:
    """Rows for the months between two in which nothing was made; a long gap is one row."""
    first, last = (int(name[:4]) * 12 + int(name[5:]) for name in (before, after))
    if last - first - 1 > _GAP_MOST:
        return [("…", -1, "")]
    return [(f"{(at - 1) // 12:04}-{(at - 1) % 12 + 1:02}", 0, "") for at in range(first + 1, last)]


def _class(below: int | None) -> str:
    return "more" if below is None else f"< {_bytes(below)}"


def _bytes(size: int) -> str:
    """A size as people read it, in powers of 1024."""
    if size < 1024:
        return f"{size} B"
    for unit in ("KiB", "MiB", "GiB"):
        if size < 1024**2 or unit == "GiB":
            return f"{size / 1024:.1f} {unit}".replace(".0 ", " ")
        size //= 1024
    raise AssertionError("unreachable")


SPEC = Spec(
    "stats",
    "Memory in numbers: by month, kind, tag and size; the largest, the oldest, and notes that nothing links to.",
    run,
    (),
    (
        Option("months", ("--months",), "int", "How many months (12).", metavar="N"),
        Option("limit", ("--limit", "-n"), "int", "How many memos in each list (5).", metavar="N"),
        ROOT,
        SCOPE,
        *STORES,
        JSON,
        *COMMON,
    ),
    ("remember stats", "remember stats --scope global --months 24", "remember stats --json"),
)
