"""The formats that can be exported, and how each is made and written."""

from __future__ import annotations

from remember.errors import RefusedInput
from remember.exchange.item import ExportResult

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from remember.exchange.item import Whole

__all__ = ["EXPORTS", "check_export", "export"]

EXPORTS = ("jsonl", "zcode", "bullets", "markdown")
"""Names that `export` takes."""

_INDEX_LINES, _INDEX_BYTES = 200, 25_000
_BULLETS_BYTES = 256 << 10


def check_export(format_name: str, path: str) -> None:
    """Raises RefusedInput for an unknown format, or a directory of files that is asked for on standard output."""
    if format_name not in EXPORTS:
        raise RefusedInput(f"there is no format {format_name} to export", "formats are " + ", ".join(EXPORTS))
    if format_name == "zcode" and path == "-":
        raise RefusedInput("zcode is a directory, which standard output cannot hold", "give the path of a directory")


def export(format_name: str, path: str, memos: Sequence[Whole], force: bool, warnings: Sequence[str] = ()) -> ExportResult:
    """Write the memos in a format to `path`; for `-` the text is in the result.

    Raises what `check_export` raises, PathTaken where something is there and `force` is not given, NotFound, IOFailure.
    """
    check_export(format_name, path)
    from remember.exchange.writing import write_directory, write_file

    if format_name == "zcode":
        from remember.exchange.topics import as_topics

        topics, lost = as_topics(memos)
        write_directory(path, topics, force)
        size = sum(len(topic.line.encode("utf-8", "replace")) + 1 for topic in topics)
        more = [_many(len(topics))] if len(topics) > _INDEX_LINES or size > _INDEX_BYTES else []
        return ExportResult(format_name, path, len(topics), len(topics) + 1, tuple(lost), (*warnings, *more))
    from remember.exchange import texts

    text, lost = {"jsonl": texts.as_jsonl, "bullets": texts.as_bullets, "markdown": texts.as_markdown}[format_name](memos)
    more = []
    if format_name == "bullets" and len(text.encode("utf-8", "replace")) > _BULLETS_BYTES:
        more.append(f"the file has more than {_BULLETS_BYTES} bytes, which is what programs of that format read")
    if path != "-":
        write_file(path, text, force)
    count = len(memos) - sum(1 for one in lost if format_name == "bullets" and one.memo.kind == "text")
    return ExportResult(format_name, path, count, int(path != "-"), tuple(lost), (*warnings, *more), text if path == "-" else "")


def _many(count: int) -> str:
    return (
        f"the index has {count} lines; the programs that read it show an agent the first {_INDEX_LINES} lines and {_INDEX_BYTES} bytes"
        " (the memos changed last)"
    )
