"""An export as the directory of Claude Code's and ZCode's automatic memory: a file for each memo, and an index line for each."""

from __future__ import annotations

from remember._named import NamedTuple
from remember.change.relink import stem, undated
from remember.exchange.item import Lost
from remember.exchange.jsonl import PROSE
from remember.format.frontmatter import quote
from remember.format.slugs import slug_of
from remember.format.text import clean, cut

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from remember.exchange.item import Whole
    from remember.model import Memo

__all__ = ["INDEX", "Topic", "as_topics", "index_text"]

INDEX = "MEMORY.md"
_TYPES = ("user", "feedback", "project", "reference")
_SHORT = 150
_LINE = 200
_NAME = 40


class Topic(NamedTuple):
    """A file of the directory: its name, text, time of change (None: now), and its line in the index."""

    file: str
    text: str
    modified_ms: int | None
    line: str


def as_topics(memos: Sequence[Whole]) -> tuple[list[Topic], list[Lost]]:
    """The files in the order of their index lines, the memos changed last first."""
    ordered = sorted(memos, key=lambda whole: -(_changed(whole.memo) or 0))
    names: dict[str, None] = {}
    for whole in ordered:
        names[_free(_name(whole.memo), names)] = None
    topics = [_topic(whole, name) for whole, name in zip(ordered, names, strict=True)]
    return topics, []


def _changed(memo: Memo) -> int | None:
    return memo.created_ms if memo.modified_ms is None else memo.modified_ms


def _name(memo: Memo) -> str:
    if memo.kind == "text":
        return "memory-text"
    if memo.kind == "note":
        return slug_of(undated(stem(memo.path)))
    slug = slug_of(memo.text or "")
    return slug if len(slug) <= _NAME else slug[: _NAME + 1].rpartition("-")[0] or slug[:_NAME]


def _free(name: str, taken: dict[str, None]) -> str:
    number, free = 1, name if name != "memory" else "memory-note"
    while free in taken:
        number += 1
        free = f"{name}-{number}"
    return free


def _topic(whole: Whole, name: str) -> Topic:
    memo, body = whole
    title = PROSE if memo.kind == "text" else clean(memo.title)
    content = body.strip("\n") if memo.kind != "fact" else memo.text or ""
    text = (
        f"---\nname: {_plain(name)}\ndescription: {quote(cut(title, _SHORT))}\n"
        f"metadata:\n  node_type: memory\n  type: {_type(memo)}\n---\n{content or title}\n"
    )
    file = f"{name}.md"
    named = title if memo.kind == "note" and len(title) <= _NAME and not set(title) & set("[]()") else name.replace("-", " ").capitalize()
    head = f"- [{named}]({file}) — "
    # A link in the hook would make the line one of that link's file.
    hook = (_hook(content) if named == title else title).replace("](", "] (")
    return Topic(file, text, _changed(memo), head + cut(hook, max(20, _LINE - len(head) - 1)))


def _hook(body: str) -> str:
    """The first words of a body, for the index line of a file whose title is all of its description."""
    lines = (clean(line.lstrip("#").removeprefix("- ")) for line in body.split("\n"))
    return next((line for line in lines if line.strip("`~-*_= ")), "")


def _plain(name: str) -> str:
    """The name as a YAML scalar that every reader takes for text."""
    return name if name[:1].isalpha() and name not in ("true", "false", "yes", "no", "on", "off", "null", "y", "n") else quote(name)


def _type(memo: Memo) -> str:
    """The type that a tag names, else what the scope says: the user's own store, or the project's."""
    named = [tag for tag in memo.tags if tag in _TYPES]
    return named[0] if named else "user" if memo.scope == "global" else "project" if memo.scope == "local" else "reference"


def index_text(present: str, topics: Sequence[Topic]) -> str:
    """The index with a line for each topic; of a present one every line stays that names another file."""
    files = {topic.file for topic in topics}
    kept = [line for line in present.splitlines() if not any(f"]({file})" in line for file in files)]
    return "".join(line + "\n" for line in (*kept, *(topic.line for topic in topics)))
