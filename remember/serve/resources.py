"""Resources and completions: `memory://{scope}/catalogue`, `memory://{scope}/{id}`, and the IDs that begin so."""

from __future__ import annotations

from remember._named import NamedTuple
from remember.errors import NotFound, RememberError
from remember.serve import reading
from remember.serve.arguments import Given
from remember.serve.bounds import clean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.memory.served import Caller

__all__ = ["TEMPLATE", "Listed", "complete", "listed", "read"]

TEMPLATE = "memory://{scope}/{id}"
_MOST = 100


class Listed(NamedTuple):
    """A resource by its address."""

    uri: str
    name: str
    about: str


def listed(caller: Caller) -> list[Listed]:
    """The catalogue of each scope that can be read now."""
    return [Listed(f"memory://{scope}/catalogue", f"{scope} memory", f"What {scope} memory holds.") for scope in caller.scopes()]


def read(caller: Caller, uri: str) -> str:
    """A resource's text. Raises NotFound for an address of another shape, and what reading raises."""
    scheme, _, rest = uri.partition("://")
    scope, slash, name = rest.partition("/")
    if scheme != "memory" or not slash or not name or not scope:
        raise NotFound(uri, hint="addresses are memory://SCOPE/catalogue and memory://SCOPE/ID")
    values: dict[str, object] = {"scope": scope}
    if name != "catalogue":
        from urllib.parse import unquote

        values["id"] = unquote(name)
    return reading.read(caller, Given(values)).text


def complete(caller: Caller, name: str, begun: str, scope: str | None) -> tuple[list[str], int]:
    """(at most 100 values, how many there are) for the template's `scope` or `id`."""
    if name == "scope":
        found = [value for value in caller.scopes() if value.startswith(begun)]
    elif name == "id":
        found = _ids(caller, begun.lower(), scope)
    else:
        found = []
    return found[:_MOST], len(found)


def _ids(caller: Caller, begun: str, scope: str | None) -> list[str]:
    try:
        memos = caller.reading(None, scope or None).memory.list().memos
    except RememberError:
        return []  # a completion that cannot be made is an empty one
    ids = [memo.id for memo in memos if memo.id]
    return [str(clean(memo_id)) for memo_id in dict.fromkeys(ids) if memo_id.startswith(begun)]
