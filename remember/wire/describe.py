"""JSON Schemas with the words that stand below the fields in the models' source.

Pydantic can take these words itself (`use_attribute_docstrings`), but reads the source for it whenever a class is made: a
third of a second at each start of a command that only validates.
"""

from __future__ import annotations

import ast
import inspect
import sys
from typing import Any

from pydantic import BaseModel

__all__ = ["schema_of"]

_described: set[type[BaseModel]] = set()


def schema_of(model: type[BaseModel]) -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of a model, its fields described."""
    known = [cls for cls in _below(BaseModel) if cls.__module__.startswith("remember.wire.") and cls not in _described]
    words = {name: _words(name) for name in sys.modules if name in {cls.__module__ for cls in known}}
    made = {(module, name): number for number, (module, name) in enumerate((m, n) for m, classes in words.items() for n in classes)}
    # In the order in which they were made, so that a part is ready before its whole.
    for cls in sorted(known, key=lambda cls: made[cls.__module__, cls.__name__]):
        for base in cls.__mro__:
            for field, text in words.get(base.__module__, {}).get(base.__name__, {}).items():
                if cls.model_fields[field].description is None:
                    cls.model_fields[field].description = text
        cls.model_rebuild(force=True)
    _described.update(known)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **model.model_json_schema()}


def _below(cls: type[BaseModel]) -> list[type[BaseModel]]:
    found = []
    for below in cls.__subclasses__():
        found += [below, *_below(below)]
    return found


def _words(module: str) -> dict[str, dict[str, str]]:
    """By class and field, the string that follows a field in the module's source."""
    with open(str(sys.modules[module].__file__), encoding="utf-8") as file:
        tree = ast.parse(file.read())
    found: dict[str, dict[str, str]] = {}
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            found[node.name] = {
                field.target.id: inspect.cleandoc(said.value.value)
                for field, said in zip(node.body, node.body[1:], strict=False)
                if isinstance(field, ast.AnnAssign)
                and isinstance(field.target, ast.Name)
                and isinstance(said, ast.Expr)
                and isinstance(said.value, ast.Constant)
                and isinstance(said.value.value, str)
            }
    return found
