"""Builds the application: Datasette with the indexes read-only, our pages, and a guard before all of it."""

from __future__ import annotations

import asyncio
import hmac
import threading
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs

from datasette.app import Datasette
from datasette.database import Database
from datasette.plugins import pm

from remember.web.pages import Pages

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from typing import Any

    from remember.memory import Memory
    from remember.memory.browsing import Browsed

    Scope = dict[str, Any]
    App = Callable[[Scope, Any, Any], Awaitable[None]]

__all__ = ["COOKIE", "Guard", "build"]

COOKIE = "remember-browse"
_HOSTS = ("127.0.0.1", "localhost", "[::1]")

_QUERIES = {
    "tags": (
        "Tags, the most frequent first",
        "WITH RECURSIVE split(rest, tag) AS (SELECT tag_keys, NULL FROM memo WHERE tag_keys IS NOT NULL UNION ALL"
        " SELECT substr(rest, instr(rest, char(10)) + 1), substr(rest, 1, instr(rest, char(10)) - 1) FROM split WHERE rest <> '')"
        " SELECT tag, count(*) AS memos FROM split WHERE tag <> '' GROUP BY tag ORDER BY memos DESC, tag",
    ),
    "links": (
        "Memos that link to others",
        "SELECT file.path, memo.description, replace(memo.links, char(10), ', ') AS links FROM memo JOIN file ON file.id = memo.file"
        " WHERE memo.links IS NOT NULL ORDER BY file.path, memo.line",
    ),
    "largest": (
        "The largest files",
        "SELECT file.path, file.size AS bytes, memo.description FROM file JOIN memo ON memo.file = file.id AND memo.kind = 'note'"
        " ORDER BY file.size DESC LIMIT 100",
    ),
    "oldest": (
        "What was not changed for longest",
        "SELECT datetime(coalesce(memo.modified_ms, memo.created_ms) / 1000, 'unixepoch') AS changed, file.path, memo.line,"
        " coalesce(memo.description, memo.body) AS title FROM memo JOIN file ON file.id = memo.file"
        " WHERE coalesce(memo.modified_ms, memo.created_ms) IS NOT NULL ORDER BY 1, 2, 3 LIMIT 100",
    ),
}
"""Canned queries of each index, by name: title and SQL over schema/index.sql."""

_SETTINGS = {"default_allow_sql": False, "allow_download": False, "allow_facet": True, "sql_time_limit_ms": 3000, "template_debug": False}
_HIDDEN = ("words", "words_config", "words_data", "words_docsize", "words_idx", "meta")


def build(memory: Memory, stores: Sequence[Browsed], safe: Callable[[str], str], key: str, refresh: Callable[[], None]) -> Guard:
    """The application over these stores. `key` is asked of each request, `refresh` is called before each page.

    Its `close` takes our plugin out of Datasette again and closes the databases.
    """
    tables: Scope = {"memo": {"sort_desc": "modified_ms", "facets": ["kind"], "label_column": "description"}}
    tables |= {name: {"hidden": True} for name in _HIDDEN}
    queries = {name: {"title": title, "sql": sql} for name, (title, sql) in _QUERIES.items()}
    databases = {one.store: {"source": one.directory, "tables": tables, "queries": queries} for one in stores}
    metadata = {"title": "remember", "databases": databases}
    pages = Pages(memory, [one.store for one in stores], safe)
    pm.register(pages, name="remember")
    datasette = Datasette([], metadata=metadata, settings=_SETTINGS)
    for one in stores:
        datasette.add_database(Database(datasette, path=one.path, is_mutable=True), name=one.store)

    def close() -> None:
        pm.unregister(pages)
        datasette.executor.shutdown()
        for database in datasette.databases.values():
            database.close()

    return Guard(datasette.app(), key, refresh, close)


class Guard:
    """Lets nobody in but who has the key (from the address, then from a cookie), by a local name, and to read.

    Our own instead of Datasette's root token, which is spent at the first use. The name is asked for since a foreign page
    could otherwise reach us through a name of its own that leads to this machine (DNS rebinding).
    """

    def __init__(self, app: App, key: str, refresh: Callable[[], None], close: Callable[[], None]) -> None:
        self.app, self.key, self.refresh, self.close = app, key, refresh, close
        self._alone = threading.Lock()

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            return
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        host = headers.get("host", "").rsplit(":", 1)[0] if not headers.get("host", "").endswith("]") else headers["host"]
        if host not in _HOSTS:
            await _say(send, 403, "this is only for this machine\n")
        elif scope["method"] not in ("GET", "HEAD"):
            await _say(send, 405, "nothing can be changed here\n")
        elif self._is_key(parse_qs(scope["query_string"].decode("latin-1")).get("key", [""])[0]):
            cookie = f"{COOKIE}={self.key}; Path=/; HttpOnly; SameSite=Strict"
            await _say(send, 303, "", [(b"location", b"/"), (b"set-cookie", cookie.encode())])
        elif not self._is_key(_cookie(headers.get("cookie", ""))):
            await _say(send, 403, "open the address that `remember browse` printed\n")
        else:
            if not scope["path"].startswith("/-/static"):
                await asyncio.get_running_loop().run_in_executor(None, self._refreshed)
            await self.app(scope, receive, send)

    def _refreshed(self) -> None:
        with self._alone:
            self.refresh()

    def _is_key(self, given: str) -> bool:
        return hmac.compare_digest(given.encode("utf-8", "replace"), self.key.encode())


def _cookie(header: str) -> str:
    try:
        found = SimpleCookie(header).get(COOKIE)
    except CookieError:
        return ""
    return found.value if found is not None else ""


async def _say(send: Any, status: int, text: str, headers: Sequence[tuple[bytes, bytes]] = ()) -> None:
    kind = (b"content-type", b"text/plain; charset=utf-8")
    await send({"type": "http.response.start", "status": status, "headers": [kind, *headers]})
    await send({"type": "http.response.body", "body": text.encode()})
