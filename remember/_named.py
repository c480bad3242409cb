"""Named tuples declared as classes, without importing `typing` (own code: start-up; typing.NamedTuple doubles its cost)."""

from __future__ import annotations

from collections import namedtuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:

    class _Declared(type):
        """Turns annotations and defaults of a class body into a `collections.namedtuple`."""

        def __new__(mcls, name, bases, namespace):
            if not bases:
                return super().__new__(mcls, name, bases, namespace)
            fields = tuple(namespace.get("__annotations__", ()))
            defaults = [namespace.pop(field) for field in fields if field in namespace]
            plain = namedtuple(name, fields, defaults=defaults, module=namespace["__module__"])
            members = {k: v for k, v in namespace.items() if k not in ("__annotations__", "__qualname__")}
            members["__slots__"] = ()
            made = type(name, (plain,), members)
            made.__annotations__ = namespace.get("__annotations__", {})
            return made

    class NamedTuple(metaclass=_Declared):
        """Base for the light nouns; subclasses become tuples with named fields."""
