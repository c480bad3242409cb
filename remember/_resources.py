"""Finds what lies beside the package: `schema/` and `migrations/`, in a wheel, an editable install or a bare checkout."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

__all__ = ["package", "schema_text"]


def schema_text(name: str) -> str:
    """The text of a file in `schema/` (`index.sql`, `*.schema.json`); FileNotFoundError is a broken installation."""
    here = os.path.dirname(os.path.abspath(__file__))
    inside = os.path.join(here, "schema", name)
    beside = os.path.join(os.path.dirname(here), "schema", name)
    with open(inside if os.path.exists(inside) else beside, encoding="utf-8") as file:
        return file.read()


def package(name: str) -> ModuleType:
    """The package `remember.<name>` that lies beside `remember/` in the source tree; ImportError is a broken installation."""
    import sys
    from importlib import import_module
    from importlib.util import module_from_spec, spec_from_file_location

    whole = f"remember.{name}"
    try:
        return import_module(whole)
    except ModuleNotFoundError as error:
        if error.name != whole:
            raise
    beside = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), name)
    spec = spec_from_file_location(whole, os.path.join(beside, "__init__.py"), submodule_search_locations=[beside])
    if spec is None or spec.loader is None or not os.path.isdir(beside):
        raise ImportError(f"{whole} is missing; install remember again")
    module = module_from_spec(spec)
    sys.modules[whole] = module
    spec.loader.exec_module(module)
    return module
