"""How memos lie in a directory: one module a layout, looked up by name."""

from __future__ import annotations

from remember.layouts.layout import Entry, Layout, Rules

__all__ = ["Entry", "Layout", "Rules", "layout_named"]


def layout_named(name: str) -> Layout:
    """The layout of that name (`remember`, `vault`); KeyError for an unknown one, which only a bug can cause."""
    if name == "remember":
        from remember.layouts.native import NATIVE

        return NATIVE
    if name == "vault":
        from remember.layouts.vault import VAULT

        return VAULT
    raise KeyError(name)
