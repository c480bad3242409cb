"""The knowledge graph of the MCP reference memory server (2026.8.31): JSON lines of entities and relations.

An entity becomes a note, each of its observations a list item of the body, each relation a list item with a link.
"""

from __future__ import annotations

import json

from remember.exchange.item import REFUSED, SKIPPED, Broken, Item

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["read"]


class _Entity:
    """What is known of one name: where it stands first, its types, observations and relations."""

    def __init__(self, source: str, number: int) -> None:
        self.source, self.number = source, number
        self.types: dict[str, None] = {}
        self.lines: dict[str, None] = {}


def read(lines: Iterable[tuple[int, bytes]], shown: str, mtime_ms: int | None) -> Iterator[Item | Broken]:
    """The entities of a graph as notes, in order of first appearance, then what could not be read; the format has no dates."""
    entities: dict[str, _Entity] = {}
    broken: list[Broken] = []
    relations: list[tuple[str, str, str, str, int]] = []
    for number, data in lines:
        source = f"{shown}:{number}"
        if not data.strip():
            continue
        try:
            value = json.loads(data)
        except (ValueError, RecursionError):
            broken.append(Broken(source, REFUSED, "the line is no JSON"))
            continue
        if not isinstance(value, dict):
            broken.append(Broken(source, REFUSED, "the line is no JSON object"))
        elif value.get("type") == "entity":
            broken += _entity(value, source, number, entities)
        elif value.get("type") == "relation":
            ends = [_first(value, *keys) for keys in (("from", "from_id"), ("to", "to_id"), ("relationType", "relation_type"))]
            if ends[0] and ends[1]:
                relations.append((ends[0], ends[1], ends[2] or "relates to", source, number))
            else:
                broken.append(Broken(source, REFUSED, "the relation lacks one of its ends"))
        else:
            broken.append(Broken(source, SKIPPED, f"the type {str(value.get('type'))[:40]!r} is not known"))
    for start, end, how, source, number in relations:
        # The server keeps relations of entities that nobody described; a name is knowledge too.
        entity = entities.setdefault(start, _Entity(source, number))
        entity.lines[f"- {how} [[{_linkable(end)}]]"] = None
    for name, entity in entities.items():
        yield _note(name, entity, mtime_ms)
    yield from broken


def _entity(value: dict[str, object], source: str, number: int, entities: dict[str, _Entity]) -> list[Broken]:
    name = _first(value, "name", "entityName", "id")
    if not name:
        return [Broken(source, REFUSED, "the entity has no name")]
    entity = entities.setdefault(name, _Entity(source, number))
    kind = _first(value, "entityType", "entity_type")
    if kind:
        entity.types[kind] = None
    observations = value.get("observations")
    if not isinstance(observations, list):
        return [] if observations is None else [Broken(source, REFUSED, "its observations are no list", name)]
    for text in observations:
        if isinstance(text, str) and text.strip():
            entity.lines["- " + "\n  ".join(text.strip().splitlines())] = None
    odd = sum(1 for text in observations if not isinstance(text, str))
    return [Broken(source, REFUSED, f"{odd} of its observations are no text", name)] if odd else []


def _note(name: str, entity: _Entity, mtime_ms: int | None) -> Item:
    title = " ".join(name.split())
    body = "\n".join(entity.lines) or f"- {title}"
    return Item(entity.source, "note", title, body + "\n", None, mtime_ms, tuple(entity.types), None, "", (name,), title, entity.number)


def _first(value: dict[str, object], *keys: str) -> str:
    for key in keys:
        found = value.get(key)
        if isinstance(found, str) and found.strip():
            return found.strip()
    return ""


def _linkable(name: str) -> str:
    """A name as it can stand between brackets."""
    return " ".join(name.replace("[", "(").replace("]", ")").replace("|", "/").replace("#", "").split())
