"""Durable memory in plain Markdown files: `open()` gives a `Memory`; everything is imported when it is first used."""

from __future__ import annotations

__version__ = "0.1.0"

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.errors import RememberError as RememberError
    from remember.memory import Memory as Memory
    from remember.memory import open_memory as open
    from remember.model import Catalogue as Catalogue
    from remember.model import Change as Change
    from remember.model import Freshness as Freshness
    from remember.model import Hit as Hit
    from remember.model import Memo as Memo
    from remember.model import SearchResult as SearchResult

__all__ = ["Catalogue", "Change", "Freshness", "Hit", "Memo", "Memory", "RememberError", "SearchResult", "__version__", "errors", "open"]

_HOMES = {
    "Catalogue": "model",
    "Change": "model",
    "Freshness": "model",
    "Hit": "model",
    "Memo": "model",
    "Memory": "memory",
    "RememberError": "errors",
    "SearchResult": "model",
}


def __getattr__(name: str) -> object:
    """Import what is asked for, so that `import remember` costs nothing."""
    from importlib import import_module

    if name == "open":
        return import_module("remember.memory").open_memory
    if name in ("errors",):
        return import_module("remember.errors")
    if name in _HOMES:
        return getattr(import_module(f"remember.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'remember' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
