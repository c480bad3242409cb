"""JSON with comments as nodes that know their places in the text, so that an entry is put in or taken out by its span."""

from __future__ import annotations

import json
import re

from remember._named import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Insertion", "Malformed", "Node", "inserted", "parse", "removal"]

_BLANK = re.compile(r"(?:[ \t\r\n]+|//[^\n]*|/\*.*?\*/)*", re.S)
_SCALAR = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null')
_DEPTH_MOST = 200


class Malformed(ValueError):
    """The text is no JSON; says where."""


class Insertion(NamedTuple):
    """Text to put in at an offset."""

    at: int
    text: str


class Node:
    """A value from `start` to `end`; an object's members are (key, offset of the key, value), a list's likewise with key ""."""

    __slots__ = ("end", "kind", "members", "start", "value")

    def __init__(self, kind: str, start: int) -> None:
        self.kind, self.start, self.end = kind, start, start
        self.members: list[tuple[str, int, Node]] = []
        self.value: object = None

    def get(self, key: str) -> Node | None:
        """The last member of that key."""
        return next((node for name, _, node in reversed(self.members) if name == key), None) if self.kind == "object" else None

    def plain(self) -> object:
        """The value without places."""
        if self.kind == "object":
            return {key: node.plain() for key, _, node in self.members}
        if self.kind == "list":
            return [node.plain() for _, _, node in self.members]
        return self.value


def parse(text: str) -> Node:
    """The document's root. Raises Malformed; comments and a comma after the last member are allowed."""
    at = _skip(text, 1 if text.startswith("\ufeff") else 0)
    node = _value(text, at, 0)
    if _skip(text, node.end) != len(text):
        raise Malformed(_where(text, node.end))
    return node


def _where(text: str, at: int) -> str:
    return f"line {text.count(chr(10), 0, at) + 1}"


def _skip(text: str, at: int) -> int:
    match = _BLANK.match(text, at)
    return match.end() if match else at


def _value(text: str, at: int, depth: int) -> Node:
    if depth > _DEPTH_MOST:
        raise Malformed("nested too deeply")
    opening = text[at : at + 1]
    if opening in ("{", "["):
        return _container(text, at, depth, "object" if opening == "{" else "list")
    match = _SCALAR.match(text, at)
    if match is None:
        raise Malformed(_where(text, at))
    node = Node("scalar", at)
    node.end = match.end()
    node.value = json.loads(match[0], strict=False)
    return node


def _container(text: str, at: int, depth: int, kind: str) -> Node:
    node = Node(kind, at)
    closing = "}" if kind == "object" else "]"
    at = _skip(text, at + 1)
    while text[at : at + 1] != closing:
        begin, key = at, ""
        if kind == "object":
            match = _SCALAR.match(text, at)
            if match is None or text[at] != '"':
                raise Malformed(_where(text, at))
            key = json.loads(match[0], strict=False)
            at = _skip(text, match.end())
            if text[at : at + 1] != ":":
                raise Malformed(_where(text, at))
            at = _skip(text, at + 1)
        value = _value(text, at, depth + 1)
        node.members.append((key, begin, value))
        at = _skip(text, value.end)
        if text[at : at + 1] == ",":
            at = _skip(text, at + 1)
        elif text[at : at + 1] != closing:
            raise Malformed(_where(text, at))
    node.end = at + 1
    return node


def inserted(text: str, node: Node, key: str, value: object) -> Insertion:
    """How a member is put in after the last one of an object (or list, with key ""), in the style of those there are."""
    newline = "\r\n" if "\r\n" in text else "\n"
    unit = _unit(text)
    if node.members:
        _, first, _ = node.members[0]
        lead = text[text.rfind("\n", 0, first) + 1 : first]
        _, _, last = node.members[-1]
        after = _skip(text, last.end)
        comma = text[after : after + 1] == ","
        at = after + 1 if comma else last.end
        if lead.strip() or "\n" not in text[node.start : first]:
            return Insertion(at, ("" if comma else ",") + " " + _shown(key, value, None, "", newline))
        return Insertion(at, ("" if comma else ",") + newline + lead + _shown(key, value, unit, lead, newline))
    line = text[text.rfind("\n", 0, node.start) + 1 : node.start]
    indent = line[: len(line) - len(line.lstrip())]
    inner = indent + unit
    return Insertion(node.start + 1, newline + inner + _shown(key, value, unit, inner, newline) + newline + indent)


def _unit(text: str) -> str:
    match = re.search(r"[{\[]\r?\n([ \t]+)", text)
    return match[1] if match else "  "


def _shown(key: str, value: object, unit: str | None, indent: str, newline: str) -> str:
    made = json.dumps(value, ensure_ascii=False, indent=unit)
    made = made.replace("\n", newline + indent) if unit else made
    return f"{json.dumps(key)}: {made}" if key else made


def removal(text: str, node: Node, number: int) -> tuple[int, int]:
    """The span that goes with a member: from the one before it, or up to the one after it, comma included."""
    _, begin, value = node.members[number]
    if number:
        before = node.members[number - 1][2].end
        return before if _skip(text, before) < begin else begin, value.end
    if len(node.members) > 1:
        return begin, node.members[1][1]
    after = _skip(text, value.end)
    end = after + 1 if text[after : after + 1] == "," else value.end
    inner_end = _skip(text, end)
    blank = not text[node.start + 1 : begin].strip() and not text[end:inner_end].strip()
    return (node.start + 1, inner_end) if blank else (begin, end)


def path_of(root: Node, path: Sequence[str]) -> Node | None:
    """The node at a path of keys; None where there is none."""
    node: Node | None = root
    for key in path:
        node = node.get(key) if node is not None else None
    return node
