"""Finds what lies beside the package: `schema/` and `migrations/`, in a wheel, an editable install or a bare checkout."""

from __future__ import annotations

import os

__all__ = ["schema_text"]


def schema_text(name: str) -> str:
    """The text of a file in `schema/` (`index.sql`, `*.schema.json`); FileNotFoundError is a broken installation."""
    here = os.path.dirname(os.path.abspath(__file__))
    inside = os.path.join(here, "schema", name)
    beside = os.path.join(os.path.dirname(here), "schema", name)
    with open(inside if os.path.exists(inside) else beside, encoding="utf-8") as file:
        return file.read()
