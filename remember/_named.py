"""Named tuples declared as classes (own code for start-up: `typing.NamedTuple` and `collections.namedtuple` compile each class)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:
    from _collections import _tuplegetter

    class _Declared(type):
        """Turns annotations and defaults of a class body into fields of a tuple."""

        def __new__(mcls, name, bases, namespace):
            if bases == (tuple,):
                return super().__new__(mcls, name, bases, namespace)
            if "__annotations__" in namespace:
                annotations = namespace["__annotations__"]
            else:  # Python 3.14 and later keep annotations as a function
                from annotationlib import Format, call_annotate_function, get_annotate_from_class_namespace

                annotate = get_annotate_from_class_namespace(namespace)
                annotations = call_annotate_function(annotate, Format.FORWARDREF) if annotate else {}
            fields = tuple(annotations)
            members = {key: value for key, value in namespace.items() if key not in annotations}
            defaults = {field: namespace[field] for field in fields if field in namespace}
            members.update({field: _tuplegetter(at, None) for at, field in enumerate(fields)})
            members.update(__slots__=(), _fields=fields, _field_defaults=defaults, __match_args__=fields)
            return super().__new__(mcls, name, (NamedTuple,), members)

    class NamedTuple(tuple, metaclass=_Declared):
        """Base for the light nouns; subclasses become tuples with named fields."""

        __slots__ = ()
        _fields = ()
        _field_defaults = {}  # noqa: RUF012 (never changed; a proxy would import `types`)

        def __new__(cls, *values, **named):
            if named or len(values) != len(cls._fields):
                values = cls._complete(values, named)
            return tuple.__new__(cls, values)

        @classmethod
        def _complete(cls, values, named):
            given = dict(zip(cls._fields, values, strict=False))
            if len(values) > len(cls._fields) or named.keys() & given.keys() or not named.keys() <= set(cls._fields):
                raise TypeError(f"{cls.__name__} takes {', '.join(cls._fields)}")
            given.update(named)
            missing = [field for field in cls._fields if field not in given and field not in cls._field_defaults]
            if missing:
                raise TypeError(f"{cls.__name__} lacks {', '.join(missing)}")
            return [given[field] if field in given else cls._field_defaults[field] for field in cls._fields]

        @classmethod
        def _make(cls, values):
            return cls(*values)

        def _replace(self, **named):
            if not named.keys() <= set(self._fields):
                raise TypeError(f"{type(self).__name__} has {', '.join(self._fields)}")
            return tuple.__new__(type(self), [named.get(f, v) for f, v in zip(self._fields, self, strict=True)])

        def _asdict(self):
            return dict(zip(self._fields, self, strict=True))

        def __repr__(self):
            return f"{type(self).__name__}({', '.join(f'{f}={v!r}' for f, v in zip(self._fields, self, strict=True))})"

        def __getnewargs__(self):
            return tuple(self)
