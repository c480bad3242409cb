"""How memos lie in a directory: one module a layout, looked up by name."""

from __future__ import annotations

from remember.layouts.layout import Entry, Layout, Rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember.model import StoreRef

__all__ = ["LAYOUTS", "Entry", "Layout", "Rules", "layout_named", "layout_of"]

LAYOUTS = ("remember", "zcode", "bullets", "harness", "vault")
"""Every layout; each is a module with one instance, but that stores of one file or two directories have one of their own."""


def layout_named(name: str) -> Layout:
    """The layout of that name; KeyError for an unknown one, which only a bug can cause."""
    if name == "remember":
        from remember.layouts.native import NATIVE

        return NATIVE
    if name == "vault":
        from remember.layouts.vault import VAULT

        return VAULT
    if name == "zcode":
        from remember.layouts.zcode import ZCODE

        return ZCODE
    if name == "bullets":
        from remember.layouts.bullets import BULLETS

        return BULLETS
    if name == "harness":
        from remember.layouts.harness import HARNESS

        return HARNESS
    raise KeyError(name)


def layout_of(ref: StoreRef) -> Layout:
    """The layout of a store, with rules that are its own where it is one file or two directories."""
    layout = layout_named(ref.layout)
    return layout.of(ref.file, ref.public) if ref.file or ref.public else layout
