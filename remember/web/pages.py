"""The pages that are ours: the search with its hits, and one memo whole; everything of a memo's is escaped by Jinja."""

from __future__ import annotations

import asyncio
from urllib.parse import urlencode

from datasette import Response, hookimpl

from remember.errors import RememberError
from remember.format.counts import counted
from remember.memory import Memory
from remember.memory.browsing import narrowed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from remember.model import Hit, Memo

    Row = dict[str, Any]

__all__ = ["LIMIT", "Pages"]

LIMIT = 50
"""Hits, or newest memos, on a page."""

_HOME = """{% extends "base.html" %}
{% block title %}{{ query or "remember" }}{% endblock %}
{% block content %}
<h1>remember</h1>
<form action="{{ urls.path("/") }}" method="get" role="search">
<p><input type="search" name="q" value="{{ query }}" aria-label="Search" placeholder="any words" autofocus size="50">
<select name="kind" aria-label="Kind"><option value="">facts and notes</option>
{% for name in ("fact", "note", "text") %}<option{% if name == kind %} selected{% endif %}>{{ name }}</option>{% endfor %}</select>
<input type="submit" value="Search"></p></form>
{% for warning in warnings %}<p class="message-warning">{{ warning }}</p>{% endfor %}
<p>{{ said }}</p>
{% for row in rows %}<article><h3><a href="{{ row.url }}">{{ row.title }}</a></h3>
<p><code>{{ row.place }}</code> {{ row.changed }}{% for tag in row.tags %} #{{ tag }}{% endfor %}</p>
{% if row.parts %}
<p>{% for text, hit in row.parts %}{% if hit %}<mark>{{ text }}</mark>{% else %}{{ text }}{% endif %}{% endfor %}</p>
{% endif %}
</article>{% endfor %}
<h2>The indexes as tables</h2>
<ul>{% for name in databases %}<li><a href="{{ urls.database(name) }}">{{ name }}</a>: <a href="{{ urls.table(name, "memo") }}">memos</a>,
<a href="{{ urls.database(name) }}/tags">tags</a>, <a href="{{ urls.database(name) }}/links">links</a>,
<a href="{{ urls.database(name) }}/largest">the largest</a>, <a href="{{ urls.database(name) }}/oldest">the oldest</a></li>{% endfor %}</ul>
{% endblock %}
"""

_MEMO = """{% extends "base.html" %}
{% block title %}{{ title }}{% endblock %}
{% block content %}
<p><a href="{{ urls.path("/") }}">search</a></p>
<h1>{{ title }}</h1>
<p><code>{{ place }}</code> {{ changed }}{% for tag in tags %} #{{ tag }}{% endfor %}</p>
<pre class="memo" style="white-space: pre-wrap">{{ text }}</pre>
{% for heading, rows in lists %}{% if rows %}<h2>{{ heading }}</h2>
<ul>{% for row in rows %}
<li>{% if row.url %}<a href="{{ row.url }}">{{ row.title }}</a>{% else %}{{ row.title }}{% endif %}</li>
{% endfor %}</ul>
{% endif %}{% endfor %}
{% endblock %}
"""


class Pages:
    """A plugin of Datasette: `memory` answers, `stores` are its names, `safe` makes control characters visible."""

    __name__ = "remember"

    def __init__(self, memory: Memory, stores: Sequence[str], safe: Callable[[str], str]) -> None:
        self.memory, self.stores, self.safe = memory, tuple(stores), safe

    @hookimpl  # type: ignore[untyped-decorator]
    def register_routes(self) -> list[tuple[str, Any]]:
        """Our pages; the others are Datasette's."""
        return [(r"^/$", self.home), (r"^/memo$", self.memo)]

    async def home(self, datasette: Any, request: Any) -> Response:
        """The search page; without a query the newest memos."""
        query, kind = request.args.get("q") or "", request.args.get("kind") or None
        loop = asyncio.get_running_loop()
        try:
            if query.strip():
                found = await loop.run_in_executor(None, lambda: self.memory.search(query, kind=kind, limit=LIMIT))
                rows, said = [self._hit(hit) for hit in found.hits], f"{found.total} found"
                warnings = found.warnings
            else:
                listed = await loop.run_in_executor(None, lambda: self.memory.list(kind=kind, limit=LIMIT))
                rows, said = [self._row(memo) for memo in listed.memos], f"{counted(listed.total, 'memo')}, the newest first"
                warnings = listed.warnings
        except RememberError as error:
            rows, said, warnings = [], "", (error.message,)
        shown = {"query": query, "kind": kind, "rows": rows, "said": said, "warnings": [self.safe(w) for w in warnings]}
        return await self._page(datasette, request, _HOME, {**shown, "databases": self.stores})

    async def memo(self, datasette: Any, request: Any) -> Response:
        """One memo whole, by its place and store, with what it links to and what links to it."""
        place, store = request.args.get("place") or "", request.args.get("store") or ""
        loop = asyncio.get_running_loop()
        try:
            context = await loop.run_in_executor(None, lambda: self._whole(store, place))
        except RememberError as error:
            return Response.text(f"{self.safe(error.message)}\n{self.safe(error.hint)}\n", status=404)
        return await self._page(datasette, request, _MEMO, context)

    async def _page(self, datasette: Any, request: Any, template: str, context: Row) -> Response:
        compiled = datasette.jinja_env.from_string(template)
        return Response.html(await datasette.render_template(compiled, context, request=request))

    # --- memos as what a page shows

    def _whole(self, store: str, place: str) -> Row:
        memory = Memory(narrowed(self.memory.around, store)) if store in self.stores else self.memory
        shown = memory.show(place)
        related = memory.links(shown.memo.id or place)
        to = [self._row(memo) if memo else self._nothing(target) for target, memo in _each(related.links)]
        return {
            **self._row(shown.memo),
            "text": "\n".join(self.safe(line.rstrip("\r")) for line in shown.content.split("\n")),
            "lists": [("Links to", to), ("Linked from", [self._row(memo) for memo in related.backlinks])],
        }

    def _nothing(self, target: str) -> Row:
        return {"title": f"[[{self.safe(target)}]] (nothing of that name)", "url": ""}

    def _row(self, memo: Memo) -> Row:
        from datetime import UTC, datetime

        ms = memo.modified_ms or memo.created_ms
        place = f"{memo.path}:{memo.line}" if memo.kind == "fact" else memo.path
        return {
            "title": self.safe(memo.title),
            "place": self.safe(f"{memo.store} {place}"),
            "url": "/memo?" + urlencode({"store": memo.store, "place": place}, errors="surrogateescape"),
            "changed": datetime.fromtimestamp(ms / 1000, UTC).strftime("%Y-%m-%d") if ms and 0 <= ms < 253_402_300_800_000 else "",
            "tags": [self.safe(tag) for tag in memo.tags],
        }

    def _hit(self, hit: Hit) -> Row:
        memo = hit.memo
        if memo.kind == "note":
            memo = memo._replace(line=1)
        return {**self._row(memo), "parts": [(self.safe(text), marked) for text, marked in _parts(hit)]}


def _each(links: Sequence[tuple[str, Sequence[Memo]]]) -> list[tuple[str, Memo | None]]:
    """Every link with each memo that it means, or None where it means none."""
    return [(target, memo) for target, memos in links for memo in (memos or (None,))]


def _parts(hit: Hit) -> list[tuple[str, bool]]:
    """The snippet in pieces, each marked or not."""
    parts: list[tuple[str, bool]] = []
    at = 0
    for start, end in hit.highlights:
        parts += [(hit.snippet[at:start], False), (hit.snippet[start:end], True)]
        at = end
    return [part for part in (*parts, (hit.snippet[at:], False)) if part[0]]
